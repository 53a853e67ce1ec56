import { LRUCache } from 'lru-cache'
import type { CarbonFactorOfYear } from '../../../../contract/tariffs/carbon.ts'
import { dayOf, monthOf } from '../../../../contract/time/periods.ts'
import { FLOWS } from '../../../../contract/devices/meter-roles.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, raw, sql } from '../../../kernel/db.ts'
import { flowsOfHome, type HomeFlows } from '../meters/home-flows.ts'
import { type GroupBy, type MeterGroups, groupHome, groupRole } from '../meters/meter-groups.ts'
import { type Meter, readCountedMeters } from '../meters/meters.ts'
import { computedPercentOf, type EnergyDeps, ensureFresh } from '../rollup/freshness.ts'
import type { PendingRollup } from '../rollup/roll-up-home.ts'
import type { Pricing, PricingOf } from './rates.ts'
import { createSumCache, type SumCache } from './sums.ts'

/** Dependencies of the calls about stored energy. */
export interface QueryDeps extends EnergyDeps {
  /** Errors: NOT_FOUND. */
  openHome(tenant: string, HomeID: string): Promise<HomeContext>
  sumCache: SumCache
}

export const createQueryDeps = (deps: EnergyDeps & { pricingOf: PricingOf }): QueryDeps => ({
  ...deps,
  openHome: createHomeContexts(deps.db, deps.pricingOf),
  sumCache: createSumCache(),
})

/** A time range, epoch ms; `To` is exclusive. */
export interface TimeRange {
  From: number
  To: number
}

/** Maximum number of months on a bill: tiers count the home's energy of all of them. */
const MAX_BILL_MONTHS = 2

/**
 * Brings the energy of a home up to date before a query of some ranges: its meters, and its months with those of the bills they are on.
 *
 * meters   meters of the query; those of the flows are added, because tiers depend on the energy of the whole home
 * returns  false if a backlog is so large that the query covers computed energy only
 */
export const ensureHomeFresh = (
  deps: EnergyDeps,
  { tenant, home, flows, isDirty, pending }: HomeContext,
  meters: readonly Meter[],
  ranges: readonly TimeRange[],
): Promise<boolean> =>
  ensureFresh(deps, isDirty ? meterIdsOf([...meters, ...metersOfFlows(flows)]) : [], {
    scope: { tenant, HomeID: home.HomeID, zone: home.zone, flows },
    ranges: ranges.map(({ From, To }) => ({
      from: monthOf(From, home.zone) - MAX_BILL_MONTHS,
      through: monthOf(To - 1, home.zone) + MAX_BILL_MONTHS,
    })),
    pending: isDirty ? undefined : pending,
  })

/** All meters of a home's flows. */
export const metersOfFlows = ({ of }: HomeFlows): Meter[] => [
  ...new Set(FLOWS.flatMap((flow) => of[flow].meters)),
]

/** Distinct ids of the meters that have readings. */
export const meterIdsOf = (meters: readonly Meter[]): number[] => [
  ...new Set(meters.flatMap(({ meterId }) => meterId ?? [])),
]

/** Runs `work` on one snapshot of the database, which it cannot change. */
export const inSnapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`)
    return work(tx)
  })

/** Percentage of the queried time that is computed, as a part of an answer; empty if all of it is. */
export async function computedPart(
  db: Db,
  clock: EnergyDeps['clock'],
  { zone }: HomeClock,
  meters: readonly Meter[],
  ranges: readonly TimeRange[],
): Promise<{ ComputedPercent?: number }> {
  const days = ranges.map(
    ({ From, To }) =>
      [dayOf(From, zone), dayOf(Math.max(From, Math.min(To, clock.now()) - 1), zone) + 1] as const,
  )
  const percent = await computedPercentOf(db, meterIdsOf(meters), days, zone)
  return percent === undefined ? {} : { ComputedPercent: percent }
}

/** Carbon factors of the years that some ranges touch, in order. */
export function carbonFactorsOf(
  { pricing, home }: Pick<HomeContext, 'pricing' | 'home'>,
  ranges: readonly TimeRange[],
): CarbonFactorOfYear[] {
  const yearOf = (timestamp: number) => Math.floor(monthOf(timestamp, home.zone) / 12)
  const years = new Set<number>()
  for (const { From, To } of ranges)
    for (let year = yearOf(From); year <= yearOf(To - 1); year++) years.add(year)
  return [...years].toSorted((a, b) => a - b).map((year) => pricing.carbonFactor(year))
}

/** Data about a home that its energy calls have in common. */
export interface HomeContext {
  tenant: string
  home: HomeClock
  /** Meters with readings of their own. */
  meters: readonly Meter[]
  /** Flows of the home as a whole. */
  flows: HomeFlows
  /** Plants whose whole generation is sold. */
  sold: MeterGroups
  /** Consumption of its loads, divided. */
  groupsBy(by: GroupBy): MeterGroups
  pricing: Pricing
  /** Whether readings of any of its meters have not been rolled up yet. */
  isDirty: boolean
  /** Pending roll-up of the home itself. */
  pending: PendingRollup
}

/** Part of a context that stays valid until a row that it derives from changes, as `stamp` shows. */
type CachedContext = Pick<HomeContext, 'meters' | 'flows' | 'sold' | 'groupsBy' | 'pricing'> & {
  stamp: string
}

/** Maximum number of meters in the cache. */
const MAX_CACHED_METERS = 20_000

/** Caches the meters and prices of homes until any row that they derive from changes; one statement detects that. */
export function createHomeContexts(db: Db, pricingOf: PricingOf) {
  const cache = new LRUCache<string, CachedContext>({
    maxSize: MAX_CACHED_METERS,
    sizeCalculation: ({ meters }) => 1 + meters.length,
  })

  /** Errors: NOT_FOUND. */
  return async function open(tenant: string, HomeID: string): Promise<HomeContext> {
    const ofHome = sql`tenant = ${tenant} and home_id = ${HomeID}`
    const stampOf = (table: string) =>
      raw(`(select concat(count(*), ':', sum(xmin::text::bigint)) from ${table} where`)
    const [row] = await db.query<{ zone: string; stamp: string; isDirty: boolean } & PendingRollup>(sql`
      select time_zone as zone,
        concat_ws(' ', ${stampOf('meters')} ${ofHome}), ${stampOf('peripherals')} ${ofHome}),
          ${stampOf('meter_facts')} ${ofHome} and fact in ('role', 'room', 'parent', 'use', 'terms')), ${stampOf('virtual_meters')} ${ofHome}),
          ${stampOf('home_tariffs')} ${ofHome}), ${stampOf('tariffs')} tenant = ${tenant}),
          ${stampOf('off_peak_days')} tenant = ${tenant}), ${stampOf('peak_days')} tenant = ${tenant}), ${stampOf('carbon_factors')} tenant = ${tenant}), ${stampOf('companies')} tenant = ${tenant})) as stamp,
        exists(select 1 from meters m join meter_dirty d on d.meter_id = m.meter_id
          where m.tenant = ${tenant} and m.home_id = ${HomeID}) as "isDirty",
        (select hash from home_members where ${ofHome}) as hash,
        d.from, d.through
      from homes h cross join lateral
        (select min(from_day) as from, max(from_day) as through from home_dirty where ${ofHome}) d
      where h.tenant = ${tenant} and h.home_id = ${HomeID}`)
    if (!row) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
    const { zone, stamp: rows, isDirty, ...pending } = row
    const stamp = `${rows} ${zone}`
    const key = `${tenant}/${HomeID}`
    let cached = cache.get(key)
    if (cached?.stamp !== stamp) {
      const counted = await readCountedMeters(db, tenant, HomeID)
      cached = {
        stamp,
        meters: counted.filter(({ terms }) => terms === undefined),
        flows: flowsOfHome(counted, zone),
        sold: groupRole(counted, 'soldGeneration', zone),
        groupsBy: createDivisions(counted, zone),
        pricing: await pricingOf(db, tenant, HomeID),
      }
      cache.set(key, cached)
    }
    const { stamp: _, ...parts } = cached
    return { tenant, home: { HomeID, zone }, ...parts, isDirty, pending }
  }
}

/** Divides the total of a home; caches each grouping. */
function createDivisions(meters: readonly Meter[], zone: string): (by: GroupBy) => MeterGroups {
  const cache = new Map<GroupBy, MeterGroups>()
  return (by) => {
    const groups = cache.get(by) ?? groupHome(meters, by, zone)
    cache.set(by, groups)
    return groups
  }
}
