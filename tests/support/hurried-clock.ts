import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../gateway/kernel/ports.ts'

/** System clock that a test can advance past a wait of real programs. */
export interface HurriedClock extends Clock {
  /** Advances the clock by this time; timers that become due run in order. */
  hurry(ms: number): Promise<void>
}

/** Step, ms: a gateway whose clock jumps further assumes that it was suspended. */
const STEP = 250

export function createHurriedClock(): HurriedClock {
  let ahead = 0
  const now = () => systemClock.now() + ahead
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
    async hurry(ms) {
      for (const end = ahead + ms; ahead < end;) {
        ahead = Math.min(end, ahead + STEP)
        const due = [...tasks].filter((task) => task.due <= now()).toSorted((a, b) => a.due - b.due)
        for (const task of due) if (tasks.has(task)) task.run()
        await turn()
      }
    },
  }
}
