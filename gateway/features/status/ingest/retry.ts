import { GatewayError } from '../../../kernel/errors.ts'

/** Delay between two attempts while the database is unavailable, in ms. */
export const RETRY_DELAY_MS = { first: 50, longest: 2_000 }

/** Whether the error means that the database is unavailable. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'UNAVAILABLE'

/** Retries while the database is unavailable, until the signal aborts. */
export async function retryWhileUnavailable<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  for (let delayMs = RETRY_DELAY_MS.first; ; delayMs = Math.min(delayMs * 2, RETRY_DELAY_MS.longest)) {
    try {
      return await task()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || signal.aborted) throw error
      await sleepUnlessClosed(delayMs, signal)
    }
  }
}

/** Resolves after `ms`, or at once when the signal aborts. */
export const sleepUnlessClosed = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
