import {
  Employee,
  type EMPLOYEE_SORTS,
  type EmployeeKey,
  type EmployeeRow,
  type employee,
} from '../../../contract/access-control/employee.ts'
import { cardDigits } from '../../../contract/access-control/access-pass.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { isUniqueViolation } from '../../store/database-errors.ts'
import { containsAllWords, paginate } from '../../store/page.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import type { AccessPorts } from './ports.ts'

const SORTS: Record<(typeof EMPLOYEE_SORTS)[number], Sql> = {
  EmployeeName: sql`lower(e.employee_name)`,
  Email: sql`e.email`,
  Department: sql`lower(coalesce(d.department, ''))`,
}

export const employeeHandlers = ({
  photoAddressOf,
}: Pick<AccessPorts, 'photoAddressOf'>): HandlersOf<typeof employee.operations> => {
  const withAddress = <Row extends EmployeeRow>(row: Row): Row => ({
    ...row,
    PhotoUrl: row.PhotoUrl && photoAddressOf(row.PhotoUrl),
  })
  const readWithPhoto = async (db: Db, tenant: string, key: EmployeeKey) =>
    withAddress(await readEmployee(db, tenant, key))

  return {
    list: async ({ Search, Active, DepartmentID, Sort, Descending, Cursor, Limit }, { db, actor }) => {
      const page = paginate({
        by: SORTS[Sort],
        cast: 'text',
        id: sql`e.employee_id`,
        isDescending: Descending,
        Cursor,
        Limit,
      })
      const where = sql`e.tenant = ${actor.tenant}
      and ${employeesWith(Search)}
      and (${Active ?? null}::boolean is null or e.active = ${Active ?? null}::boolean)
      and (${DepartmentID ?? null}::text is null or e.department_id = ${DepartmentID ?? null}::text)`
      const [found, [count]] = await Promise.all([
        db.query<EmployeeRow & { placeBy: string; placeId: string }>(sql`select ${ROW}, ${page.place} ${FROM}
        where ${where} and ${page.after} ${page.order}`),
        db.query<{ total: number }>(sql`select count(*) as total ${FROM} where ${where}`),
      ])
      return { ...page.toPage<EmployeeRow>(found.map(withAddress)), Total: count?.total ?? 0 }
    },

    get: (key, { db, actor }) => readWithPhoto(db, actor.tenant, key),

    create: async (input, context) => {
      const { db, actor, clock, random } = context
      const record: Employee = {
        CardNumber: null,
        DepartmentID: null,
        Active: true,
        ...input,
        EmployeeID: random.uuid(),
        PhotoUrl: null,
        Version: 1,
      }
      await lockDepartment(context, record.DepartmentID)
      await conflictIfUsed(
        db.query(sql`insert into employees (tenant, employee_id, employee_name, email, card_number, department_id, active,
          created_at)
        values (${actor.tenant}, ${record.EmployeeID}, ${record.EmployeeName}, ${record.Email}, ${record.CardNumber},
          ${record.DepartmentID}, ${record.Active}, ${clock.now()})`),
      )
      context.change('employee.add', { EmployeeID: record.EmployeeID })
      context.audit({ after: record })
      return readWithPhoto(db, actor.tenant, record)
    },

    update: async ({ EmployeeID, Version, ...changes }, context) => {
      const { db, actor } = context
      if (changes.DepartmentID !== undefined) await lockDepartment(context, changes.DepartmentID)
      const before = await lockEmployee({ EmployeeID }, context)
      assertVersion(Version, before)
      const after: Employee = { ...before, ...changes, Version: before.Version + 1 }
      await conflictIfUsed(
        db.query(sql`update employees set employee_name = ${after.EmployeeName}, email = ${after.Email},
          card_number = ${after.CardNumber}, department_id = ${after.DepartmentID}, active = ${after.Active},
          version = ${after.Version}
        where ${isEmployee(actor.tenant, EmployeeID)}`),
      )
      context.change('employee.update', { EmployeeID })
      context.audit({ before, after })
      return readWithPhoto(db, actor.tenant, after)
    },

    remove: async (key, context) => {
      const { db, actor } = context
      const before = await lockEmployee(key, context)
      await db.query(sql`delete from employees where ${isEmployee(actor.tenant, key.EmployeeID)}`)
      await db.query(sql`delete from people_inside
      where tenant = ${actor.tenant} and person_kind = 'employee' and person_id = ${key.EmployeeID}`)
      if (before.PhotoUrl) context.emit('pictureDropped', { imageUrl: before.PhotoUrl })
      context.change('employee.remove', key)
      context.audit({ before })
      return key
    },
  }
}

const isEmployee = (tenant: string, id: string): Sql => sql`tenant = ${tenant} and employee_id = ${id}`
const ROW = sql`${columnsOf(Employee, 'e')}, d.department as "Department"`
const FROM = sql`from employees e
  left join departments d on d.tenant = e.tenant and d.department_id = e.department_id`

/** Condition that every word occurs in an employee aliased e or their department aliased d, or matches a card, with or without dashes. */
export const employeesWith = (search: string): Sql =>
  search.trim() === ''
    ? sql`true`
    : sql`(${containsAllWords(sql`(e.folded_text || ' ' || fold_text(coalesce(d.department, '')))`, search)}
      or e.card_number = ${cardDigits(search)})`

/** Reads an employee with the department's name. Errors: NOT_FOUND. */
async function readEmployee(db: Db, tenant: string, { EmployeeID }: EmployeeKey): Promise<EmployeeRow> {
  const [record] = await db.query<EmployeeRow>(
    sql`select ${ROW} ${FROM} where e.tenant = ${tenant} and e.employee_id = ${EmployeeID}`,
  )
  if (!record) throw new GatewayError('NOT_FOUND', `Employee ${EmployeeID} does not exist`)
  return record
}

/** Reads an employee and locks the row until the transaction ends. Errors: NOT_FOUND. */
export async function lockEmployee({ EmployeeID }: EmployeeKey, { db, actor }: SignedIn): Promise<Employee> {
  const [record] = await db.query<Employee>(
    sql`select ${columnsOf(Employee)} from employees where ${isEmployee(actor.tenant, EmployeeID)} for update`,
  )
  if (!record) throw new GatewayError('NOT_FOUND', `Employee ${EmployeeID} does not exist`)
  return record
}

/** Locks the department until the transaction ends. Errors: NOT_FOUND with `{ DepartmentID: 'notFound' }`. */
async function lockDepartment({ db, actor }: SignedIn, id: string | null): Promise<void> {
  if (id === null) return
  const found = await db.query(
    sql`select 1 from departments where tenant = ${actor.tenant} and department_id = ${id} for share`,
  )
  if (found.length === 0)
    throw new GatewayError('NOT_FOUND', `Department ${id} does not exist`, { DepartmentID: 'notFound' })
}

/** Maps a unique violation of an email or a card. Errors: CONFLICT naming the field. */
async function conflictIfUsed<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const isCard = (error as { constraint?: string }).constraint === 'employees_card'
    throw isCard
      ? new GatewayError('CONFLICT', 'Another employee has this card', { CardNumber: 'taken' })
      : new GatewayError('CONFLICT', 'Another employee has this e-mail', { Email: 'taken' })
  }
}
