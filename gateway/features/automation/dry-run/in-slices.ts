/** How long work may keep the thread to itself, ms. */
const SLICE_MS = 10

/** What comes in between is done first: calls are answered, messages taken in. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Runs work that yields now and then to its end, and leaves the thread to others whenever a slice of it has taken 10 ms.
 *
 * between  is called after each slice, and may throw to end the work
 */
export async function runInSlices<T>(
  work: Generator<undefined, T>,
  between: () => void = () => {},
  time: () => number = () => performance.now(),
): Promise<T> {
  for (let began = time(); ;) {
    const { done, value } = work.next()
    if (done) return value
    if (time() - began < SLICE_MS) continue
    between()
    await yieldToEventLoop()
    began = time()
  }
}
