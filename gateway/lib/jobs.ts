import type { Job } from '../kernel/feature.ts'
import type { Clock, Log } from '../kernel/ports.ts'

/**
 * First run of a job with a longer period, in ms after the start: a gateway that is restarted every day still runs its daily jobs. The
 * first runs are staggered.
 */
const FIRST_RUN_MS = 300_000
const FIRST_RUN_GAP_MS = 1_000

/** Starts jobs with independent periods and without overlapping runs; the first run follows soon after the start. */
export function startJobs(
  jobs: readonly Job[],
  { clock, log }: { clock: Pick<Clock, 'after'>; log: Pick<Log, 'warn'> },
): { close(): Promise<void> } {
  let isClosed = false

  const stops = jobs.map(({ name, intervalMs, run }, i) => {
    let running: Promise<void> = Promise.resolve()
    let cancel = clock.after(Math.min(intervalMs, FIRST_RUN_MS + i * FIRST_RUN_GAP_MS), start)
    function start(): void {
      running = runAndReschedule()
    }
    async function runAndReschedule(): Promise<void> {
      const delayMs = await run(() => isClosed).catch((err: unknown) =>
        log.warn({ err, job: name }, 'job failed, will retry'),
      )
      if (!isClosed) cancel = clock.after(delayMs ?? intervalMs, start)
    }
    return () => {
      cancel()
      return running
    }
  })

  return {
    /** Begins no further runs; resolves when the current ones are done. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}
