import { Department, type department } from '../../../contract/people/department.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { sql } from '../../kernel/db.ts'
import { assertUnchanged } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'

const NAME_TAKEN = 'Another department already has that name'

export const departmentHandlers: HandlersOf<typeof department.operations> = {
  list: (_, { db, actor }) =>
    db.query<Department>(sql`select ${columnsOf(Department)} from departments
      where tenant = ${actor.tenant} order by lower(department)`),

  create: async (input, context) => {
    const { db, actor, random } = context
    const record: Department = { DepartmentID: random.uuid(), ...input }
    await conflictOnUniqueViolation(
      'Department',
      NAME_TAKEN,
      db.query(sql`insert into departments (tenant, department_id, department)
        values (${actor.tenant}, ${record.DepartmentID}, ${record.Department})`),
    )
    context.change('department.add', record)
    context.audit({ after: record })
    return record
  },

  update: async ({ Seen, ...input }, context) => {
    const { db, actor } = context
    const one = sql`where tenant = ${actor.tenant} and department_id = ${input.DepartmentID}`
    const [before] = await db.query<Department>(
      sql`select ${columnsOf(Department)} from departments ${one} for update`,
    )
    if (!before) throw new GatewayError('NOT_FOUND', `Department ${input.DepartmentID} does not exist`)
    assertUnchanged(Seen, before)
    await conflictOnUniqueViolation(
      'Department',
      NAME_TAKEN,
      db.query(sql`update departments set department = ${input.Department} ${one}`),
    )
    context.change('department.update', input)
    context.audit({ before, after: input })
    return input
  },

  remove: async (key, context) => {
    const { db, actor } = context
    const one = sql`where tenant = ${actor.tenant} and department_id = ${key.DepartmentID}`
    const [before] = await db.query<Department>(
      sql`select ${columnsOf(Department)} from departments ${one} for update`,
    )
    if (!before) throw new GatewayError('NOT_FOUND', `Department ${key.DepartmentID} does not exist`)
    const members = await db.query(
      sql`(select 1 from users ${one} limit 1) union all (select 1 from employees ${one} limit 1)`,
    )
    if (members.length)
      throw new GatewayError('CONFLICT', 'People still belong to this department', {
        DepartmentID: 'members',
      })
    await db.query(sql`delete from departments ${one}`)
    context.change('department.remove', key)
    context.audit({ before })
    return key
  },
}
