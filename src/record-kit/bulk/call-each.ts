import { describeRefusal } from '../../data/failure.ts'
import { callErrorIn } from '../../data/post.ts'
import { startBulk, type BulkRun, type BulkItem } from './bulk-run.ts'

/** Calls on their way together: a browser opens no more connections to one host. */
const CALLS_AT_ONCE = 6

/** How long to wait before what the gateway would not take yet is sent again, ms, and how often. */
const PAUSE_MS = 1000
const TRIES = 30

/**
 * Makes a call for each item; when all have come to their end, what shows them is fetched again. Where the gateway takes
 * no more calls for the moment, which many items bring about, the rest waits.
 */
export function callEach<I extends BulkItem>(
  items: readonly I[],
  work: (item: I) => Promise<unknown>,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): BulkRun {
  async function untilTaken(item: I) {
    for (let tried = 1; ; tried++)
      try {
        await work(item)
        return
      } catch (error) {
        if (tried === TRIES || callErrorIn(error)?.failure !== 'LIMIT_EXCEEDED') throw error
        await pause(PAUSE_MS)
      }
  }
  const run = startBulk(items, untilTaken, { atOnce: CALLS_AT_ONCE, whyOf: describeRefusal })
  return run
}
