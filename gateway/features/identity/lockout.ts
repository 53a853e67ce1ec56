import { createHmac } from 'node:crypto'
import { network } from '../../lib/network.ts'
import { sql, type Db } from '../../store/db.ts'
import type { PoolError } from './pool-error.ts'
import type { Clock } from '../../ports.ts'
import { deriveKey } from '../../lib/seal.ts'

const FIRST_DELAY = 1_000
const FORGET_AFTER = 60 * 60_000
/** How long an attempt of a network may be held back, in ms, before it is refused: browsers wait longer than that. */
const PATIENCE = 15_000

/** Failures without a pause, and the longest pause after one more, in ms. */
const RULES = {
  /** A device on which this person signed in before. */
  device: { free: 5, longest: 15 * 60_000 },
  /** One account as one network tries it. */
  pair: { free: 5, longest: 15 * 60_000 },
  /** One account as all networks together try it, without the one that failed most. */
  account: { free: 5, longest: 15 * 60_000 },
  /** A network, which may be a whole office: it is slowed down. */
  network: { free: 20, longest: 10_000 },
  /** A network that makes accounts: it is refused. */
  maker: { free: 20, longest: 15 * 60_000 },
} as const

type Kind = keyof typeof RULES

/** The pause after so many failures, in ms. */
const pauseAfter = (kind: Kind, failures: number): number => {
  const { free, longest } = RULES[kind]
  return failures < free ? 0 : Math.min(longest, FIRST_DELAY * 2 ** (failures - free))
}

/** Who attempts: the device only where it has proved that this account signed in on it. */
export interface Attempter {
  account?: string
  address: string
  device?: string | undefined
}

/** An attempt that was counted in advance as failed. */
export interface Attempt {
  /** It succeeded: the account starts afresh, the network gets this one attempt back. */
  succeeded(): Promise<void>
  /** It was never made (a fault of ours): everybody gets it back. */
  withdrawn(): Promise<void>
}

interface Counted {
  kind: Kind
  value: string
}

export type Lockout = ReturnType<typeof createLockout>

/**
 * Back-off after failures, kept in the database.
 *
 * From the fifth failure of an account in one network each failure blocks it there for 1 s, 2 s, 4 s … at most 15 min;
 * failures of further networks block it everywhere likewise. A device on which the person signed in before is counted
 * by itself alone, so that nobody elsewhere can lock it out. A network is held back from its twentieth failure on. An hour without attempts
 * forgets them. An attempt is counted *before* the costly check, so a thousand parallel guesses are not a thousand
 * checks. Accounts that do not exist are counted like those that do.
 */
export function createLockout({ db, clock, secret }: { db: Db; clock: Clock; secret: string | Uint8Array }) {
  const key = deriveKey(secret, 'lockout')
  const digest = (value: string) => createHmac('sha256', key).update(value).digest()
  const failuresNow = sql`(case when f.last_at < excluded.last_at - ${FORGET_AFTER}::bigint then 1 else f.failures + 1 end)`

  /**
   * Counts one failure in one statement; undefined when the key is blocked (and then nothing is counted).
   *
   * ofOneNetwork  how many of the account's failures the present network has; those of the network with the most do not count
   */
  async function count(
    scope: string,
    { kind, value }: Counted,
    ofOneNetwork = 0,
  ): Promise<number | undefined> {
    const { free, longest } = RULES[kind]
    const most = sql`least(${failuresNow}, greatest(f.most, ${ofOneNetwork}::int))`
    const counted = sql`(${failuresNow} - ${most})`
    const [row] = await db.query<{ failures: number }>(sql`
      insert into auth_failures as f (scope, key, failures, most, last_at, blocked_until)
      values (${`${scope}:${kind}`}, ${digest(value)}, 1, least(1, ${ofOneNetwork}::int), ${clock.now()}::bigint, 0)
      on conflict (scope, key) do update set
        failures = ${failuresNow}, most = ${most}, last_at = excluded.last_at,
        blocked_until = case when ${counted} < ${free}::int then 0 else excluded.last_at + least(
          ${longest}::bigint, ${FIRST_DELAY}::bigint * (1::bigint << least(${counted} - ${free}::int, 20))) end
      where f.blocked_until <= excluded.last_at
      returning failures`)
    return row?.failures
  }

  /** Counts one failure of a network and answers how long it is to be held back, in ms; undefined when that is too long. */
  async function queue(scope: string, address: string): Promise<number | undefined> {
    const { free, longest } = RULES.network
    const [row] = await db.query<{ failures: number; next: number; now: number }>(sql`
      insert into auth_failures as f (scope, key, failures, last_at, blocked_until)
      values (${`${scope}:network`}, ${digest(address)}, 1, ${clock.now()}::bigint, 0)
      on conflict (scope, key) do update set
        failures = ${failuresNow}, last_at = excluded.last_at,
        blocked_until = case when ${failuresNow} < ${free}::int then 0
          else greatest(f.blocked_until, excluded.last_at) + least(
            ${longest}::bigint, ${FIRST_DELAY}::bigint * (1::bigint << least(${failuresNow} - ${free}::int, 20))) end
      where f.blocked_until <= excluded.last_at + ${PATIENCE}::bigint
      returning failures, blocked_until as next, last_at as now`)
    return row && Math.max(0, row.next - pauseAfter('network', row.failures) - row.now)
  }

  async function giveBack(scope: string, { kind, value }: Counted): Promise<void> {
    await db.query(sql`
      update auth_failures set failures = greatest(failures - 1, 0), most = least(most, greatest(failures - 1, 0)),
        blocked_until = case when failures - 1 - most < ${RULES[kind].free}::int then 0 else blocked_until end
      where scope = ${`${scope}:${kind}`} and key = ${digest(value)}`)
  }

  async function forget(scope: string, { kind, value }: Counted): Promise<void> {
    await db.query(
      sql`delete from auth_failures where scope = ${`${scope}:${kind}`} and key = ${digest(value)}`,
    )
  }

  /** Counts one failure of an account: on its device, or in its network and everywhere. Undefined when one is blocked. */
  async function countAccount(
    scope: string,
    account: string,
    address: string,
    device: string | undefined,
  ): Promise<Counted[] | undefined> {
    const here: Counted =
      device === undefined
        ? { kind: 'pair', value: `${account} ${address}` }
        : { kind: 'device', value: `${account} ${device}` }
    const failures = await count(scope, here)
    if (failures === undefined) return undefined
    if (device !== undefined) return [here]
    const everywhere: Counted = { kind: 'account', value: account }
    if ((await count(scope, everywhere, failures)) !== undefined) return [here, everywhere]
    await giveBack(scope, here)
    return undefined
  }

  /** Counts one failure of a network that makes accounts, or that tries one: that is held back. Undefined when it is blocked. */
  async function countNetwork(scope: string, address: string, makes: boolean): Promise<Counted | undefined> {
    const counted: Counted = { kind: makes ? 'maker' : 'network', value: address }
    if (makes) return (await count(scope, counted)) === undefined ? undefined : counted
    const wait = await queue(scope, address)
    if (wait === undefined) return undefined
    if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve))
    return counted
  }

  const forEach = async (counted: readonly Counted[], work: (one: Counted) => Promise<void>) => {
    for (const one of counted) await work(one)
  }

  return {
    /**
     * Begins an attempt; holds it back, or throws the given error when the account, the device or the network is blocked.
     *
     * scope  what is attempted: 'sign-in', 'forgot', 'code' …; each is counted apart
     */
    async begin(
      scope: string,
      who: Attempter,
      refusals: { account: () => PoolError; address: () => PoolError },
    ): Promise<Attempt> {
      const address = network(who.address)
      const { account, device } = who
      const counted = account === undefined ? [] : await countAccount(scope, account, address, device)
      if (!counted) throw refusals.account()
      // What is blocked by its account alone takes nothing from the others of a network.
      const networks: Counted[] = []
      if (device === undefined) {
        const one = await countNetwork(scope, address, account === undefined)
        if (one) networks.push(one)
        else {
          await forEach(counted, (each) => giveBack(scope, each))
          throw refusals.address()
        }
      }
      return {
        async succeeded() {
          await forEach(networks, (one) => giveBack(scope, one))
          await forEach(counted, (one) => forget(scope, one))
        },
        withdrawn: () => forEach([...networks, ...counted], (one) => giveBack(scope, one)),
      }
    },

    /** Forgets the failures of an account, here and everywhere, for instance after its password was reset. */
    async clear(scope: string, account: string, address: string): Promise<void> {
      await forget(scope, { kind: 'account', value: account })
      await forget(scope, { kind: 'pair', value: `${account} ${network(address)}` })
    },

    /** Deletes what no longer counts. */
    async prune(): Promise<void> {
      await db.query(sql`delete from auth_failures where last_at < ${clock.now() - FORGET_AFTER}::bigint`)
    },
  }
}
