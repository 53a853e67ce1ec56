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
  const checking = new Map<string, { mustRepeat: boolean }>()
  const atWork = new Set<Promise<unknown>>()
  /** Timer of the next check of all open jobs. */
  let timer: { at: number; cancel: () => void } | undefined
  let isClosed = false

  function check(job: JobKey): void {
    const id = `${job.tenant}/${job.jobId}`
    const now = checking.get(id)
    if (now) {
      now.mustRepeat = true
      return
    }
    if (isClosed) return
    const state = { mustRepeat: false }
    checking.set(id, state)
    const work = advance(job)
      .catch((err: unknown) => log.warn({ err, jobId: job.jobId }, 'firmware update failed, will retry'))
      .finally(() => {
        checking.delete(id)
        atWork.delete(work)
        if (state.mustRepeat) check(job)
      })
    atWork.add(work)
    scheduleCheck(POLL_INTERVAL_MS)
  }

  function scheduleCheck(delayMs: number): void {
    const at = clock.now() + delayMs
    if (isClosed || (timer && timer.at <= at)) return
    timer?.cancel()
    const cancel = clock.after(delayMs, () => {
      timer = undefined
      checkAll()
        .catch((err: unknown) => log.warn({ err }, 'firmware job failed, will retry'))
        .finally(() => scheduleCheck(ABANDONED_JOB_POLL_MS))
    })
    timer = { at, cancel }
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
      timer?.cancel()
      await Promise.all(atWork)
    },
  }
}
