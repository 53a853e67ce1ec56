import { sql, type Db } from '../../store/db.ts'
import type { Clock, Log, Mail } from '../../ports.ts'
import type { Caller } from '../../lib/identity.ts'
import type { Codes } from './codes.ts'
import { resetLetter, type Language } from './letters.ts'
import type { Lockout } from './lockout.ts'
import { requirePassword, type Passwords } from './passwords.ts'
import { findByEmail, normalEmail } from './people.ts'
import { PoolError } from './pool-error.ts'
import type { Sessions } from './sessions.ts'

const PURPOSE = 'reset-password'

const tooMany = () =>
  new PoolError('LimitExceededException', 'Attempt limit exceeded, please try after some time.')
const refusals = { account: tooMany, address: tooMany }

export type Recovery = ReturnType<typeof createRecovery>

/** Forgotten passwords: a code by mail, then a new password. Nothing tells a known address from an unknown one. */
export function createRecovery({
  db,
  clock,
  mail,
  log,
  codes,
  passwords,
  lockout,
  sessions,
}: {
  db: Db
  clock: Clock
  mail: Mail
  log: Log
  codes: Codes
  passwords: Passwords
  lockout: Lockout
  sessions: Sessions
}) {
  const running = new Set<Promise<void>>()

  async function sendCode(email: string): Promise<void> {
    const person = await findByEmail(db, email)
    if (!person?.enabled || person.passwordHash === undefined) return
    const [config] = await db.query<{ language: string | null }>(sql`
      select language from personal_configs where cognito_id = ${person.cognitoId}::uuid`)
    const language: Language = config?.language === 'en-US' ? 'en-US' : 'zh-TW'
    await mail.send(resetLetter(person.email, await codes.create(person, PURPOSE), language))
  }

  return {
    /**
     * Sends a code if the address belongs to someone. Answers before that is known, so that neither text nor time tells.
     *
     * errors  LimitExceededException after five requests for one address within an hour
     */
    async forgot(email: string, caller: Caller): Promise<void> {
      const account = normalEmail(email)
      await lockout.begin('forgot', { account, address: caller.address }, refusals)
      const sending = sendCode(account)
        .catch((error: Error) =>
          log.error({ error: error.message }, 'A password reset code could not be sent'),
        )
        .finally(() => running.delete(sending))
      running.add(sending)
    },

    /** Sets a new password with the code; every session of the person ends. */
    async confirm(email: string, code: string, next: string, caller: Caller): Promise<void> {
      requirePassword(next)
      const account = normalEmail(email)
      const attempt = await lockout.begin('code', { account, address: caller.address }, refusals)
      const person = await findByEmail(db, account)
      const outcome = person ? await codes.check(person.cognitoId, PURPOSE, code) : 'wrong'
      if (outcome === 'expired')
        throw new PoolError('ExpiredCodeException', 'Invalid code provided, please request a code again.')
      if (outcome === 'wrong' || !person?.enabled)
        throw new PoolError('CodeMismatchException', 'Invalid verification code provided, please try again.')
      const hash = await passwords.hash(next)
      const used = await db.transaction(async (tx) => {
        if (!(await codes.consume(tx, person.cognitoId, PURPOSE))) return false
        await tx.query(sql`
          update credentials set password_hash = ${hash}, must_change = false,
            password_changed_at = greatest(${clock.now()}::bigint, password_changed_at + 1)
          where cognito_id = ${person.cognitoId}::uuid`)
        return true
      })
      if (!used)
        throw new PoolError('ExpiredCodeException', 'Invalid code provided, please request a code again.')
      await sessions.revokeAll(person.cognitoId)
      await attempt.succeeded()
      await Promise.all(['sign-in', 'forgot'].map((scope) => lockout.clear(scope, account)))
    },

    /** Resolves when no letter is on its way any more. */
    async settled(): Promise<void> {
      await Promise.all(running)
    },
  }
}
