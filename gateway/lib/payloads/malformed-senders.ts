import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/ports.ts'
import { networkKeyOf } from '../network.ts'

/** Restriction of a sender of malformed payloads: none, one payload a second, or blocked for now. */
export type Sanction = 'normal' | 'slowed' | 'disconnected'

/** Number of malformed payloads after which a sender is slowed down, and after which it is disconnected. */
export const SLOWED_AFTER = 10
export const DISCONNECTED_AFTER = 30
/** Time after which one malformed payload no longer counts, in ms. */
export const FORGIVE_INTERVAL_MS = 10_000
/** Interval between two payloads of a slowed-down sender, in ms. */
export const SLOWED_INTERVAL_MS = 1_000

export interface MalformedLimits {
  slowedAfter: number
  disconnectedAfter: number
}

const MAX_SENDERS = 20_000

interface MalformedCount {
  malformedCount: number
  updatedAt: number
}

export type MalformedSenders = ReturnType<typeof createMalformedSenders>

/** Counts malformed payloads by sender, in memory, so that a repeated sender cannot slow down the others. */
export function createMalformedSenders({
  clock,
  limits: { slowedAfter, disconnectedAfter } = {
    slowedAfter: SLOWED_AFTER,
    disconnectedAfter: DISCONNECTED_AFTER,
  },
}: {
  clock: Pick<Clock, 'now'>
  limits?: MalformedLimits
}) {
  const senders = new LRUCache<string, MalformedCount>({ max: MAX_SENDERS })

  function countOf(sender: string): number {
    const count = senders.get(sender)
    if (!count) return 0
    const now = clock.now()
    // The clock may have been set back.
    const elapsedMs = Math.max(0, now - count.updatedAt)
    count.malformedCount = Math.max(0, count.malformedCount - elapsedMs / FORGIVE_INTERVAL_MS)
    count.updatedAt = now
    return count.malformedCount
  }

  function sanctionOf(malformedCount: number): Sanction {
    const count = Math.ceil(malformedCount)
    if (count < slowedAfter) return 'normal'
    return count < disconnectedAfter ? 'slowed' : 'disconnected'
  }

  return {
    sanctionOf: (sender: string): Sanction => (senders.size === 0 ? 'normal' : sanctionOf(countOf(sender))),

    /** Records a malformed payload of this sender. */
    record(sender: string): Sanction {
      const malformedCount = Math.min(countOf(sender) + 1, disconnectedAfter)
      senders.set(sender, { malformedCount, updatedAt: clock.now() })
      return sanctionOf(malformedCount)
    },
  }
}

/** Key of a call's sender: the user if signed in, otherwise the network of the address. */
export const senderOf = (cognitoId: string | undefined, address: string): string =>
  cognitoId === undefined ? `address ${networkKeyOf(address)}` : `person ${cognitoId}`
