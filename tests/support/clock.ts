import type { Clock } from '../../gateway/kernel/ports.ts'

/** Clock that stands still until advanced. */
export interface HeldClock extends Clock {
  /** Advances the time and runs due timers in order. */
  advance(ms: number): void
  /** Advances the time without running timers, as when the machine is suspended; due timers run at the next `advance`. */
  suspend(ms: number): void
}

interface Task {
  due: number
  run: () => void
}

/** start   epoch ms; a Monday morning in Taipei by default */
export function holdClock(start = Date.UTC(2026, 0, 5, 1)): HeldClock {
  let now = start
  const tasks = new Set<Task>()
  const next = (until: number): Task | undefined =>
    [...tasks].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0]
  return {
    now: () => now,
    after(ms, run) {
      const task = { due: now + ms, run }
      tasks.add(task)
      return () => tasks.delete(task)
    },
    suspend: (ms) => void (now += ms),
    advance(ms) {
      const until = now + ms
      for (let task = next(until); task; task = next(until)) {
        now = Math.max(now, task.due)
        tasks.delete(task)
        task.run()
      }
      now = until
    },
  }
}
