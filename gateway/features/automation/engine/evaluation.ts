import type { Conditions } from '../../../../contract/automation/condition.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import type { ConditionTrace } from '../../../../contract/automation/run-calls.ts'
import { type TruthAction, TRUTH_TIMERS, type TruthRule } from '../logic/condition-state.ts'
import type { CompiledRule } from './compile.ts'
import type { CurrentStatus, LogEntry } from './log.ts'
import type { Change, RuleState } from './rule-state.ts'

/** Timers that an evaluation sets, at most one of each kind per rule. */
export const EVALUATION_TIMERS = [...TRUTH_TIMERS, 'period', 'silent'] as const
export type EvaluationTimer = (typeof EVALUATION_TIMERS)[number]
/** Due times, epoch ms. */
export type EvaluationTimers = ReadonlyMap<EvaluationTimer, number>

/** A rule with conditions. */
export type ConditionRule = CompiledRule & { rule: { Conditions: Conditions }; truth: TruthRule }

/**
 * Inputs of an evaluation, which depends on nothing else.
 *
 * mode      observeOnly: the rule may not act, so that the end of what it began stays pending
 * state     null before the first evaluation
 * reset     whether the rule is new, changed or newly enabled, so that its conditions begin again
 * log       changes of its devices since the last evaluation, in order
 * current   current status of its devices by UID; required after a reset and if `needsCurrentStatus` is true
 * measures  computed measures by condition index; conditions on omitted ones keep their verdict
 * now       epoch ms
 */
export interface EvaluationInput {
  rule: ConditionRule
  mode: 'active' | 'observeOnly'
  state: RuleState | null
  reset: boolean
  log: readonly LogEntry[]
  current: ReadonlyMap<string, CurrentStatus>
  measures: ReadonlyMap<number, number | null>
  timers: EvaluationTimers
  calendar: Place
  now: number
}

/** Result of an evaluation: state and timers to store, and actions in execution order. */
export interface Evaluation {
  state: RuleState
  timers: EvaluationTimers
  actions: readonly RuleAction[]
}

/** Action that results from an evaluation. */
export type RuleAction = TruthAction & {
  at: number
  trace: ConditionTrace[]
  cause: Change | null
  /** For alarms: time at which the conditions became true by the device's clock, epoch ms, and the delay until it was reported. */
  reportedAt: number
  delayMs: number
}
