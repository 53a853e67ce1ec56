import { queryClient } from './api.ts'

/** A call that hangs must not keep away what comes after it. */
const AT_THE_LATEST_MS = 3_000
const MOMENT_MS = 500
/** After the page has settled, until what nobody has asked for yet is fetched. */
const LATER_MS = 5_000

/**
 * Does some work once the screen has the data it asked for and the browser has a moment: what comes after the first
 * picture takes neither line nor processor from it.
 *
 * returns  how to give it up
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
  const look = () => {
    if (queryClient.isFetching() === 0) go()
  }
  const stopListening = queryClient.getQueryCache().subscribe(look)
  const latest = setTimeout(go, AT_THE_LATEST_MS)
  look()
  return stop
}

/**
 * Does some work well after the screen has settled: what a person may need, and has not asked for.
 *
 * returns  how to give it up
 */
export function whenIdle(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = onQueriesSettled(() => (timer = setTimeout(work, LATER_MS)))
  return () => {
    stop()
    clearTimeout(timer)
  }
}
