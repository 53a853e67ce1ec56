import type { Clock } from '../../../kernel/ports.ts'

/** A clock that falls by more was set back, in ms; one that is adjusted a little was not. */
const MAX_CLOCK_ADJUSTMENT_MS = 1_000
/** One that falls by more than a day was wrong before, in ms. */
const MAX_CLOCK_STEP_MS = 86_400_000

/**
 * What the time is, and after the machine's clock was set back what it would have been: hubs keep their own time, and what they
 * measure then does not come from the future.
 *
 * elapsed  ms of a clock that nobody sets
 */
export function createMonotonicClock(
  clock: Pick<Clock, 'now'>,
  elapsed = () => performance.now(),
): () => number {
  let latest = -Infinity
  let at = 0
  return () => {
    const now = clock.now()
    const wouldBe = latest + elapsed() - at
    if (now < latest - MAX_CLOCK_ADJUSTMENT_MS && wouldBe - now < MAX_CLOCK_STEP_MS) return wouldBe
    latest = now
    at = elapsed()
    return now
  }
}
