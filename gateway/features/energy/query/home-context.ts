import { LRUCache } from 'lru-cache'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, raw, sql } from '../../../kernel/db.ts'
import { flowsOfHome, type HomeFlows } from '../meters/home-flows.ts'
import { type GroupBy, type MeterGroups, groupHome, groupRole } from '../meters/meter-groups.ts'
import { type HomeClock, type Meter, readCountedMeters } from '../meters/meters.ts'
import type { PricingOf } from './prices.ts'
import type { Pricing } from './prices.ts'
import type { PendingRollup } from '../rollup/roll-up-home.ts'

/** Data about a home that its energy calls have in common. */
export interface HomeContext {
  home: HomeClock
  /** Meters with readings of their own. */
  meters: readonly Meter[]
  /** Flows of the home as a whole. */
  flows: HomeFlows
  /** Plants whose whole generation is sold. */
  sold: MeterGroups
  /** Consumption of its loads, divided. */
  linesBy(by: GroupBy): MeterGroups
  pricing: Pricing
  /** Whether readings of any of its meters have not been rolled up yet. */
  dirty: boolean
  /** Whether a backlog is so large that the call answers from computed values only. */
  isComputing: boolean
  unsettled: PendingRollup
}

type Known = Pick<HomeContext, 'meters' | 'flows' | 'sold' | 'linesBy' | 'pricing'> & { stamp: string }

/** Maximum number of meters in the cache. */
const MOST_METERS = 20_000

/** Caches the meters and prices of homes until any row that they derive from changes; one statement detects that. */
export function createHomeContexts(db: Db, pricingOf: PricingOf) {
  const known = new LRUCache<string, Known>({
    maxSize: MOST_METERS,
    sizeCalculation: ({ meters }) => 1 + meters.length,
  })

  /** Errors: NOT_FOUND. */
  return async function open(tenant: string, HomeID: string): Promise<HomeContext> {
    const ofHome = sql`tenant = ${tenant} and home_id = ${HomeID}`
    const stampOf = (table: string) =>
      raw(`(select concat(count(*), ':', sum(xmin::text::bigint)) from ${table} where`)
    const [row] = await db.query<{ zone: string; stamp: string; dirty: boolean } & PendingRollup>(sql`
      select time_zone as zone,
        concat_ws(' ', ${stampOf('meters')} ${ofHome}), ${stampOf('peripherals')} ${ofHome}),
          ${stampOf('meter_facts')} ${ofHome} and fact in ('role', 'room', 'parent', 'terms')), ${stampOf('virtual_meters')} ${ofHome}),
          ${stampOf('home_tariffs')} ${ofHome}), ${stampOf('tariffs')} tenant = ${tenant}),
          ${stampOf('off_peak_days')} tenant = ${tenant}), ${stampOf('peak_days')} tenant = ${tenant}), ${stampOf('carbon_factors')} tenant = ${tenant}), ${stampOf('companies')} tenant = ${tenant})) as stamp,
        exists(select 1 from meters m join meter_dirty d on d.meter_id = m.meter_id
          where m.tenant = ${tenant} and m.home_id = ${HomeID}) as dirty,
        (select hash from home_members where ${ofHome}) as hash,
        d.from, d.through
      from homes h cross join lateral
        (select min(from_day) as from, max(from_day) as through from home_dirty where ${ofHome}) d
      where h.tenant = ${tenant} and h.home_id = ${HomeID}`)
    if (!row) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
    const { zone, stamp: rows, dirty, ...unsettled } = row
    const stamp = `${rows} ${zone}`
    const key = `${tenant}/${HomeID}`
    let parts = known.get(key)
    if (parts?.stamp !== stamp) {
      const counted = await readCountedMeters(db, tenant, HomeID)
      parts = {
        stamp,
        meters: counted.filter(({ terms }) => terms === undefined),
        flows: flowsOfHome(counted, zone),
        sold: groupRole(counted, 'soldGeneration', zone),
        linesBy: createDivisions(counted, zone),
        pricing: await pricingOf(db, tenant, HomeID),
      }
      known.set(key, parts)
    }
    const { stamp: _, ...rest } = parts
    return { home: { HomeID, zone }, ...rest, dirty, isComputing: false, unsettled }
  }
}

/** Divides the total of a home; caches each grouping. */
function createDivisions(meters: readonly Meter[], zone: string): (by: GroupBy) => MeterGroups {
  const known = new Map<GroupBy, MeterGroups>()
  return (by) => {
    const lines = known.get(by) ?? groupHome(meters, by, zone)
    known.set(by, lines)
    return lines
  }
}
