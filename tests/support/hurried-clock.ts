import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../gateway/kernel/ports.ts'

/** The system's clock, which may be hurried past a wait that real programs would have to sit out. */
export interface HurriedClock extends Clock {
  /** So much time passes at once; what falls due meanwhile runs in its order. */
  hurry(ms: number): Promise<void>
}

/** A gateway to which more than this passes at once believes that it stood still, in ms. */
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
