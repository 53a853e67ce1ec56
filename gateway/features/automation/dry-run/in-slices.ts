/** Maximum time that work may block the event loop, ms. */
const SLICE_MS = 10

/** Lets pending calls and messages run first. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Runs a generator to its end and yields to the event loop whenever a slice has taken `SLICE_MS`.
 *
 * between  is called after each slice, and may throw to stop the work
 */
export async function runInSlices<T>(
  work: Generator<undefined, T>,
  between: () => void = () => {},
  time: () => number = () => performance.now(),
): Promise<T> {
  for (let startedAt = time(); ;) {
    const { done, value } = work.next()
    if (done) return value
    if (time() - startedAt < SLICE_MS) continue
    between()
    await yieldToEventLoop()
    startedAt = time()
  }
}
