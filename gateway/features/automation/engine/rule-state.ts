import type { Action } from '../../../../contract/automation/action.ts'
import type { TruthValue } from '../../../../contract/automation/evaluate-conditions.ts'
import type { TruthState } from '../logic/condition-state.ts'
import type { RunPlan } from '../runs/port.ts'
import type { CompiledRule } from './compile.ts'

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
export interface PendingEnd {
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
