import { DEFAULT_PERSONAL_CONFIG } from '../../../contract/people/personal-calls.ts'
import type { invitations } from '../../../contract/people/invitation-calls.ts'
import type { User } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Identity } from '../../domain/identity/identity.ts'
import { ADDRESS } from '../../lib/mail/address-of-person.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { lockUser } from './user.ts'

/** Error for an invitation that was revoked concurrently; same as for one that never existed. */
const invalidInvitation = () =>
  new GatewayError('NOT_FOUND', 'This invitation is not valid, was used or has expired')

/** Calls of an invited person who is not signed in yet. */
export const acceptHandlers = (
  identity: Pick<Identity, 'readInvitation' | 'acceptInvitation' | 'loadActor'>,
): HandlersOf<Pick<typeof invitations, 'readInvitation' | 'acceptInvitation'>> => ({
  readInvitation: async ({ Token }, { db }) => {
    const { tenant, cognitoId, invitedBy, language } = await identity.readInvitation(Token, db)
    const [found] = await db.query<{ company: string; email: string; first: string; last: string }>(sql`
      select c.company_name as company, ${ADDRESS} as email, u.first_name as first, u.last_name as last
      from users u join companies c using (tenant) where u.cognito_id = ${cognitoId}::uuid and u.tenant = ${tenant}::uuid`)
    if (!found) throw invalidInvitation()
    return {
      CompanyName: found.company,
      InvitedBy: invitedBy ? await readName(invitedBy, db) : '',
      MaskedEmail: found.email.replace(/^(.)[^@]*/u, '$1•••'),
      FirstName: found.first,
      LastName: found.last,
      Language: language,
    }
  },

  acceptInvitation: async ({ Token, Password, FirstName, LastName, Language }, context) => {
    const { db } = context
    const { tenant, cognitoId, language } = await identity.acceptInvitation(
      { token: Token, passwordJwe: Password },
      db,
    )
    await db.query(sql`
      update users set first_name = ${FirstName}, last_name = ${LastName}, version = version + 1
      where cognito_id = ${cognitoId}::uuid`)
    const config = DEFAULT_PERSONAL_CONFIG
    await db.query(sql`
      insert into personal_configs (tenant, cognito_id, notification, custom_dashboard, decimal_precision, language)
      values (${tenant}::uuid, ${cognitoId}::uuid, ${config.Notification}, ${config.CustomDashboard},
        ${config.DecimalPrecision}, ${Language ?? language}) on conflict do nothing`)
    const actor = await identity.loadActor(cognitoId)
    if (!actor) throw invalidInvitation()
    context.actFor(actor)
    const after = await lockUser(actor.email, { ...context, actor })
    context.change('user.update', after)
    context.emit('personChanged', { tenant, cognitoId, change: 'profile' })
    context.audit({ after })
    return { Email: actor.email }
  },
})

/** Name of a person as colleagues see it; empty without one. */
export async function readName(cognitoId: string, db: Db): Promise<string> {
  const [person] = await db.query<Pick<User, 'FirstName' | 'LastName' | 'nickname'>>(sql`
    select first_name as "FirstName", last_name as "LastName", nickname from users where cognito_id = ${cognitoId}::uuid`)
  return person ? displayName({ ...person, Email: '' }) : ''
}
