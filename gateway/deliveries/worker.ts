import type { Db } from '../kernel/db.ts'
import type { Clock, Log } from '../kernel/ports.ts'
import { claim, type Delivery, postpone, retry, settle, type SettledState } from './store.ts'

/** Delay before a delivery over a quota is attempted again, ms. */
const QUOTA_RETRY_MS = 600_000

/** Result of an attempt. */
export type SendResult =
  | { status: 'sent' }
  /** No longer needed or allowed. */
  | { status: 'skipped'; reason?: string }
  /** The target no longer exists. */
  | { status: 'gone' }
  /** A retry would not help. */
  | { status: 'failed'; reason?: string }
  /** after  delay in ms that the receiver requests; null if none. */
  | { status: 'retry'; after: number | null }
  /** Waits for the quota, which is no failed attempt. */
  | { status: 'overQuota' }

/** Sends the deliveries of one kind. */
export interface Sender<P extends object> {
  kind: string
  policy: RetryPolicy
  /** Maximum number of deliveries in progress on a gateway, in total and per lane. */
  concurrency: { total: number; perLane: number }
  /** Whether settled deliveries are kept; otherwise they are deleted. */
  retainsSettled?: boolean
  /** Attempts a delivery; an exception counts as a failed attempt. */
  send(delivery: Delivery<P>): Promise<SendResult>
  /** Called in the transaction that gives a delivery up. */
  onFailed?(tx: Db, delivery: Delivery<P>): Promise<void>
  /** Called after a delivery was settled. */
  onSettled?(delivery: Delivery<P>): void
  /** Log fields that identify a delivery. */
  logFields?(delivery: Delivery<P>): object
}

export interface DeliveryWorkerDeps {
  db: Db
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
}

interface DeliveryWorker {
  /** Begins due deliveries up to the capacity, and continues whenever one ends; resolves when they have begun. */
  sendDue(): Promise<void>
  /** Resolves when no delivery is in progress. */
  idle(): Promise<void>
  /** Begins no more deliveries; resolves when those in progress have ended. */
  close(): Promise<void>
}

/** Sends due deliveries of one kind concurrently, so that a slow lane does not delay others. Several gateways share the work. */
export function createDeliveryWorker<P extends object>(
  deps: DeliveryWorkerDeps,
  sender: Sender<P>,
): DeliveryWorker {
  const { db, clock, log } = deps
  const { kind, policy, concurrency } = sender
  const busyLanes = new Map<string, number>()
  const inProgress = new Set<Promise<void>>()
  let isClosed = false
  let filling: Promise<void> | undefined
  let fillsAgain = false

  function sendDue(): Promise<void> {
    if (filling) fillsAgain = !isClosed
    else
      filling = fill()
        .catch((err: unknown) => log.warn({ err, kind }, 'message queue failed, will retry'))
        .finally(() => {
          filling = undefined
        })
    return filling as Promise<void>
  }

  async function fill(): Promise<void> {
    do {
      fillsAgain = false
      const limit = concurrency.total - inProgress.size
      if (isClosed || limit <= 0) return
      const { perLane } = concurrency
      const { leaseMs } = policy
      const claimed = await claim<P>(db, kind, { now: clock.now(), leaseMs, limit, perLane, busyLanes })
      for (const delivery of claimed) begin(delivery)
      fillsAgain ||= claimed.length > 0
    } while (fillsAgain)
  }

  function begin(delivery: Delivery<P>): void {
    const { lane } = delivery
    busyLanes.set(lane, (busyLanes.get(lane) ?? 0) + 1)
    const sending = deliver(deps, sender, delivery)
      .catch((err: unknown) =>
        log.warn({ err, kind, ...sender.logFields?.(delivery) }, 'message not sent, will retry'),
      )
      .finally(() => {
        inProgress.delete(sending)
        const remaining = (busyLanes.get(lane) ?? 1) - 1
        if (remaining > 0) busyLanes.set(lane, remaining)
        else busyLanes.delete(lane)
        void sendDue()
      })
    inProgress.add(sending)
  }

  async function idle(): Promise<void> {
    await filling
    await Promise.all(inProgress)
    if (filling || inProgress.size > 0) await idle()
  }

  return {
    sendDue,
    idle,
    async close() {
      isClosed = true
      await filling
      await Promise.all(inProgress)
    },
  }
}

/** Attempts one delivery and stores the result. */
async function deliver<P extends object>(
  { db, clock, log }: DeliveryWorkerDeps,
  sender: Sender<P>,
  delivery: Delivery<P>,
): Promise<void> {
  const fields = { kind: sender.kind, ...sender.logFields?.(delivery) }
  let err: unknown
  const result = await sender.send(delivery).catch((error: unknown): SendResult => {
    err = error
    return { status: 'retry', after: null }
  })
  const now = clock.now()
  if (result.status === 'overQuota') return postpone(db, delivery, now + QUOTA_RETRY_MS)
  if (result.status === 'retry') {
    const at = nextAttempt(sender.policy, delivery, now, result.after)
    if (at !== 'giveUp') {
      if (err !== undefined)
        log.warn({ err, ...fields, attempts: delivery.attempts }, 'message not sent, will retry')
      return retry(db, delivery, at)
    }
  }
  const state: SettledState =
    result.status === 'sent' || result.status === 'skipped' ? result.status : 'failed'
  const reason = ('reason' in result && result.reason) || (result.status === 'gone' ? 'gone' : null)
  if (state === 'failed' && result.status !== 'gone')
    log.warn({ err, ...fields, outcome: result.status }, 'message not sent, gave up')
  const end = { state, reason, keep: sender.retainsSettled ?? false }
  if (state === 'failed' && sender.onFailed)
    await db.transaction(async (tx) => {
      if (await settle(tx, delivery, end)) await sender.onFailed?.(tx, delivery)
    })
  else await settle(db, delivery, end)
  sender.onSettled?.(delivery)
}

/** Rules by which deliveries of one kind are claimed and retried. */
export interface RetryPolicy {
  /** Lease of a claimed delivery in ms; longer than any attempt takes. */
  leaseMs: number
  /** Delay after the first failed attempt in ms; doubled after each further one. */
  firstDelayMs: number
  maxDelayMs: number
  /** Unlimited if omitted. */
  maxAttempts?: number
  /** Age in ms from which a failed delivery is given up; unlimited if omitted. */
  giveUpAfterMs?: number
}

/** A delivery after an attempt, the failed one included in `attempts`. */
interface AttemptedDelivery {
  attempts: number
  /** Epoch ms. */
  createdAt: number
  /** Epoch ms; null if it never expires. */
  expiresAt: number | null
}

/**
 * Time of the next attempt after a failed one, epoch ms.
 *
 * requestedDelayMs  delay that the receiver requests; null if none
 */
export function nextAttempt(
  { firstDelayMs, maxDelayMs, maxAttempts = Infinity, giveUpAfterMs = Infinity }: RetryPolicy,
  { attempts, createdAt, expiresAt }: AttemptedDelivery,
  now: number,
  requestedDelayMs: number | null = null,
): number | 'giveUp' {
  const at = now + (requestedDelayMs ?? Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1)))
  const isOver =
    attempts >= maxAttempts || now - createdAt >= giveUpAfterMs || (expiresAt !== null && at >= expiresAt)
  return isOver ? 'giveUp' : at
}
