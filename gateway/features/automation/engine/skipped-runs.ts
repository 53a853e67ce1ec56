import type { SkipReason } from '../../../../contract/automation/run-calls.ts'
import type { AutomationProblem } from '../../../../contract/automation/automation.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { STATE_OF_PROBLEM } from '../rules/store.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import type { RunPlan } from '../runs/port.ts'
import type { RunOfRule } from './plan-run.ts'
import type { EngineHomeKey } from '../rules/ports.ts'

const REASONS = { broken: 'broken', suspended: 'noRight', paused: 'resting' } as const satisfies Record<
  (typeof STATE_OF_PROBLEM)[AutomationProblem['Reason']],
  SkipReason
>

/** State and reason to record for a run of a rule with a problem; undefined if the rule may act. */
export const blockedRun = ({ heldBy }: Pick<RuleRow, 'heldBy'>): RunPlan['notRun'] | undefined =>
  heldBy === null ? undefined : { state: 'skipped', reason: REASONS[STATE_OF_PROBLEM[heldBy]] }

/** Record of a run that was due and is missed. */
export const skippedAsMissed = (row: RuleRow, at: number): RunOfRule => ({
  row,
  run: { cause: 'schedule', plannedAt: at, notRun: { state: 'missed', reason: null } },
})

/** Record of a day without sunrise or sunset, by the start of the day. */
export const skippedWithoutSun = (row: RuleRow, at: number): RunOfRule => ({
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
