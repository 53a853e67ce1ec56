import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createAccess, type Access } from './access.ts'
import { employeeHandlers, lockEmployee } from './employee.ts'
import type { AccessPorts } from './ports.ts'
import { scannerCallHandlers, scannerHandlers } from './scanner.ts'
import { createAccessRetentionJob } from './retention.ts'
import { visitHandlers, visitorHandlers, readVisitor } from './visitor.ts'
import { accessControl, type Inside, type ScanEvent } from '../../../contract/access-control/calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { grantOf } from '../../domain/identity/grant.ts'
import { sql, type Sql } from '../../kernel/db.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { assertMailQuota, type MailQuota } from '../../lib/mail/quota.ts'
import { containsAllWords, paginate } from '../../store/page.ts'
import { inHomes } from '../../store/sql.ts'

/** Name of the person of a row aliased x; null once deleted or anonymised. */
const PERSON_NAME = sql`coalesce(nullif(v.visitor_name, ''), e.employee_name)`
const JOIN_PERSONS = sql`left join visitors v on x.person_kind = 'visitor' and v.tenant = x.tenant and v.visitor_id = x.person_id
  left join employees e on x.person_kind = 'employee' and e.tenant = x.tenant and e.employee_id = x.person_id`

const scanHandlers: Pick<HandlersOf<typeof accessControl>, 'listScanEvent' | 'listInside'> = {
  listScanEvent: async (input, { db, actor, homes }) => {
    const { Search, From, Until, ThingName, PersonKind, Allow, Cursor, Limit } = input
    const page = paginate({
      by: sql`x.scan_event_id`,
      cast: 'bigint',
      id: sql`x.scan_event_id`,
      idCast: 'bigint',
      isDescending: true,
      Cursor,
      Limit,
    })
    const ifGiven = (value: unknown, condition: Sql) => (value === undefined ? sql`true` : condition)
    const where = sql`x.tenant = ${actor.tenant} and ${inHomes(homes(), sql`x.home_id`)}
      and ${ifGiven(From, sql`x.timestamp >= ${From}::bigint`)} and ${ifGiven(Until, sql`x.timestamp < ${Until}::bigint`)}
      and ${ifGiven(ThingName, sql`x.thing_name = ${ThingName}`)}
      and ${ifGiven(PersonKind, sql`x.person_kind = ${PersonKind}`)} and ${ifGiven(Allow, sql`x.allow = ${Allow}`)}
      and ${containsAllWords(sql`fold_text(coalesce(${PERSON_NAME}, '') || ' ' || coalesce(s.scanner_name, ''))`, Search)}`
    const from = sql`from scan_events x ${JOIN_PERSONS}
      left join scanners s on s.tenant = x.tenant and s.thing_name = x.thing_name`
    const [found, [count]] = await Promise.all([
      db.query<ScanEvent & { placeBy: number; placeId: number }>(sql`
        select x.scan_event_id as "ScanEventID", x.timestamp as "Timestamp", x.thing_name as "ThingName",
          s.scanner_name as "ScannerName", x.home_id as "HomeID", x.type as "Type", x.person_kind as "PersonKind",
          x.person_id as "PersonID", ${PERSON_NAME} as "PersonName", x.allow as "Allow", x.reason as "Reason",
          x.movement as "Movement", ${page.place}
        ${from} where ${where} and ${page.after} ${page.order}`),
      db.query<{ total: number }>(sql`select count(*) as total ${from} where ${where}`),
    ])
    return { ...page.toPage<ScanEvent>(found), Total: count?.total ?? 0 }
  },

  listInside: (_, { db, actor, homes }) =>
    db.query<Inside>(sql`select x.person_kind as "PersonKind", x.person_id as "PersonID", ${PERSON_NAME} as "PersonName",
        case x.person_kind when 'visitor' then v.company else d.department end as "Of", v.phone as "Phone",
        x.since as "Since", s.scanner_name as "ScannerName", x.home_id as "HomeID"
      from people_inside x ${JOIN_PERSONS}
        left join departments d on d.tenant = e.tenant and d.department_id = e.department_id
        left join scanners s on s.tenant = x.tenant and s.thing_name = x.thing_name
      where x.tenant = ${actor.tenant} and ${inHomes(homes(), sql`x.home_id`)}
      order by lower(${PERSON_NAME}), x.person_id`),
}

const passHandlers = (
  access: Pick<Access, 'passes' | 'mailPass'>,
  quota: MailQuota,
): Pick<
  HandlersOf<typeof accessControl>,
  'getVisitorPass' | 'mailVisitorPass' | 'getEmployeePass' | 'renewEmployeePass'
> => ({
  getVisitorPass: async (key, { db, actor }) => {
    const { VisitorID, ...visit } = await readVisitor(db, actor.tenant, key)
    if (visit.RevokedAt !== null || visit.CheckedOutAt !== null)
      throw new GatewayError('CONFLICT', 'This pass has ended')
    const { ValidFrom: from, ValidUntil: until } = visit
    return { Token: access.passes.write(actor.tenant, { kind: 'visitor', id: VisitorID, from, until }) }
  },

  mailVisitorPass: async (key, { db, actor, clock }) => {
    const { tenant } = actor
    const { Email: to } = await readVisitor(db, tenant, key)
    await db.transaction((tx) => assertMailQuota(tx, { tenant, to, now: clock.now(), quota }))
    await access.mailPass(tenant, key.VisitorID)
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
})

const photoHandlers = ({
  createPhotoTicket,
}: AccessPorts): Pick<HandlersOf<typeof accessControl>, 'uploadEmployeePhoto' | 'deleteEmployeePhoto'> => ({
  uploadEmployeePhoto: async ({ ContentType, EmployeeID }, context) => {
    await lockEmployee({ EmployeeID }, context)
    return createPhotoTicket(
      grantOf(context.actor, accessControl.uploadEmployeePhoto.access),
      { tenant: context.actor.tenant, EmployeeID },
      ContentType,
    )
  },

  deleteEmployeePhoto: async (key, context) => {
    const { PhotoUrl } = await lockEmployee(key, context)
    await context.db.query(sql`update employees set photo_url = null
      where tenant = ${context.actor.tenant} and employee_id = ${key.EmployeeID}`)
    if (PhotoUrl) context.emit('pictureDropped', { imageUrl: PhotoUrl })
    context.change('employee.update', key)
    context.audit({ before: { PhotoUrl } })
    return key
  },
})

const DAY = 86_400_000

/** Door access: employees, visitors, their passes and the scanners that read them. */
export function access(deps: Deps, ports: AccessPorts) {
  const { visitors, scans } = deps.config.retentionDays
  const accessControlService = createAccess({ ...deps, key: deps.keyFor('passes') })
  return {
    handlers: {
      visitor: visitorHandlers(deps.config.mailQuota),
      employee: employeeHandlers(ports),
      scanner: scannerHandlers,
      accessControl: {
        ...visitHandlers,
        ...passHandlers(accessControlService, deps.config.mailQuota),
        ...photoHandlers(ports),
        ...scannerCallHandlers,
        ...scanHandlers,
      },
    },
    topics: { accessScan: accessControlService.receive, accessPresence: accessControlService.receive },
    jobs: [
      accessControlService.passMailJob,
      createAccessRetentionJob({ ...deps, retentionMs: { visitors: visitors * DAY, scans: scans * DAY } }),
    ],
    presence: { scanner: accessControlService.presence },
    prepare: accessControlService.markAllOffline,
    close: accessControlService.close,
  } satisfies Feature
}
