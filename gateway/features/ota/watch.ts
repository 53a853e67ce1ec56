import type { Clock, Log } from '../../kernel/ports.ts'
import type { JobKey } from './store.ts'

/** Between two looks at the jobs under way, in ms. */
const POLL_INTERVAL_MS = 2_000
/** Between two looks for jobs of a gateway that has died, in ms. */
export const ABANDONED_JOB_POLL_MS = 10_000

export interface WatchOptions {
  clock: Clock
  log: Log
  /** Every job that is not over. */
  openJobs(): Promise<readonly JobKey[]>
  /** Does with a job what is due. */
  advance(job: JobKey): Promise<void>
}

/**
 * Looks at jobs: at one as soon as somebody asks, once at a time, and at every open one again and again, soon while there is one,
 * else now and then for one that was left behind. What fails is logged, and the next look is soon.
 */
export function createUpdateWatch({ clock, log, openJobs, advance }: WatchOptions) {
  /** Jobs being looked at, and whether to look again after that. */
  const looking = new Map<string, { again: boolean }>()
  const atWork = new Set<Promise<unknown>>()
  /** The next look at every open job. */
  let tick: { at: number; cancel: () => void } | undefined
  let closed = false

  function look(job: JobKey): void {
    const id = `${job.tenant}/${job.jobId}`
    const now = looking.get(id)
    if (now) {
      now.again = true
      return
    }
    if (closed) return
    const state = { again: false }
    looking.set(id, state)
    const work = advance(job)
      .catch((err: unknown) => log.warn({ err, jobId: job.jobId }, 'firmware update failed, will retry'))
      .finally(() => {
        looking.delete(id)
        atWork.delete(work)
        if (state.again) look(job)
      })
    atWork.add(work)
    keepLooking(POLL_INTERVAL_MS)
  }

  function keepLooking(within: number): void {
    const at = clock.now() + within
    if (closed || (tick && tick.at <= at)) return
    tick?.cancel()
    const cancel = clock.after(within, () => {
      tick = undefined
      lookAtAll()
        .catch((err: unknown) => log.warn({ err }, 'firmware job failed, will retry'))
        .finally(() => keepLooking(ABANDONED_JOB_POLL_MS))
    })
    tick = { at, cancel }
  }

  async function lookAtAll(): Promise<void> {
    for (const job of await openJobs()) look(job)
  }

  return {
    look,

    /** Takes up every open job, and from now on what another gateway leaves behind. */
    async start(): Promise<void> {
      await lookAtAll()
      keepLooking(ABANDONED_JOB_POLL_MS)
    },

    /** Looks no more; resolves when the last look is over. */
    async close(): Promise<void> {
      closed = true
      tick?.cancel()
      await Promise.all(atWork)
    },
  }
}
