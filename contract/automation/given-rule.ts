import type { FieldReason } from '../kernel/reasons.ts'
import type { Action } from './action.ts'
import type { AlarmPart, NotifySettings } from './alarm-part.ts'
import type { Conditions } from './condition.ts'
import type { BookingTrigger, Repeating, Single } from './schedule.ts'
import type { DeviceValues } from './set-fields.ts'
import type { Subject } from './subject-fields.ts'

/** Rule as entered: the parts whose validity depends on each other and on the home. */
export interface GivenRule {
  AutomationType: 1 | 2 | 3 | 4 | 5
  Schedule?: Repeating | Single | null | undefined
  Booking?: BookingTrigger | null | undefined
  Conditions?: Conditions | undefined
  Alarm?: AlarmPart | undefined
  Notify?: NotifySettings | null | undefined
  Actions: readonly Action[]
  EndDuration: number
  EndActions: 'restore' | readonly Action[]
}

/**
 * Facts about the home for validating a rule.
 *
 * now      epoch ms; omitted if times in the past are allowed, e.g. for a single schedule that has run
 * subject  device or virtual meter of a condition; undefined if it does not exist
 * setBy    values that an action sets at each device at present; omitted if checked elsewhere
 * slowestMainMeter  longest report interval of the main meters in seconds; null if there are none, omitted if
 *                   checked elsewhere
 */
export interface RuleContext {
  now?: number | undefined
  subject(uid: string): Subject | undefined
  setBy?(action: Action): readonly DeviceValues[]
  slowestMainMeter?: number | null | undefined
}

export interface RuleProblem {
  path: (string | number)[]
  reason: FieldReason
}
