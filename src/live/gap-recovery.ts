/** Interval at which statuses are polled during a gap, ms. */
export const POLL_DURING_GAP_MS = 10_000
/** Time over which pages spread their requests after a gap, ms. */
const SPREAD_MS = 2_000

interface Ports {
  requestStatuses(): void
  /** Refetches everything, as after a time without connection. */
  refetchAll(): void
  random?: () => number
}

/**
 * Keeps a page current while its gateway may miss messages of other gateways: polls statuses during the gap, and refetches everything
 * when it ends. So the page is seconds late, but never silently stale.
 */
export function createGapRecovery({ requestStatuses, refetchAll, random = Math.random }: Ports) {
  let polling: ReturnType<typeof setInterval> | undefined
  let finalRefetch: ReturnType<typeof setTimeout> | undefined

  function stop() {
    clearInterval(polling)
    clearTimeout(finalRefetch)
    polling = undefined
    finalRefetch = undefined
  }

  return {
    /** Handles a message of the gateway that a gap began or ended. */
    handleGap({ Over }: { Over: boolean }): void {
      if (Over) {
        stop()
        finalRefetch = setTimeout(refetchAll, random() * SPREAD_MS)
      } else polling ??= setInterval(requestStatuses, POLL_DURING_GAP_MS)
    },
    /** Stops polling, when another connection begins or none is left. */
    stop,
  }
}
