import type { Clock } from '../kernel/ports.ts'

/**
 * Runs one task per key, at most once per gap and never concurrently: immediately if the key has been idle, otherwise at the end of the
 * gap; calls in between are merged.
 *
 * intervalOf   in ms, by the number of busy keys
 * task  must not reject
 */
export function createThrottle<K>(
  clock: Clock,
  intervalOf: (activeCount: number) => number,
  task: (key: K) => Promise<void>,
) {
  interface Throttled {
    mustRepeat: boolean
    cancel?: () => void
  }
  const throttled = new Map<K, Throttled>()

  async function run(key: K, entry: Throttled): Promise<void> {
    const since = clock.now()
    entry.mustRepeat = false
    await task(key)
    if (throttled.get(key) !== entry) return
    const intervalMs = intervalOf(throttled.size)
    // At most the gap, even if the clock was set back while the task ran.
    entry.cancel = clock.after(Math.min(intervalMs, Math.max(0, since + intervalMs - clock.now())), () => {
      if (entry.mustRepeat) void run(key, entry)
      else throttled.delete(key)
    })
  }

  return {
    /** Requests a run of the key's task. */
    request(key: K): void {
      const entry = throttled.get(key)
      if (entry) {
        entry.mustRepeat = true
        return
      }
      const created: Throttled = { mustRepeat: false }
      throttled.set(key, created)
      void run(key, created)
    },
    /** Cancels all timers; requested runs that have not begun are dropped. */
    close(): void {
      for (const entry of throttled.values()) entry.cancel?.()
      throttled.clear()
    },
  }
}
