import type { Clock } from '../kernel/ports.ts'

/**
 * Runs one task per key, at most once in a gap and never twice at a time: at once when the key has been quiet,
 * otherwise when the gap is over; calls in between become one.
 *
 * gap   in ms, by how many keys have not been quiet
 * task  its failures are its own: it must not reject
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
    // No longer than the gap, even if the clock was set back while the task ran.
    pace.cancel = clock.after(Math.min(most, Math.max(0, since + most - clock.now())), () => {
      if (pace.again) void run(key, pace)
      else paces.delete(key)
    })
  }

  return {
    /** Wants the key's task to run. */
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
    /** Ends the waiting; what was asked for and has not begun is dropped. */
    close(): void {
      for (const pace of paces.values()) pace.cancel?.()
      paces.clear()
    },
  }
}
