import { GatewayError } from '../kernel/errors.ts'
import type { Clock, Log } from '../kernel/ports.ts'

export interface IntakeLimits {
  /** Maximum number of messages being stored at a time, of all clients. */
  maxConcurrent: number
  /** Maximum number of messages being stored at a time, of one client. */
  maxConcurrentPerClient: number
  /** Maximum number of messages received and not yet stored, of all clients. */
  maxQueued: number
  /** Maximum messages per second of one hub or screen, and the burst in seconds of that rate, before it is throttled. */
  rate: { hub: number; screen: number; burstSeconds: number }
}

/** A queued inbound message. */
export interface QueuedMessage {
  run(): Promise<void | 'malformed'>
  /** Called when the message is stored or was malformed, or with the error that `run` failed with. */
  onDone(error?: Error, outcome?: void | 'malformed'): void
  /** Whether the sender waits for an acknowledgement and would send the message again. */
  isAcknowledged: boolean
  /** Position among all messages; assigned by the intake. */
  order?: number
}

/** Queue of one connection's messages, in order. */
export interface ConnectionQueue {
  readonly perSecond: number
  messages: QueuedMessage[]
  running: number
  tokens: number
  refilledAt: number
  /** Whether the queue is in the list of turns. */
  isScheduled: boolean
  /** Whether the queue waits for tokens. */
  isThrottled: boolean
}

const BACK_OFF = { firstMs: 250, maxMs: 5_000 }

/**
 * Admits messages to the gateway, round robin over clients, so that a flooding client delays only itself. The broker
 * stops reading from a connection while its messages wait here, so the number of held messages is bounded.
 *
 * While the database is unavailable, messages are held in order and one is retried with an increasing delay; the first success
 * resumes normal operation.
 */
export function createIntake(options: {
  limits: IntakeLimits
  clock: Clock
  log: Log
  onThrottled: () => void
}) {
  const { limits, clock, log } = options
  const readyQueues: ConnectionQueue[] = []
  let order = 0
  let running = 0
  let queued = 0
  const gate = { open: true }
  /** Set while the database is unavailable. */
  let outage: { pauseMs: number; isProbing: boolean; cancel: () => void } | undefined

  function schedule(queue: ConnectionQueue, isFirst = false) {
    if (
      queue.isScheduled ||
      queue.isThrottled ||
      !queue.messages.length ||
      queue.running >= limits.maxConcurrentPerClient
    )
      return
    queue.isScheduled = true
    if (isFirst) readyQueues.unshift(queue)
    else readyQueues.push(queue)
  }

  function pump() {
    while (
      gate.open &&
      readyQueues.length &&
      (outage ? outage.isProbing && running === 0 : running < limits.maxConcurrent)
    ) {
      const queue = readyQueues.shift() as ConnectionQueue
      queue.isScheduled = false
      if (!takeToken(queue)) continue
      const job = queue.messages.shift()
      if (!job) continue
      start(queue, job)
      schedule(queue)
    }
  }

  /** Whether a message of this lane may start at once. */
  const canStartNow = (queue: ConnectionQueue) =>
    gate.open &&
    !outage &&
    readyQueues.length === 0 &&
    queue.messages.length === 0 &&
    !queue.isThrottled &&
    running < limits.maxConcurrent &&
    queue.running < limits.maxConcurrentPerClient

  function takeToken(queue: ConnectionQueue): boolean {
    const now = clock.now()
    const maxTokens = queue.perSecond * limits.rate.burstSeconds
    // A clock that was set back must not produce a negative time.
    const elapsedMs = Math.max(0, now - queue.refilledAt)
    queue.tokens = Math.min(maxTokens, queue.tokens + (elapsedMs * queue.perSecond) / 1000)
    queue.refilledAt = now
    if (queue.tokens >= 1) {
      queue.tokens--
      return true
    }
    queue.isThrottled = true
    options.onThrottled()
    const waitMs = Math.max(10, Math.ceil(((1 - queue.tokens) * 1000) / queue.perSecond))
    clock.after(waitMs, () => {
      queue.isThrottled = false
      schedule(queue)
      pump()
    })
    return false
  }

  function start(queue: ConnectionQueue, job: QueuedMessage) {
    queue.running++
    running++
    job.run().then(
      (outcome) => finish(queue, job, undefined, outcome),
      (error: unknown) => {
        if (error instanceof GatewayError && error.code === 'UNAVAILABLE') requeue(queue, job)
        else finish(queue, job, error instanceof Error ? error : new Error(String(error)))
      },
    )
  }

  function finish(queue: ConnectionQueue, job: QueuedMessage, error?: Error, outcome?: void | 'malformed') {
    queue.running--
    running--
    queued--
    if (outage && !error) {
      outage.cancel()
      log.info({ held: queued }, 'database available, processing buffered messages')
      outage = undefined
    }
    job.onDone(error, outcome)
    schedule(queue)
    pump()
  }

  /** Puts a message back at its old position, because the database is unavailable. */
  function requeue(queue: ConnectionQueue, job: QueuedMessage) {
    queue.running--
    running--
    const index = queue.messages.findIndex((other) => (other.order ?? 0) > (job.order ?? 0))
    queue.messages.splice(index < 0 ? queue.messages.length : index, 0, job)
    schedule(queue, true)
    if (outage && !outage.isProbing) return
    if (!outage) log.warn({ held: queued }, 'database unavailable, buffering messages')
    const pauseMs = outage ? Math.min(outage.pauseMs * 2, BACK_OFF.maxMs) : BACK_OFF.firstMs
    outage?.cancel()
    outage = { pauseMs, isProbing: false, cancel: () => {} }
    outage.cancel = clock.after(pauseMs, () => {
      if (outage) outage.isProbing = true
      pump()
    })
  }

  return {
    createQueue(perSecond: number): ConnectionQueue {
      return {
        perSecond,
        messages: [],
        running: 0,
        tokens: perSecond * limits.rate.burstSeconds,
        refilledAt: clock.now(),
        isScheduled: false,
        isThrottled: false,
      }
    },

    /** Queues a message; false if too many are held: then neither `run` nor `onDone` is called. */
    add(queue: ConnectionQueue, job: QueuedMessage): boolean {
      if (queued >= limits.maxQueued) return false
      queued++
      job.order = order++
      // Fast path: nothing is queued.
      if (canStartNow(queue) && takeToken(queue)) {
        start(queue, job)
        return true
      }
      queue.messages.push(job)
      schedule(queue)
      pump()
      return true
    },

    /** Discards messages of an ended connection: during an outage those that the sender will send again; with `isAll` every one. */
    discard(queue: ConnectionQueue, isAll: boolean) {
      const lengthBefore = queue.messages.length
      queue.messages = queue.messages.filter((job) => !isAll && !(outage && job.isAcknowledged))
      queued -= lengthBefore - queue.messages.length
    },

    /** Delays the next message of this lane by at least one second. */
    delayNext(queue: ConnectionQueue) {
      queue.tokens = Math.min(queue.tokens, 1 - queue.perSecond)
    },

    held: () => queued,

    close() {
      gate.open = false
      outage?.cancel()
    },
  }
}
