import type { Shedding, sheddings } from '../../../contract/automation/shedding-calls.ts'
import type { Handler, SignedIn } from '../../kernel/context.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { sql } from '../../store/db.ts'
import { paginate } from '../../store/page.ts'

const COLUMNS = sql`s.shedding_id as "SheddingID", s.home_id as "HomeID", s.automation_id as "AutomationID",
  coalesce(a.automation_name, s.automation_name) as "AutomationName", s.peripheral_uid as "PeripheralUID",
  s.group_id as "GroupID", s.state as "State", s.kw as "Kw", s.shed_at as "ShedAt", s.confirmed_at as "ConfirmedAt",
  s.given_back_at as "GivenBackAt", s.run_id as "RunID", s.given_back_run_id as "GivenBackRunID", s.forecast as "Forecast",
  s.target as "Target"`

/** What guards of a home have shed. */
export const listShedding: Handler<typeof sheddings.listShedding> = async (
  { HomeID, AutomationID, Open, Cursor, Limit },
  { db, actor }: SignedIn,
) => {
  const { tenant } = actor
  await findHome(db, tenant, HomeID)
  const page = paginate({
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
  return { ...page.answer<Shedding>(found), Total: count?.total ?? 0 }
}
