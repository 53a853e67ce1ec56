import type { Job } from '../kernel/deps.ts'
import type { Clock, Log } from '../kernel/ports.ts'

/**
 * The first run of a job with a longer period, in ms after the start: a gateway that is restarted every day still runs its daily
 * jobs. The jobs after it follow one by one.
 */
const FIRST_RUN_MS = 300_000
const BETWEEN_FIRST_RUNS_MS = 1_000

/** Begins jobs, each in a rhythm of its own and never twice at a time; the first run is soon after the start. */
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
    /** Begins nothing more; resolves when what was begun is done. */
    async close(): Promise<void> {
      closed = true
      await Promise.all(ends.map((end) => end()))
    },
  }
}
