import type { Clock } from '../kernel/ports.ts'

/**
 * Runs one task per key, at most once per gap and never concurrently: immediately if the key has been idle, otherwise at the end of the
 * gap; calls in between are merged.
 *
 * gap   in ms, by the number of busy keys
 * task  must not reject
 */
export function createThrottle<K>(
  clock: Clock,
  gap: (busy: number) => number,
  task: (key: K) => Promise<void>,
) {
  interface Pace {
    again: boolean
    cancel?: () => void
  }
  const paces = new Map<K, Pace>()

  async function run(key: K, pace: Pace): Promise<void> {
    const since = clock.now()
    pace.again = false
    await task(key)
    if (paces.get(key) !== pace) return
    const most = gap(paces.size)
    // At most the gap, even if the clock was set back while the task ran.
    pace.cancel = clock.after(Math.min(most, Math.max(0, since + most - clock.now())), () => {
      if (pace.again) void run(key, pace)
      else paces.delete(key)
    })
  }

  return {
    /** Requests a run of the key's task. */
    ask(key: K): void {
      const pace = paces.get(key)
      if (pace) {
        pace.again = true
        return
      }
      const fresh: Pace = { again: false }
      paces.set(key, fresh)
      void run(key, fresh)
    },
    /** Cancels all timers; requested runs that have not begun are dropped. */
    close(): void {
      for (const pace of paces.values()) pace.cancel?.()
      paces.clear()
    },
  }
}
