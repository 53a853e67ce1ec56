import type { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { type Term, TERMS } from '../../../../contract/devices/meter-roles.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { Db } from '../../../kernel/db.ts'
import { type BalanceEnergy, siteBalance } from '../balance/site-balance.ts'
import type { MeterGroups } from '../meters/meter-groups.ts'
import {
  carbonFactorsOf,
  computedPart,
  ensureHomeFresh,
  type HomeContext,
  inSnapshot,
  metersOfFlows,
  type QueryDeps,
} from '../query/context.ts'
import { computeHomeSeries, type HomeSeriesQuery } from '../query/home-series.ts'
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
  const { db, clock } = deps
  const context = await deps.openHome(tenant, input.HomeID)
  const { home, flows, sold } = context
  const periods = wholePeriods(input, home.zone)
  const extents = [extentOf(periods)]
  const isFresh = await ensureHomeFresh(deps, context, sold.meters, extents)
  const meters = [...new Set([...metersOfFlows(flows), ...sold.meters])]
  return inSnapshot(db, async (tx) => {
    const energy = await readBalanceEnergy(deps, tx, context, { resolution: input.Resolution, periods })
    const key = { tenant, HomeID: home.HomeID }
    return {
      ...(await siteBalance(tx, key, { periods, zone: home.zone, flows }, energy)),
      Meters: await countReporting(tx, meters, clock.now()),
      ...(isFresh ? {} : await computedPart(tx, clock, home, meters, extents)),
      Carbon: carbonFactorsOf(context, extents),
    }
  })
}

async function readBalanceEnergy(
  deps: QueryDeps,
  tx: Db,
  context: HomeContext,
  scope: Pick<HomeSeriesQuery, 'resolution' | 'periods'>,
): Promise<BalanceEnergy> {
  const { tenant, home, flows, sold } = context
  const key = { tenant, HomeID: home.HomeID }
  const kwhOf = (groups: MeterGroups) =>
    computeKwh(tx, deps.sumCache, { groups, ...scope, key, zone: home.zone, now: deps.clock.now() })
  const groups = flows.of.consumption
  const [series] = groups.meters.length
    ? await computeHomeSeries(deps, tx, context, { groups, ...scope, isUnpaid: true })
    : []
  const terms = new Map<Term, (number | null)[]>()
  for (const term of TERMS) if (flows.of[term].meters.length) terms.set(term, await kwhOf(flows.of[term]))
  return {
    consumption: series?.Points ?? [],
    terms,
    sold: sold.meters.length ? await kwhOf(sold) : undefined,
  }
}
