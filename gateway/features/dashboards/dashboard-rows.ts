import { may } from '../../../contract/kernel/permissions.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { type Dashboard, type DashboardLine, isShared } from '../../../contract/dashboards/dashboard.ts'
import type { Actor, SignedIn } from '../../kernel/context.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'

interface Owner {
  FirstName: string
  LastName: string
  nickname: string
}
/** Stored row with the names of its owner; null if that person was deleted. */
type Stored<T> = Omit<T, 'OwnerName'> & { owner: Owner | null }

/** The email address is not shown as a name here. */
const named = <T>({ owner, ...row }: Stored<T>) => ({
  ...row,
  OwnerName: (owner && displayName({ ...owner, Email: '' })) || null,
})

const FIELDS = sql`d.dashboard_id as "DashboardID", d.name as "Name", d.owner_id as "OwnerID", d.version as "Version",
  jsonb_build_object('Everyone', d.everyone, 'May', d.may, 'DepartmentIDs', coalesce((
    select jsonb_agg(s.department_id order by s.department_id) from dashboard_departments s
    where s.tenant = d.tenant and s.dashboard_id = d.dashboard_id), '[]')) as "Shared",
  (select jsonb_build_object('FirstName', o.first_name, 'LastName', o.last_name, 'nickname', o.nickname)
    from users o where o.cognito_id = d.owner_id) as owner`

/**
 * Condition on `dashboards d` that a person sees them: their own and those shared with them. Dashboards without an owner and without
 * departments are visible to people who may change or delete them.
 */
export const seenBy = (actor: Actor): Sql => sql`
  d.tenant = ${actor.tenant} and (d.owner_id = ${actor.cognitoId}::uuid or d.everyone or exists (
    select from dashboard_departments s join users u on u.tenant = s.tenant and u.department_id = s.department_id
    where s.tenant = d.tenant and s.dashboard_id = d.dashboard_id and u.cognito_id = ${actor.cognitoId}::uuid)
  or ${may(actor, 'dashboard', 'Update')} and d.owner_id is null and not exists (
    select from dashboard_departments s where s.tenant = d.tenant and s.dashboard_id = d.dashboard_id))`

/** Dashboards with their cards; `where` applies to `dashboards d`. */
export async function readDashboards(db: Db, where: Sql, suffix: Sql = sql``): Promise<Dashboard[]> {
  const rows = await db.query<Stored<Dashboard>>(
    sql`select ${FIELDS}, d.cards as "Cards" from dashboards d where ${where} ${suffix}`,
  )
  return rows.map(named)
}

export async function readDashboardLines(db: Db, where: Sql): Promise<DashboardLine[]> {
  const rows = await db.query<Stored<DashboardLine>>(
    sql`select ${FIELDS}, jsonb_array_length(d.cards) as "CardCount" from dashboards d
      where ${where} order by lower(d.name), d.dashboard_id`,
  )
  return rows.map(named)
}

/** Deletes a person's unshared dashboards and detaches the shared ones from their owner. Called before the person's row is deleted. */
export async function onOwnerDeleted(context: SignedIn, cognitoId: string): Promise<void> {
  const { db, actor } = context
  const owned = await readDashboards(
    db,
    sql`d.tenant = ${actor.tenant} and d.owner_id = ${cognitoId}::uuid`,
    sql`order by d.dashboard_id for update of d`,
  )
  const unshared = owned.filter(({ Shared }) => !isShared(Shared)).map(({ DashboardID }) => DashboardID)
  await db.query(
    sql`delete from dashboards where tenant = ${actor.tenant} and dashboard_id = any(${unshared}::text[])`,
  )
  for (const { DashboardID } of owned)
    context.change(unshared.includes(DashboardID) ? 'dashboard.remove' : 'dashboard.update', { DashboardID })
}
