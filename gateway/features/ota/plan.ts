import type { OtaCode, OtaState, OTA_JOB_STATES, OTA_PAUSES } from '../../../contract/devices/ota-calls.ts'

/** State of a job for planning. Times are epoch ms everywhere. */
export interface PlannedJob {
  state: (typeof OTA_JOB_STATES)[number]
  pause: (typeof OTA_PAUSES)[number] | null
  pausePercent: number
  confirmWaves: boolean
  /** Last wave that a user, or the start, approved. */
  approvedWave: number
  /** Last wave in which an update has started; 0 before the first. */
  begunWave: number
  succeeded: number
  failed: number
}

export interface OpenUpdate {
  requestId: string
  thingName: string
  wave: number
  state: OtaState
  /** Version to install, and the last one that the device reported, with its time. */
  target: string
  version: string | null
  versionAt: number | null
  /** Start of the update; null before. */
  startedAt: number | null
  restartingAt: number | null
  deadlineAt: number | null
  /** Whether another update of the same hub is running. */
  hubBusy: boolean
}

export interface FinishedUpdate {
  requestId: string
  state: 'succeeded' | 'failed'
  code: OtaCode | null
}

export interface Plan {
  finished: FinishedUpdate[]
  /** Updates that start now. */
  begin: string[]
  job: Pick<PlannedJob, 'state' | 'pause'>
  hasEnded: boolean
}

/**
 * Next actions of a job: which updates have ended, which start, and whether the job pauses or ends.
 *
 * open      updates that have not ended, in the order of execution
 * success   only if the device itself reports the version, after the start of its update (§8)
 * waves     the next wave starts after the previous one has ended; before it, the job pauses if the share of failures among the
 *           devices so far is too large, or if each wave needs confirmation
 */
export function planJob(job: PlannedJob, open: readonly OpenUpdate[], now: number): Plan {
  const finished: FinishedUpdate[] = []
  const left: OpenUpdate[] = []
  for (const update of open) {
    const end = resultOf(update, now)
    if (end) finished.push(end)
    else left.push(update)
  }
  const failed = job.failed + finished.filter(({ state }) => state === 'failed').length
  const attempted = failed + job.succeeded + finished.filter(({ state }) => state === 'succeeded').length
  const hasEnded = left.length === 0
  if (job.state !== 'running' || hasEnded) {
    const state = hasEnded && job.state !== 'cancelled' ? 'finished' : job.state
    return { finished, begin: [], job: { state, pause: hasEnded ? null : job.pause }, hasEnded }
  }

  const wave = Math.min(...left.map((update) => update.wave))
  const isNewWave = wave > job.begunWave && wave > job.approvedWave
  const pause = !isNewWave
    ? null
    : job.confirmWaves
      ? 'wave'
      : failed * 100 > job.pausePercent * attempted
        ? 'failures'
        : null
  if (pause) return { finished, begin: [], job: { state: 'paused', pause }, hasEnded: false }

  const begin: string[] = []
  const busy = new Set(left.filter(({ startedAt }) => startedAt !== null).map(({ thingName }) => thingName))
  for (const update of left) {
    if (update.wave !== wave || update.startedAt !== null) continue
    // A hub processes one update at a time: it restarts after its own.
    if (update.hubBusy || busy.has(update.thingName)) continue
    busy.add(update.thingName)
    if (update.version === update.target)
      finished.push({ requestId: update.requestId, state: 'failed', code: 4 })
    else begin.push(update.requestId)
  }
  return { finished, begin, job: { state: 'running', pause: null }, hasEnded: false }
}

/** Outcome of an update; undefined while it is running. */
function resultOf(update: OpenUpdate, now: number): FinishedUpdate | undefined {
  const { requestId, startedAt, deadlineAt, restartingAt, version, versionAt } = update
  if (startedAt === null) return undefined
  if (version === update.target && versionAt !== null && versionAt >= startedAt)
    return { requestId, state: 'succeeded', code: null }
  if (deadlineAt === null || deadlineAt > now) return undefined
  // It restarted with its previous version: the new firmware did not start.
  const rolledBack = restartingAt !== null && versionAt !== null && versionAt > restartingAt
  return { requestId, state: 'failed', code: rolledBack ? 3 : 5 }
}
