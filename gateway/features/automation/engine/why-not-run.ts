import type { SkipReason } from '../../../../contract/automation/run-states.ts'
import type { AutomationProblem } from '../../../../contract/automation/automation.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { EngineHomeKey } from '../rules/ports.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import { STATE_OF_PROBLEM } from '../rules/stored-rule.ts'
import type { RunPlan } from '../runs/port.ts'
import type { RunOfRule } from './plan-run.ts'

/**
 * State and reason to record for a run that does not take place; undefined if it does. Further reasons are found elsewhere: conditions that
 * nearly fired (`NearMiss` in logic/condition-state.ts), a rule without an owner (plan-run.ts), and actions that the owner may not take or
 * that have nothing to do (runs/prepare-runs.ts).
 */
type NotRun = RunPlan['notRun']

const PAUSED: NotRun = { state: 'skipped', reason: 'paused' }
const MISSED: NotRun = { state: 'missed', reason: null }

const REASON_OF_STATE = {
  broken: 'broken',
  suspended: 'noRight',
  paused: 'resting',
} as const satisfies Record<(typeof STATE_OF_PROBLEM)[AutomationProblem['Reason']], SkipReason>

/** Reason that a rule with a problem may not act. */
export const blockReasonOf = ({ heldBy }: Pick<RuleRow, 'heldBy'>): NotRun =>
  heldBy === null ? undefined : { state: 'skipped', reason: REASON_OF_STATE[STATE_OF_PROBLEM[heldBy]] }

/** Reason that a schedule does not run at its time. */
export const scheduleSkipReason = (row: RuleRow, isPaused: boolean): NotRun =>
  blockReasonOf(row) ?? (isPaused ? PAUSED : undefined)

/** Reason that conditions that became true do not run their rule. */
export function firingSkipReason(found: { isPaused: boolean; isLoop: boolean; isTooOften: boolean }): NotRun {
  if (found.isPaused) return PAUSED
  if (found.isLoop) return { state: 'loopStopped', reason: null }
  return found.isTooOften ? { state: 'skipped', reason: 'moreOften' } : undefined
}

/** Reason that a rule does not run for a booking. */
export function bookingSkipReason(
  row: RuleRow,
  found: { isMissed: boolean; isPaused: boolean; isPresenceUnknown: boolean; isBookedAgain: boolean },
): NotRun {
  const blocked = blockReasonOf(row)
  if (blocked) return blocked
  if (found.isMissed) return MISSED
  if (found.isPaused) return PAUSED
  if (found.isPresenceUnknown) return { state: 'skipped', reason: 'unknown' }
  return found.isBookedAgain ? { state: 'skipped', reason: 'bookedAgain' } : undefined
}

/** Reason that an end or a switch-off does not run. */
export const endSkipReason = (isPaused: boolean): NotRun => (isPaused ? PAUSED : undefined)

/** Record of a run that was due and is missed. */
export const missedRun = (row: RuleRow, at: number): RunOfRule => ({
  row,
  run: { cause: 'schedule', plannedAt: at, notRun: MISSED },
})

/** Record of a day without sunrise or sunset, by the start of the day. */
export const sunlessRun = (row: RuleRow, at: number): RunOfRule => ({
  row,
  run: { cause: 'schedule', plannedAt: at, notRun: { state: 'skipped', reason: 'noSun' } },
})

/** Selects the homes whose automations are paused at a time, as `tenant/homeId`. */
export async function pausedHomes(db: Db, homes: readonly EngineHomeKey[], at: number): Promise<Set<string>> {
  if (homes.length === 0) return new Set()
  const rows = await db.query<{ key: string }>(sql`
    select concat(tenant, '/', home_id) as key from automation_pauses
    where (tenant, home_id) in (select * from unnest(
      ${homes.map(({ tenant }) => tenant)}::uuid[], ${homes.map(({ homeId }) => homeId)}::text[]))
      and (until is null or until > ${at}::bigint)`)
  return new Set(rows.map(({ key }) => key))
}
