import type { EnergyOptions } from '../query/energy-options.ts'
import {
  type Aggregation,
  type ComparisonResult,
  type ComparedWith,
  type EnergyPoint,
  type HistoryRow,
  type HistoryStatus,
  type meterData,
  MAX_ANSWER_POINTS,
  MAX_SERIES_METERS,
  MAX_SERIES_POINTS,
  type PeriodType,
} from '../../../../contract/energy/meter-data-calls.ts'
import { periodsBetween, type Periods, MIN_PERIOD_MS } from '../../../../contract/tariffs/energy-totals.ts'
import type { CarbonFactorOfYear } from '../../../../contract/tariffs/carbon.ts'
import { dayOf, monthOf, type Resolution, startOfDay } from '../../../../contract/time/periods.ts'
import { FLOWS } from '../../../../contract/devices/meter-roles.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { filterMeters, resolveMeters } from '../query/resolve-meters.ts'
import { PERIOD_TYPES } from '../../../../contract/energy/meter-data-calls.ts'
import {
  assertTimestamp,
  comparedInstead,
  comparedRange,
  comparedWith,
  rangesOf,
  RESOLUTIONS,
  limitExceeded,
} from '../query/ranges.ts'
import { adjustedOf, type PeriodSeries, isKnown } from '../query/compared.ts'
import { createHomeContexts, type HomeContext } from '../query/home-context.ts'
import type { BalanceLines } from '../query/balance-sums.ts'
import type { HomeFlows } from '../meters/home-flows.ts'
import { type MeterGroups, groupMeters, restrictToRange, UNTRACKED } from '../meters/meter-groups.ts'
import { readHomes, type Meter, readMeters } from '../meters/meters.ts'
import { readHistoryRows, countReporting, readMeterStatuses } from '../query/readings.ts'
import { computeSeries, computeKwh, type SeriesQuery, type Series } from '../query/compute-series.ts'
import { siteBalance } from '../balance/site-balance.ts'
import { sourceSeries } from '../balance/source-series.ts'
import { computedPercentOf } from '../rollup/backlog.ts'
import { rollUpHome } from '../rollup/roll-up-home.ts'
import { createSumCache } from '../query/sums.ts'

/** Maximum number of months on a bill: tiers count the home's energy of all of them. */
const LONGEST_BILL = 2

/** Carbon factors of the years that some ranges touch, in order. */
function carbonOf({ pricing, home }: HomeContext, ranges: readonly Periods[]): CarbonFactorOfYear[] {
  const yearOf = (at: number) => Math.floor(monthOf(at, home.zone) / 12)
  const years = new Set<number>()
  for (const { starts, end } of ranges)
    for (let year = yearOf(starts[0] as number); year <= yearOf(end - 1); year++) years.add(year)
  return [...years].toSorted((a, b) => a - b).map((year) => pricing.carbonFactor(year))
}

/** Divides a range into whole periods. Errors: INVALID. */
function periodsOf(
  { From, To, Resolution: resolution }: { From: number; To: number; Resolution: Resolution },
  zone: string,
): Periods {
  const [from, to] = [assertTimestamp('From', From), assertTimestamp('To', To)]
  if (to <= from) throw new GatewayError('INVALID', 'To must be after From', { To: 'tooSmall' })
  if ((to - from) / MIN_PERIOD_MS[resolution] > MAX_SERIES_POINTS) throw limitExceeded(MAX_SERIES_POINTS)
  const periods = periodsBetween(resolution, from, to, zone)
  if (periods.starts.length > MAX_SERIES_POINTS) throw limitExceeded(MAX_SERIES_POINTS)
  return periods
}

/** All meters of a home's flows. */
const metersOfFlows = ({ of }: HomeFlows): Meter[] => [...new Set(FLOWS.flatMap((flow) => of[flow].meters))]

/** Balance lines for pricing: the lines of the consumption of a home with a balance cost what the home buys. */
const balanceOf = ({ hasBalance, of }: HomeFlows, lines: MeterGroups): BalanceLines | undefined =>
  hasBalance && (lines.part === undefined || lines === of.consumption)
    ? {
        used: of.consumption,
        bought: of.import,
        isDivided: lines.part === undefined && lines.keys.includes(UNTRACKED),
      }
    : undefined

/** Ids of meters or virtual meters; undefined for the home as a whole. */
type Which = readonly string[] | undefined

type SeriesCall = (typeof meterData)['getEnergySeries']
type SeriesInput = Omit<InputOf<SeriesCall>, 'Flow' | 'Compare'> &
  Partial<Pick<InputOf<SeriesCall>, 'Flow' | 'Compare'>>

/** Resolves the lines that a series is requested for. Errors: INVALID, NOT_FOUND. */
async function askedLines(
  db: Db,
  tenant: string,
  { home, meters, flows, linesBy }: HomeContext,
  { By, Flow = 'consumption', PeripheralUIDs }: SeriesInput,
): Promise<MeterGroups> {
  const by = By === 'band' || By === 'source' ? 'home' : By
  if (Flow !== 'consumption' && (by !== 'home' || By === 'source' || PeripheralUIDs))
    throw new GatewayError('INVALID', 'Only the consumption is divided', { Flow: 'invalid' })
  if (By === 'source' && PeripheralUIDs)
    throw new GatewayError('INVALID', 'Only the home as a whole has sources', { PeripheralUIDs: 'invalid' })
  if (!PeripheralUIDs) return by === 'home' ? flows.of[Flow] : linesBy(by)
  const wanted = await resolveMeters(db, { tenant, HomeID: home.HomeID }, meters, PeripheralUIDs)
  return groupMeters(wanted, by, home.zone)
}

/** Restricts the lines to a range; requested meters and the home keep their line even without energy. Errors: INVALID. */
function withinAnswer(
  { By, PeripheralUIDs }: Pick<InputOf<SeriesCall>, 'By' | 'PeripheralUIDs'>,
  asked: MeterGroups,
  periods: Periods,
): MeterGroups {
  const isWhole = By === 'home' || By === 'band' || By === 'source' || (PeripheralUIDs && By !== 'room')
  const lines = isWhole ? asked : restrictToRange(asked, periods.starts[0] as number, periods.end)
  if (
    lines.keys.length > MAX_SERIES_METERS + 1 ||
    lines.keys.length * periods.starts.length > MAX_ANSWER_POINTS
  )
    throw limitExceeded(MAX_ANSWER_POINTS)
  return lines
}

/** Queries of the stored energy of homes. Each answer is read from one database snapshot. */
export type Energy = ReturnType<typeof createEnergy>

export function createEnergy({ db, clock, settle, pricingOf }: EnergyOptions) {
  const cache = createSumCache()

  const open = createHomeContexts(db, pricingOf)

  const settleMeters = (meters: readonly Meter[]) =>
    settle(
      db,
      meters.flatMap(({ meterId }) => meterId ?? []),
    )

  /** Runs `work` on one database snapshot. */
  const atOneMoment = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read, read only`)
      return work(tx)
    })

  /** Rolls up a home so that the following reads reflect its present readings. */
  async function refresh(
    tenant: string,
    opened: HomeContext,
    meters: readonly Meter[],
    ranges: readonly Periods[],
  ): Promise<void> {
    const { home, flows, dirty, unsettled } = opened
    // Tiers depend on the energy of the whole home.
    if (dirty && !opened.isComputing)
      opened.isComputing = !(await settleMeters([...new Set([...meters, ...metersOfFlows(flows)])]))
    // Until the roll-up is done, the sums would be computed again and again.
    if (opened.isComputing) return
    for (const { starts, end } of ranges)
      await rollUpHome(
        db,
        { tenant, HomeID: home.HomeID, zone: home.zone, flows },
        monthOf(starts[0] as number, home.zone) - LONGEST_BILL,
        monthOf(end - 1, home.zone) + LONGEST_BILL,
        dirty ? undefined : unsettled,
      )
  }

  /** Percentage of the queried time that is computed, as a part of an answer. */
  async function computedOf(
    { home: { zone }, isComputing }: HomeContext,
    meters: readonly Meter[],
    ranges: readonly Periods[],
  ): Promise<{ ComputedPercent?: number }> {
    if (!isComputing) return {}
    const ids = [...new Set(meters.flatMap(({ meterId }) => meterId ?? []))]
    const days = ranges.map(({ starts, end }) => {
      const from = starts[0] as number
      return [dayOf(from, zone), dayOf(Math.max(from, Math.min(end, clock.now()) - 1), zone) + 1] as const
    })
    const percent = await computedPercentOf(db, ids, days, zone)
    return percent === undefined ? {} : { ComputedPercent: percent }
  }

  /** Computes series within a transaction. */
  const seriesIn = (
    tx: Db,
    tenant: string,
    { home, flows, pricing }: HomeContext,
    asked: Pick<SeriesQuery, 'lines' | 'resolution' | 'periods' | 'byBand' | 'isUnpaid'>,
  ): Promise<Series[]> =>
    computeSeries(tx, cache, {
      ...asked,
      home: flows.of.import,
      balance: asked.isUnpaid ? undefined : balanceOf(flows, asked.lines),
      key: { tenant, HomeID: home.HomeID },
      zone: home.zone,
      pricing,
      now: clock.now(),
    })

  /** Energy of a home in some ranges of whole periods. */
  async function energyOf(
    tenant: string,
    opened: HomeContext,
    lines: MeterGroups,
    resolution: Resolution,
    ranges: readonly Periods[],
    byBand = false,
  ): Promise<Series[][]> {
    await refresh(tenant, opened, lines.meters, ranges)
    const { consumption, import: bought } = opened.flows.of
    const isUnpaid = lines.part !== undefined && lines !== consumption && lines !== bought
    const all: Series[][] = []
    await atOneMoment(async (tx) => {
      for (const periods of ranges)
        all.push(await seriesIn(tx, tenant, opened, { lines, resolution, periods, byBand, isUnpaid }))
    })
    return all
  }

  /** Consumption of a home by source, in some ranges. */
  async function sourcesOf(
    tenant: string,
    opened: HomeContext,
    lines: MeterGroups,
    resolution: Resolution,
    ranges: readonly Periods[],
  ): Promise<Series[][]> {
    const { home, flows } = opened
    await refresh(tenant, opened, metersOfFlows(flows), ranges)
    return atOneMoment((tx) =>
      Promise.all(
        ranges.map(async (periods) => {
          const used = await seriesIn(tx, tenant, opened, { lines, resolution, periods, byBand: false })
          const key = { tenant, HomeID: home.HomeID }
          return sourceSeries(tx, key, { periods, zone: home.zone, flows }, used[0]?.Points ?? [])
        }),
      ),
    )
  }

  return {
    /** §7 GetAggregationSummationData: for each meter in turn the requested range, then the ranges compared with it. */
    async aggregation(
      tenant: string,
      input: {
        HomeID: string
        PeriodType: PeriodType
        Timestamp?: number | undefined
        Compare: boolean | ComparedWith
        PeripheralUIDs?: string[] | undefined
      },
    ): Promise<{
      AggregationDataList: Aggregation[]
      Compared: ComparisonResult | null
      Meters: { Reporting: number; Total: number }
      ComputedPercent?: number
      Carbon: CarbonFactorOfYear[]
    }> {
      const opened = await open(tenant, input.HomeID)
      const { home, meters, flows } = opened
      const timestamp = assertTimestamp('Timestamp', input.Timestamp ?? clock.now())
      const lines = input.PeripheralUIDs
        ? groupMeters(
            await resolveMeters(db, { tenant, HomeID: home.HomeID }, meters, input.PeripheralUIDs),
            'meter',
            home.zone,
          )
        : flows.of.consumption
      const type = input.PeriodType
      const ask = async (wanted: ComparedWith | null): Promise<PeriodSeries[]> => {
        const ranges = rangesOf(type, timestamp, wanted, home.zone).map(([from, to]) =>
          periodsBetween(RESOLUTIONS[type], from, to, home.zone),
        )
        const found = await energyOf(tenant, opened, lines, RESOLUTIONS[type], ranges)
        return ranges.map((periods, i) => ({ periods, series: found[i] ?? [] }))
      }
      let With = comparedWith(type, input.Compare)
      const [first, Meters] = await Promise.all([ask(With), countReporting(db, lines.meters, clock.now())])
      let asked = first
      // Data of a year ago is often unknown.
      if (With?.startsWith('lastYear') && !isKnown(asked[1]?.series ?? [])) {
        const other = type === PERIOD_TYPES.hourly ? 'weekBefore' : 'previous'
        const instead = await ask(other)
        if (isKnown(instead[1]?.series ?? [])) [With, asked] = [other, instead]
      }
      const AggregationDataList = lines.keys.flatMap((key, line) =>
        asked.map(({ periods: { starts, end }, series }) => ({
          TimeStart: starts[0] as number,
          TimeEnd: end,
          PeripheralUID: key === '' ? null : key,
          AggregationData: series[line]?.Points ?? [],
        })),
      )
      const [period, compared] = asked
      return {
        AggregationDataList,
        Compared:
          With && period && compared
            ? { With, Adjusted: adjustedOf(type, opened, period, compared, clock.now()) }
            : null,
        Meters,
        ...(await computedOf(
          opened,
          lines.meters,
          asked.map(({ periods }) => periods),
        )),
        Carbon: carbonOf(
          opened,
          asked.map(({ periods }) => periods),
        ),
      }
    },

    /** GetEnergySeries. Errors: INVALID, NOT_FOUND. */
    async series(tenant: string, input: SeriesInput): Promise<ResultsOf<SeriesCall>> {
      const opened = await open(tenant, input.HomeID)
      const asked = await askedLines(db, tenant, opened, input)
      const wanted = input.Compare === true ? 'previous' : input.Compare
      const { zone } = opened.home
      const ranges = [input, ...(wanted ? [comparedRange(input, wanted, zone)] : [])]
      const ask = async (range: { From: number; To: number }) => {
        const periods = periodsOf({ ...range, Resolution: input.Resolution }, zone)
        const lines = withinAnswer(input, asked, periods)
        const read = input.By === 'source' ? sourcesOf : energyOf
        const [found] = await read(tenant, opened, lines, input.Resolution, [periods], input.By === 'band')
        return { periods, lines, series: found ?? [] }
      }
      const [here, there] = [await ask(ranges[0] as typeof input), ranges[1] && (await ask(ranges[1]))]
      let compared =
        there && wanted ? { With: wanted, range: ranges[1] as typeof input, ...there } : undefined
      // Data of a year ago is often unknown.
      if (compared && wanted && wanted.startsWith('lastYear') && !isKnown(compared.series)) {
        const With = comparedInstead(input, zone)
        const range = comparedRange(input, With, zone)
        const instead = await ask(range)
        if (isKnown(instead.series)) compared = { With, range, ...instead }
      }
      return {
        Series: here.series,
        ...(compared && {
          Compared: {
            With: compared.With,
            From: compared.range.From,
            To: compared.range.To,
            Series: compared.series,
          },
        }),
        Meters: await countReporting(db, here.lines.meters, clock.now()),
        ...(await computedOf(opened, here.lines.meters, [
          here.periods,
          ...(compared ? [compared.periods] : []),
        ])),
        Carbon: carbonOf(opened, [here.periods, ...(compared ? [compared.periods] : [])]),
      }
    },

    /** GetEnergyBalance. Errors: INVALID, NOT_FOUND. */
    async balance(
      tenant: string,
      input: InputOf<(typeof meterData)['getEnergyBalance']>,
    ): Promise<ResultsOf<(typeof meterData)['getEnergyBalance']>> {
      const opened = await open(tenant, input.HomeID)
      const { home, flows, sold } = opened
      const periods = periodsOf(input, home.zone)
      await refresh(tenant, opened, sold.meters, [periods])
      const taking = [...new Set([...metersOfFlows(flows), ...sold.meters])]
      const Meters = await countReporting(db, taking, clock.now())
      const found = await atOneMoment((tx) =>
        siteBalance(
          tx,
          { tenant, HomeID: home.HomeID },
          {
            periods,
            zone: home.zone,
            flows,
            sold,
            kwhOf: (lines) =>
              computeKwh(tx, cache, {
                lines,
                resolution: input.Resolution,
                periods,
                key: { tenant, HomeID: home.HomeID },
                zone: home.zone,
                now: clock.now(),
              }),
            used: async () => {
              const lines = flows.of.consumption
              const asked = { lines, resolution: input.Resolution, periods, byBand: false, isUnpaid: true }
              return (await seriesIn(tx, tenant, opened, asked))[0]?.Points ?? []
            },
          },
        ),
      )
      return {
        ...found,
        Meters,
        ...(await computedOf(opened, taking, [periods])),
        Carbon: carbonOf(opened, [periods]),
      }
    },

    /** §7 GetDailySummationData: whole days in the home's time zone, today last. */
    async days(tenant: string, HomeID: string | undefined, count: number) {
      const homes = await readHomes(db, tenant, HomeID)
      if (HomeID !== undefined && !homes.length)
        throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
      const answers: {
        HomeID: string
        Days: EnergyPoint[]
        Meters: { Reporting: number; Total: number }
        ComputedPercent?: number
        Carbon: CarbonFactorOfYear[]
      }[] = []
      const now = clock.now()
      for (const { HomeID: id, zone } of homes) {
        const opened = await open(tenant, id)
        const whole = opened.flows.of.consumption
        const today = dayOf(now, zone)
        const periods = periodsBetween(
          'day',
          startOfDay(today - count + 1, zone),
          startOfDay(today + 1, zone),
          zone,
        )
        const [found] = await energyOf(tenant, opened, whole, 'day', [periods])
        answers.push({
          HomeID: id,
          Days: found?.[0]?.Points ?? [],
          Meters: await countReporting(db, whole.meters, now),
          ...(await computedOf(opened, whole.meters, [periods])),
          Carbon: carbonOf(opened, [periods]),
        })
      }
      return answers
    },

    /** Last status of the given meters, or of every meter that is a device. Errors: NOT_FOUND. */
    async statuses(tenant: string, HomeID: string | undefined, ids?: Which): Promise<HistoryStatus[]> {
      const now = clock.now()
      if (HomeID !== undefined) {
        const { home, meters, dirty } = await open(tenant, HomeID)
        const asked = ids ? filterMeters(meters, ids) : meters.filter(({ removedAt }) => removedAt === null)
        const isComputed = !dirty || (await settleMeters(asked))
        return readMeterStatuses(db, [home], asked, now, isComputed)
      }
      const meters = (await readMeters(db, tenant)).filter(({ removedAt }) => removedAt === null)
      const isComputed = await settleMeters(meters)
      return readMeterStatuses(db, await readHomes(db, tenant), meters, now, isComputed)
    },

    /** Stored readings of one meter. Errors: NOT_FOUND. */
    async history(
      tenant: string,
      { HomeID, PeripheralUID }: { HomeID: string; PeripheralUID: string },
      range: { from: number; to: number; limit: number },
    ): Promise<{ Rows: HistoryRow[]; NextCursor: number | null }> {
      const meter = (await readMeters(db, tenant, HomeID)).find((one) => one.PeripheralUID === PeripheralUID)
      if (!meter)
        throw new GatewayError('NOT_FOUND', `Meter ${PeripheralUID} does not exist`, {
          PeripheralUID: 'notFound',
        })
      if (meter.meterId === null) return { Rows: [], NextCursor: null }
      // Only the roll-up decides which readings count.
      await settleMeters([meter])
      return readHistoryRows(db, meter.meterId, range)
    },
  }
}
