import type { Clock, Log } from '../../kernel/ports.ts'

/** Maximum number of devices per batch, and per second after it: each message contains a whole table. */
export const MAX_DEVICES_PER_BATCH = 50
const PER_SECOND = 50
/** Delay before the next batch, and after a failure, ms. */
const BATCH_DELAY_MS = 200
const AGAIN = 5_000

/**
 * Rate-limits notifications about a company's devices, as a table may be used by thousands. A queued device is notified once, with its
 * state at that time; failures are retried.
 *
 * tell  notifies about these devices
 */
export function createTableNotifier(
  { clock, log }: { clock: Clock; log: Pick<Log, 'warn'> },
  tell: (tenant: string, uids: readonly string[]) => Promise<void>,
) {
  const waiting = new Map<string, Set<string>>()
  let allowed = MAX_DEVICES_PER_BATCH
  let countedAt = clock.now()
  let telling = false
  let closed = false
  let cancel: (() => void) | undefined

  function ask(tenant: string, uids: Iterable<string>): void {
    const all = waiting.get(tenant) ?? new Set()
    for (const uid of uids) all.add(uid)
    if (all.size > 0) waiting.set(tenant, all)
    void goOn()
  }

  function later(ms: number): void {
    cancel = clock.after(ms, () => {
      cancel = undefined
      void goOn()
    })
  }

  /** Sends the next batches; never rejects. */
  async function goOn(): Promise<void> {
    if (telling || cancel || closed) return
    telling = true
    for (const [tenant, all] of waiting) {
      const uids = [...all].slice(0, mayTell())
      if (uids.length === 0) {
        later(BATCH_DELAY_MS)
        break
      }
      // A company with more devices goes to the end of the queue.
      waiting.delete(tenant)
      for (const uid of uids) all.delete(uid)
      if (all.size > 0) waiting.set(tenant, all)
      allowed -= uids.length
      try {
        await tell(tenant, uids)
      } catch (err) {
        if (closed) return
        log.warn({ err, tenant, devices: uids.length }, 'Modbus tables not published to hubs, will retry')
        later(AGAIN)
        ask(tenant, uids)
        break
      }
      if (closed) return
    }
    telling = false
  }

  function mayTell(): number {
    const now = clock.now()
    // No time has passed if the clock was set back.
    const passed = Math.max(0, now - countedAt)
    allowed = Math.min(MAX_DEVICES_PER_BATCH, allowed + (passed * PER_SECOND) / 1000)
    countedAt = now
    return Math.floor(allowed)
  }

  return {
    ask,
    /** Stops the queue; hubs request their tables when they next connect. */
    close(): void {
      closed = true
      cancel?.()
    },
  }
}
