/** The parts of the world a hub does not own, injected so that tests can hold them still. */

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

/** Structured log; no secrets and no bodies ever go into it. */
export interface Log {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}
