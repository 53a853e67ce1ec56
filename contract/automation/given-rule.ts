import type { FieldReason } from '../kernel/reasons.ts'
import type { Action } from './action.ts'
import type { AlarmPart, NotifySettings } from './alarm-part.ts'
import type { Conditions } from './condition.ts'
import type { BookingTrigger, Repeating, Single } from './schedule.ts'
import type { DeviceValues } from './set-fields.ts'
import type { Subject } from './subject-fields.ts'

/** A rule as a person gave it, as far as its parts depend on each other and on the home. */
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
 * What the home knows of it.
 *
 * now      epoch ms; left out where what is over may stay so, as of a single schedule that has run
 * subject  a device or virtual meter that a condition names; undefined for one that is not there
 * setBy    what an action sets at each device as things stand now; left out where that is judged elsewhere
 * slowestMainMeter  seconds between two reports of the main meter that reports least often; null without any, left out where that
 *                   is judged elsewhere
 */
export interface RuleContext {
  now?: number | undefined
  subject(uid: string): Subject | undefined
  setBy?(action: Action): readonly DeviceValues[]
  slowestMainMeter?: number | null | undefined
}

/** Why a rule is refused, beyond what its fields say by themselves. */
export interface RuleProblem {
  path: (string | number)[]
  reason: FieldReason
}
