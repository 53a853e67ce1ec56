/** Time as an argument, so that tests can hold it still. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs the task once after a delay in ms; returns how to cancel it. */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
