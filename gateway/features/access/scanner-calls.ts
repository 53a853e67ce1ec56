import type { accessControl } from '../../../contract/access-control/calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { createHubSecret } from '../../domain/devices/hub-secret.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { paginate } from '../../store/page.ts'
import { employeesWith } from './employee.ts'
import { lockScanner } from './scanner.ts'

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

  listScannerEmployee: async ({ ThingName, Search, AssignedOnly, Cursor, Limit }, { db, actor }) => {
    await assertScanner(db, actor.tenant, ThingName)
    const page = paginate({
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

async function assertScanner(db: Db, tenant: string, thingName: string): Promise<void> {
  const found = await db.query(
    sql`select 1 from scanners where tenant = ${tenant} and thing_name = ${thingName}`,
  )
  if (!found.length) throw new GatewayError('NOT_FOUND', `Scanner ${thingName} does not exist`)
}
