import type { Clock, Log } from '../../kernel/ports.ts'
import type { JobKey } from './store.ts'

/** Interval between two checks of open jobs, ms. */
const POLL_INTERVAL_MS = 2_000
/** Interval between two searches for jobs of a gateway that has ended, ms. */
export const ABANDONED_JOB_POLL_MS = 10_000

export interface WatchOptions {
  clock: Clock
  log: Log
  openJobs(): Promise<readonly JobKey[]>
  /** Performs the due actions of a job. */
  advance(job: JobKey): Promise<void>
}

/**
 * Checks jobs: one on request, never twice at a time; and all open ones periodically, often while there are any, otherwise rarely to find
 * abandoned ones. A failure is logged and the next check follows soon.
 */
export function createUpdateWatch({ clock, log, openJobs, advance }: WatchOptions) {
  /** Jobs being checked, and whether to check them again afterwards. */
  const checking = new Map<string, { again: boolean }>()
  const atWork = new Set<Promise<unknown>>()
  /** Timer of the next check of all open jobs. */
  let tick: { at: number; cancel: () => void } | undefined
  let isClosed = false

  function check(job: JobKey): void {
    const id = `${job.tenant}/${job.jobId}`
    const now = checking.get(id)
    if (now) {
      now.again = true
      return
    }
    if (isClosed) return
    const state = { again: false }
    checking.set(id, state)
    const work = advance(job)
      .catch((err: unknown) => log.warn({ err, jobId: job.jobId }, 'firmware update failed, will retry'))
      .finally(() => {
        checking.delete(id)
        atWork.delete(work)
        if (state.again) check(job)
      })
    atWork.add(work)
    scheduleCheck(POLL_INTERVAL_MS)
  }

  function scheduleCheck(delayMs: number): void {
    const at = clock.now() + delayMs
    if (isClosed || (tick && tick.at <= at)) return
    tick?.cancel()
    const cancel = clock.after(delayMs, () => {
      tick = undefined
      checkAll()
        .catch((err: unknown) => log.warn({ err }, 'firmware job failed, will retry'))
        .finally(() => scheduleCheck(ABANDONED_JOB_POLL_MS))
    })
    tick = { at, cancel }
  }

  async function checkAll(): Promise<void> {
    for (const job of await openJobs()) check(job)
  }

  return {
    look: check,

    /** Checks all open jobs, and from then on those that other gateways abandon. */
    async start(): Promise<void> {
      await checkAll()
      scheduleCheck(ABANDONED_JOB_POLL_MS)
    },

    /** Stops checking; resolves when the last check is done. */
    async close(): Promise<void> {
      isClosed = true
      tick?.cancel()
      await Promise.all(atWork)
    },
  }
}
