import type { automations } from '../../../../contract/automation/calls.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { SkipReason } from '../../../../contract/automation/run-states.ts'
import { isPeriodOpen, nextPeriodChange, runsBetween } from '../logic/schedule-clock.ts'
import type { Conditions } from '../../../../contract/automation/condition.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import { replay } from '../logic/replay.ts'
import { truthRuleOf } from '../logic/condition-state.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { runInSlices, yieldToEventLoop } from './in-slices.ts'
import type { Db } from '../../../kernel/db.ts'
import type { TryPorts } from './ports.ts'
import { readTracks } from './read-tracks.ts'
import { knownDuration } from './tracks.ts'

export type DryRunInput = InputOf<typeof automations.tryAutomation>
export type RuleTrial = Pick<
  ResultsOf<typeof automations.tryAutomation>,
  'Runs' | 'CoveredDays' | 'Uncovered' | 'Unknown'
> & {
  Blocked: Partial<Record<SkipReason, number>>
}

const DAY = 86_400_000
/** Maximum number of runs that are returned; the latest are kept. */
const MAX_RUNS = 5_000
/** Time limit of a replay, ms. */
const REPLAY_TIMEOUT_MS = 10_000

export interface DryRuns {
  db: Db
  ports: Pick<TryPorts, 'readSeries' | 'readTerms'>
  tenant: string
  place: Place
  now: number
  /** Monotonic time in ms, for the time limit. */
  time(): number
}

/**
 * Runs that a rule would have had in the last days, by stored data; for an alarm, when it would have been raised and cleared.
 * Rules that follow bookings cannot be tried, as the history of bookings is not stored.
 *
 * errors  LIMIT_EXCEEDED if it takes longer than 10 s
 */
export async function dryRunRule(input: DryRunInput, options: DryRuns): Promise<RuleTrial> {
  const { now, place } = options
  const from = now - input.Days * DAY
  if (input.Schedule) return trySchedule(input.Schedule, { from, now, place, days: input.Days })
  if (input.Conditions) return tryConditions({ ...input, Conditions: input.Conditions }, options, from)
  return { Runs: [], Blocked: {}, CoveredDays: 0, Uncovered: 'bookings', Unknown: [] }
}

function trySchedule(
  schedule: NonNullable<DryRunInput['Schedule']>,
  { from, now, place, days }: { from: number; now: number; place: Place; days: number },
): RuleTrial {
  const off = schedule.OffAfter * 3_600_000
  const Runs = runsBetween(schedule, from, now, place).map((At) => ({
    At,
    EndedAt: off > 0 && At + off <= now ? At + off : null,
  }))
  return { Runs, Blocked: {}, CoveredDays: days, Uncovered: null, Unknown: [] }
}

/** Reason that no day is covered; `known` is the time in ms for which all conditions were known. */
function uncoveredBy(known: number, withoutHistory: number): NonNullable<RuleTrial['Uncovered']> {
  if (withoutHistory > 0) return 'noHistory'
  return known > 0 ? 'brief' : 'notHeard'
}

async function tryConditions(
  rule: DryRunInput & { Conditions: Conditions },
  { db, ports, tenant, place, now, time }: DryRuns,
  from: number,
): Promise<RuleTrial> {
  const startedAt = time()
  const { PeripheralUIDs: conditions, Period } = rule.Conditions
  const truth = truthRuleOf(rule)
  // A gap in the history does not mean that the value was unknown then.
  if (truth.alarm) truth.alarm = { ...truth.alarm, NoData: 'keep' }
  const home = { tenant, homeId: rule.HomeID, zone: place.zone }
  const tracks = await readTracks(db, conditions, { ports, ...home, from, to: now })
  const period = {
    is: (at: number) => isPeriodOpen(Period, at, place),
    changesAfter: (at: number) => nextPeriodChange(Period, at, place),
  }
  const assertInTime = () => {
    if (time() - startedAt > REPLAY_TIMEOUT_MS)
      throw new GatewayError('LIMIT_EXCEEDED', 'So much is stored that it takes too long: try fewer days', {
        Days: 'tooBig',
      })
  }
  assertInTime()
  const { runs, blocked } = await runInSlices(replay(truth, tracks, { from, to: now, period }), assertInTime)
  let known = Infinity
  for (const track of tracks) {
    known = Math.min(known, knownDuration(track, from, now))
    await yieldToEventLoop()
  }
  const CoveredDays = Math.round((known / DAY) * 10) / 10
  const Unknown = conditions
    .filter((_, i) => tracks[i]?.at.length === 0)
    .map(({ PeripheralUID, Field }) => ({ PeripheralUID, Field }))
  return {
    Runs: runs.slice(-MAX_RUNS).map(({ at, endedAt }) => ({ At: at, EndedAt: endedAt })),
    Blocked: blocked,
    CoveredDays,
    Uncovered: CoveredDays > 0 ? null : uncoveredBy(known, Unknown.length),
    Unknown,
  }
}
