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
  maxWaitMs: number
}

interface QueuedMessage<M> {
  message: M
  resolve(): void
  reject(error: unknown): void
}

/**
 * Gathers messages into batches and writes one batch after the other, in order of arrival. Writes at once when idle;
 * under load it waits up to the messages' `maxWaitMs`, which makes batches larger and each message cheaper.
 *
 * write    writes a batch; returns an error for each message, undefined for a stored one
 */
export function createBatcher<M extends BatchedMessage>(write: (batch: M[]) => Promise<unknown[]>) {
  const queue: QueuedMessage<M>[] = []
  let size = 0
  let isClosed = false
  let isUrgent = false
  let writing: Promise<void> | undefined
  let lastStart = -Infinity
  let dueAt = Infinity
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined
  const admitWaiting: (() => void)[] = []

  function unschedule() {
    clearTimeout(timer as NodeJS.Timeout)
    clearImmediate(timer as NodeJS.Immediate)
    timer = undefined
  }

  /** Schedules the next batch: now, or when the earliest wait ends. */
  function schedule() {
    if (writing || queue.length === 0) return
    const delayMs = isUrgent || size >= BATCH_SIZE ? 0 : dueAt - performance.now()
    unschedule()
    // Other messages may arrive in the current tick.
    timer = delayMs > 0 ? setTimeout(start, delayMs) : setImmediate(start)
  }

  function start() {
    timer = undefined
    writing = writeNext().finally(() => {
      writing = undefined
      dueAt = queue.reduce(
        (soonest, { message }) => Math.min(soonest, lastStart + message.maxWaitMs),
        Infinity,
      )
      if (queue.length === 0) isUrgent = isClosed
      schedule()
    })
  }

  async function writeNext(): Promise<void> {
    lastStart = performance.now()
    let takenSize = 0
    let count = 0
    while (
      count < queue.length &&
      (count === 0 || takenSize + (queue[count]?.message.size ?? 0) <= BATCH_SIZE)
    )
      takenSize += queue[count++]?.message.size ?? 0
    const batch = queue.splice(0, count)
    size -= takenSize
    for (const admit of admitWaiting.splice(0)) admit()
    const errors = await write(batch.map(({ message }) => message)).catch((error: unknown) =>
      batch.map(() => error),
    )
    batch.forEach(({ resolve, reject }, i) => (errors[i] === undefined ? resolve() : reject(errors[i])))
  }

  async function addWhenFree(message: M): Promise<void> {
    while (isFull()) await new Promise<void>((resolve) => admitWaiting.push(resolve))
    return enqueue(message)
  }

  function enqueue(message: M): Promise<void> {
    if (isClosed) return Promise.reject(new GatewayError('UNAVAILABLE', 'The gateway is closing'))
    return new Promise((resolve, reject) => {
      queue.push({ message, resolve, reject })
      size += message.size
      const messageDueAt = lastStart + message.maxWaitMs
      const isSooner = messageDueAt < dueAt
      if (isSooner) dueAt = messageDueAt
      if (!writing && (isSooner || timer === undefined || size >= BATCH_SIZE)) schedule()
    })
  }

  const isBusy = () => queue.length > 0 || writing !== undefined
  const isFull = () => size >= CAPACITY && !isClosed

  async function flush(): Promise<void> {
    while (isBusy()) {
      isUrgent = true
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
    add: (message: M): Promise<void> => (isFull() ? addWhenFree(message) : enqueue(message)),
    /** Number of queued reports. */
    countQueued: () => size,
    /** Resolves when all queued messages are written or failed. */
    flush,
    /** Rejects further messages; resolves when all queued ones are written or failed. */
    async close(): Promise<void> {
      isClosed = true
      for (const admit of admitWaiting.splice(0)) admit()
      await flush()
    },
  }
}
