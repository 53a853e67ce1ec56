/** Injectable clock, so that tests can control time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs the task once after a delay in ms; returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
