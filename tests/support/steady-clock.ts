import type { Clock } from '../../gateway/kernel/ports.ts'

/** Clock for programs that take silence for a failure: it does not count times in which the machine let the whole process wait. */
export interface SteadyClock extends Clock {
  stop(): void
}

const TICK_MS = 5
/** Maximum advance in one tick: what is longer was a pause of the process. */
const MAX_ADVANCE_MS = 50

export function createSteadyClock(): SteadyClock {
  let now = Date.now()
  let last = performance.now()
  const tasks = new Set<{ due: number; run: () => void }>()
  const ticking = setInterval(() => {
    const real = performance.now()
    now += Math.min(real - last, MAX_ADVANCE_MS)
    last = real
    const due = [...tasks].filter((task) => task.due <= now).toSorted((a, b) => a.due - b.due)
    for (const task of due) if (tasks.delete(task)) task.run()
  }, TICK_MS)
  return {
    now: () => Math.floor(now),
    after(ms, run) {
      const task = { due: now + ms, run }
      tasks.add(task)
      return () => void tasks.delete(task)
    },
    stop: () => clearInterval(ticking),
  }
}
