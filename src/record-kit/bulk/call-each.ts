import { describeRefusal } from '../../data/failure.ts'
import { callErrorIn } from '../../data/post.ts'
import { startBulk, type BulkRun, type BulkItem } from './bulk-run.ts'

/** Maximum number of concurrent calls: browsers limit connections per host. */
const CALLS_AT_ONCE = 6

/** Delay in ms, and maximum number of attempts, of a call that exceeds the gateway's rate limit. */
const PAUSE_MS = 1000
const MAX_ATTEMPTS = 30

/** Makes a call for each item. Calls that exceed the gateway's rate limit, as many items do, are retried after a pause. */
export function callEach<I extends BulkItem>(
  items: readonly I[],
  work: (item: I) => Promise<unknown>,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): BulkRun {
  async function callWithRetry(item: I) {
    for (let attempt = 1; ; attempt++)
      try {
        await work(item)
        return
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || callErrorIn(error)?.failure !== 'LIMIT_EXCEEDED') throw error
        await pause(PAUSE_MS)
      }
  }
  const run = startBulk(items, callWithRetry, { maxConcurrent: CALLS_AT_ONCE, whyOf: describeRefusal })
  return run
}
