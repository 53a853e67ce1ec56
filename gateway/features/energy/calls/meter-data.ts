import type { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import type { HandlersOf } from '../../../kernel/context.ts'
import {
  type QueryDeps,
  carbonFactorsOf,
  computedPart,
  ensureHomeFresh,
  inSnapshot,
} from '../query/context.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { findHome, type HomeClock } from '../../../domain/homes/find-home.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { readMeters, readHomes } from '../meters/meters.ts'
import { readHistoryRows, countReporting } from '../query/readings.ts'
import { type EnergyDeps, ensureFresh } from '../rollup/freshness.ts'
import { periodsBetween } from '../../../../contract/tariffs/energy-totals.ts'
import { dayOf, startOfDay } from '../../../../contract/time/periods.ts'
import { computeHomeSeries } from '../query/series.ts'
import { extentOf } from '../query/ranges.ts'
import { getAggregation } from './aggregation.ts'
import { getBalance, getSeries } from './series.ts'
import { getCompanyEnergy, getMonthBesideYear } from './company-energy.ts'
import { getStatuses, getStatusesOfHomes } from './home-energy.ts'

/** Calls of meterData. */
export const meterDataHandlers = (deps: QueryDeps): HandlersOf<typeof meterData> => ({
  getAggregationSummationData: (input, { actor }) => getAggregation(deps, actor.tenant, input),
  getEnergySeries: (input, { actor }) => getSeries(deps, actor.tenant, input),
  getCompanyEnergy: (input, { actor, homes }) => getCompanyEnergy(deps, actor.tenant, homes(), input),
  getEnergyBalance: (input, { actor }) => getBalance(deps, actor.tenant, input),
  getDailySummationData: (input, { actor, homes }) =>
    getDays(deps, actor.tenant, input.HomeID === undefined ? homes() : [input.HomeID], input),
  getMonthBesideYear: (_, { actor, homes }) => getMonthBesideYear(deps, actor.tenant, homes()),
  getAllMeterData: ({ HomeID }, { actor, homes }) =>
    HomeID === undefined
      ? getStatusesOfHomes(deps, actor.tenant, homes())
      : getStatuses(deps, actor.tenant, HomeID),
  getHistoryStatusData: (input, { actor }) => getHistory(deps, actor.tenant, input),
  getLastHistoryStatusData: ({ HomeID, PeripheralUIDs }, { actor }) =>
    getStatuses(deps, actor.tenant, HomeID, PeripheralUIDs),
})

type HistoryCall = (typeof meterData)['getHistoryStatusData']

/** §3 History log: the stored readings of one meter, a page at a time. Errors: NOT_FOUND. */
async function getHistory(
  deps: EnergyDeps,
  tenant: string,
  { HomeID, PeripheralUID, From, To, Cursor, Limit }: InputOf<HistoryCall>,
): Promise<ResultsOf<HistoryCall>> {
  await findHome(deps.db, tenant, HomeID)
  const meter = (await readMeters(deps.db, tenant, HomeID)).find((one) => one.PeripheralUID === PeripheralUID)
  if (!meter)
    throw new GatewayError('NOT_FOUND', `Meter ${PeripheralUID} does not exist`, {
      PeripheralUID: 'notFound',
    })
  if (meter.meterId === null) return { Rows: [], NextCursor: null }
  // Only the roll-up decides which readings count.
  await ensureFresh(deps, [meter.meterId])
  return readHistoryRows(deps.db, meter.meterId, {
    from: Math.max(From, Cursor ?? From),
    to: To,
    limit: Limit,
  })
}

type DaysCall = (typeof meterData)['getDailySummationData']

/** §7 GetDailySummationData: whole days in each home's time zone, today last. Errors: NOT_FOUND. */
async function getDays(
  deps: QueryDeps,
  tenant: string,
  visible: readonly string[] | null,
  { HomeID, Days }: InputOf<DaysCall>,
): Promise<ResultsOf<DaysCall>> {
  const homes = await readHomes(deps.db, tenant, visible)
  if (HomeID !== undefined && !homes.length)
    throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  const answers: ResultsOf<DaysCall> = []
  for (const home of homes) answers.push(await daysOfHome(deps, tenant, home, Days))
  return answers
}

async function daysOfHome(
  deps: QueryDeps,
  tenant: string,
  { HomeID, zone }: HomeClock,
  count: number,
): Promise<ResultsOf<DaysCall>[number]> {
  const { db, clock } = deps
  const context = await deps.openHome(tenant, HomeID)
  const groups = context.flows.of.consumption
  const today = dayOf(clock.now(), zone)
  const periods = periodsBetween(
    'day',
    startOfDay(today - count + 1, zone),
    startOfDay(today + 1, zone),
    zone,
  )
  const extents = [extentOf(periods)]
  const isFresh = await ensureHomeFresh(deps, context, groups.meters, extents)
  return inSnapshot(db, async (tx) => {
    const [series] = await computeHomeSeries(deps, tx, context, { groups, resolution: 'day', periods })
    return {
      HomeID,
      Days: series?.Points ?? [],
      Meters: await countReporting(tx, groups.meters, clock.now()),
      ...(isFresh ? {} : await computedPart(tx, clock, context.home, groups.meters, extents)),
      Carbon: carbonFactorsOf(context, extents),
    }
  })
}
