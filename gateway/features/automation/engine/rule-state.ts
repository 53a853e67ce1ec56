import type { Action } from '../../../../contract/automation/action.ts'
import type { TruthValue } from '../../../../contract/automation/evaluate-conditions.ts'
import { type TruthState, type TruthAction, TRUTH_TIMERS, type TruthRule } from '../logic/condition-state.ts'
import type { RunPlan } from '../runs/port.ts'
import type { Conditions } from '../../../../contract/automation/condition.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import type { ConditionTrace } from '../../../../contract/automation/run-calls.ts'
import type { CompiledRule } from './compile.ts'
import type { CurrentStatus, LogEntry } from './log.ts'

/** Last observed value of a condition. */
export interface ObservedValue {
  /** Null if unknown. */
  value: number | null
  /** Time of the value by its device, epoch ms. */
  at: number | null
}

/** Change of a device that made the conditions true. */
export interface Change {
  uid: string
  field: string
  value: number
  /** By the device's clock, epoch ms. */
  at: number
}

/** End of a run as stated by the rule when the run began, whatever happens to the rule later. */
interface PendingEnd {
  /** Run whose fields are restored. */
  runId: string
  actions: 'restore' | readonly Action[]
  order: RunPlan['order']
  depth: number
}

/** Readings last recorded for an open alarm. */
export interface RecordedReadings {
  /** Epoch ms. */
  at: number
  /** For each condition, in order: the reading, and the worst one since the alarm was raised; null if unknown. */
  values: (number | null)[]
  peaks: (number | null)[]
}

/** Predicted crossing of a limit and the time of its last publication, epoch ms. */
export interface Prediction {
  crossesAt: number
  publishedAt: number
}

/** State of a rule between evaluations. */
export interface RuleState {
  truth: TruthState
  /** Time of the last event, epoch ms. */
  asOf: number
  /** For each condition, in order. */
  observed: readonly ObservedValue[]
  /** UIDs of its devices that are offline. */
  offline: readonly string[]
  /** Null if the conditions became true by something other than a change of a state. */
  cause: Change | null
  /** End actions that are pending until the conditions have been false for long enough. */
  pendingEnd: PendingEnd | null
  /** Null or absent without an open alarm. */
  recordedReadings?: RecordedReadings | null | undefined
  /** Last time at which it was recorded that the rule would have run but was blocked, epoch ms. */
  blockRecordedAt?: number | undefined
  /** Null or absent if no crossing is predicted. */
  prediction?: Prediction | null | undefined
}

/**
 * JSON of automation_states.state. Its names stay, because gateways of other versions read and write it, and so do the queries of
 * reschedule.ts (`truth.owesEnd`) and explain-device.ts (`owed`).
 */
export interface StoredRuleState {
  truth: Omit<TruthState, 'isPeriodOpen' | 'isEndPending' | 'reportedAt' | 'delayMs'> & {
    awake: boolean
    owesEnd: boolean
    saidAt?: number | undefined
    lateBy?: number | undefined
  }
  asOf: number
  observed: readonly ObservedValue[]
  offline: readonly string[]
  cause: Change | null
  owed: PendingEnd | null
  told?: RecordedReadings | null | undefined
  heldAt?: number | undefined
  ahead?: { crossesAt: number; toldAt: number } | null | undefined
}

/** State from its stored form; null before the first evaluation. */
export function ruleStateOf(stored: StoredRuleState | null): RuleState | null {
  if (!stored) return null
  const { awake, owesEnd, saidAt, lateBy, ...truth } = stored.truth
  const { asOf, observed, offline, cause, owed, told, heldAt, ahead } = stored
  return {
    truth: {
      ...truth,
      isPeriodOpen: awake,
      isEndPending: owesEnd,
      ...(saidAt !== undefined && { reportedAt: saidAt }),
      ...(lateBy !== undefined && { delayMs: lateBy }),
    },
    asOf,
    observed,
    offline,
    cause,
    pendingEnd: owed,
    recordedReadings: told,
    blockRecordedAt: heldAt,
    prediction: ahead && { crossesAt: ahead.crossesAt, publishedAt: ahead.toldAt },
  }
}

/** Stored form of a state. */
export function storedStateOf(state: RuleState): StoredRuleState {
  const { isPeriodOpen, isEndPending, reportedAt, delayMs, ...truth } = state.truth
  const { asOf, observed, offline, cause, pendingEnd, recordedReadings, blockRecordedAt, prediction } = state
  return {
    truth: { ...truth, awake: isPeriodOpen, owesEnd: isEndPending, saidAt: reportedAt, lateBy: delayMs },
    asOf,
    observed,
    offline,
    cause,
    owed: pendingEnd,
    told: recordedReadings,
    heldAt: blockRecordedAt,
    ahead: prediction && { crossesAt: prediction.crossesAt, toldAt: prediction.publishedAt },
  }
}

/** Current value of each condition. Values of an offline device are unknown except its connection state; its silence is that of its hub. */
export const valuesOf = (
  { watched }: Pick<CompiledRule, 'watched'>,
  { observed, offline }: Pick<RuleState, 'observed' | 'offline'>,
): (number | undefined)[] =>
  watched.map(({ condition, source }, i) =>
    (source === 'event' || source === 'figure' || source === 'silence') &&
    offline.includes(condition.PeripheralUID)
      ? undefined
      : (observed[i]?.value ?? undefined),
  )

/** Verdict of each condition in a state. */
export function verdictsOf(rule: CompiledRule, state: RuleState): TruthValue[] {
  const values = valuesOf(rule, state)
  return state.truth.verdicts.map((verdict, i) =>
    values[i] === undefined ? undefined : (verdict ?? undefined),
  )
}

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
