import { may, right, SOMEWHERE } from '../../../contract/kernel/permissions.ts'
import {
  MAX_DASHBOARDS,
  MAX_DASHBOARDS_OF_PERSON,
  type Dashboard,
  type dashboard,
  type Shared,
  isMine,
  isShared,
  mayDelete,
  type DashboardLine,
} from '../../../contract/dashboards/dashboard.ts'
import type { HandlersOf, SignedIn, Actor } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { PermissionDenied } from '../../http/response.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { sql, type Db, type Sql } from '../../kernel/db.ts'
import { displayName } from '../../../contract/kernel/text.ts'

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
const seenBy = (actor: Actor): Sql => sql`
  d.tenant = ${actor.tenant} and (d.owner_id = ${actor.cognitoId}::uuid or d.everyone or exists (
    select from dashboard_departments s join users u on u.tenant = s.tenant and u.department_id = s.department_id
    where s.tenant = d.tenant and s.dashboard_id = d.dashboard_id and u.cognito_id = ${actor.cognitoId}::uuid)
  or ${may(actor, 'dashboard', 'Update', SOMEWHERE)} and d.owner_id is null and not exists (
    select from dashboard_departments s where s.tenant = d.tenant and s.dashboard_id = d.dashboard_id))`

/** Dashboards with their cards; `where` applies to `dashboards d`. */
async function readDashboards(db: Db, where: Sql, suffix: Sql = sql``): Promise<Dashboard[]> {
  const rows = await db.query<Stored<Dashboard>>(
    sql`select ${FIELDS}, d.cards as "Cards" from dashboards d where ${where} ${suffix}`,
  )
  return rows.map(named)
}

async function readDashboardLines(db: Db, where: Sql): Promise<DashboardLine[]> {
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

export const dashboardHandlers: HandlersOf<typeof dashboard.operations> = {
  list: (_, { db, actor }) => readDashboardLines(db, seenBy(actor)),

  get: ({ DashboardID }, context) => findDashboard(DashboardID, context),

  create: async (input, context) => {
    const { db, actor, random } = context
    if (isShared(input.Shared)) assertMayUpdate(context)
    // Locks the company, so that the count is exact.
    await db.query(sql`select from companies where tenant = ${actor.tenant} for no key update`)
    const [count] = await db.query<{ all: number; own: number }>(sql`select count(*) as all,
      count(*) filter (where owner_id = ${actor.cognitoId}::uuid) as own from dashboards where tenant = ${actor.tenant}`)
    if ((count?.own ?? 0) >= MAX_DASHBOARDS_OF_PERSON)
      throw new GatewayError('LIMIT_EXCEEDED', `A person has at most ${MAX_DASHBOARDS_OF_PERSON} dashboards`)
    if ((count?.all ?? 0) >= MAX_DASHBOARDS)
      throw new GatewayError('LIMIT_EXCEEDED', `A company has at most ${MAX_DASHBOARDS} dashboards`)
    const id = random.uuid()
    await db.query(sql`insert into dashboards (tenant, dashboard_id, name, owner_id, everyone, may, cards)
      values (${actor.tenant}, ${id}, ${input.Name}, ${actor.cognitoId}::uuid, ${input.Shared.Everyone},
        ${input.Shared.May}, ${JSON.stringify(input.Cards)}::jsonb)`)
    await shareWith(id, input.Shared, context)
    const record = await findDashboard(id, context)
    context.change('dashboard.add', { DashboardID: id })
    context.audit({ after: record })
    return record
  },

  update: async ({ DashboardID, Version, ...changes }, context) => {
    const { db, actor } = context
    const before = await lockDashboard(DashboardID, context)
    const isOwners = isMine(before, actor.cognitoId)
    if (!isOwners && before.Shared.May !== 'edit') throw hidden(DashboardID)
    const next = { ...before, ...changes }
    if (before.OwnerID !== actor.cognitoId || isShared(next.Shared)) assertMayUpdate(context)
    assertVersion(Version, before)
    if (changes.Shared && !isOwners)
      throw new GatewayError('CONFLICT', 'Only its owner says whom a dashboard is shared with')
    await db.query(sql`update dashboards set name = ${next.Name}, everyone = ${next.Shared.Everyone},
        may = ${next.Shared.May}, cards = ${JSON.stringify(next.Cards)}::jsonb, version = version + 1
      where ${isBoard(actor.tenant, DashboardID)}`)
    if (changes.Shared) {
      await db.query(sql`delete from dashboard_departments where ${isBoard(actor.tenant, DashboardID)}`)
      await shareWith(DashboardID, changes.Shared, context)
    }
    // After the caller shares an ownerless dashboard with others, they may no longer see it.
    const [after = before] = await readDashboards(db, isBoard(actor.tenant, DashboardID))
    context.change('dashboard.update', { DashboardID })
    context.audit({ before, after })
    return after
  },

  remove: async ({ DashboardID }, context) => {
    const { db, actor } = context
    const before = await lockDashboard(DashboardID, context)
    if (!isMine(before, actor.cognitoId) && before.Shared.May !== 'edit') throw hidden(DashboardID)
    if (!mayDelete(before, actor, actor.cognitoId)) assertMayUpdate(context)
    await db.query(sql`delete from dashboards where ${isBoard(actor.tenant, DashboardID)}`)
    context.change('dashboard.remove', { DashboardID })
    context.audit({ before })
    return { DashboardID }
  },
}

const isBoard = (tenant: string, id: string) => sql`tenant = ${tenant} and dashboard_id = ${id}`

/** Same error for a dashboard that never existed, is another company's, or is not shared with the caller. */
const hidden = (id: string) => new GatewayError('NOT_FOUND', `Dashboard ${id} does not exist`)

/** Reads a dashboard that the caller can see. Errors: NOT_FOUND. */
export async function findDashboard(id: string, { db, actor }: SignedIn): Promise<Dashboard> {
  const [record] = await readDashboards(db, sql`${seenBy(actor)} and d.dashboard_id = ${id}`)
  if (!record) throw hidden(id)
  return record
}

/** Reads it and locks it until the transaction ends. Errors: NOT_FOUND. */
async function lockDashboard(id: string, { db, actor }: SignedIn): Promise<Dashboard> {
  const [record] = await readDashboards(
    db,
    sql`${seenBy(actor)} and d.dashboard_id = ${id}`,
    sql`for update of d`,
  )
  if (!record) throw hidden(id)
  return record
}

function assertMayUpdate({ actor }: SignedIn): void {
  if (!may(actor, 'dashboard', 'Update', SOMEWHERE)) throw new PermissionDenied(right('dashboard', 'Update'))
}

/** Shares a dashboard with departments. Errors: NOT_FOUND naming the first department that the company does not have. */
async function shareWith(id: string, { DepartmentIDs }: Shared, context: SignedIn): Promise<void> {
  const { db, actor } = context
  const departmentIds = [...new Set(DepartmentIDs)]
  const added = await db.query<{ id: string }>(sql`
    insert into dashboard_departments (tenant, dashboard_id, department_id)
    select ${actor.tenant}, ${id}, department_id from departments
    where tenant = ${actor.tenant} and department_id = any(${departmentIds}::text[]) returning department_id as id`)
  const missingIndex = DepartmentIDs.findIndex((one) => !added.some((row) => row.id === one))
  if (missingIndex >= 0)
    throw new GatewayError('NOT_FOUND', `Department ${DepartmentIDs[missingIndex]} does not exist`, {
      [`Shared.DepartmentIDs.${missingIndex}`]: 'notFound',
    })
}
