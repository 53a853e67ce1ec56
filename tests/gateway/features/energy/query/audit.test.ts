import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  Aggregation,
  EnergyPoint,
  EnergySeries,
  HistoryRow,
} from '../../../../../contract/energy/meter-data-calls.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../../support/clock.ts'
import {
  AUDITED,
  type AuditedHome,
  type AuditedMeter,
  type AuditedPlan,
  billOn,
  daysOf,
  intervalsOf,
  inventHome,
  pricesOf,
  totalOf,
  wallOf,
} from '../../../../support/energy-audit.ts'
import { addMeter, addSite } from '../../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'
import { store } from '../rollup/meters.ts'

const QUARTER = 900_000
/**
 * Homes with a replaced and a removed meter, clocks that change, and tiers that give way to bands; other seeds with `AUDIT_SEEDS=100-400`.
 */
const [first, last] = (process.env['AUDIT_SEEDS'] ?? '').split('-').filter(Boolean).map(Number)
const SEEDS =
  first === undefined
    ? [17, 24, 29]
    : Array.from({ length: (last ?? first) - first + 1 }, (_, i) => first + i)

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(AUDITED.now) })
  root = await world.signUp()
})
afterAll(() => world.close())

async function ask<T>(path: string, body: object): Promise<T> {
  const { status, results } = await root.post(path, body)
  if (status.code !== 0) throw new Error(`${path} ${JSON.stringify(body)}: ${JSON.stringify(status)}`)
  return results as T
}

/** Season in the form of the contract. */
const seasonOf = (
  { name, prices, windows, tiers, regularRate }: AuditedPlan['versions'][number]['summer'],
  kind: string,
) => ({
  Season: name,
  Prices: kind === 'tiered' ? {} : prices,
  Windows:
    kind === 'timeOfUse'
      ? Object.fromEntries(
          Object.entries(windows).map(([type, of]) => [
            type,
            of.map(([ThroughMinute, Band], i) => ({ FromMinute: of[i - 1]?.[0] ?? 0, ThroughMinute, Band })),
          ]),
        )
      : { weekday: [], saturday: [], offPeakDay: [] },
  Tiers: tiers.map(([ThroughKwh, Price]) => ({ ThroughKwh, Price })),
  CapacityRates: regularRate === null ? {} : { regular: regularRate },
})
const dayAfter = (date: string, days: number) =>
  new Date(Date.parse(`2025-${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(5, 10)

async function createPlan({ name, kind, powerFactor, versions }: AuditedPlan): Promise<string> {
  const Versions = versions.map((version, i) => {
    const next = versions[i + 1]
    return {
      ValidFrom: version.from,
      ValidThrough: next ? `2025-${dayAfter(next.from.slice(5), -1)}` : null,
      Kind: kind,
      BasicCharge: version.basic,
      Surcharge: version.surcharge && { OverKwh: version.surcharge[0], Price: version.surcharge[1] },
      MinimumBill: version.minimum,
      PowerFactor: powerFactor,
      Seasons: [
        { ...seasonOf(version.summer, kind), From: '06-01', Through: version.summerThrough },
        { ...seasonOf(version.nonSummer, kind), From: dayAfter(version.summerThrough, 1), Through: '05-31' },
      ],
    }
  })
  return (await ask<{ TariffID: string }>('/CreateTariff', { TariffName: name, Versions })).TariffID
}

interface Built {
  HomeID: string
  RoomID: number
}

const isLate = (uid: string): boolean => uid.endsWith('2')

/** Builds a home in the product with readings in order of arrival and queries in between. */
async function build(home: AuditedHome, seed: number): Promise<Built> {
  const site = await addSite(root, `Home ${seed}`, home.firstZone)
  const { HomeID } = site
  const { RoomID } = await ask<{ RoomID: number }>('/CreateRoom', { HomeID, RoomName: 'Other' })
  const ids: number[] = []
  for (const { uid, parent, room } of home.meters) {
    // Some are placed below their parent meter only after they have counted for a while.
    const above = parent === null || isLate(uid) ? {} : { parent: (home.meters[parent] as AuditedMeter).uid }
    ids.push(await addMeter(world, root, site, uid, { RoomID: room === 'other' ? RoomID : 0, ...above }))
  }
  const plans = new Map<AuditedPlan, string>()
  for (const { plan } of home.tariffs) if (!plans.has(plan)) plans.set(plan, await createPlan(plan))
  await ask('/UpdateHomeTariff', {
    HomeID,
    Tariffs: home.tariffs.map(({ validFrom, regular, powerFactor, phases, plan }, i) => {
      const next = home.tariffs[i + 1]
      return {
        ValidFrom: validFrom,
        ValidThrough: next ? `2025-${dayAfter(next.validFrom.slice(5), -1)}` : null,
        PlanID: plans.get(plan),
        Capacities: { regular },
        Phases: phases,
        PowerFactor: powerFactor,
        BillingDay: home.billingDay,
        BillingMonths: home.billingMonths,
        FirstMonth: 1,
        FeedIn: null,
      }
    }),
  })
  await ask('/UpdateCarbonFactor', { Factors: [{ Year: 2025, Factor: home.carbon }] })

  const undone: string[] = []
  const correct = async ({ uid, replacement, corrections }: AuditedMeter): Promise<void> => {
    const of = { HomeID, PeripheralUID: uid }
    if (replacement) {
      const { at: From, oldKwh: OldKwh, newKwh: NewKwh } = replacement
      await ask('/CreateMeterCorrection', { ...of, Kind: 'replacement', From, OldKwh, NewKwh })
    }
    for (const { from: From, to: To, kwh, sharing, undone: later } of corrections) {
      const body = { ...of, Kind: 'interval', From, To, kWh: kwh, Sharing: sharing }
      const { CorrectionID } = await ask<{ CorrectionID: string }>('/CreateMeterCorrection', body)
      if (later) undone.push(CorrectionID)
    }
  }
  const rounds = 4
  for (let round = 0; round < rounds; round++) {
    for (const [i, meter] of home.meters.entries()) {
      const part = Math.ceil(meter.arrivingReadings.length / rounds)
      const arriving = meter.arrivingReadings.slice(round * part, (round + 1) * part)
      await store(
        world.db,
        ids[i] as number,
        arriving.map(({ at, kwh }) => ({ timestamp: at, kwh })),
      )
      if (round === (seed + i) % rounds) await correct(meter)
    }
    // Earlier queries are computed from fewer readings, with another time and another meter tree.
    if ((seed + round) % 2) await ask('/GetDailySummationData', { HomeID, Days: 60 })
    if (round === 2) {
      await ask('/UpdateHomeInfo', { HomeID, TimeZone: home.zone })
      for (const { uid, parent } of home.meters)
        if (parent !== null && isLate(uid)) {
          const Value = (home.meters[parent] as AuditedMeter).uid
          await ask('/SetMeterFact', { HomeID, MeterID: uid, Fact: 'parent', Value, From: null })
        }
    }
  }
  for (const CorrectionID of undone) await ask('/UndoMeterCorrection', { HomeID, CorrectionID })
  for (const { uid, removedAt } of home.meters)
    if (removedAt !== null) {
      await ask('/RemovePeripheral', { HomeID, PeripheralUID: uid })
      await world.db.query(sql`update meters set removed_at = ${removedAt} where peripheral_uid = ${uid}`)
    }
  return { HomeID, RoomID }
}

type Weighed = readonly (readonly [place: number, weight: 1 | -1])[]

/** Expected results of all calls about a home. */
function expectations(home: AuditedHome) {
  const wall = wallOf(home.zone)
  const days = daysOf(wall, '2025-07-01', '2025-12-31')
  const intervals = home.meters.map(intervalsOf)
  const firstDays = intervals.map((of) => {
    const known = [...of].filter(([, { letter }]) => letter !== '-').map(([at]) => at)
    return known.length ? wall(Math.min(...known)).date : '9999'
  })
  /** A reading belongs to the interval that it ends. */
  const undecided = home.meters.map(
    ({ quarantined }) => new Set(quarantined.map((at) => Math.ceil(at / QUARTER) * QUARTER - QUARTER)),
  )
  const endsAt = ({ removedAt }: AuditedMeter) =>
    removedAt === null ? Infinity : Math.ceil(removedAt / QUARTER) * QUARTER
  /** Nearest parent meter that existed at the time. */
  const parentAt = (place: number, at: number): number | null => {
    let above = home.meters[place]?.parent ?? null
    while (above !== null && endsAt(home.meters[above] as AuditedMeter) <= at)
      above = home.meters[above]?.parent ?? null
    return above
  }
  const today = wall(AUDITED.now).date
  const ended = (at: number) => at + QUARTER <= AUDITED.now
  /** Last known interval of each day of a removed meter: up to it, intervals may be missing. */
  const lastKnown = home.meters.map(({ removedAt }, place) => {
    const found = new Map<string, number>()
    if (removedAt !== null)
      for (const [at, { letter }] of intervals[place] as Map<number, { letter: string }>)
        if (letter !== '-') found.set(wall(at).date, Math.max(found.get(wall(at).date) ?? 0, at))
    return found
  })
  /** Meters without a parent at a time. */
  const topsAt = (at: number): Weighed =>
    home.meters.flatMap((_, place) => (parentAt(place, at) === null ? [[place, 1] as const] : []))
  const leaves = (at: number, is: (meter: AuditedMeter) => boolean): Weighed => {
    const above = new Set(home.meters.map((_, place) => parentAt(place, at)))
    return home.meters.flatMap((meter, place) =>
      !above.has(place) && is(meter) ? [[place, 1] as const] : [],
    )
  }
  const untracked = (at: number): Weighed => {
    const above = new Set(home.meters.map((_, place) => parentAt(place, at)))
    return home.meters.flatMap((_, place): Weighed => {
      const isTop = parentAt(place, at) === null
      if (isTop && above.has(place)) return [[place, 1]]
      return !isTop && !above.has(place) ? [[place, -1]] : []
    })
  }
  const at = (who: (at: number) => Weighed) => (begin: number) =>
    who(begin).reduce((sum, [place, weight]) => sum + weight * (intervals[place]?.get(begin)?.kwh ?? 0), 0)
  const homeAt = at(topsAt)
  const priceAt = pricesOf(home, { wall, days, homeAt })

  /** Point of some intervals. */
  const point = (who: (at: number) => Weighed, quarters: readonly number[]) => {
    const sum = {
      kWh: 0,
      Cost: 0 as number | null,
      Measured: 0,
      Between: 0,
      Estimated: 0,
      Corrected: 0,
      Missing: 0,
      Withheld: 0,
      Resets: 0,
    }
    for (const begin of quarters) {
      if (wall(begin).date > today) continue
      const price = priceAt(begin)
      if (price === null) sum.Cost = null
      for (const [place, weight] of who(begin)) {
        const one = intervals[place]?.get(begin)
        const letter = one?.letter ?? '-'
        sum.kWh += weight * (one?.kwh ?? 0)
        if (sum.Cost !== null && price !== null) sum.Cost += weight * (one?.kwh ?? 0) * price
        sum.Resets += one?.fell ?? 0
        if (letter === 'm') sum.Measured += 1
        else if (letter === 'b') sum.Between += 1
        else if (letter === 'e') sum.Estimated += 1
        else if (letter === 'c') sum.Corrected += 1
        else if (home.meters[place]?.removedAt !== null)
          sum.Missing += letter === 'q' || begin < (lastKnown[place]?.get(wall(begin).date) ?? 0) ? 1 : 0
        else if (ended(begin) && wall(begin).date >= (firstDays[place] as string)) sum.Missing += 1
        if (ended(begin) && letter !== 'c' && undecided[place]?.has(begin)) sum.Withheld += 1
      }
    }
    // If every reading is quarantined, the sum contains the energy that the surrounding readings show.
    const isKnown = sum.Measured + sum.Between + sum.Estimated + sum.Corrected > 0 || Math.abs(sum.kWh) > 1e-9
    return {
      ...sum,
      Withheld: Math.min(sum.Withheld, sum.Missing),
      kWh: isKnown ? sum.kWh : null,
      Cost: isKnown ? sum.Cost : null,
      CarbonKg: isKnown ? sum.kWh * home.carbon : null,
    }
  }
  return { wall, days, topsAt, leaves, untracked, homeAt, point }
}
type Expected = ReturnType<typeof expectations>

/** Differences between actual and expected points. */
function faultsOf(
  what: string,
  expected: ReturnType<Expected['point']>,
  found: EnergyPoint | undefined,
): string[] {
  if (!found) return [`${what} is not there`]
  const shown = { ...found, ...found.Coverage } as unknown as Record<string, number | null>
  return Object.entries(expected).flatMap(([field, value]) => {
    const other = shown[field] ?? null
    const near =
      value === null || other === null
        ? value === other
        : Math.abs(value - other) <= 1e-5 + Math.abs(value) * 1e-9
    return near ? [] : [`${what} ${new Date(found.Timestamp).toISOString()} ${field}: ${other} for ${value}`]
  })
}

const dates = (days: Map<string, number[]>, from: string, through: string) =>
  [...days].filter(([date]) => from <= date && date <= through)

/** Expected periods of a range: the quarters of each. */
function periodsOf({ days, wall }: Expected, resolution: string, from: string, through: string): number[][] {
  const all = dates(days, from, through)
  if (resolution === 'day') return all.map(([, quarters]) => quarters)
  if (resolution === 'month')
    return [...new Set(all.map(([date]) => date.slice(0, 7)))].map((month) =>
      all.flatMap(([date, quarters]) => (date.startsWith(month) ? quarters : [])),
    )
  if (resolution === 'quarter') return all.flatMap(([, quarters]) => quarters.map((at) => [at]))
  const hourOf = (at: number) => Math.floor(wall(at).minute / 60)
  return all.flatMap(([, quarters]) => {
    const hours: number[][] = []
    for (const at of quarters) {
      const before = hours.at(-1)?.at(-1)
      // An hour begins at minute 0, or where the clock change skipped its beginning.
      if (before === undefined || wall(at).minute % 60 === 0 || hourOf(at) !== hourOf(before))
        hours.push([at])
      else hours.at(-1)?.push(at)
    }
    return hours
  })
}

async function audit(home: AuditedHome, { HomeID, RoomID }: Built): Promise<string[]> {
  const expected = expectations(home)
  const { point, topsAt, leaves, untracked, days, wall, homeAt } = expected
  const faults: string[] = []
  const ranges = {
    quarter: ['2025-10-20', '2025-10-27'],
    hour: ['2025-09-20', '2025-11-05'],
    day: ['2025-09-01', '2025-11-30'],
    month: ['2025-08-01', '2025-12-31'],
  } as const
  const who: Record<string, Record<string, (at: number) => Weighed>> = {
    home: { '': topsAt },
    meter: {
      ...Object.fromEntries(
        home.meters.map(({ uid }) => [uid, (at: number) => leaves(at, (meter) => meter.uid === uid)]),
      ),
      untracked,
    },
    room: {
      '0': (at) => leaves(at, ({ room }) => room === 'default'),
      [RoomID]: (at) => leaves(at, ({ room }) => room === 'other'),
      untracked,
    },
  }
  const near = (value: number, other: number) => Math.abs(value - other) < 1e-5 + Math.abs(value) * 1e-9
  for (const [Resolution, [from, through]] of Object.entries(ranges)) {
    const periods = periodsOf(expected, Resolution, from, through)
    const range = {
      HomeID,
      From: days.get(from)?.[0],
      To: (days.get(through)?.at(-1) ?? 0) + QUARTER,
      Resolution,
    }
    for (const [By, lines] of Object.entries(who)) {
      const { Series } = await ask<{ Series: EnergySeries[] }>('/GetEnergySeries', { ...range, By })
      for (const { Key, Points } of Series) {
        const of = lines[Key]
        if (!of || Points.length !== periods.length)
          faults.push(`${Resolution} ${By} ${Key}: ${Points.length} points`)
        else
          for (const [i, quarters] of periods.entries())
            faults.push(...faultsOf(`${Resolution} ${By} ${Key}`, point(of, quarters), Points[i]))
      }
    }
    // The bands add up to the home.
    const { Series } = await ask<{ Series: EnergySeries[] }>('/GetEnergySeries', { ...range, By: 'band' })
    for (const [i, quarters] of periods.entries()) {
      const sum = Series.reduce((all, { Points }) => all + (Points[i]?.kWh ?? 0), 0)
      if (!near(sum, point(topsAt, quarters).kWh ?? 0)) faults.push(`${Resolution} band ${i}: ${sum}`)
    }
  }

  // Without data from a year ago, a day is compared with the same weekday of the week before (docs/energy.md).
  const summations = [
    [1, '2025-10-26', '2025-10-26', '2025-10-19', '2025-10-19', 'hour'],
    [2, '2025-10-01', '2025-10-31', '2025-09-01', '2025-09-30', 'day'],
  ] as const
  for (const [PeriodType, from, through, before, beforeThrough, resolution] of summations) {
    const body = { HomeID, PeriodType, Timestamp: days.get(through)?.[40], Compare: true }
    const { AggregationDataList } = await ask<{ AggregationDataList: Aggregation[] }>(
      '/GetAggregationSummationData',
      body,
    )
    for (const [i, [a, b]] of (
      [
        [from, through],
        [before, beforeThrough],
      ] as const
    ).entries())
      for (const [n, quarters] of periodsOf(expected, resolution, a, b).entries())
        faults.push(
          ...faultsOf(
            `summation ${PeriodType}`,
            point(topsAt, quarters),
            AggregationDataList[i]?.AggregationData[n],
          ),
        )
  }
  const year = await ask<{ AggregationDataList: Aggregation[] }>('/GetAggregationSummationData', {
    HomeID,
    PeriodType: 4,
  })
  for (const [n, quarters] of periodsOf(expected, 'month', '2025-07-01', '2025-12-31').entries())
    faults.push(
      ...faultsOf('year', point(topsAt, quarters), year.AggregationDataList[0]?.AggregationData[n + 6]),
    )
  const [daily] = await ask<{ Days: EnergyPoint[] }[]>('/GetDailySummationData', { HomeID, Days: 40 })
  const lately = dates(days, '2025-09-01', wall(AUDITED.now).date).slice(-40)
  for (const [i, [, quarters]] of lately.entries())
    faults.push(...faultsOf('daily', point(topsAt, quarters), daily?.Days[i]))

  for (const status of await ask<Record<string, never>[]>('/GetAllMeterData', { HomeID })) {
    const place = home.meters.findIndex(({ uid }) => uid === status['PeripheralUID'])
    const newest = Math.max(...(home.meters[place]?.arrivingReadings ?? []).map(({ at }) => at))
    const here = wall(AUDITED.now)
    const today = days.get(here.date) ?? []
    const hour = today.filter((at) => Math.floor(wall(at).minute / 60) === Math.floor(here.minute / 60))
    const month = [...days]
      .filter(([date]) => date.slice(0, 7) === here.date.slice(0, 7))
      .flatMap(([, of]) => of)
    for (const [field, quarters] of [
      ['HourlyKwh', hour],
      ['DailyKwh', today],
      ['MonthlyKwh', month],
    ] as const) {
      const { kWh } = point(() => [[place, 1]], quarters)
      const value = newest >= (quarters[0] ?? 0) ? kWh : null
      const shown = status[field] ?? null
      if (value === null || shown === null ? value !== shown : !near(value, shown))
        faults.push(`${field}: ${shown} for ${value}`)
    }
    if (status['LastUpdateTimestamp'] !== newest) faults.push(`last update of ${place}`)
  }

  for (const { uid, arrivingReadings, counted, replacement } of home.meters) {
    const body = { HomeID, PeripheralUID: uid, From: 0, To: AUDITED.now + QUARTER, Limit: 10_000 }
    const { Rows } = await ask<{ Rows: HistoryRow[] }>('/GetHistoryStatusData', body)
    const stored = new Map(arrivingReadings.map(({ at, kwh }) => [at, kwh]))
    if (Rows.length !== Math.min(stored.size, 10_000))
      faults.push(`history of ${uid}: ${Rows.length} for ${stored.size}`)
    if (stored.size > 10_000) continue
    const reported = counted.filter(
      ({ at, kwh }) => stored.get(at) === kwh && (at !== replacement?.at || stored.has(at)),
    )
    const moments = [...new Map(reported.map(({ at, kwh }) => [at, kwh]))]
    const rises = moments.reduce(
      (sum, [, kwh], i) => sum + Math.max(0, kwh - (moments[i - 1]?.[1] ?? kwh)),
      0,
    )
    const sum = Rows.reduce((all, { kWh }) => all + (kWh ?? 0), 0)
    if (!near(rises, sum)) faults.push(`history of ${uid}: ${sum} kWh for ${rises}`)
  }

  const bills = new Set(['2025-09-15', '2025-10-05', '2025-10-25'].map((date) => billOn(home, date)[0]))
  for (const date of bills) {
    const found = await ask<{ From: string; Total: number; kWh: number }>('/GetBill', { HomeID, Date: date })
    const total = totalOf(home, { wall, days, homeAt }, date)
    if (found.From !== date) faults.push(`the bill of ${date} begins on ${found.From}`)
    if (Math.abs(found.Total - total) > 0.005) faults.push(`the bill of ${date}: ${found.Total} for ${total}`)
    const [from, end] = billOn(home, date)
    const used = dates(days, from, end)
      .filter(([day]) => day < end)
      .flatMap(([, of]) => of)
      .reduce((sum, at) => sum + homeAt(at), 0)
    if (!near(used, found.kWh)) faults.push(`the bill of ${date}: ${found.kWh} kWh for ${used}`)
  }
  const { Periods, Current } = await ask<{
    Periods: { From: string }[]
    Current: { Bills: { Total: number | null }[] }
  }>('/CompareTariff', { HomeID, Months: 1, PlanIDs: ['lv_two_stage'] })
  for (const [i, { From }] of Periods.entries()) {
    const [from, end] = billOn(home, From)
    const isPriced = home.tariffs.some(({ validFrom }) => validFrom <= from)
    const total = isPriced ? totalOf(home, { wall, days, homeAt }, From) : null
    const shown = Current.Bills[i]?.Total ?? null
    if (total === null || shown === null ? total !== shown : Math.abs(total - shown) > 0.005)
      faults.push(`the bill until ${end} under the home's own tariffs: ${shown} for ${total}`)
  }
  const { Peaks } = await ask<{ Peaks: { kW: number }[] }>('/GetDemand', { HomeID, Month: '2025-10' })
  const highest = dates(days, '2025-10-01', '2025-10-31')
    .flatMap(([, of]) => of.map((at) => homeAt(at) * 4))
    .filter((kW) => kW > 0)
    .toSorted((x, y) => y - x)
    .slice(0, 5)
  if (Peaks.length !== highest.length || Peaks.some(({ kW }, i) => !near(kW, highest[i] ?? 0)))
    faults.push(`peaks ${Peaks.map(({ kW }) => kW).join()} for ${highest.join()}`)
  return faults
}

describe('an independent audit', () => {
  it.each(SEEDS)('computes the same values as every call (%i)', async (seed) => {
    const home = inventHome(seed)
    const site = await build(home, seed)
    expect((await audit(home, site)).slice(0, 20)).toEqual([])
  })
})
