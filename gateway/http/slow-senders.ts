import type { MalformedSenders } from '../lib/payloads/malformed-senders.ts'
import { SLOWED_INTERVAL_MS } from '../lib/payloads/malformed-senders.ts'
import type { Clock } from '../kernel/ports.ts'
import { RateLimited } from './response.ts'

/** Maximum number of bodies of one slowed-down sender that wait to be read. */
const MAX_WAITING = 5

/** Too many malformed bodies: the connection is closed after the answer. */
export class Disconnected extends RateLimited {}

export type SlowSenders = ReturnType<typeof createSlowSenders>

/** Delays the bodies of senders of malformed ones to one per second, and disconnects those that continue. */
export function createSlowSenders({
  clock,
  malformed,
}: {
  clock: Pick<Clock, 'now' | 'after'>
  malformed: MalformedSenders
}) {
  /** Time at which the last waiting body of a sender may be read, epoch ms. */
  const lastTurns = new Map<string, number>()

  return {
    /**
     * Returns undefined if the body may be read now, or a promise of its turn.
     *
     * errors  RateLimited if too many wait, Disconnected if the sender is to be disconnected
     */
    waitFor(sender: string): Promise<void> | undefined {
      const sanction = malformed.standing(sender)
      if (sanction === 'normal') return undefined
      if (sanction === 'disconnected') throw new Disconnected(SLOWED_INTERVAL_MS)
      const now = clock.now()
      const turnAt = Math.max(now, lastTurns.get(sender) ?? 0) + SLOWED_INTERVAL_MS
      if (turnAt - now > MAX_WAITING * SLOWED_INTERVAL_MS) throw new RateLimited(turnAt - now)
      lastTurns.set(sender, turnAt)
      return new Promise((resolve) =>
        clock.after(turnAt - now, () => {
          if (lastTurns.get(sender) === turnAt) lastTurns.delete(sender)
          resolve()
        }),
      )
    },
    record: (sender: string): void => void malformed.record(sender),
  }
}
