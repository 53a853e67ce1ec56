import { METER_TYPES } from '../../../contract/devices/kinds/registry.ts'
import { decide, SOMEWHERE } from '../../../contract/kernel/permissions.ts'
import { SETUP_RIGHTS, SETUP_STEPS, type SetupLine, type SetupStep } from '../../../contract/setup/steps.ts'
import { TAIPOWER_PLANS } from '../../../contract/tariffs/taipower-plans.ts'
import type { Handler } from '../../kernel/context.ts'
import type { setup } from '../../../contract/setup/calls.ts'
import { sql } from '../../kernel/db.ts'
import { inHomes } from '../../store/sql.ts'

/** Counts of the statement, one per column. */
interface Counts {
  homes: number
  /** The site that was added first. */
  first: string | null
  roomed: number
  bare: string | null
  hubs: number
  seen: number
  devices: number
  placed: number
  unplaced: string | null
  meters: number
  settled: number
  unsettled: string | null
  metered: number
  priced: number
  unpriced: string | null
  people: number
  ways: number
  alarms: number
}

/** Setup steps from the counts, regardless of the caller's rights. */
function linesOf(c: Counts): Record<SetupStep, SetupLine> {
  const line = (Step: SetupStep, Done: boolean, Count: number, Of: number, HomeID: string | null) =>
    ({ Step, Done, Count, Of, HomeID }) satisfies SetupLine
  return {
    rooms: line('rooms', c.homes > 0 && c.roomed === c.homes, c.roomed, c.homes, c.bare),
    hub: line('hub', c.seen > 0, c.seen, c.hubs, c.first),
    devices: line('devices', c.placed > 0, c.placed, c.devices, c.unplaced ?? c.first),
    meters: line(
      'meters',
      c.meters > 0 && c.settled === c.meters,
      c.settled,
      c.meters,
      c.unsettled ?? c.first,
    ),
    tariff: line(
      'tariff',
      c.metered > 0 && c.priced === c.metered,
      c.priced,
      c.metered,
      c.unpriced ?? c.first,
    ),
    people: line('people', c.people >= 2, c.people, 2, null),
    alarms: line('alarms', c.alarms > 0 && c.ways > 0, Number(c.alarms > 0) + Number(c.ways > 0), 2, c.first),
  }
}

/** Built-in plans that need a contract on demand. */
const WITH_CONTRACT = TAIPOWER_PLANS.filter(({ Versions }) =>
  Versions.some(({ Seasons }) => Seasons.some(({ CapacityRates }) => CapacityRates.regular !== undefined)),
).map(({ PlanID }) => PlanID)

/**
 * Setup progress of a company, read in one statement for consistency. Steps that the caller may not do are omitted.
 *
 * rooms   a site has its own room, or a hub in its default room
 * devices one is in a room; the default room counts if the site has no other
 * meters  one is below another, has a configured role, or is its site's only one at the top
 * tariff  a site has one, with the contract that it needs
 * alarms  a rule is enabled, and a transport to people has worked: a mail server, a browser that a push has reached, or a tested
 *         channel
 */
export const getSetupState =
  ({ isDelivered }: { isDelivered: boolean }): Handler<typeof setup.getSetupState> =>
  async (_, { db, actor, homes }) => {
    const { tenant } = actor
    const visible = homes('homes')
    const ofVisible = sql`tenant = ${tenant} and ${inHomes(visible, sql`home_id`)}`
    const [counts] = await db.query<Counts>(sql`
      with h as (select home_id, created_at from homes where ${ofVisible}),
        r as (select distinct home_id from rooms where ${ofVisible} and room_id <> 0),
        roomed as (select home_id from r union select home_id from things where ${ofVisible}),
        p as (select * from peripherals where ${ofVisible}),
        top as (select home_id, peripheral_uid, exists (select from meter_facts f where f.tenant = ${tenant}
            and f.home_id = p.home_id and f.meter_key = p.peripheral_uid and f.fact = 'role') as named
          from p where peripheral_type = any(${[...METER_TYPES]}::text[]) and parent_meter is null),
        doubtful as (select home_id, count(*) as meters from top where not named group by home_id
          having (select count(*) from top t where t.home_id = top.home_id) > 1),
        m as (select home_id, count(*) as meters from p
          where peripheral_type = any(${[...METER_TYPES]}::text[]) group by home_id),
        t as (select distinct f.home_id from home_tariffs f where f.tenant = ${tenant} and ${inHomes(visible, sql`f.home_id`)} and (
          (f.capacities ->> 'regular')::float8 > 0 or not (f.plan_id = any(${WITH_CONTRACT}::text[]) or exists (
            select from tariffs o where o.tenant = f.tenant and o.tariff_id = f.plan_id
              and jsonb_path_exists(o.versions, '$[*].Seasons[*].CapacityRates.regular')))))
      select (select count(*) from h)::int as homes,
        (select count(*) from h where home_id in (select home_id from roomed))::int as roomed,
        (select home_id from h where home_id not in (select home_id from roomed) order by created_at limit 1) as bare,
        (select count(*) from things where ${ofVisible})::int as hubs,
        (select count(*) from things where ${ofVisible} and seen_at is not null)::int as seen,
        (select home_id from h order by created_at limit 1) as first,
        (select count(*) from p)::int as devices,
        (select count(*) from p where room_id <> 0 or home_id not in (select home_id from r))::int as placed,
        (select home_id from p where room_id = 0 and home_id in (select home_id from r)
          order by created_at limit 1) as unplaced,
        coalesce((select sum(meters) from m), 0)::int as meters,
        (coalesce((select sum(meters) from m), 0) - coalesce((select sum(meters) from doubtful), 0))::int as settled,
        (select home_id from doubtful order by home_id limit 1) as unsettled,
        (select count(*) from m)::int as metered,
        (select count(*) from m where home_id in (select home_id from t))::int as priced,
        (select home_id from m where home_id not in (select home_id from t) order by home_id limit 1) as unpriced,
        (select count(*) from users where tenant = ${tenant})::int as people,
        (select count(*) from push_subscriptions where tenant = ${tenant} and last_sent_at is not null
            and failed_at is null)::int
          + (select count(*) from notification_channels where tenant = ${tenant} and enabled
            and tested_at is not null)::int as ways,
        (select count(*) from automations where ${ofVisible} and automation_type = 4 and enabled)::int as alarms`)
    const lines = linesOf({ ...(counts as Counts), ways: (counts?.ways ?? 0) + Number(isDelivered) })
    return SETUP_STEPS.filter((step) => decide(SETUP_RIGHTS[step], actor, SOMEWHERE) === true).map(
      (step) => lines[step],
    )
  }
