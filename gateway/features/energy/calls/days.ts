import type { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { periodsBetween } from '../../../../contract/tariffs/energy-totals.ts'
import { dayOf, startOfDay } from '../../../../contract/time/periods.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { HomeClock } from '../../../domain/homes/home-clock.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { readHomes } from '../meters/meters.ts'
import {
  carbonFactorsOf,
  computedPart,
  ensureHomeFresh,
  inSnapshot,
  type QueryDeps,
} from '../query/context.ts'
import { computeHomeSeries } from '../query/home-series.ts'
import { extentOf } from '../query/ranges.ts'
import { countReporting } from '../query/readings.ts'

type Call = (typeof meterData)['getDailySummationData']

/** §7 GetDailySummationData: whole days in each home's time zone, today last. Errors: NOT_FOUND. */
export async function getDays(
  deps: QueryDeps,
  tenant: string,
  { HomeID, Days }: InputOf<Call>,
): Promise<ResultsOf<Call>> {
  const homes = await readHomes(deps.db, tenant, HomeID)
  if (HomeID !== undefined && !homes.length)
    throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  const answers: ResultsOf<Call> = []
  for (const home of homes) answers.push(await daysOfHome(deps, tenant, home, Days))
  return answers
}

async function daysOfHome(
  deps: QueryDeps,
  tenant: string,
  { HomeID, zone }: HomeClock,
  count: number,
): Promise<ResultsOf<Call>[number]> {
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
