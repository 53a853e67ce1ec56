import { nextRun, type Schedule } from '../../../../contract/rules/automation/schedule-clock.ts'
import type { Place } from '../../../../contract/rules/automation/place.ts'
import type { RuleRow } from './compile.ts'
import type { RunOfRule } from './plan-run.ts'

/** Whether a schedule has a run at a moment: its home's zone, place or holidays may have changed since the time was stored. */
export const isDue = (schedule: Schedule, at: number, place: Place): boolean =>
  nextRun(schedule, at - 1, place) === at

/** The trace of a run that was due and does not come. */
export const missedRun = (row: RuleRow, at: number): RunOfRule => ({
  row,
  run: { cause: 'schedule', plannedAt: at, notRun: { state: 'missed', reason: null } },
})

/** The trace of a day, by when it began, that has no sunrise or sunset. */
export const sunlessRun = (row: RuleRow, at: number): RunOfRule => ({
  row,
  run: { cause: 'schedule', plannedAt: at, notRun: { state: 'skipped', reason: 'noSun' } },
})
