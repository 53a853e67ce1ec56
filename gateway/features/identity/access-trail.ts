import { LRUCache } from 'lru-cache'
import { Counter } from 'prom-client'
import { displayName } from '../../../contract/kernel/text.ts'
import type { RequestCaller } from '../../domain/identity/identity.ts'
import { writeAudit } from '../../domain/audit/write-audit.ts'
import type { Clock, Log, Random } from '../../kernel/ports.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { normalEmail } from './people.ts'

/** Maximum number of audit rows of failed attempts per gateway, account and minute. */
const MAX_FAILURES_PER_MINUTE = 5
const MINUTE_MS = 60_000
const MAX_ACCOUNTS = 50_000

export type AccessEvent =
  | 'SignIn'
  | 'SetFirstPassword'
  | 'ChangePassword'
  | 'ForgotPassword'
  | 'ConfirmForgotPassword'
  | 'SignOutEverywhere'
  | 'RevokeToken'
  | 'RevokeReusedToken'
  | 'UserSignUp'
export type AccessFailure = 'SignInFailed' | 'ChangePasswordFailed' | 'ConfirmForgotPasswordFailed'

export type AccessTrail = ReturnType<typeof createAccessTrail>

/** Audit rows and a counter of the user pool's events: sign-ins, passwords, sessions. */
export function createAccessTrail({
  db,
  clock,
  random,
  log,
}: {
  db: Db
  clock: Clock
  random: Random
  log: Log
}) {
  const counter = new Counter({
    name: 'access_events_total',
    help: 'Sign-ins, failed attempts, and changes of passwords and sessions, by event',
    labelNames: ['event'],
    registers: [],
  })
  const running = new Set<Promise<void>>()
  const failuresOf = new LRUCache<string, number>({ max: MAX_ACCOUNTS })
  let minuteStartedAt = 0

  async function write(
    event: AccessEvent | AccessFailure,
    where: Sql,
    caller: RequestCaller,
    on: Db,
  ): Promise<void> {
    const [person] = await on.query<{
      tenant: string
      cognitoId: string
      Email: string
      FirstName: string
      LastName: string
      nickname: string
    }>(sql`select tenant, cognito_id as "cognitoId", email as "Email", first_name as "FirstName",
        last_name as "LastName", nickname from users where ${where}`)
    // An unknown address belongs to no company, so it is only counted.
    if (!person) return
    await writeAudit(on, {
      actor: { tenant: person.tenant, cognitoId: person.cognitoId, name: displayName(person) },
      at: clock.now(),
      ip: caller.address,
      requestId: caller.requestId ?? random.uuid(),
      path: `/${event}`,
      input: { Email: person.Email, UserAgent: caller.userAgent.slice(0, 256) },
      before: undefined,
      after: undefined,
    })
  }

  function isOverLimit(key: string): boolean {
    const now = clock.now()
    if (now - minuteStartedAt >= MINUTE_MS) {
      minuteStartedAt = now
      failuresOf.clear()
    }
    const failures = (failuresOf.get(key) ?? 0) + 1
    failuresOf.set(key, failures)
    return failures > MAX_FAILURES_PER_MINUTE
  }

  /** Writes without delaying the response, whose time must not reveal whether an account is known. */
  function enqueueWrite(event: AccessEvent | AccessFailure, email: string, caller: RequestCaller): void {
    if (email.includes('\0')) return
    const writing = write(event, sql`email = ${normalEmail(email)}`, caller, db)
      .catch((error: Error) =>
        log.error({ error: error.message, event }, 'audit row of an access event lost'),
      )
      .finally(() => running.delete(writing))
    running.add(writing)
  }

  return {
    counter,

    /** Records an event of a person; `on` is the transaction of the change. */
    async record(event: AccessEvent, cognitoId: string, caller: RequestCaller, on: Db = db): Promise<void> {
      await write(event, sql`cognito_id = ${cognitoId}::uuid`, caller, on)
      counter.inc({ event })
    },

    /** Records a request for an address that may be unknown. */
    recordRequest(event: 'ForgotPassword', email: string, caller: RequestCaller): void {
      counter.inc({ event })
      enqueueWrite(event, email, caller)
    },

    /** Counts a failed attempt, and records it unless the account has too many within the minute. */
    recordFailure(event: AccessFailure, email: string, caller: RequestCaller): void {
      counter.inc({ event })
      if (!isOverLimit(`${event} ${normalEmail(email)}`)) enqueueWrite(event, email, caller)
    },

    /** Resolves when every row is written. */
    async settled(): Promise<void> {
      await Promise.all(running)
    },
  }
}
