import { createHmac } from 'node:crypto'
import { deriveKey } from '../../lib/seal.ts'
import type { Clock } from '../../kernel/ports.ts'
import { sql, type Db, type Sql } from '../../kernel/db.ts'

const FIRST_DELAY = 1_000
const FORGET_AFTER = 60 * 60_000
/** Maximum delay of an attempt from a network before it is rejected, ms; browsers wait longer than that. */
const MAX_DELAY_MS = 15_000

/** Failures before the first delay, and the maximum delay, in ms. */
const RULES = {
  /** A device on which this person signed in before. */
  device: { free: 5, longest: 15 * 60_000 },
  /** One account from one network. */
  pair: { free: 5, longest: 15 * 60_000 },
  /** One account from all networks together, except the one with the most failures. */
  account: { free: 5, longest: 15 * 60_000 },
  /** A network, which may be a whole office: its attempts are delayed. */
  network: { free: 20, longest: 10_000 },
  /** A network that creates accounts: it is rejected. */
  maker: { free: 20, longest: 15 * 60_000 },
} as const

export type FailureKind = keyof typeof RULES

/** Delay after a number of failures, in ms, as SQL; null for none, so that clock differences block nobody. */
const pauseAfter = (kind: FailureKind, failures: Sql): Sql => {
  const { free, longest } = RULES[kind]
  return sql`(case when ${failures} >= ${free}::int then least(
    ${longest}::bigint, ${FIRST_DELAY}::bigint * (1::bigint << least(${failures} - ${free}::int, 20))) end)`
}

/** Subject of a failure count: an account, a device, a network … */
export interface FailureSubject {
  kind: FailureKind
  value: string
}

export type FailureCounts = ReturnType<typeof createFailureCounts>

/** Failure counts in the database, one statement each; subjects are stored as keyed digests. */
export function createFailureCounts({
  db,
  clock,
  secret,
}: {
  db: Db
  clock: Clock
  secret: string | Uint8Array
}) {
  const key = deriveKey(secret, 'lockout')
  const digest = (value: string) => createHmac('sha256', key).update(value).digest()
  const failuresNow = sql`(case when f.last_at < excluded.last_at - ${FORGET_AFTER}::bigint then 1 else f.failures + 1 end)`

  /**
   * Counts one failure in one statement; undefined if the subject is blocked (then nothing is counted).
   *
   * ofOneNetwork  number of the account's failures from the present network; those of the network with the most do not count
   */
  async function count(
    scope: string,
    { kind, value }: FailureSubject,
    ofOneNetwork = 0,
  ): Promise<number | undefined> {
    const most = sql`least(${failuresNow}, greatest(f.most, ${ofOneNetwork}::int))`
    const counted = sql`(${failuresNow} - ${most})`
    const [row] = await db.query<{ failures: number }>(sql`
      insert into auth_failures as f (scope, key, failures, most, last_at, blocked_until)
      values (${`${scope}:${kind}`}, ${digest(value)}, 1, least(1, ${ofOneNetwork}::int), ${clock.now()}::bigint, 0)
      on conflict (scope, key) do update set
        failures = ${failuresNow}, most = ${most}, last_at = excluded.last_at,
        blocked_until = coalesce(excluded.last_at + ${pauseAfter(kind, counted)}, 0)
      where f.blocked_until <= excluded.last_at
      returning failures`)
    return row?.failures
  }

  /** Counts one failure of a network and returns the delay for the attempt, in ms; undefined if it exceeds `MAX_DELAY_MS`. */
  async function queue(scope: string, address: string): Promise<number | undefined> {
    const [row] = await db.query<{ wait: number }>(sql`
      insert into auth_failures as f (scope, key, failures, last_at, blocked_until)
      values (${`${scope}:network`}, ${digest(address)}, 1, ${clock.now()}::bigint, 0)
      on conflict (scope, key) do update set
        failures = ${failuresNow}, last_at = excluded.last_at,
        blocked_until = coalesce(greatest(f.blocked_until, excluded.last_at) + ${pauseAfter('network', failuresNow)}, 0)
      where f.blocked_until <= excluded.last_at + ${MAX_DELAY_MS}::bigint
      returning coalesce(blocked_until - ${pauseAfter('network', sql`failures`)} - last_at, 0) as wait`)
    return row && Math.max(0, row.wait)
  }

  async function giveBack(scope: string, { kind, value }: FailureSubject): Promise<void> {
    await db.query(sql`
      update auth_failures set failures = greatest(failures - 1, 0), most = least(most, greatest(failures - 1, 0)),
        blocked_until = case when failures - 1 - most < ${RULES[kind].free}::int then 0 else blocked_until end
      where scope = ${`${scope}:${kind}`} and key = ${digest(value)}`)
  }

  async function forget(scope: string, { kind, value }: FailureSubject): Promise<void> {
    await db.query(
      sql`delete from auth_failures where scope = ${`${scope}:${kind}`} and key = ${digest(value)}`,
    )
  }

  /** Deletes counts that have expired. */
  async function prune(): Promise<void> {
    await db.query(sql`delete from auth_failures where last_at < ${clock.now() - FORGET_AFTER}::bigint`)
  }

  return { count, queue, giveBack, forget, prune }
}
