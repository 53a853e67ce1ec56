import type { Clock, Log } from '../../kernel/ports.ts'

/** Maximum number of devices per batch, and per second after it: each message contains a whole table. */
export const MAX_DEVICES_PER_BATCH = 50
const DEVICES_PER_SECOND = 50
/** Delay before the next batch, and after a failure, ms. */
const BATCH_DELAY_MS = 200
const RETRY_DELAY_MS = 5_000

/**
 * Rate-limits notifications about a company's devices, as a table may be used by thousands. A queued device is notified once, with its
 * state at that time; failures are retried.
 *
 * publish  notifies about these devices
 */
export function createTableNotifier(
  { clock, log }: { clock: Clock; log: Pick<Log, 'warn'> },
  publish: (tenant: string, uids: readonly string[]) => Promise<void>,
) {
  const pending = new Map<string, Set<string>>()
  let budget = MAX_DEVICES_PER_BATCH
  let countedAt = clock.now()
  let isPublishing = false
  let isClosed = false
  let cancel: (() => void) | undefined

  function enqueue(tenant: string, uids: Iterable<string>): void {
    const queue = pending.get(tenant) ?? new Set()
    for (const uid of uids) queue.add(uid)
    if (queue.size > 0) pending.set(tenant, queue)
    void publishPending()
  }

  function scheduleIn(ms: number): void {
    cancel = clock.after(ms, () => {
      cancel = undefined
      void publishPending()
    })
  }

  /** Sends the next batches; never rejects. */
  async function publishPending(): Promise<void> {
    if (isPublishing || cancel || isClosed) return
    isPublishing = true
    for (const [tenant, queue] of pending) {
      const uids = [...queue].slice(0, refillBudget())
      if (uids.length === 0) {
        scheduleIn(BATCH_DELAY_MS)
        break
      }
      // A company with more devices goes to the end of the queue.
      pending.delete(tenant)
      for (const uid of uids) queue.delete(uid)
      if (queue.size > 0) pending.set(tenant, queue)
      budget -= uids.length
      try {
        await publish(tenant, uids)
      } catch (err) {
        if (isClosed) return
        log.warn({ err, tenant, devices: uids.length }, 'Modbus tables not published to hubs, will retry')
        scheduleIn(RETRY_DELAY_MS)
        enqueue(tenant, uids)
        break
      }
      if (isClosed) return
    }
    isPublishing = false
  }

  function refillBudget(): number {
    const now = clock.now()
    // No time has passed if the clock was set back.
    const elapsedMs = Math.max(0, now - countedAt)
    budget = Math.min(MAX_DEVICES_PER_BATCH, budget + (elapsedMs * DEVICES_PER_SECOND) / 1000)
    countedAt = now
    return Math.floor(budget)
  }

  return {
    ask: enqueue,
    /** Stops the queue; hubs request their tables when they next connect. */
    close(): void {
      isClosed = true
      cancel?.()
    },
  }
}
