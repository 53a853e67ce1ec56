import { GatewayError } from '../../../errors.ts'

/** Between two tries while the database is away, in ms. */
export const RETRY = { first: 50, longest: 2_000 }

/** Whether the database is away, and may come back. */
export const isAway = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'UNAVAILABLE'

/** Tries again while the database is away, until the signal comes. */
export async function patiently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let wait = RETRY.first; ; wait = Math.min(wait * 2, RETRY.longest)) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error) || signal.aborted) throw error
      await pause(wait, signal)
    }
  }
}

/** Resolves after so many ms, or at once when the signal comes. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
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
