import type { automations } from '../../../../contract/procedures/automations.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { SkipReason } from '../../../../contract/procedures/runs.ts'
import { isAwake, nextTurn } from '../../../../contract/rules/automation/awake.ts'
import type { Conditions } from '../../../../contract/rules/automation/condition.ts'
import type { Place } from '../../../../contract/rules/automation/place.ts'
import { replay, type Track } from '../../../../contract/rules/automation/replay.ts'
import { runsBetween } from '../../../../contract/rules/automation/schedule-clock.ts'
import type { Db } from '../../../store/db.ts'
import type { TryPorts } from './ports.ts'
import { knownTime, seriesFor, trackOf } from './tracks.ts'

type Input = InputOf<typeof automations.tryAutomation>
type Tried = Pick<ResultsOf<typeof automations.tryAutomation>, 'Runs' | 'CoveredDays' | 'Unknown'> & {
  Blocked: Partial<Record<SkipReason, number>>
}

const DAY = 86_400_000
/** Values that all conditions together may have: what is more is read as means of equal spans. */
const MOST_VALUES = 2_000_000
/** The most runs that are answered one by one. */
const MOST_RUNS = 5_000

export interface Tries {
  db: Db
  ports: Pick<TryPorts, 'seriesOf'>
  tenant: string
  place: Place
  now: number
}

/** What a rule would have done in the last days, by what is stored. A rule by bookings cannot be tried: how they stood is not stored. */
export async function tryRule(input: Input, options: Tries): Promise<Tried> {
  const { now, place } = options
  const from = now - input.Days * DAY
  if (input.Schedule) return trySchedule(input.Schedule, { from, now, place, days: input.Days })
  if (input.Conditions) return tryConditions({ ...input, Conditions: input.Conditions }, options, from)
  return { Runs: [], Blocked: {}, CoveredDays: 0, Unknown: [] }
}

function trySchedule(
  schedule: NonNullable<Input['Schedule']>,
  { from, now, place, days }: { from: number; now: number; place: Place; days: number },
): Tried {
  const off = schedule.OffAfter * 3_600_000
  const Runs = runsBetween(schedule, from, now, place).map((At) => ({
    At,
    EndedAt: off > 0 && At + off <= now ? At + off : null,
  }))
  return { Runs, Blocked: {}, CoveredDays: days, Unknown: [] }
}

async function tryConditions(
  rule: Input & { Conditions: Conditions },
  { db, ports, tenant, place, now }: Tries,
  from: number,
): Promise<Tried> {
  const conditions = rule.Conditions.PeripheralUIDs
  const asked = conditions.map(seriesFor)
  const series = await ports.seriesOf(
    db,
    { tenant, homeId: rule.HomeID },
    asked.flatMap((one) => one ?? []),
    { from, to: now, points: Math.floor(MOST_VALUES / conditions.length), now },
  )
  let next = 0
  const tracks = conditions.map((condition, i): Track => {
    const stored = asked[i] && series[next++]
    return stored ? trackOf(condition, stored, now, place.zone) : NOTHING
  })
  const Unknown = conditions
    .filter((_, i) => tracks[i]!.at.length === 0)
    .map(({ PeripheralUID, Field }) => ({ PeripheralUID, Field }))
  const period = rule.Conditions.Period
  const awake = {
    is: (at: number) => isAwake(period, at, place),
    changesAfter: (at: number) => nextTurn(period, at, place),
  }
  const replaying = replay(rule, tracks, { from, to: now, awake })
  for (;;) {
    const { done, value } = replaying.next()
    if (!done) {
      // Other work of the gateway goes on.
      await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    const known = Math.min(...tracks.map((track) => knownTime(track, from, now)))
    return {
      Runs: value.runs.slice(-MOST_RUNS).map(({ at, endedAt }) => ({ At: at, EndedAt: endedAt })),
      Blocked: value.blocked,
      CoveredDays: Math.round((known / DAY) * 10) / 10,
      Unknown,
    }
  }
}

const NOTHING: Track = { at: [], values: [], goodFor: null, unknown: [] }
