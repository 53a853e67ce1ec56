import type { Job } from '../kernel/feature.ts'
import type { Clock, Log } from '../kernel/ports.ts'

/**
 * First run of a job with a longer period, in ms after the start: a gateway that is restarted every day still runs its daily jobs. The
 * first runs are staggered.
 */
const FIRST_RUN_MS = 300_000
const BETWEEN_FIRST_RUNS_MS = 1_000

/** Starts jobs with independent periods and without overlapping runs; the first run follows soon after the start. */
export function startJobs(
  jobs: readonly Job[],
  { clock, log }: { clock: Pick<Clock, 'after'>; log: Pick<Log, 'warn'> },
): { close(): Promise<void> } {
  let closed = false

  const ends = jobs.map(({ name, every, run }, i) => {
    let working: Promise<void> = Promise.resolve()
    let cancel = clock.after(Math.min(every, FIRST_RUN_MS + i * BETWEEN_FIRST_RUNS_MS), begin)
    function begin(): void {
      working = work()
    }
    async function work(): Promise<void> {
      const next = await run(() => closed).catch((err: unknown) =>
        log.warn({ err, job: name }, 'job failed, will retry'),
      )
      if (!closed) cancel = clock.after(next ?? every, begin)
    }
    return () => {
      cancel()
      return working
    }
  })

  return {
    /** Begins no further runs; resolves when the current ones are done. */
    async close(): Promise<void> {
      closed = true
      await Promise.all(ends.map((end) => end()))
    },
  }
}
