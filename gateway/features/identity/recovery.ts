import { sql, type Db } from '../../kernel/db.ts'
import type { Clock, Log, Mail } from '../../kernel/ports.ts'
import type { RequestCaller } from '../../domain/identity/identity.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { isLinkSecret, type Codes } from './codes.ts'
import type { Lockout } from './lockout.ts'
import { requirePassword, type Passwords } from './passwords.ts'
import { findByEmail, normalEmail, type PoolUser } from './people.ts'
import { PoolError } from './pool-error.ts'
import { BY_CODE, BY_LINK, type ResetMails } from './emails.ts'
import type { Sessions } from './sessions.ts'
import type { AccessTrail } from './access-trail.ts'

const tooMany = () =>
  new PoolError('LimitExceededException', 'Attempt limit exceeded, please try after some time.')
const refusals = { account: tooMany, address: tooMany }

export type Recovery = ReturnType<typeof createRecovery>

/** Password recovery: a code by email, then a new password. Responses do not reveal whether an address is known. */
export function createRecovery({
  db,
  clock,
  mails,
  log,
  codes,
  passwords,
  lockout,
  sessions,
  trail,
}: {
  db: Db
  clock: Clock
  mails: ResetMails
  log: Log
  codes: Codes
  passwords: Passwords
  lockout: Lockout
  sessions: Sessions
  trail: AccessTrail
}) {
  const running = new Set<Promise<void>>()

  /** Checks a code or the secret of a link; the number of attempts is limited for codes only. */
  async function check(person: PoolUser | undefined, account: string, code: string, caller: RequestCaller) {
    if (isLinkSecret(code))
      return {
        purpose: BY_LINK,
        outcome: person ? await codes.checkLink(person.cognitoId, BY_LINK, code) : 'wrong',
      }
    const attempt = await lockout.begin('code', { account, address: caller.address }, refusals)
    const outcome = person ? await codes.check(person.cognitoId, BY_CODE, code) : 'wrong'
    return { purpose: BY_CODE, outcome, attempt }
  }

  return {
    /**
     * Sends a code if the address is known. Returns before that is checked, so that the response time does not reveal it.
     *
     * errors  LimitExceededException after five requests for one address within an hour
     */
    async forgot(email: string, caller: RequestCaller): Promise<void> {
      const account = normalEmail(email)
      await lockout.begin('forgot', { account, address: caller.address }, refusals)
      trail.recordRequest('ForgotPassword', account, caller)
      const sending = mails
        .sendCode(account)
        .catch((error: Error) => log.error({ error: error.message }, 'password reset code not sent'))
        .finally(() => running.delete(sending))
      running.add(sending)
    },

    /**
     * Emails a link that expires after a day, requested by an administrator.
     *
     * instead  email to send instead of the link
     * errors   UNAVAILABLE if the email cannot be sent
     */
    async mailLink(
      person: { tenant: string; cognitoId: string; email: string },
      caller: RequestCaller,
      on: Db,
      instead?: Parameters<Mail['send']>[0],
    ): Promise<void> {
      await lockout.begin('reset-link', { account: person.cognitoId, address: caller.address }, refusals)
      try {
        await mails.sendLink(person, on, instead)
      } catch (error) {
        log.error({ error: (error as Error).message }, 'password reset link not sent')
        throw new GatewayError('UNAVAILABLE', 'The mail could not be sent')
      }
    },

    /** Sets a new password with the code; ends every session of the person. */
    async confirm(email: string, code: string, next: string, caller: RequestCaller): Promise<void> {
      requirePassword(next)
      const account = normalEmail(email)
      const person = await findByEmail(db, account)
      const { purpose, outcome, attempt } = await check(person, account, code, caller).catch((error) => {
        if (error instanceof PoolError) trail.recordFailure('ConfirmForgotPasswordFailed', account, caller)
        throw error
      })
      if (outcome === 'expired' || outcome === 'wrong' || !person?.enabled)
        trail.recordFailure('ConfirmForgotPasswordFailed', account, caller)
      if (outcome === 'expired')
        throw new PoolError('ExpiredCodeException', 'Invalid code provided, please request a code again.')
      if (outcome === 'wrong' || !person?.enabled)
        throw new PoolError('CodeMismatchException', 'Invalid verification code provided, please try again.')
      const hash = await passwords.hash(next)
      const used = await db.transaction(async (tx) => {
        if (!(await codes.consume(tx, person.cognitoId, purpose))) return false
        await tx.query(sql`
          update credentials set password_hash = ${hash}, must_change = false,
            password_changed_at = greatest(${clock.now()}::bigint, password_changed_at + 1)
          where cognito_id = ${person.cognitoId}::uuid`)
        await tx.query(
          sql`update users set email_verified = true where cognito_id = ${person.cognitoId}::uuid`,
        )
        await trail.record('ConfirmForgotPassword', person.cognitoId, caller, tx)
        return true
      })
      if (!used)
        throw new PoolError('ExpiredCodeException', 'Invalid code provided, please request a code again.')
      await sessions.revokeAll(person.cognitoId)
      await attempt?.recordSuccess()
      await Promise.all(['sign-in', 'forgot'].map((scope) => lockout.clear(scope, account, caller.address)))
    },

    /** Resolves when no email is pending. */
    async settled(): Promise<void> {
      await Promise.all(running)
    },
  }
}
