import { createHash } from 'node:crypto'
import { Password } from '../../../contract/kernel/scalars.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Invitation, Invite } from '../../domain/identity/identity.ts'
import type { Clock, Random } from '../../kernel/ports.ts'
import { type Db, type Sql, empty, sql } from '../../kernel/db.ts'
import type { KeyRing } from './keys.ts'
import { type Passwords, decryptPassword } from './passwords.ts'
import { asGatewayError } from './pool-error.ts'

/** Validity of a link, ms. */
const INVITATION_TTL_MS = 7 * 24 * 3_600_000
const BYTES = 32

const digest = (token: string) => createHash('sha256').update(token).digest()

/** Same error for an invalid, used, revoked, replaced or expired link. */
const noSuch = () => new GatewayError('NOT_FOUND', 'This invitation is not valid, was used or has expired')

/**
 * Links with which new people choose their first password. The part after # stays in the browser, so no server, proxy or log sees
 * the token.
 */
export function createInvitations({
  clock,
  random,
  keys,
  passwords,
  baseUrl,
}: {
  clock: Clock
  random: Random
  keys: KeyRing
  passwords: Passwords
  baseUrl: string
}) {
  async function find(token: string, on: Db, lock: Sql = empty): Promise<Invitation> {
    const [found] = await on.query<Invitation>(sql`
      select i.tenant, i.cognito_id as "cognitoId", i.invited_by as "invitedBy", i.language, i.mailed
      from invitations i join users u using (cognito_id)
      where i.token_hash = ${digest(token)} and i.expires_at > ${clock.now()}::bigint and u.enabled ${lock}`)
    if (!found) throw noSuch()
    return found
  }

  async function hashOf(jwe: string): Promise<string> {
    const password = Password.safeParse(await decryptPassword(jwe, keys))
    if (!password.success)
      throw new GatewayError('INVALID', 'The password is not valid', { Password: 'password' })
    return passwords.hash(password.data).catch((error) => {
      throw asGatewayError(error, { next: 'Password' })
    })
  }

  return {
    /** Creates a link for a person without a password; replaces the previous one. */
    async invite({ tenant, cognitoId, invitedBy, language, mailed }: Invite, on: Db) {
      const token = Buffer.from(random.bytes(BYTES)).toString('base64url')
      const now = clock.now()
      const expiresAt = now + INVITATION_TTL_MS
      await on.query(sql`
        insert into invitations (tenant, cognito_id, token_hash, invited_by, language, mailed, created_at, expires_at)
        values (${tenant}::uuid, ${cognitoId}::uuid, ${digest(token)}, ${invitedBy}::uuid, ${language}, ${mailed},
          ${now}::bigint, ${expiresAt}::bigint)
        on conflict (cognito_id) do update set token_hash = excluded.token_hash, invited_by = excluded.invited_by,
          mailed = excluded.mailed, created_at = excluded.created_at, expires_at = excluded.expires_at`)
      return { link: `${baseUrl}/invitation#${token}`, expiresAt }
    },

    read: (token: string, on: Db) => find(token, on),

    /** Sets the password and deletes the invitation. */
    async accept(
      { token, passwordJwe }: { token: string; passwordJwe: string },
      on: Db,
    ): Promise<Invitation> {
      const found = await find(token, on, sql`for update of i`)
      const hash = await hashOf(passwordJwe)
      const { tenant, cognitoId, mailed } = found
      const updated = await on.query(sql`
        insert into credentials (tenant, cognito_id, password_hash, password_changed_at)
        values (${tenant}::uuid, ${cognitoId}::uuid, ${hash}, ${clock.now()}::bigint)
        on conflict (cognito_id) do nothing returning 1 as one`)
      if (!updated.length) throw noSuch()
      if (mailed)
        await on.query(sql`update users set email_verified = true where cognito_id = ${cognitoId}::uuid`)
      await endInvitation(cognitoId, on)
      return found
    },
  }
}

/** Expires the link of a person who gets a new one. */
export async function expireInvitation(cognitoId: string, now: number, on: Db): Promise<void> {
  await on.query(sql`update invitations set expires_at = least(expires_at, ${now}::bigint)
    where cognito_id = ${cognitoId}::uuid`)
}

/** Deletes the invitation of a person who got a password or is deleted. */
export async function endInvitation(cognitoId: string, on: Db): Promise<void> {
  await on.query(sql`delete from invitations where cognito_id = ${cognitoId}::uuid`)
}
