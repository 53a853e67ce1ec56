import { networkKeyOf } from '../../lib/network.ts'
import type { Db } from '../../kernel/db.ts'
import { createFailureCounts, type FailureSubject } from './failure-counts.ts'
import type { PoolError } from './pool-error.ts'
import type { Clock } from '../../kernel/ports.ts'

/** Source of an attempt; the device only if this account has signed in on it before. */
export interface Attempter {
  account?: string
  address: string
  device?: string | undefined
}

/** An attempt, counted in advance as failed. */
export interface Attempt {
  /** Resets the account's failures, and takes this attempt off the network's. */
  succeeded(): Promise<void>
  /** Takes the attempt off all counts, after an error of the gateway. */
  withdrawn(): Promise<void>
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
  const { count, queue, giveBack, forget, prune } = createFailureCounts({ db, clock, secret })

  /** Counts one failure of an account: on its device, or in its network and everywhere. Undefined if one of them is blocked. */
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

  /** Counts one failure of a network, which rejects (creating accounts) or delays (signing in). Undefined if it is blocked. */
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
     * Begins an attempt; delays it, or throws the given error if the account, the device or the network is blocked.
     *
     * scope  kind of attempt: 'sign-in', 'forgot', 'code' …; each has its own counts
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
      // An attempt that its account blocks does not count for the network.
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

    /** Resets the failures of an account, here and everywhere, for example after a password reset. */
    async clear(scope: string, account: string, address: string): Promise<void> {
      await forget(scope, { kind: 'account', value: account })
      await forget(scope, { kind: 'pair', value: `${account} ${networkKeyOf(address)}` })
    },

    prune,
  }
}
