import { describeFailure } from '../../providers/failure.ts'
import { startBulk, type BulkRun, type Item } from './bulk-run.ts'

/** Calls on their way together: a browser opens no more connections to one host. */
const CALLS_AT_ONCE = 6

/** Makes a call for each item; when all have come to their end, what shows them is fetched again. */
export function callEach<I extends Item>(
  items: readonly I[],
  work: (item: I) => Promise<unknown>,
  refresh: () => Promise<unknown>,
): BulkRun {
  const run = startBulk(
    items,
    async (item) => {
      await work(item)
    },
    { atOnce: CALLS_AT_ONCE, whyOf: describeFailure },
  )
  void run.finished.then(refresh)
  return run
}
