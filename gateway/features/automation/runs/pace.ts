import { MAX_ACTIONS } from '../../../../contract/automation/action.ts'
import type { Clock } from '../../../kernel/ports.ts'

/** Commands per second that runs send to a home after an initial burst of `AT_ONCE`, the maximum of one list of actions. */
export const A_SECOND = 60
const AT_ONCE = MAX_ACTIONS
const SECOND = 1_000

export type CommandRateLimiter = ReturnType<typeof createCommandRateLimiter>

/**
 * Limits the rate of commands that runs send to the hubs of a home. Counts the commands of this gateway's runs; commands of people
 * are neither counted nor delayed.
 */
export function createCommandRateLimiter(clock: Pick<Clock, 'now'>) {
  const homes = new Map<string, { left: number; at: number }>()

  function leftFor(home: string) {
    const now = clock.now()
    const known = homes.get(home) ?? { left: AT_ONCE, at: now }
    homes.set(home, known)
    const seconds = Math.floor((now - known.at) / SECOND)
    // After the clock was set back, counting restarts.
    if (seconds < 0) known.at = now
    else {
      known.left = Math.min(AT_ONCE, known.left + seconds * A_SECOND)
      known.at = known.left === AT_ONCE ? now : known.at + seconds * SECOND
    }
    return known
  }

  return {
    /** Takes up to the wanted number of commands; returns how many may be sent now. */
    take(home: string, wanted: number): number {
      const known = leftFor(home)
      const taken = Math.min(wanted, known.left)
      known.left -= taken
      return taken
    },
    /** Time at which more may be sent, epoch ms. */
    nextAt: (home: string): number => leftFor(home).at + SECOND,
  }
}
