import { queryClient } from './api.ts'

/** Maximum time to wait for queries, ms: a call that hangs must not block later work. */
const MAX_WAIT_MS = 3_000
/** Maximum time to wait for the browser to be idle, ms. */
const MAX_IDLE_WAIT_MS = 500

/**
 * Runs work once the screen's queries have settled and the browser is idle, so that it does not compete with the first paint.
 *
 * returns  a cancel function
 */
export function onQueriesSettled(work: () => void): () => void {
  let isOver = false
  const start = () => {
    if (isOver) return
    stop()
    if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: MAX_IDLE_WAIT_MS })
    else setTimeout(work)
  }
  const stop = () => {
    isOver = true
    clearTimeout(timer)
    stopListening()
  }
  const startIfSettled = () => {
    if (queryClient.isFetching() === 0) start()
  }
  const stopListening = queryClient.getQueryCache().subscribe(startIfSettled)
  const timer = setTimeout(start, MAX_WAIT_MS)
  startIfSettled()
  return stop
}

/**
 * Runs work that nothing waits for once the browser is idle. Use it after the first paint.
 *
 * returns  a cancel function
 */
export function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, MAX_IDLE_WAIT_MS)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(work)
  return () => cancelIdleCallback(request)
}
