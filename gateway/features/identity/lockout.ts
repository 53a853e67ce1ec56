import { createHmac } from 'node:crypto'
import { networkKeyOf } from '../../lib/network.ts'
import { type Db, sql, type Sql } from '../../kernel/db.ts'
import type { Clock } from '../../kernel/ports.ts'
import { deriveKey } from '../../lib/seal.ts'
import type { PoolError } from './pool-error.ts'

const FIRST_DELAY = 1_000
const FORGET_AFTER = 60 * 60_000
/** Maximum delay of an attempt from a network before it is rejected, ms; browsers wait longer than that. */
const MAX_DELAY_MS = 15_000

/** Failures before the first delay, and the maximum delay, in ms. */
const RULES = {
  /** A device on which this person signed in before. */
  device: { freeAttempts: 5, maxDelayMs: 15 * 60_000 },
  /** One account from one network. */
  pair: { freeAttempts: 5, maxDelayMs: 15 * 60_000 },
  /** One account from all networks together, except the one with the most failures. */
  account: { freeAttempts: 5, maxDelayMs: 15 * 60_000 },
  /** A network, which may be a whole office: its attempts are delayed. */
  network: { freeAttempts: 20, maxDelayMs: 10_000 },
  /** A network that creates accounts: it is rejected. */
  maker: { freeAttempts: 20, maxDelayMs: 15 * 60_000 },
} as const

type FailureKind = keyof typeof RULES

/** Delay after a number of failures, in ms, as SQL; null for none, so that clock differences block nobody. */
const pauseAfter = (kind: FailureKind, failures: Sql): Sql => {
  const { freeAttempts, maxDelayMs } = RULES[kind]
  return sql`(case when ${failures} >= ${freeAttempts}::int then least(
    ${maxDelayMs}::bigint, ${FIRST_DELAY}::bigint * (1::bigint << least(${failures} - ${freeAttempts}::int, 20))) end)`
}

/** Subject of a failure count: an account, a device, a network … */
interface FailureSubject {
  kind: FailureKind
  value: string
}

/** Failure counts in the database, one statement each; subjects are stored as keyed digests. */
function createFailureCounts({ db, clock, secret }: { db: Db; clock: Clock; secret: string | Uint8Array }) {
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

  async function releaseAttempt(scope: string, { kind, value }: FailureSubject): Promise<void> {
    await db.query(sql`
      update auth_failures set failures = greatest(failures - 1, 0), most = least(most, greatest(failures - 1, 0)),
        blocked_until = case when failures - 1 - most < ${RULES[kind].freeAttempts}::int then 0 else blocked_until end
      where scope = ${`${scope}:${kind}`} and key = ${digest(value)}`)
  }

  async function deleteCounts(scope: string, { kind, value }: FailureSubject): Promise<void> {
    await db.query(
      sql`delete from auth_failures where scope = ${`${scope}:${kind}`} and key = ${digest(value)}`,
    )
  }

  /** Deletes counts that have expired. */
  async function prune(): Promise<void> {
    await db.query(sql`delete from auth_failures where last_at < ${clock.now() - FORGET_AFTER}::bigint`)
  }

  return { count, queue, releaseAttempt, deleteCounts, prune }
}

/** Source of an attempt; the device only if this account has signed in on it before. */
interface Attempter {
  account?: string
  address: string
  device?: string | undefined
}

/** An attempt, counted in advance as failed. */
export interface Attempt {
  /** Resets the account's failures, and takes this attempt off the network's. */
  recordSuccess(): Promise<void>
  /** Takes the attempt off all counts, after an error of the gateway. */
  withdraw(): Promise<void>
}

export type Lockout = ReturnType<typeof createLockout>

/**
 * Back-off after failures, stored in the database.
 *
 * From the fifth failure of an account in one network, each failure blocks it there for 1 s, 2 s, 4 s … at most 15 min; failures of
 * further networks block it everywhere likewise. A device on which the person signed in before has only its own count, so that others
 * cannot lock it out. A network is delayed from its twentieth failure on. Counts expire after an hour without attempts. An attempt is
 * counted *before* the costly check, so that parallel guesses cannot each cause one. Unknown accounts are counted like known ones.
 */
export function createLockout({ db, clock, secret }: { db: Db; clock: Clock; secret: string | Uint8Array }) {
  const { count, queue, releaseAttempt, deleteCounts, prune } = createFailureCounts({ db, clock, secret })

  /** Counts one failure of an account: on its device, or in its network and everywhere. Undefined if one of them is blocked. */
  async function countAccount(
    scope: string,
    account: string,
    address: string,
    device: string | undefined,
  ): Promise<FailureSubject[] | undefined> {
    const subject: FailureSubject =
      device === undefined
        ? { kind: 'pair', value: `${account} ${address}` }
        : { kind: 'device', value: `${account} ${device}` }
    const failures = await count(scope, subject)
    if (failures === undefined) return undefined
    if (device !== undefined) return [subject]
    const everywhere: FailureSubject = { kind: 'account', value: account }
    if ((await count(scope, everywhere, failures)) !== undefined) return [subject, everywhere]
    await releaseAttempt(scope, subject)
    return undefined
  }

  /** Counts one failure of a network, which rejects (creating accounts) or delays (signing in). Undefined if it is blocked. */
  async function countNetwork(
    scope: string,
    address: string,
    makes: boolean,
  ): Promise<FailureSubject | undefined> {
    const counted: FailureSubject = { kind: makes ? 'maker' : 'network', value: address }
    if (makes) return (await count(scope, counted)) === undefined ? undefined : counted
    const waitMs = await queue(scope, address)
    if (waitMs === undefined) return undefined
    if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
    return counted
  }

  const forEach = async (
    counted: readonly FailureSubject[],
    work: (one: FailureSubject) => Promise<void>,
  ) => {
    for (const one of counted) await work(one)
  }

  return {
    /**
     * Begins an attempt; delays it, or throws the given error if the account, the device or the network is blocked.
     *
     * scope  kind of attempt: 'sign-in', 'forgot', 'code' …; each has its own counts
     */
    async begin(
      scope: string,
      attempter: Attempter,
      refusals: { account: () => PoolError; address: () => PoolError },
    ): Promise<Attempt> {
      const address = networkKeyOf(attempter.address)
      const { account, device } = attempter
      const counted = account === undefined ? [] : await countAccount(scope, account, address, device)
      if (!counted) throw refusals.account()
      // An attempt that its account blocks does not count for the network.
      const networks: FailureSubject[] = []
      if (device === undefined) {
        const one = await countNetwork(scope, address, account === undefined)
        if (one) networks.push(one)
        else {
          await forEach(counted, (each) => releaseAttempt(scope, each))
          throw refusals.address()
        }
      }
      return {
        async recordSuccess() {
          await forEach(networks, (one) => releaseAttempt(scope, one))
          await forEach(counted, (one) => deleteCounts(scope, one))
        },
        withdraw: () => forEach([...networks, ...counted], (one) => releaseAttempt(scope, one)),
      }
    },

    /** Resets the failures of an account, here and everywhere, for example after a password reset. */
    async clear(scope: string, account: string, address: string): Promise<void> {
      await deleteCounts(scope, { kind: 'account', value: account })
      await deleteCounts(scope, { kind: 'pair', value: `${account} ${networkKeyOf(address)}` })
    },

    prune,
  }
}
