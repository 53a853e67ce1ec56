import { GatewayError } from '../../../kernel/errors.ts'

/** Maximum number of reports in one transaction; a larger message is a batch of its own. */
const BATCH_SIZE = 500
/** Maximum number of queued reports; further messages wait before they are queued. */
const CAPACITY = 20_000

/** A message to be written in a batch. */
export interface BatchedMessage {
  /** Number of reports in it. */
  size: number
  /** Maximum wait for other messages since the start of the previous batch, in ms; after an idle time it is written at once. */
  patience: number
}

interface Waiting<M> {
  message: M
  resolve(): void
  reject(error: unknown): void
}

/**
 * Gathers messages into batches and writes one batch after the other, in order of arrival. Writes at once when idle;
 * under load it waits up to the messages' `patience`, which makes batches larger and each message cheaper.
 *
 * write    writes a batch; returns an error for each message, undefined for a stored one
 */
export function createBatcher<M extends BatchedMessage>(write: (batch: M[]) => Promise<unknown[]>) {
  const queue: Waiting<M>[] = []
  let size = 0
  let closed = false
  let urgent = false
  let writing: Promise<void> | undefined
  let lastStart = -Infinity
  let due = Infinity
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined
  const outside: (() => void)[] = []

  function unschedule() {
    clearTimeout(timer as NodeJS.Timeout)
    clearImmediate(timer as NodeJS.Immediate)
    timer = undefined
  }

  /** Schedules the next batch: now, or when the earliest wait ends. */
  function schedule() {
    if (writing || queue.length === 0) return
    const wait = urgent || size >= BATCH_SIZE ? 0 : due - performance.now()
    unschedule()
    // Other messages may arrive in the current tick.
    timer = wait > 0 ? setTimeout(start, wait) : setImmediate(start)
  }

  function start() {
    timer = undefined
    writing = next().finally(() => {
      writing = undefined
      due = queue.reduce((soonest, { message }) => Math.min(soonest, lastStart + message.patience), Infinity)
      if (queue.length === 0) urgent = closed
      schedule()
    })
  }

  async function next(): Promise<void> {
    lastStart = performance.now()
    let taken = 0
    let count = 0
    while (count < queue.length && (count === 0 || taken + (queue[count]?.message.size ?? 0) <= BATCH_SIZE))
      taken += queue[count++]?.message.size ?? 0
    const batch = queue.splice(0, count)
    size -= taken
    for (const admit of outside.splice(0)) admit()
    const errors = await write(batch.map(({ message }) => message)).catch((error: unknown) =>
      batch.map(() => error),
    )
    batch.forEach(({ resolve, reject }, i) => (errors[i] === undefined ? resolve() : reject(errors[i])))
  }

  async function queueUp(message: M): Promise<void> {
    while (full()) await new Promise<void>((resolve) => outside.push(resolve))
    return enter(message)
  }

  function enter(message: M): Promise<void> {
    if (closed) return Promise.reject(new GatewayError('UNAVAILABLE', 'The gateway is closing'))
    return new Promise((resolve, reject) => {
      queue.push({ message, resolve, reject })
      size += message.size
      const at = lastStart + message.patience
      const sooner = at < due
      if (sooner) due = at
      if (!writing && (sooner || timer === undefined || size >= BATCH_SIZE)) schedule()
    })
  }

  const busy = () => queue.length > 0 || writing !== undefined
  const full = () => size >= CAPACITY && !closed

  async function flush(): Promise<void> {
    while (busy()) {
      urgent = true
      schedule()
      await (writing ?? new Promise((resolve) => setImmediate(resolve)))
    }
  }

  return {
    /**
     * Resolves when the message is written. Waits first while the queue is full.
     *
     * errors  UNAVAILABLE after close; the error that `write` returns for this message
     */
    add: (message: M): Promise<void> => (full() ? queueUp(message) : enter(message)),
    /** Number of queued reports. */
    waiting: () => size,
    /** Resolves when all queued messages are written or failed. */
    flush,
    /** Rejects further messages; resolves when all queued ones are written or failed. */
    async close(): Promise<void> {
      closed = true
      for (const admit of outside.splice(0)) admit()
      await flush()
    },
  }
}
