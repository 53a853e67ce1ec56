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
  const turns: ConnectionQueue[] = []
  let order = 0
  let running = 0
  let held = 0
  const gate = { open: true }
  /** Set while the database is unavailable. */
  let outage: { pause: number; probing: boolean; cancel: () => void } | undefined

  function list(lane: ConnectionQueue, first = false) {
    if (lane.listed || lane.slowed || !lane.queue.length || lane.running >= limits.concurrentPerClient) return
    lane.listed = true
    if (first) turns.unshift(lane)
    else turns.push(lane)
  }

  function pump() {
    while (
      gate.open &&
      turns.length &&
      (outage ? outage.probing && running === 0 : running < limits.concurrent)
    ) {
      const lane = turns.shift() as ConnectionQueue
      lane.listed = false
      if (!takeToken(lane)) continue
      const job = lane.queue.shift()
      if (!job) continue
      start(lane, job)
      list(lane)
    }
  }

  /** Whether a message of this lane may start at once. */
  const isFree = (lane: ConnectionQueue) =>
    gate.open &&
    !outage &&
    turns.length === 0 &&
    lane.queue.length === 0 &&
    !lane.slowed &&
    running < limits.concurrent &&
    lane.running < limits.concurrentPerClient

  function takeToken(lane: ConnectionQueue): boolean {
    const now = clock.now()
    const most = lane.perSecond * limits.rate.burstSeconds
    // A clock that was set back must not produce a negative time.
    const passed = Math.max(0, now - lane.refilledAt)
    lane.tokens = Math.min(most, lane.tokens + (passed * lane.perSecond) / 1000)
    lane.refilledAt = now
    if (lane.tokens >= 1) {
      lane.tokens--
      return true
    }
    lane.slowed = true
    options.onSlowed()
    const wait = Math.max(10, Math.ceil(((1 - lane.tokens) * 1000) / lane.perSecond))
    clock.after(wait, () => {
      lane.slowed = false
      list(lane)
      pump()
    })
    return false
  }

  function start(lane: ConnectionQueue, job: QueuedMessage) {
    lane.running++
    running++
    job.run().then(
      (outcome) => settle(lane, job, undefined, outcome),
      (error: unknown) => {
        if (error instanceof GatewayError && error.code === 'UNAVAILABLE') putBack(lane, job)
        else settle(lane, job, error instanceof Error ? error : new Error(String(error)))
      },
    )
  }

  function settle(lane: ConnectionQueue, job: QueuedMessage, error?: Error, outcome?: void | 'malformed') {
    lane.running--
    running--
    held--
    if (outage && !error) {
      outage.cancel()
      log.info({ held }, 'database available, processing buffered messages')
      outage = undefined
    }
    job.done(error, outcome)
    list(lane)
    pump()
  }

  /** Puts a message back at its old position, because the database is unavailable. */
  function putBack(lane: ConnectionQueue, job: QueuedMessage) {
    lane.running--
    running--
    const at = lane.queue.findIndex((other) => (other.order ?? 0) > (job.order ?? 0))
    lane.queue.splice(at < 0 ? lane.queue.length : at, 0, job)
    list(lane, true)
    if (outage && !outage.probing) return
    if (!outage) log.warn({ held }, 'database unavailable, buffering messages')
    const pause = outage ? Math.min(outage.pause * 2, BACK_OFF.longest) : BACK_OFF.first
    outage?.cancel()
    outage = { pause, probing: false, cancel: () => {} }
    outage.cancel = clock.after(pause, () => {
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
    add(lane: ConnectionQueue, job: QueuedMessage): boolean {
      if (held >= limits.held) return false
      held++
      job.order = order++
      // Fast path: nothing is queued.
      if (isFree(lane) && takeToken(lane)) {
        start(lane, job)
        return true
      }
      lane.queue.push(job)
      list(lane)
      pump()
      return true
    },

    /** Discards messages of an ended connection: during an outage those that the sender will send again; with `all` every one. */
    leave(lane: ConnectionQueue, all: boolean) {
      const before = lane.queue.length
      lane.queue = lane.queue.filter((job) => !all && !(outage && job.acknowledged))
      held -= before - lane.queue.length
    },

    /** Delays the next message of this lane by at least one second. */
    slowDown(lane: ConnectionQueue) {
      lane.tokens = Math.min(lane.tokens, 1 - lane.perSecond)
    },

    held: () => held,

    close() {
      gate.open = false
      outage?.cancel()
    },
  }
}
