import { accessControl, type Inside, type ScanEvent } from '../../../contract/procedures/access-control.ts'
import { Visitor } from '../../../contract/resources/visitor.ts'
import { visitorDenial } from '../../../contract/rules/access-pass.ts'
import type { HandlersOf } from '../../context.ts'
import { GatewayError } from '../../errors.ts'
import { holderOf } from '../../lib/holder.ts'
import { employeesWith, holdEmployee } from './employee.ts'
import { createHubSecret } from '../../lib/hub-secret.ts'
import { enrol, holdScanner } from './scanner.ts'
import { holdVisitor, leave, readVisitor, visitorsWhere } from './visitor.ts'
import type { Access } from './access.ts'
import type { AccessPorts } from './ports.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Db, type Sql, sql } from '../../store/db.ts'
import { holdsWords, pageBy } from '../../store/page.ts'

/** The desk lets a visitor in who comes earlier than written down, but not on another day. */
const EARLY = 24 * 3_600_000
const FORMER = Visitor.pick({
  VisitorName: true,
  Company: true,
  Email: true,
  Phone: true,
  Ext: true,
  HostEmployeeID: true,
  Purpose: true,
})

export const accessControlHandlers = (
  access: Pick<Access, 'passes' | 'mailPass'>,
  { createPhotoTicket }: AccessPorts,
): HandlersOf<typeof accessControl> => ({
  getVisitorOverview: async ({ From, Until }, { db, actor, clock }) => {
    const count = (states: ('expected' | 'inside' | 'overdue')[], span: object = {}) =>
      sql`(select count(*) from visitors v where ${visitorsWhere(actor.tenant, { Search: '', States: states, ...span }, clock.now())})`
    const [counts] = await db.query<{ Expected: number; Inside: number; Overdue: number }>(sql`
      select ${count(['expected'], { From, Until })} as "Expected", ${count(['inside', 'overdue'])} as "Inside",
        ${count(['overdue'])} as "Overdue"`)
    return counts as { Expected: number; Inside: number; Overdue: number }
  },

  searchHost: ({ Search }, { db, actor }) =>
    db.query(sql`select e.employee_id as "EmployeeID", e.employee_name as "EmployeeName", d.department as "Department"
      from employees e left join departments d on d.tenant = e.tenant and d.department_id = e.department_id
      where e.tenant = ${actor.tenant} and e.active
        and ${holdsWords(sql`lower(e.employee_name || ' ' || coalesce(d.department, ''))`, Search)}
      order by lower(e.employee_name), e.employee_id limit 20`),

  findFormerVisitor: async ({ Email, Phone }, { db, actor }) => {
    if (Email === undefined && Phone === undefined) return null
    const which = sql`v.tenant = ${actor.tenant} and v.anonymised_at is null
      and ${Email === undefined ? sql`v.phone = ${Phone}` : sql`v.email = ${Email}`}`
    const [last] = await db.query<Former>(sql`
      select ${columnsOf(FORMER, 'v')}, e.employee_name as "HostName",
        (select count(*) from visitors v where ${which}) as "Visits"
      from visitors v left join employees e on e.tenant = v.tenant and e.employee_id = v.host_employee_id
      where ${which} order by v.created_at desc limit 1`)
    return last ?? null
  },

  checkInVisitor: async (key, context) => {
    const { db, actor, clock } = context
    const before = await holdVisitor(key, context)
    const now = clock.now()
    const denial = visitorDenial({ ...before, ValidFrom: before.ValidFrom - EARLY }, now)
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
    const before = await holdVisitor(key, context)
    if (before.CheckedInAt === null) throw new GatewayError('CONFLICT', 'This visitor has not come yet')
    const CheckedOutAt = before.CheckedOutAt ?? clock.now()
    await db.query(sql`update visitors set checked_out_at = ${CheckedOutAt}
      where tenant = ${actor.tenant} and visitor_id = ${key.VisitorID}`)
    await leave(db, actor.tenant, key.VisitorID)
    context.change('visitor.update', key)
    context.audit({ before, after: { ...before, CheckedOutAt } })
    return readVisitor(db, actor.tenant, key)
  },

  revokeVisitor: async (key, context) => {
    const { db, actor, clock } = context
    const before = await holdVisitor(key, context)
    if (before.CheckedOutAt !== null) throw new GatewayError('CONFLICT', 'This visit is over')
    const RevokedAt = before.RevokedAt ?? clock.now()
    await db.query(sql`update visitors set revoked_at = ${RevokedAt}
      where tenant = ${actor.tenant} and visitor_id = ${key.VisitorID}`)
    context.change('visitor.update', key)
    context.audit({ before, after: { ...before, RevokedAt } })
    return readVisitor(db, actor.tenant, key)
  },

  getVisitorPass: async (key, { db, actor }) => {
    const { VisitorID, ...visit } = await readVisitor(db, actor.tenant, key)
    if (visit.RevokedAt !== null || visit.CheckedOutAt !== null)
      throw new GatewayError('CONFLICT', 'This pass has ended')
    const { ValidFrom: from, ValidUntil: until } = visit
    return { Token: access.passes.write(actor.tenant, { kind: 'visitor', id: VisitorID, from, until }) }
  },

  mailVisitorPass: async (key, { actor }) => {
    await access.mailPass(actor.tenant, key.VisitorID)
    return key
  },

  getEmployeePass: async ({ EmployeeID }, { db, actor }) => {
    const [found] = await db.query<{ serial: number }>(sql`select pass_serial as serial from employees
      where tenant = ${actor.tenant} and employee_id = ${EmployeeID}`)
    if (!found) throw new GatewayError('NOT_FOUND', `Employee ${EmployeeID} does not exist`)
    return {
      Token: access.passes.write(actor.tenant, { kind: 'employee', id: EmployeeID, serial: found.serial }),
    }
  },

  renewEmployeePass: async ({ EmployeeID }, context) => {
    const { db, actor } = context
    const [found] = await db.query<{ serial: number }>(sql`update employees set pass_serial = pass_serial + 1
      where tenant = ${actor.tenant} and employee_id = ${EmployeeID} returning pass_serial as serial`)
    if (!found) throw new GatewayError('NOT_FOUND', `Employee ${EmployeeID} does not exist`)
    context.change('employee.update', { EmployeeID })
    return {
      Token: access.passes.write(actor.tenant, { kind: 'employee', id: EmployeeID, serial: found.serial }),
    }
  },

  uploadEmployeePhoto: async ({ ContentType, EmployeeID }, context) => {
    await holdEmployee({ EmployeeID }, context)
    return createPhotoTicket(
      holderOf(context.actor, accessControl.uploadEmployeePhoto.access),
      { tenant: context.actor.tenant, EmployeeID },
      ContentType,
    )
  },

  deleteEmployeePhoto: async (key, context) => {
    const { PhotoUrl } = await holdEmployee(key, context)
    await context.db.query(sql`update employees set photo_url = null
      where tenant = ${context.actor.tenant} and employee_id = ${key.EmployeeID}`)
    if (PhotoUrl) context.emit('pictureDropped', { imageUrl: PhotoUrl })
    context.change('employee.update', key)
    context.audit({ before: { PhotoUrl } })
    return key
  },

  rotateScannerSecret: async (key, context) => {
    const record = await holdScanner(key, context)
    const { secret, hash } = createHubSecret(context.random)
    await context.db.query(sql`update scanners set secret_hash = ${hash}
      where tenant = ${context.actor.tenant} and thing_name = ${key.ThingName}`)
    context.emit('hubRevoked', { tenant: context.actor.tenant, thingName: key.ThingName })
    enrol(context, record, secret)
    context.audit({ after: record })
    return { ...record, Secret: secret }
  },

  listScannerEmployee: async ({ ThingName, Search, AssignedOnly, Cursor, Limit }, { db, actor }) => {
    await findScanner(db, actor.tenant, ThingName)
    const page = pageBy({
      by: sql`lower(e.employee_name)`,
      cast: 'text',
      id: sql`e.employee_id`,
      descending: false,
      Cursor,
      Limit,
    })
    const from = sql`from employees e left join departments d on d.tenant = e.tenant and d.department_id = e.department_id
        left join scanner_employees s on s.tenant = e.tenant and s.employee_id = e.employee_id
          and s.thing_name = ${ThingName}
      where e.tenant = ${actor.tenant} and ${employeesWith(Search)}
        and (not ${AssignedOnly}::boolean or s.thing_name is not null)`
    const [found, [count]] = await Promise.all([
      db.query<AssignedRow & { placeBy: string; placeId: string }>(sql`
        select e.employee_id as "EmployeeID", e.employee_name as "EmployeeName", d.department as "Department",
          e.active as "Active", s.thing_name is not null as "Assigned", ${page.place}
        ${from} and ${page.after} ${page.order}`),
      db.query<{ total: number }>(sql`select count(*) as total ${from}`),
    ])
    return { ...page.answer<AssignedRow>(found), Total: count?.total ?? 0 }
  },

  assignScannerEmployee: async ({ ThingName, EmployeeIDs, Assigned }, context) => {
    const { db, actor } = context
    await holdScanner({ ThingName }, context)
    const ids = [...new Set(EmployeeIDs)].toSorted()
    const known = await db.query(sql`select employee_id from employees
      where tenant = ${actor.tenant} and employee_id = any(${ids}::text[]) order by employee_id for key share`)
    if (known.length < ids.length)
      throw new GatewayError('NOT_FOUND', 'An employee does not exist', { EmployeeIDs: 'notFound' })
    const changed = Assigned
      ? await db.query(sql`insert into scanner_employees (tenant, thing_name, employee_id)
          select ${actor.tenant}, ${ThingName}, unnest(${ids}::text[]) on conflict do nothing returning 1 as one`)
      : await db.query(sql`delete from scanner_employees where tenant = ${actor.tenant}
          and thing_name = ${ThingName} and employee_id = any(${ids}::text[]) returning 1 as one`)
    context.change('scanner.update', { ThingName })
    context.audit({ after: { ThingName, EmployeeIDs: ids, Assigned } })
    return { ThingName, Changed: changed.length }
  },

  listScanEvent: async (input, { db, actor }) => {
    const { Search, From, Until, ThingName, PersonKind, Allow, Cursor, Limit } = input
    const page = pageBy({
      by: sql`x.scan_event_id`,
      cast: 'bigint',
      id: sql`x.scan_event_id`,
      idCast: 'bigint',
      descending: true,
      Cursor,
      Limit,
    })
    const unless = (value: unknown, condition: Sql) => (value === undefined ? sql`true` : condition)
    const where = sql`x.tenant = ${actor.tenant}
      and ${unless(From, sql`x.timestamp >= ${From}::bigint`)} and ${unless(Until, sql`x.timestamp < ${Until}::bigint`)}
      and ${unless(ThingName, sql`x.thing_name = ${ThingName}`)}
      and ${unless(PersonKind, sql`x.person_kind = ${PersonKind}`)} and ${unless(Allow, sql`x.allow = ${Allow}`)}
      and ${holdsWords(sql`lower(coalesce(${NAME}, '') || ' ' || coalesce(s.scanner_name, ''))`, Search)}`
    const from = sql`from scan_events x ${NAMED}
      left join scanners s on s.tenant = x.tenant and s.thing_name = x.thing_name`
    const [found, [count]] = await Promise.all([
      db.query<ScanEvent & { placeBy: number; placeId: number }>(sql`
        select x.scan_event_id as "ScanEventID", x.timestamp as "Timestamp", x.thing_name as "ThingName",
          s.scanner_name as "ScannerName", x.home_id as "HomeID", x.type as "Type", x.person_kind as "PersonKind",
          x.person_id as "PersonID", ${NAME} as "PersonName", x.allow as "Allow", x.reason as "Reason",
          x.movement as "Movement", ${page.place}
        ${from} where ${where} and ${page.after} ${page.order}`),
      db.query<{ total: number }>(sql`select count(*) as total ${from} where ${where}`),
    ])
    return { ...page.answer<ScanEvent>(found), Total: count?.total ?? 0 }
  },

  listInside: (_, { db, actor }) =>
    db.query<Inside>(sql`select x.person_kind as "PersonKind", x.person_id as "PersonID", ${NAME} as "PersonName",
        case x.person_kind when 'visitor' then v.company else d.department end as "Of", v.phone as "Phone",
        x.since as "Since", s.scanner_name as "ScannerName", x.home_id as "HomeID"
      from people_inside x ${NAMED}
        left join departments d on d.tenant = e.tenant and d.department_id = e.department_id
        left join scanners s on s.tenant = x.tenant and s.thing_name = x.thing_name
      where x.tenant = ${actor.tenant} order by lower(${NAME}), x.person_id`),
})

type Former = Pick<Visitor, keyof typeof FORMER.shape> & { HostName: string | null; Visits: number }
interface AssignedRow {
  EmployeeID: string
  EmployeeName: string
  Department: string | null
  Active: boolean
  Assigned: boolean
}

/** Who a row aliased x is about; null once they are gone or anonymised. */
const NAME = sql`coalesce(nullif(v.visitor_name, ''), e.employee_name)`
const NAMED = sql`left join visitors v on x.person_kind = 'visitor' and v.tenant = x.tenant and v.visitor_id = x.person_id
  left join employees e on x.person_kind = 'employee' and e.tenant = x.tenant and e.employee_id = x.person_id`

async function findScanner(db: Db, tenant: string, thingName: string): Promise<void> {
  const found = await db.query(
    sql`select 1 from scanners where tenant = ${tenant} and thing_name = ${thingName}`,
  )
  if (!found.length) throw new GatewayError('NOT_FOUND', `Scanner ${thingName} does not exist`)
}
