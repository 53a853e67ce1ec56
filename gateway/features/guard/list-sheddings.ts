import { may } from '../../../contract/features.ts'
import type { Guard, Shedding, sheddings } from '../../../contract/procedures/sheddings.ts'
import { sparedOf } from './spared.ts'
import type { Handler, SignedIn } from '../../context.ts'
import { findHome } from '../../lib/find-home.ts'
import { type Db, sql } from '../../store/db.ts'
import { pageBy } from '../../store/page.ts'
import type { GuardPorts } from './ports.ts'

/** How far back what was avoided is computed, ms: two billing periods of two months. */
const AVOIDED_SINCE = 124 * 86_400_000

const COLUMNS = sql`s.shedding_id as "SheddingID", s.home_id as "HomeID", s.automation_id as "AutomationID",
  coalesce(a.automation_name, s.automation_name) as "AutomationName", s.peripheral_uid as "PeripheralUID",
  s.group_id as "GroupID", s.state as "State", s.kw as "Kw", s.shed_at as "ShedAt", s.confirmed_at as "ConfirmedAt",
  s.given_back_at as "GivenBackAt", s.run_id as "RunID", s.given_back_run_id as "GivenBackRunID", s.forecast as "Forecast",
  s.target as "Target"`

/** What guards of a home have shed, how they stand, and what that has avoided. */
export const listShedding =
  ({ avoided }: Pick<GuardPorts, 'avoided'>): Handler<typeof sheddings.listShedding> =>
  async ({ HomeID, AutomationID, Open, Cursor, Limit }, { db, actor, clock }: SignedIn) => {
    const { tenant } = actor
    await findHome(db, tenant, HomeID)
    const page = pageBy({
      by: sql`s.shed_at`,
      cast: 'bigint',
      id: sql`s.shedding_id::text`,
      descending: true,
      Cursor,
      Limit,
    })
    const where = sql`s.tenant = ${tenant} and s.home_id = ${HomeID}
      and ${AutomationID === undefined ? sql`true` : sql`s.automation_id = ${AutomationID}`}
      and ${Open ? sql`s.given_back_at is null` : sql`true`}`
    const found = await db.query<Shedding & { placeBy: number; placeId: string }>(sql`
      select ${COLUMNS}, ${page.place} from sheddings s
      left join automations a on a.tenant = s.tenant and a.automation_id = s.automation_id
      where ${where} and ${page.after} ${page.order}`)
    const [count] = await db.query<{ total: number }>(
      sql`select count(*) as total from sheddings s where ${where}`,
    )
    const peaks = await avoided(tenant, HomeID, await sparedIn(db, tenant, HomeID, clock.now()))
    const mayReadCost = may(actor, 'electricity', 'Read')
    return {
      ...page.answer<Shedding>(found),
      Total: count?.total ?? 0,
      Guards: await readStates(db, tenant, HomeID),
      Avoided: mayReadCost ? peaks : peaks.map((peak) => ({ ...peak, Cost: null })),
    }
  }

const readStates = (db: Db, tenant: string, homeId: string): Promise<Guard[]> =>
  db.query<Guard>(sql`
    select g.automation_id as "AutomationID", a.automation_name as "AutomationName", g.state as "State",
      g.forecast as "Forecast", g.target as "Target", g.at as "At"
    from guard_states g join automations a on a.tenant = g.tenant and a.automation_id = g.automation_id
    where g.tenant = ${tenant} and g.home_id = ${homeId} order by lower(a.automation_name)`)

/** What confirmed sheddings spared, kWh by the first ms of each quarter of an hour. */
async function sparedIn(db: Db, tenant: string, homeId: string, now: number): Promise<Map<number, number>> {
  const spans = await db.query<{ kw: number | null; from: number; to: number }>(sql`
    select kw, confirmed_at as "from", coalesce(given_back_at, ${now}::bigint) as "to" from sheddings
    where tenant = ${tenant} and home_id = ${homeId} and confirmed_at is not null and shed_at > ${now - AVOIDED_SINCE}::bigint`)
  return sparedOf(spans)
}
