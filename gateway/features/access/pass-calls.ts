import type { accessControl } from '../../../contract/access-control/calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { countMail, type MailQuota } from '../../lib/mail/quota.ts'
import { sql } from '../../store/db.ts'
import type { Access } from './access.ts'
import { readVisitor } from './visitor.ts'

/** The passes of visitors and employees. */
export const passHandlers = (
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
    await db.transaction((tx) => countMail(tx, { tenant, to, now: clock.now(), quota }))
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
