/** Figures of a whole company move at most this often: sums that change with every frame cannot be read. */
const PACE_MS = 1000

/**
 * A version for `useSyncExternalStore` that counts the changes of a busy source at a readable pace: the first change
 * after a quiet time counts at once, those that follow within the pace together at its end.
 */
export function throttledVersion(source: (listener: () => void) => () => void, pace = PACE_MS) {
  const listeners = new Set<() => void>()
  let version = 0
  let stop: (() => void) | undefined
  let rest: ReturnType<typeof setTimeout> | undefined
  let missed = false

  function tell() {
    version++
    missed = false
    rest = setTimeout(() => {
      rest = undefined
      if (missed) tell()
    }, pace)
    for (const listener of listeners) listener()
  }

  return {
    get: () => version,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      stop ??= source(() => {
        if (rest === undefined) tell()
        else missed = true
      })
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
        clearTimeout(rest)
        rest = undefined
        missed = false
      }
    },
  }
}
