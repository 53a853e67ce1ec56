import {
  Scanner,
  type ScannerKey,
  type ScannerWithState,
  type scanner,
} from '../../../contract/access-control/scanner.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf, inHomes } from '../../store/sql.ts'
import { type Sql, sql } from '../../kernel/db.ts'
import { lockHome } from '../../domain/homes/find-home.ts'
import { createHubSecret } from '../../domain/devices/hub-secret.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import type { accessControl } from '../../../contract/access-control/calls.ts'
import { paginate } from '../../store/page.ts'
import { employeesWith } from './employee.ts'

const MAX_SCANNERS = 500

export const scannerHandlers: HandlersOf<typeof scanner.operations> = {
  list: (_, { db, actor, homes }) =>
    db.query<ScannerWithState>(sql`select ${columnsOf(Scanner, 's')}, s.online as "Online", s.seen_at as "SeenAt",
        (select count(*) from scanner_employees a where a.tenant = s.tenant and a.thing_name = s.thing_name) as "Assigned"
      from scanners s where s.tenant = ${actor.tenant} and ${inHomes(homes(), sql`s.home_id`)}
      order by lower(scanner_name), thing_name`),

  create: async (input, context) => {
    const { db, actor, clock, random } = context
    await lockHome(db, actor.tenant, input.HomeID)
    const [count] = await db.query<{ scanners: number }>(
      sql`select count(*) as scanners from scanners where tenant = ${actor.tenant}`,
    )
    if ((count?.scanners ?? 0) >= MAX_SCANNERS)
      throw new GatewayError('LIMIT_EXCEEDED', `A company has at most ${MAX_SCANNERS} scanners`)
    const record: Scanner = {
      Direction: 'both',
      AllEmployees: true,
      AllowVisitors: true,
      ...input,
      ThingName: `scanner-${random.uuid()}`,
      Version: 1,
    }
    const { secret, hash } = createHubSecret(random)
    await db.query(sql`insert into scanners (tenant, thing_name, scanner_name, home_id, direction, all_employees,
        allow_visitors, secret_hash, created_at)
      values (${actor.tenant}, ${record.ThingName}, ${record.ScannerName}, ${record.HomeID}, ${record.Direction},
        ${record.AllEmployees}, ${record.AllowVisitors}, ${hash}, ${clock.now()})`)
    context.change('scanner.add', { ThingName: record.ThingName })
    context.audit({ after: record })
    return { ...record, Secret: secret }
  },

  update: async ({ ThingName, Version, ...changes }, context) => {
    const { db, actor } = context
    const before = await lockScanner({ ThingName }, context)
    assertVersion(Version, before)
    const after: Scanner = { ...before, ...changes, Version: before.Version + 1 }
    await db.query(sql`update scanners set scanner_name = ${after.ScannerName}, direction = ${after.Direction},
        all_employees = ${after.AllEmployees}, allow_visitors = ${after.AllowVisitors}, version = ${after.Version}
      where ${isScanner(actor.tenant, ThingName)}`)
    context.change('scanner.update', { ThingName })
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    const before = await lockScanner(key, context)
    await db.query(sql`delete from scanners where ${isScanner(actor.tenant, key.ThingName)}`)
    context.change('scanner.remove', key)
    context.emit('hubRevoked', { tenant: actor.tenant, thingName: key.ThingName })
    context.audit({ before })
    return key
  },
}

const isScanner = (tenant: string, name: string): Sql => sql`tenant = ${tenant} and thing_name = ${name}`

const notFound = (name: string) => new GatewayError('NOT_FOUND', `Scanner ${name} does not exist`)

/** Reads a scanner and locks the row until the transaction ends. Errors: NOT_FOUND, PERMISSION_DENIED. */
async function lockScanner({ ThingName }: ScannerKey, context: SignedIn): Promise<Scanner> {
  const { db, actor } = context
  const [record] = await db.query<Scanner>(
    sql`select ${columnsOf(Scanner)} from scanners where ${isScanner(actor.tenant, ThingName)} for update`,
  )
  if (!record) throw notFound(ThingName)
  context.at(record.HomeID, () => notFound(ThingName))
  return record
}

interface AssignedRow {
  EmployeeID: string
  EmployeeName: string
  Department: string | null
  Active: boolean
  Assigned: boolean
}

/** Secrets of scanners, and the employees assigned to them. */
export const scannerCallHandlers: Pick<
  HandlersOf<typeof accessControl>,
  'rotateScannerSecret' | 'listScannerEmployee' | 'assignScannerEmployee'
> = {
  rotateScannerSecret: async (key, context) => {
    const record = await lockScanner(key, context)
    const { secret, hash } = createHubSecret(context.random)
    await context.db.query(sql`update scanners set secret_hash = ${hash}
      where tenant = ${context.actor.tenant} and thing_name = ${key.ThingName}`)
    context.emit('hubRevoked', { tenant: context.actor.tenant, thingName: key.ThingName })
    context.audit({ after: record })
    return { ...record, Secret: secret }
  },

  listScannerEmployee: async ({ ThingName, Search, AssignedOnly, Cursor, Limit }, context) => {
    const { db, actor } = context
    await assertScanner(ThingName, context)
    const page = paginate({
      by: sql`lower(e.employee_name)`,
      cast: 'text',
      id: sql`e.employee_id`,
      isDescending: false,
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
    return { ...page.toPage<AssignedRow>(found), Total: count?.total ?? 0 }
  },

  assignScannerEmployee: async ({ ThingName, EmployeeIDs, Assigned }, context) => {
    const { db, actor } = context
    await lockScanner({ ThingName }, context)
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
}

async function assertScanner(name: string, { db, actor, at }: SignedIn): Promise<void> {
  const [found] = await db.query<{ homeId: string }>(
    sql`select home_id as "homeId" from scanners where ${isScanner(actor.tenant, name)}`,
  )
  if (!found) throw notFound(name)
  at(found.homeId, () => notFound(name))
}
