import { GatewayError } from '../kernel/errors.ts'
import type { Clock, Log } from '../kernel/ports.ts'

export interface IntakeLimits {
  /** Maximum number of messages being stored at a time, of all clients. */
  concurrent: number
  /** Maximum number of messages being stored at a time, of one client. */
  concurrentPerClient: number
  /** Maximum number of messages received and not yet stored, of all clients. */
  held: number
  /** Maximum messages per second of one hub or screen, and the burst in seconds of that rate, before it is throttled. */
  rate: { hub: number; screen: number; burstSeconds: number }
}

/** A queued inbound message. */
export interface QueuedMessage {
  run(): Promise<void | 'malformed'>
  /** Called when the message is stored or was malformed, or with the error that `run` failed with. */
  done(error?: Error, outcome?: void | 'malformed'): void
  /** Whether the sender waits for an acknowledgement and would send the message again. */
  acknowledged: boolean
  /** Position among all messages; assigned by the intake. */
  order?: number
}

/** Queue of one connection's messages, in order. */
export interface ConnectionQueue {
  readonly perSecond: number
  queue: QueuedMessage[]
  running: number
  tokens: number
  refilledAt: number
  /** Whether the queue is in the list of turns. */
  listed: boolean
  /** Whether the queue waits for tokens. */
  slowed: boolean
}

const BACK_OFF = { first: 250, longest: 5_000 }

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
  onSlowed: () => void
}) {
  const { limits, clock, log } = options
  const readyQueues: ConnectionQueue[] = []
  let order = 0
  let running = 0
  let queued = 0
  const gate = { open: true }
  /** Set while the database is unavailable. */
  let outage: { pause: number; probing: boolean; cancel: () => void } | undefined

  function schedule(queue: ConnectionQueue, isFirst = false) {
    if (queue.listed || queue.slowed || !queue.queue.length || queue.running >= limits.concurrentPerClient)
      return
    queue.listed = true
    if (isFirst) readyQueues.unshift(queue)
    else readyQueues.push(queue)
  }

  function pump() {
    while (
      gate.open &&
      readyQueues.length &&
      (outage ? outage.probing && running === 0 : running < limits.concurrent)
    ) {
      const queue = readyQueues.shift() as ConnectionQueue
      queue.listed = false
      if (!takeToken(queue)) continue
      const job = queue.queue.shift()
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
    queue.queue.length === 0 &&
    !queue.slowed &&
    running < limits.concurrent &&
    queue.running < limits.concurrentPerClient

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
    queue.slowed = true
    options.onSlowed()
    const waitMs = Math.max(10, Math.ceil(((1 - queue.tokens) * 1000) / queue.perSecond))
    clock.after(waitMs, () => {
      queue.slowed = false
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
    job.done(error, outcome)
    schedule(queue)
    pump()
  }

  /** Puts a message back at its old position, because the database is unavailable. */
  function requeue(queue: ConnectionQueue, job: QueuedMessage) {
    queue.running--
    running--
    const index = queue.queue.findIndex((other) => (other.order ?? 0) > (job.order ?? 0))
    queue.queue.splice(index < 0 ? queue.queue.length : index, 0, job)
    schedule(queue, true)
    if (outage && !outage.probing) return
    if (!outage) log.warn({ held: queued }, 'database unavailable, buffering messages')
    const pauseMs = outage ? Math.min(outage.pause * 2, BACK_OFF.longest) : BACK_OFF.first
    outage?.cancel()
    outage = { pause: pauseMs, probing: false, cancel: () => {} }
    outage.cancel = clock.after(pauseMs, () => {
      if (outage) outage.probing = true
      pump()
    })
  }

  return {
    lane(perSecond: number): ConnectionQueue {
      return {
        perSecond,
        queue: [],
        running: 0,
        tokens: perSecond * limits.rate.burstSeconds,
        refilledAt: clock.now(),
        listed: false,
        slowed: false,
      }
    },

    /** Queues a message; false if too many are held: then neither `run` nor `done` is called. */
    add(queue: ConnectionQueue, job: QueuedMessage): boolean {
      if (queued >= limits.held) return false
      queued++
      job.order = order++
      // Fast path: nothing is queued.
      if (canStartNow(queue) && takeToken(queue)) {
        start(queue, job)
        return true
      }
      queue.queue.push(job)
      schedule(queue)
      pump()
      return true
    },

    /** Discards messages of an ended connection: during an outage those that the sender will send again; with `isAll` every one. */
    leave(queue: ConnectionQueue, isAll: boolean) {
      const lengthBefore = queue.queue.length
      queue.queue = queue.queue.filter((job) => !isAll && !(outage && job.acknowledged))
      queued -= lengthBefore - queue.queue.length
    },

    /** Delays the next message of this lane by at least one second. */
    slowDown(queue: ConnectionQueue) {
      queue.tokens = Math.min(queue.tokens, 1 - queue.perSecond)
    },

    held: () => queued,

    close() {
      gate.open = false
      outage?.cancel()
    },
  }
}
