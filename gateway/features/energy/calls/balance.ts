import type { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { siteBalance } from '../balance/site-balance.ts'
import type { MeterGroups } from '../meters/meter-groups.ts'
import {
  carbonFactorsOf,
  computedPart,
  ensureHomeFresh,
  inSnapshot,
  metersOfFlows,
  type QueryDeps,
} from '../query/context.ts'
import { computeHomeSeries } from '../query/home-series.ts'
import { extentOf, wholePeriods } from '../query/ranges.ts'
import { countReporting } from '../query/readings.ts'
import { computeKwh } from '../query/series.ts'

type Call = (typeof meterData)['getEnergyBalance']
export type BalanceInput = InputOf<Call>

/** GetEnergyBalance. Errors: INVALID, NOT_FOUND. */
export async function getBalance(
  deps: QueryDeps,
  tenant: string,
  input: BalanceInput,
): Promise<ResultsOf<Call>> {
  const { db, clock, sumCache } = deps
  const context = await deps.openHome(tenant, input.HomeID)
  const { home, flows, sold } = context
  const key = { tenant, HomeID: home.HomeID }
  const periods = wholePeriods(input, home.zone)
  const extents = [extentOf(periods)]
  const isFresh = await ensureHomeFresh(deps, context, sold.meters, extents)
  const meters = [...new Set([...metersOfFlows(flows), ...sold.meters])]
  const scope = { resolution: input.Resolution, periods }
  return inSnapshot(db, async (tx) => ({
    ...(await siteBalance(tx, key, {
      ...{ periods, zone: home.zone, flows, sold },
      kwhOf: (lines: MeterGroups) =>
        computeKwh(tx, sumCache, { lines, ...scope, key, zone: home.zone, now: clock.now() }),
      async used() {
        const query = { groups: flows.of.consumption, ...scope, isUnpaid: true }
        return (await computeHomeSeries(deps, tx, context, query))[0]?.Points ?? []
      },
    })),
    Meters: await countReporting(tx, meters, clock.now()),
    ...(isFresh ? {} : await computedPart(tx, clock, home, meters, extents)),
    Carbon: carbonFactorsOf(context, extents),
  }))
}
