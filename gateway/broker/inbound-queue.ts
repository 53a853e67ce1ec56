import { GatewayError } from '../kernel/errors.ts'
import type { Clock, Log } from '../kernel/ports.ts'

export interface IntakeLimits {
  /** Messages being stored at a time, all clients together. */
  concurrent: number
  /** … and of one client. */
  concurrentPerClient: number
  /** Messages received and not yet stored, all clients together. */
  held: number
  /** Messages per second and at once that one hub or screen may send before it is slowed down. */
  rate: { hub: number; screen: number; burstSeconds: number }
}

/** A message on its way in. */
export interface QueuedMessage {
  run(): Promise<void | 'malformed'>
  /** Called when the message is stored or was malformed, or when `run` failed with this error. */
  done(error?: Error, outcome?: void | 'malformed'): void
  /** The sender waits for an answer and would send it again. */
  acknowledged: boolean
  /** Its place among all messages, which the intake gives it. */
  order?: number
}

/** The messages of one connection, in their order. */
export interface ConnectionQueue {
  readonly perSecond: number
  queue: QueuedMessage[]
  running: number
  tokens: number
  refilledAt: number
  /** Waits for its turn. */
  listed: boolean
  /** Waits for tokens. */
  slowed: boolean
}

const BACK_OFF = { first: 250, longest: 5_000 }

/**
 * Lets messages into the gateway, taking turns between clients, so that one that floods waits behind itself and nobody
 * else. Reading from a connection stops while its messages wait here, so what is held stays bounded.
 *
 * While the database is away, messages are held in order and one is tried again after a growing pause; the first that
 * succeeds opens the gate.
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
  /** Set while the database is away. */
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

  /** Whether a message of this lane may start before any other. */
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
    // A clock that was set back owes nobody the time that it counts again.
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

  /** The database is away: the message waits, in its old place. */
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

    /** Takes a message in; false when too much is held: then nothing of it will be called. */
    add(lane: ConnectionQueue, job: QueuedMessage): boolean {
      if (held >= limits.held) return false
      held++
      job.order = order++
      // Mostly nobody waits, and then there is no need to line up.
      if (isFree(lane) && takeToken(lane)) {
        start(lane, job)
        return true
      }
      lane.queue.push(job)
      list(lane)
      pump()
      return true
    },

    /** The connection ended. What its sender will send again need not wait out an outage; `all` drops the rest too. */
    leave(lane: ConnectionQueue, all: boolean) {
      const before = lane.queue.length
      lane.queue = lane.queue.filter((job) => !all && !(outage && job.acknowledged))
      held -= before - lane.queue.length
    },

    /** Lets the next message of this lane start a second from now at the earliest. */
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
