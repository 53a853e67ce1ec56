import { z } from 'zod'
import { CommandFailure } from '../devices/command-calls.ts'
import { Millis, RunID } from '../kernel/scalars.ts'

/**
 * State of a run.
 *
 * planned      decided and not started              running   its actions are in progress
 * done         every action was confirmed           partly    some were, others failed or ended unconfirmed
 * failed       no action was confirmed              missed    its time passed during downtime
 * skipped      did not run, see Reason              loopStopped  it would have triggered itself repeatedly
 * refused      its owner lacks the right to control
 * superseded   a newer run of the same automation started before it ended
 */
export const RUN_STATES = [
  'planned',
  'running',
  'done',
  'partly',
  'failed',
  'missed',
  'skipped',
  'loopStopped',
  'refused',
  'superseded',
] as const
export const RunState = z.enum(RUN_STATES)
export type RunState = z.infer<typeof RunState>

/** Reason for which a run was skipped: a key of `automation.reasons` in the locales. */
export const RUN_SKIP_REASONS = [
  'tooSoon',
  'outsidePeriod',
  'unknown',
  'late',
  'noRight',
  'paused',
  'noSun',
  'handHadChangedIt',
  'nothingToDo',
  'moreOften',
  'bookedAgain',
  'broken',
  'resting',
] as const
export const SkipReason = z.enum(RUN_SKIP_REASONS)
export type SkipReason = z.infer<typeof SkipReason>

export const RUN_CAUSES = [
  'person',
  'schedule',
  'booking',
  'condition',
  'end',
  'off',
  'undo',
  'alarm',
  'shed',
  'giveBack',
] as const
export type RunCause = (typeof RUN_CAUSES)[number]

/**
 * Outcome of the last run of a scene or an automation that was not skipped.
 *
 * At         start of the run
 * Devices    number of devices that it set; without those that were left alone because their values had been changed since
 * Confirmed  number of devices that confirmed all of its actions; devices of a run in progress may be neither confirmed nor failed
 * Failed     number of devices of which an action failed
 * Failure    most frequent reason of failed actions; null if none failed
 */
export const LastRun = z.object({
  RunID,
  At: Millis,
  Cause: z.enum(RUN_CAUSES),
  State: RunState,
  Reason: SkipReason.nullable(),
  Devices: z.number().int(),
  Confirmed: z.number().int(),
  Failed: z.number().int(),
  Failure: CommandFailure.nullable(),
})
export type LastRun = z.infer<typeof LastRun>

/** Last time at which an automation did not run after its last run, and the reason. */
export const LastSkip = z.object({ At: Millis, Reason: SkipReason.nullable() })
export type LastSkip = z.infer<typeof LastSkip>
