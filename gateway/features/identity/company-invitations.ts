import { createHash } from 'node:crypto'
import { GatewayError } from '../../kernel/errors.ts'
import type { SignUpMode } from '../../domain/identity/identity.ts'
import type { Clock, Random } from '../../kernel/ports.ts'
import { sql, type Db } from '../../kernel/db.ts'
import { normalEmail } from './people.ts'

/** Validity of an invitation, ms. */
export const INVITATION_LIFETIME_MS = 7 * 24 * 3_600_000

const digest = (secret: string) => createHash('sha256').update(secret).digest()

/**
 * Invites an address to create a company, once, within seven days.
 *
 * returns  secret of the link; only its digest is stored
 */
export async function inviteCompany(
  db: Db,
  email: string,
  { clock, random }: { clock: Clock; random: Random },
): Promise<string> {
  const secret = Buffer.from(random.bytes(32)).toString('base64url')
  const now = clock.now()
  await db.query(sql`
    insert into company_invitations (secret_hash, email, created_at, expires_at)
    values (${digest(secret)}, ${normalEmail(email)}, ${now}::bigint, ${now + INVITATION_LIFETIME_MS}::bigint)`)
  return secret
}

/** Link to the sign-up page. The part after # stays in the browser, so no server, proxy or log sees the secret. */
export const invitationLink = (baseUrl: string, email: string, secret: string): string =>
  `${baseUrl}/signUp#${new URLSearchParams({ email, invitation: secret })}`

export type SignUpAdmission = ReturnType<typeof createSignUpAdmission>

export function createSignUpAdmission({ db, clock, mode }: { db: Db; clock: Clock; mode: SignUpMode }) {
  /** Whether a company exists; never becomes false again. */
  let founded = false

  async function isFounded(on: Db): Promise<boolean> {
    founded ||= (await on.query(sql`select from companies limit 1`)).length > 0
    return founded
  }

  async function isOpen(on: Db = db): Promise<boolean> {
    return mode === 'open' || (mode === 'first' && !(await isFounded(on)))
  }

  const notInvited = () =>
    new GatewayError('CONFLICT', 'New companies sign up by invitation only', { Invitation: 'invitation' })

  return {
    isOpen,

    /** Rejects early if no company may be created. Errors: CONFLICT. */
    async require({ email, invitation }: { email: string; invitation: string | undefined }): Promise<void> {
      if (await isOpen()) return
      const found = await db.query(sql`
        select from company_invitations where secret_hash = ${digest(invitation ?? '')}
          and email = ${email} and used_at is null and expires_at > ${clock.now()}::bigint`)
      if (!found.length) throw notInvited()
    },

    /** Decides in the transaction that creates the company, and marks the invitation as used. Errors: CONFLICT. */
    async admit(
      tx: Db,
      { email, invitation }: { email: string; invitation: string | undefined },
    ): Promise<void> {
      // Serialises concurrent first sign-ups; shares the lock with an outside pool's first person.
      if (mode === 'first') await tx.query(sql`select pg_advisory_xact_lock(hashtext('first company'))`)
      if (await isOpen(tx)) return
      const used = await tx.query(sql`
        update company_invitations set used_at = ${clock.now()}::bigint
        where secret_hash = ${digest(invitation ?? '')} and email = ${email} and used_at is null
          and expires_at > ${clock.now()}::bigint returning 1 as one`)
      if (!used.length) throw notInvited()
    },

    /** Deletes expired invitations. */
    async prune(): Promise<void> {
      await db.query(sql`delete from company_invitations where expires_at <= ${clock.now()}::bigint`)
    },
  }
}
