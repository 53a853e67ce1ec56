import type { accessControl } from '../../../contract/access-control/calls.ts'
import { Visitor } from '../../../contract/access-control/visitor.ts'
import { visitorDenial } from '../../../contract/access-control/access-pass.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { sql } from '../../kernel/db.ts'
import { containsAllWords } from '../../store/page.ts'
import { lockVisitor, endVisit, readVisitor, visitorsWhere } from './visitor.ts'

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
