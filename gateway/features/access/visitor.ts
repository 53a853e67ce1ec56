import type { z } from 'zod'
import {
  Visitor,
  type VisitorFilter,
  type VisitorKey,
  type VisitorRow,
  type VISITOR_SORTS,
  type visitor,
} from '../../../contract/access-control/visitor.ts'
import { visitState, type VisitState, visitorDenial } from '../../../contract/access-control/access-pass.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, join, sql } from '../../kernel/db.ts'
import { containsAllWords, paginate } from '../../store/page.ts'
import { assertMailQuota, type MailQuota } from '../../lib/mail/quota.ts'
import { enqueuePassMail } from './passes.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import type { accessControl } from '../../../contract/access-control/calls.ts'

/** Maximum duration of a visit. */
const MAX_VISIT_MS = 366 * 86_400_000

const SORTS: Record<(typeof VISITOR_SORTS)[number], { by: Sql; cast: 'text' | 'bigint' }> = {
  ValidFrom: { by: sql`v.valid_from`, cast: 'bigint' },
  VisitorName: { by: sql`lower(v.visitor_name)`, cast: 'text' },
  Company: { by: sql`lower(v.company)`, cast: 'text' },
}

export const visitorHandlers = (mailQuota: MailQuota): HandlersOf<typeof visitor.operations> => ({
  list: async ({ Sort, Descending, Cursor, Limit, ...filter }, { db, actor, clock }) => {
    const page = paginate({ ...SORTS[Sort], id: sql`v.visitor_id`, isDescending: Descending, Cursor, Limit })
    const where = visitorsWhere(actor.tenant, filter, clock.now())
    const [found, [count]] = await Promise.all([
      db.query<VisitorRow & { placeBy: string; placeId: string }>(sql`select ${ROW}, ${page.place} ${FROM}
        where ${where} and ${page.after} ${page.order}`),
      db.query<{ total: number }>(sql`select count(*) as total from visitors v where ${where}`),
    ])
    return { ...page.toPage<VisitorRow>(found), Total: count?.total ?? 0 }
  },

  get: (key, { db, actor }) => readVisitor(db, actor.tenant, key),

  create: async ({ MailPass, ...input }, context) => {
    const { db, actor, clock, random } = context
    const record: Visitor = {
      Company: '',
      Ext: '',
      HostEmployeeID: null,
      Purpose: '',
      ...input,
      VisitorID: random.uuid(),
      CheckedInAt: null,
      AwayAt: null,
      CheckedOutAt: null,
      RevokedAt: null,
      AnonymisedAt: null,
      Version: 1,
    }
    checkWindow(record, clock.now())
    await lockHost(context, record.HostEmployeeID)
    await db.query(sql`insert into visitors (tenant, visitor_id, visitor_name, company, email, phone, ext,
        host_employee_id, purpose, valid_from, valid_until, created_at)
      values (${actor.tenant}, ${record.VisitorID}, ${record.VisitorName}, ${record.Company}, ${record.Email},
        ${record.Phone}, ${record.Ext}, ${record.HostEmployeeID}, ${record.Purpose}, ${record.ValidFrom},
        ${record.ValidUntil}, ${clock.now()})`)
    const { VisitorID } = record
    if (MailPass) await enqueuePass(context, record, mailQuota)
    context.change('visitor.add', { VisitorID })
    context.audit({ after: record })
    return readVisitor(db, actor.tenant, record)
  },

  update: async ({ VisitorID, Version, ...changes }, context) => {
    const { db, actor, clock } = context
    const before = await lockVisitor({ VisitorID }, context)
    if (before.AnonymisedAt !== null || before.CheckedOutAt !== null || before.RevokedAt !== null)
      throw new GatewayError('CONFLICT', 'This visit is over')
    assertVersion(Version, before)
    const after: Visitor = { ...before, ...changes, Version: before.Version + 1 }
    const hasMoved = after.ValidFrom !== before.ValidFrom || after.ValidUntil !== before.ValidUntil
    if (hasMoved) checkWindow(after, clock.now())
    if (after.HostEmployeeID !== before.HostEmployeeID) await lockHost(context, after.HostEmployeeID)
    await db.query(sql`update visitors set visitor_name = ${after.VisitorName}, company = ${after.Company},
        email = ${after.Email}, phone = ${after.Phone}, ext = ${after.Ext}, host_employee_id = ${after.HostEmployeeID},
        purpose = ${after.Purpose}, valid_from = ${after.ValidFrom}, valid_until = ${after.ValidUntil},
        version = ${after.Version}
      where ${one(actor.tenant, VisitorID)}`)
    if (hasMoved || after.Email !== before.Email) await enqueuePass(context, after, mailQuota)
    context.change('visitor.update', { VisitorID })
    context.audit({ before, after })
    return readVisitor(db, actor.tenant, after)
  },

  remove: async (key, context) => {
    const { db, actor, clock } = context
    const before = await lockVisitor(key, context)
    if (['inside', 'overdue'].includes(visitState(before, clock.now())))
      throw new GatewayError('CONFLICT', 'This visitor is still inside')
    await db.query(sql`delete from visitors where ${one(actor.tenant, key.VisitorID)}`)
    await endVisit(db, actor.tenant, key.VisitorID)
    context.change('visitor.remove', key)
    context.audit({ before })
    return key
  },
})

/** Enqueues the email of a pass, sent after the call commits. Errors: LIMIT_EXCEEDED. */
async function enqueuePass(
  { db, actor: { tenant }, clock, emit }: SignedIn,
  visitor: Visitor,
  quota: MailQuota,
): Promise<void> {
  const now = clock.now()
  await assertMailQuota(db, { tenant, to: visitor.Email, now, quota })
  await enqueuePassMail(db, tenant, visitor, now)
  emit('visitorPassDue', { tenant, VisitorID: visitor.VisitorID })
}

const one = (tenant: string, id: string): Sql => sql`tenant = ${tenant} and visitor_id = ${id}`
const ROW = sql`${columnsOf(Visitor, 'v')}, e.employee_name as "HostName"`
const FROM = sql`from visitors v
  left join employees e on e.tenant = v.tenant and e.employee_id = v.host_employee_id`

/** Reads a visitor with the host's name. Errors: NOT_FOUND. */
export async function readVisitor(db: Db, tenant: string, { VisitorID }: VisitorKey): Promise<VisitorRow> {
  const [record] = await db.query<VisitorRow>(
    sql`select ${ROW} ${FROM} where v.tenant = ${tenant} and v.visitor_id = ${VisitorID}`,
  )
  if (!record) throw new GatewayError('NOT_FOUND', `Visitor ${VisitorID} does not exist`)
  return record
}

/** Reads a visitor and locks the row until the transaction ends. Errors: NOT_FOUND. */
async function lockVisitor({ VisitorID }: VisitorKey, { db, actor }: SignedIn): Promise<Visitor> {
  const [record] = await db.query<Visitor>(
    sql`select ${columnsOf(Visitor)} from visitors where ${one(actor.tenant, VisitorID)} for update`,
  )
  if (!record) throw new GatewayError('NOT_FOUND', `Visitor ${VisitorID} does not exist`)
  return record
}

const endVisit = (db: Db, tenant: string, VisitorID: string) =>
  db.query(sql`delete from people_inside
    where tenant = ${tenant} and person_kind = 'visitor' and person_id = ${VisitorID}`)

/** Locks the host until the transaction ends. Errors: NOT_FOUND with `{ HostEmployeeID: 'notFound' }`. */
async function lockHost({ db, actor }: SignedIn, id: string | null): Promise<void> {
  if (id === null) return
  const found = await db.query(
    sql`select 1 from employees where tenant = ${actor.tenant} and employee_id = ${id} for share`,
  )
  if (found.length === 0)
    throw new GatewayError('NOT_FOUND', `Employee ${id} does not exist`, { HostEmployeeID: 'notFound' })
}

/** Errors: INVALID if the visit ends before it begins, is over, or is longer than a year. */
function checkWindow({ ValidFrom, ValidUntil }: Visitor, now: number): void {
  const reject = (text: string, reason: 'dateOrder' | 'tooSmall' | 'tooBig') =>
    new GatewayError('INVALID', text, { ValidUntil: reason })
  if (ValidUntil <= ValidFrom) throw reject('The visit ends before it begins', 'dateOrder')
  if (ValidUntil <= now) throw reject('The visit is over already', 'tooSmall')
  if (ValidUntil - ValidFrom > MAX_VISIT_MS) throw reject('A visit lasts a year at most', 'tooBig')
}

const IS_INSIDE = sql`v.checked_out_at is null and v.away_at is null and v.checked_in_at is not null`
const IS_AWAY = sql`v.checked_out_at is null and v.away_at is not null`
const NEVER_ARRIVED = sql`v.checked_out_at is null and v.checked_in_at is null`

/** SQL conditions for the states of a visit at a time; they match `visitState`. */
const IN_STATE: Record<VisitState, (now: number) => Sql> = {
  left: (now) => sql`(v.checked_out_at is not null
    or (${IS_AWAY} and (v.revoked_at is not null or v.valid_until < ${now}::bigint)))`,
  inside: (now) => sql`${IS_INSIDE} and v.valid_until >= ${now}::bigint`,
  overdue: (now) => sql`${IS_INSIDE} and v.valid_until < ${now}::bigint`,
  revoked: () => sql`${NEVER_ARRIVED} and v.revoked_at is not null`,
  missed: (now) => sql`${NEVER_ARRIVED} and v.revoked_at is null and v.valid_until < ${now}::bigint`,
  expected: (now) =>
    sql`((${NEVER_ARRIVED}) or (${IS_AWAY})) and v.revoked_at is null and v.valid_until >= ${now}::bigint`,
}

/** SQL condition of a filter on visitors aliased v. */
function visitorsWhere(tenant: string, filter: z.output<typeof VisitorFilter>, now: number): Sql {
  const { Search, States, From, Until } = filter
  // Phone numbers are stored as digits, so dashes between digits are removed from the search.
  const search = Search.replace(/(?<=\d)-(?=\d)/g, '')
  return join(
    [
      sql`v.tenant = ${tenant}`,
      containsAllWords(sql`v.folded_text`, search),
      States.length
        ? sql`(${join(
            States.map((state) => sql`(${IN_STATE[state](now)})`),
            ' or ',
          )})`
        : sql`true`,
      From === undefined ? sql`true` : sql`v.valid_until >= ${From}::bigint`,
      Until === undefined ? sql`true` : sql`v.valid_from < ${Until}::bigint`,
    ],
    ' and ',
  )
}

/** Maximum time before the start of a visit at which the desk can check a visitor in. */
const EARLY_CHECK_IN_MS = 24 * 3_600_000
const FORMER_VISITOR_FIELDS = Visitor.pick({
  VisitorName: true,
  Company: true,
  Email: true,
  Phone: true,
  Ext: true,
  HostEmployeeID: true,
  Purpose: true,
})
type FormerVisitor = Pick<Visitor, keyof typeof FORMER_VISITOR_FIELDS.shape> & {
  HostName: string | null
  Visits: number
}

/** Calls of the reception desk about visits. */
export const visitHandlers: Pick<
  HandlersOf<typeof accessControl>,
  | 'getVisitorOverview'
  | 'searchHost'
  | 'findFormerVisitor'
  | 'checkInVisitor'
  | 'checkOutVisitor'
  | 'revokeVisitor'
> = {
  getVisitorOverview: async ({ From, Until }, { db, actor, clock }) => {
    const count = (states: ('expected' | 'inside' | 'overdue')[], period: object = {}) =>
      sql`(select count(*) from visitors v where ${visitorsWhere(actor.tenant, { Search: '', States: states, ...period }, clock.now())})`
    const [counts] = await db.query<{ Expected: number; Inside: number; Overdue: number }>(sql`
      select ${count(['expected'], { From, Until })} as "Expected", ${count(['inside', 'overdue'])} as "Inside",
        ${count(['overdue'])} as "Overdue"`)
    return counts as { Expected: number; Inside: number; Overdue: number }
  },

  searchHost: ({ Search }, { db, actor }) =>
    db.query(sql`select e.employee_id as "EmployeeID", e.employee_name as "EmployeeName", d.department as "Department"
      from employees e left join departments d on d.tenant = e.tenant and d.department_id = e.department_id
      where e.tenant = ${actor.tenant} and e.active
        and ${containsAllWords(sql`fold_text(e.employee_name || ' ' || coalesce(d.department, ''))`, Search)}
      order by lower(e.employee_name), e.employee_id limit 20`),

  findFormerVisitor: async ({ Email, Phone }, { db, actor }) => {
    if (Email === undefined && Phone === undefined) return null
    const condition = sql`v.tenant = ${actor.tenant} and v.anonymised_at is null
      and ${Email === undefined ? sql`v.phone = ${Phone}` : sql`v.email = ${Email}`}`
    const [last] = await db.query<FormerVisitor>(sql`
      select ${columnsOf(FORMER_VISITOR_FIELDS, 'v')}, e.employee_name as "HostName",
        (select count(*) from visitors v where ${condition}) as "Visits"
      from visitors v left join employees e on e.tenant = v.tenant and e.employee_id = v.host_employee_id
      where ${condition} order by v.created_at desc limit 1`)
    return last ?? null
  },

  checkInVisitor: async (key, context) => {
    const { db, actor, clock } = context
    const before = await lockVisitor(key, context)
    const now = clock.now()
    const denial = visitorDenial({ ...before, ValidFrom: before.ValidFrom - EARLY_CHECK_IN_MS }, now)
    if (denial) throw new GatewayError('CONFLICT', `This visit cannot begin now: ${denial}`)
    const CheckedInAt = before.CheckedInAt ?? now
    await db.query(sql`update visitors set checked_in_at = ${CheckedInAt}, away_at = null
      where tenant = ${actor.tenant} and visitor_id = ${key.VisitorID}`)
    await db.query(sql`insert into people_inside (tenant, person_kind, person_id, since)
      values (${actor.tenant}, 'visitor', ${key.VisitorID}, ${now})
      on conflict (tenant, person_kind, person_id) do nothing`)
    context.change('visitor.update', key)
    context.audit({ before, after: { ...before, CheckedInAt, AwayAt: null } })
    return readVisitor(db, actor.tenant, key)
  },

  checkOutVisitor: async (key, context) => {
    const { db, actor, clock } = context
    const before = await lockVisitor(key, context)
    if (before.CheckedInAt === null) throw new GatewayError('CONFLICT', 'This visitor has not come yet')
    const CheckedOutAt = before.CheckedOutAt ?? clock.now()
    await db.query(sql`update visitors set checked_out_at = ${CheckedOutAt}
      where tenant = ${actor.tenant} and visitor_id = ${key.VisitorID}`)
    await endVisit(db, actor.tenant, key.VisitorID)
    context.change('visitor.update', key)
    context.audit({ before, after: { ...before, CheckedOutAt } })
    return readVisitor(db, actor.tenant, key)
  },

  revokeVisitor: async (key, context) => {
    const { db, actor, clock } = context
    const before = await lockVisitor(key, context)
    if (before.CheckedOutAt !== null) throw new GatewayError('CONFLICT', 'This visit is over')
    const RevokedAt = before.RevokedAt ?? clock.now()
    await db.query(sql`update visitors set revoked_at = ${RevokedAt}
      where tenant = ${actor.tenant} and visitor_id = ${key.VisitorID}`)
    context.change('visitor.update', key)
    context.audit({ before, after: { ...before, RevokedAt } })
    return readVisitor(db, actor.tenant, key)
  },
}
