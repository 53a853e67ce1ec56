/** How often what may be missing is asked for while a gap lasts, in ms. */
export const POLL_DURING_GAP_MS = 10_000
/** After a gap pages ask for everything within this time, in ms: not all in one moment. */
const SPREAD_MS = 2_000

interface Ports {
  /** Asks for statuses. */
  askStatuses(): void
  /** Asks for everything, as after a time without connection. */
  askAll(): void
  random?: () => number
}

/**
 * What a page does while its gateway does not hear all news of the others: it asks now and then, and once for everything when that
 * is over. So what it shows is seconds late, and never silently old.
 */
export function createGapRecovery({ askStatuses, askAll, random = Math.random }: Ports) {
  let asking: ReturnType<typeof setInterval> | undefined
  let last: ReturnType<typeof setTimeout> | undefined

  function stop() {
    clearInterval(asking)
    clearTimeout(last)
    asking = undefined
    last = undefined
  }

  return {
    /** The gateway says that a gap began, or that it is over. */
    hear({ Over }: { Over: boolean }): void {
      if (Over) {
        stop()
        last = setTimeout(askAll, random() * SPREAD_MS)
      } else asking ??= setInterval(askStatuses, POLL_DURING_GAP_MS)
    },
    /** Another connection begins, or none is left: what was known of the gap is over. */
    stop,
  }
}
