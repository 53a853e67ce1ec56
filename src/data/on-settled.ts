import { queryClient } from './api.ts'

/** Maximum time to wait for queries, ms: a call that hangs must not block later work. */
const AT_THE_LATEST_MS = 3_000
const MOMENT_MS = 500
/** Delay from the settled page to optional prefetches, ms. */
const LATER_MS = 5_000

/**
 * Runs work once the screen's queries have settled and the browser is idle, so that it does not compete with the first paint.
 *
 * returns  a cancel function
 */
export function onQueriesSettled(work: () => void): () => void {
  let given = false
  const go = () => {
    if (given) return
    stop()
    if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: MOMENT_MS })
    else setTimeout(work)
  }
  const stop = () => {
    given = true
    clearTimeout(latest)
    stopListening()
  }
  const check = () => {
    if (queryClient.isFetching() === 0) go()
  }
  const stopListening = queryClient.getQueryCache().subscribe(check)
  const latest = setTimeout(go, AT_THE_LATEST_MS)
  check()
  return stop
}

/**
 * Runs work well after the screen has settled, e.g. prefetches of what the user may need next.
 *
 * returns  a cancel function
 */
export function whenIdle(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = onQueriesSettled(() => (timer = setTimeout(work, LATER_MS)))
  return () => {
    stop()
    clearTimeout(timer)
  }
}
