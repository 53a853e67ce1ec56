import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../gateway/kernel/ports.ts'

/** System clock that a test can advance past a wait of real programs. */
export interface HurriedClock extends Clock {
  /** Advances the clock by this time; timers that become due run in order. */
  advance(ms: number): Promise<void>
}

/** Step, ms: a gateway whose clock jumps further assumes that it was suspended. */
const STEP = 250

export function createHurriedClock(): HurriedClock {
  let offsetMs = 0
  const now = () => systemClock.now() + offsetMs
  const tasks = new Set<{ due: number; run: () => void }>()
  return {
    now,
    after(ms, work) {
      const cancel = () => {
        cancelTimer()
        tasks.delete(task)
      }
      const run = () => {
        cancel()
        work()
      }
      const task = { due: now() + ms, run }
      const cancelTimer = systemClock.after(ms, run)
      tasks.add(task)
      return cancel
    },
    async advance(ms) {
      for (const end = offsetMs + ms; offsetMs < end;) {
        offsetMs = Math.min(end, offsetMs + STEP)
        const due = [...tasks].filter((task) => task.due <= now()).toSorted((a, b) => a.due - b.due)
        for (const task of due) if (tasks.has(task)) task.run()
        await turn()
      }
    },
  }
}
