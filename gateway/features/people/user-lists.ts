import { rightBeyond } from '../../../contract/kernel/permissions.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import type { people } from '../../../contract/people/calls.ts'
import type { User } from '../../../contract/people/user.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { ADDRESS } from '../../lib/mail/address.ts'
import { sql } from '../../kernel/db.ts'
import { composeForeign, readIsForeign } from './foreign-address.ts'
import { assertNotStronger } from './granted-rights.ts'
import { lockUser } from './user.ts'

/** Maximum number of names in the answer. */
const MAX_GRANTORS = 10

export const peopleHandlers = ({ identity }: Pick<Deps, 'identity'>): HandlersOf<typeof people> => ({
  resetUserPassword: async ({ Email }, context) => {
    const { actor } = context
    const person = await lockUser(Email, context)
    // Callers change their own password with the present one, not by a reset.
    if (person.CognitoId === actor.cognitoId)
      throw new GatewayError('CONFLICT', 'Your own password is changed in your settings', {
        Email: 'ownPassword',
      })
    if (person.CognitoId === actor.tenant && !actor.isRoot)
      throw new GatewayError('PERMISSION_DENIED', 'Only the owner changes the owner')
    assertNotStronger(actor, person)
    if (person.InvitedUntil !== null)
      throw new GatewayError('CONFLICT', 'This person has no password yet', { Email: 'invited' })
    if (!person.enabled) throw new GatewayError('CONFLICT', 'This person is disabled', { Email: 'disabled' })
    await identity.mailResetLink(
      { tenant: actor.tenant, cognitoId: person.CognitoId, email: person.Email },
      { address: context.ip, userAgent: context.userAgent },
      context.db,
      (await readIsForeign(person, context)) ? await composeForeign(person, context) : undefined,
    )
    context.audit({ after: { Email } })
    return { Email }
  },

  listGrantors: async ({ Right }, { db, actor }) => {
    // Granting a right needs that right.
    const neededPermissions = [
      { FeatureKey: 'user', OperationList: ['Update'] },
      ...(Right ? [{ FeatureKey: Right.FeatureKey, OperationList: [Right.Operation] }] : []),
    ]
    const found = await db.query<Pick<User, 'FirstName' | 'LastName' | 'nickname'>>(sql`
      select first_name as "FirstName", last_name as "LastName", nickname from users u
      where tenant = ${actor.tenant} and enabled
        and not exists (select from invitations i where i.cognito_id = u.cognito_id) and first_name || last_name || nickname <> ''
        and (cognito_id = tenant or permissions @> ${JSON.stringify(neededPermissions)}::jsonb)
      order by cognito_id <> tenant, rank desc, cognito_id limit ${MAX_GRANTORS}::int`)
    // The email address is not shown as a name here: people without a name are omitted.
    return found.map((person) => ({ Name: displayName({ ...person, Email: '' }) }))
  },

  checkUserImport: async ({ People }, { db, actor }) => {
    const [existing, departments] = await Promise.all([
      // Only within the caller's company; people of other companies are not revealed.
      db.query<{ email: string }>(
        sql`select ${ADDRESS} as email from users u where u.tenant = ${actor.tenant} and ${ADDRESS} = any(${People.map(({ Email }) => Email)}::text[])`,
      ),
      db.query<{ id: string }>(
        sql`select department_id as id from departments where tenant = ${actor.tenant}`,
      ),
    ])
    const usedEmails = new Set(existing.map(({ email }) => email))
    const departmentIds = new Set(departments.map(({ id }) => id))
    const problems: Awaited<ReturnType<HandlersOf<typeof people>['checkUserImport']>> = []
    for (const [Row, { Email, DepartmentID, Permissions }] of People.entries()) {
      if (usedEmails.has(Email)) problems.push({ Row, Field: 'Email', Reason: 'taken' })
      // A second row with the same address is rejected, too.
      usedEmails.add(Email)
      if (DepartmentID !== null && !departmentIds.has(DepartmentID))
        problems.push({ Row, Field: 'DepartmentID', Reason: 'notFound' })
      if (rightBeyond(actor, { Permissions }))
        problems.push({ Row, Field: 'Permissions', Reason: 'beyondOwn' })
    }
    return problems
  },
})
