import { createHmac } from 'node:crypto'
import { network } from '../../lib/network.ts'
import { sql, type Db } from '../../store/db.ts'
import type { PoolError } from './pool-error.ts'
import type { Clock } from '../../ports.ts'
import { deriveKey } from '../../lib/seal.ts'

const FIRST_DELAY = 1_000
const LONGEST_DELAY = 15 * 60_000
const FORGET_AFTER = 60 * 60_000

/** Failures without delay: few for one account, more for one address, which may be a whole office. */
const FREE_TRIES = { account: 5, address: 20 }

type Kind = keyof typeof FREE_TRIES

/** An attempt that was counted in advance as failed. */
export interface Attempt {
  /** It succeeded: the account starts afresh, the address gets this one attempt back. */
  succeeded(): Promise<void>
  /** It was never made (a fault of ours): both get it back. */
  withdrawn(): Promise<void>
}

export type Lockout = ReturnType<typeof createLockout>

/**
 * Back-off after failures, per account and per address, kept in the database.
 *
 * From the fifth failure of an account (the twentieth of an address) each failure blocks for 1 s, 2 s, 4 s … at most 15 min; an hour
 * without attempts forgets them. An attempt is counted *before* the costly check, so a thousand parallel guesses are
 * not a thousand checks. Accounts that do not exist are counted like those that do.
 */
export function createLockout({ db, clock, secret }: { db: Db; clock: Clock; secret: string | Uint8Array }) {
  const key = deriveKey(secret, 'lockout')
  const digest = (value: string) => createHmac('sha256', key).update(value).digest()

  /** Counts one failure in one statement; false when the key is blocked (and then nothing is counted). */
  async function count(scope: string, kind: Kind, value: string): Promise<boolean> {
    const now = clock.now()
    const free = FREE_TRIES[kind]
    const failures = sql`(case when f.last_at < ${now - FORGET_AFTER}::bigint then 1 else f.failures + 1 end)`
    const rows = await db.query(sql`
      insert into auth_failures as f (scope, key, failures, last_at, blocked_until)
      values (${`${scope}:${kind}`}, ${digest(value)}, 1, ${now}::bigint, 0)
      on conflict (scope, key) do update set
        failures = ${failures},
        last_at = excluded.last_at,
        blocked_until = case when ${failures} < ${free}::int then 0 else excluded.last_at + least(
          ${LONGEST_DELAY}::bigint, ${FIRST_DELAY}::bigint * (1::bigint << least(${failures} - ${free}::int, 20))) end
      where f.blocked_until <= ${now}::bigint
      returning 1 as counted`)
    return rows.length > 0
  }

  async function giveBack(scope: string, kind: Kind, value: string): Promise<void> {
    await db.query(sql`
      update auth_failures set failures = greatest(failures - 1, 0),
        blocked_until = case when failures - 1 < ${FREE_TRIES[kind]}::int then 0 else blocked_until end
      where scope = ${`${scope}:${kind}`} and key = ${digest(value)}`)
  }

  async function clear(scope: string, account: string): Promise<void> {
    await db.query(
      sql`delete from auth_failures where scope = ${`${scope}:account`} and key = ${digest(account)}`,
    )
  }

  return {
    /**
     * Begins an attempt; throws the given error when the account or the address is blocked.
     *
     * scope  what is attempted: 'sign-in', 'forgot', 'code' …; each is counted apart
     */
    async begin(
      scope: string,
      who: { account?: string; address: string },
      refusals: Record<Kind, () => PoolError>,
    ): Promise<Attempt> {
      const address = network(who.address)
      const { account } = who
      if (!(await count(scope, 'address', address))) throw refusals.address()
      if (account !== undefined && !(await count(scope, 'account', account))) throw refusals.account()
      return {
        async succeeded() {
          await giveBack(scope, 'address', address)
          if (account !== undefined) await clear(scope, account)
        },
        async withdrawn() {
          await giveBack(scope, 'address', address)
          if (account !== undefined) await giveBack(scope, 'account', account)
        },
      }
    },

    /** Forgets the failures of an account, for instance after its password was reset. */
    clear,

    /** Deletes what no longer counts. */
    async prune(): Promise<void> {
      await db.query(sql`delete from auth_failures where last_at < ${clock.now() - FORGET_AFTER}::bigint`)
    },
  }
}
