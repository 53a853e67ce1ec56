import { MAX_ACTIONS } from '../../../../contract/automation/action.ts'
import type { Clock } from '../../../kernel/ports.ts'

/** Commands that runs send to a home each second once they have sent as many at once as one list of actions may have. */
export const A_SECOND = 60
const AT_ONCE = MAX_ACTIONS
const SECOND = 1_000

export type CommandRateLimiter = ReturnType<typeof createCommandRateLimiter>

/**
 * Keeps runs from sending more to the hubs of a home than they can take. It counts what this gateway sends; what people do by hand is
 * not counted and waits for nothing.
 */
export function createCommandRateLimiter(clock: Pick<Clock, 'now'>) {
  const homes = new Map<string, { left: number; at: number }>()

  /** What is left for a home now. */
  function leftFor(home: string) {
    const now = clock.now()
    const known = homes.get(home) ?? { left: AT_ONCE, at: now }
    homes.set(home, known)
    const seconds = Math.floor((now - known.at) / SECOND)
    // A clock that was set back makes nobody wait for the old time.
    if (seconds < 0) known.at = now
    else {
      known.left = Math.min(AT_ONCE, known.left + seconds * A_SECOND)
      known.at = known.left === AT_ONCE ? now : known.at + seconds * SECOND
    }
    return known
  }

  return {
    /** Takes as many of the wanted commands as may be sent now; answers how many. */
    take(home: string, wanted: number): number {
      const known = leftFor(home)
      const taken = Math.min(wanted, known.left)
      known.left -= taken
      return taken
    },
    /** When more may be sent, epoch ms. */
    nextAt: (home: string): number => leftFor(home).at + SECOND,
  }
}
