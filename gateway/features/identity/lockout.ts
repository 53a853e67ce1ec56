import { networkKeyOf } from '../../lib/network.ts'
import type { Db } from '../../store/db.ts'
import { createFailureCounts, type FailureSubject } from './failure-counts.ts'
import type { PoolError } from './pool-error.ts'
import type { Clock } from '../../kernel/ports.ts'

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
  const { count, queue, giveBack, forget, prune } = createFailureCounts({ db, clock, secret })

  /** Counts one failure of an account: on its device, or in its network and everywhere. Undefined when one is blocked. */
  async function countAccount(
    scope: string,
    account: string,
    address: string,
    device: string | undefined,
  ): Promise<FailureSubject[] | undefined> {
    const here: FailureSubject =
      device === undefined
        ? { kind: 'pair', value: `${account} ${address}` }
        : { kind: 'device', value: `${account} ${device}` }
    const failures = await count(scope, here)
    if (failures === undefined) return undefined
    if (device !== undefined) return [here]
    const everywhere: FailureSubject = { kind: 'account', value: account }
    if ((await count(scope, everywhere, failures)) !== undefined) return [here, everywhere]
    await giveBack(scope, here)
    return undefined
  }

  /** Counts one failure of a network that makes accounts, or that tries one: that is held back. Undefined when it is blocked. */
  async function countNetwork(
    scope: string,
    address: string,
    makes: boolean,
  ): Promise<FailureSubject | undefined> {
    const counted: FailureSubject = { kind: makes ? 'maker' : 'network', value: address }
    if (makes) return (await count(scope, counted)) === undefined ? undefined : counted
    const wait = await queue(scope, address)
    if (wait === undefined) return undefined
    if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve))
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
     * Begins an attempt; holds it back, or throws the given error when the account, the device or the network is blocked.
     *
     * scope  what is attempted: 'sign-in', 'forgot', 'code' …; each is counted apart
     */
    async begin(
      scope: string,
      who: Attempter,
      refusals: { account: () => PoolError; address: () => PoolError },
    ): Promise<Attempt> {
      const address = networkKeyOf(who.address)
      const { account, device } = who
      const counted = account === undefined ? [] : await countAccount(scope, account, address, device)
      if (!counted) throw refusals.account()
      // What is blocked by its account alone takes nothing from the others of a network.
      const networks: FailureSubject[] = []
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
      await forget(scope, { kind: 'pair', value: `${account} ${networkKeyOf(address)}` })
    },

    /** Deletes what no longer counts. */
    prune,
  }
}
