import type { OtaCode, OtaState, OTA_JOB_STATES, OTA_PAUSES } from '../../../contract/devices/ota-calls.ts'

/** What deciding about a job needs to know of it. Times are epoch ms everywhere. */
export interface PlannedJob {
  state: (typeof OTA_JOB_STATES)[number]
  pause: (typeof OTA_PAUSES)[number] | null
  pausePercent: number
  confirmWaves: boolean
  /** The last wave that a person, or the start, let go. */
  approvedWave: number
  /** The last wave of which a device had its turn; 0 before the first. */
  begunWave: number
  succeeded: number
  failed: number
}

/** An update that has not ended. */
export interface OpenUpdate {
  requestId: string
  thingName: string
  wave: number
  state: OtaState
  /** The version it is to get, and the one the device reported last, when. */
  target: string
  version: string | null
  versionAt: number | null
  /** When its turn came; null before. */
  startedAt: number | null
  restartingAt: number | null
  deadlineAt: number | null
  /** Another update of the same hub is at work. */
  hubBusy: boolean
}

export interface FinishedUpdate {
  requestId: string
  state: 'succeeded' | 'failed'
  code: OtaCode | null
}

export interface Plan {
  settled: FinishedUpdate[]
  /** Updates whose turn it is. */
  begin: string[]
  job: Pick<PlannedJob, 'state' | 'pause'>
  ended: boolean
}

/**
 * What is to be done about a job now: who has ended, whose turn it is, and whether the job pauses or ends.
 *
 * open      its updates that have not ended, in the order of their turns
 * success   only when the device itself reports the version, after its turn came (§8)
 * waves     the next wave begins when the one before has ended; before it does, the job pauses when too large a share of
 *           the devices tried so far failed, or when each wave wants a confirmation
 */
export function planJob(job: PlannedJob, open: readonly OpenUpdate[], now: number): Plan {
  const settled: FinishedUpdate[] = []
  const left: OpenUpdate[] = []
  for (const update of open) {
    const end = endOf(update, now)
    if (end) settled.push(end)
    else left.push(update)
  }
  const failed = job.failed + settled.filter(({ state }) => state === 'failed').length
  const tried = failed + job.succeeded + settled.filter(({ state }) => state === 'succeeded').length
  const ended = left.length === 0
  if (job.state !== 'running' || ended) {
    const state = ended && job.state !== 'cancelled' ? 'finished' : job.state
    return { settled, begin: [], job: { state, pause: ended ? null : job.pause }, ended }
  }

  const wave = Math.min(...left.map((update) => update.wave))
  const fresh = wave > job.begunWave && wave > job.approvedWave
  const pause = !fresh
    ? null
    : job.confirmWaves
      ? 'wave'
      : failed * 100 > job.pausePercent * tried
        ? 'failures'
        : null
  if (pause) return { settled, begin: [], job: { state: 'paused', pause }, ended: false }

  const begin: string[] = []
  const busy = new Set(left.filter(({ startedAt }) => startedAt !== null).map(({ thingName }) => thingName))
  for (const update of left) {
    if (update.wave !== wave || update.startedAt !== null) continue
    // A hub does one thing at a time: it restarts after its own update.
    if (update.hubBusy || busy.has(update.thingName)) continue
    busy.add(update.thingName)
    if (update.version === update.target)
      settled.push({ requestId: update.requestId, state: 'failed', code: 4 })
    else begin.push(update.requestId)
  }
  return { settled, begin, job: { state: 'running', pause: null }, ended: false }
}

/** How an update ended, or undefined while it goes on. */
function endOf(update: OpenUpdate, now: number): FinishedUpdate | undefined {
  const { requestId, startedAt, deadlineAt, restartingAt, version, versionAt } = update
  if (startedAt === null) return undefined
  if (version === update.target && versionAt !== null && versionAt >= startedAt)
    return { requestId, state: 'succeeded', code: null }
  if (deadlineAt === null || deadlineAt > now) return undefined
  // It came back with what it had before: the new firmware did not start.
  const rolledBack = restartingAt !== null && versionAt !== null && versionAt > restartingAt
  return { requestId, state: 'failed', code: rolledBack ? 3 : 5 }
}
