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
export interface EndActions {
  /** Run whose fields are restored. */
  runId: string
  actions: 'restore' | readonly Action[]
  order: RunPlan['order']
  depth: number
}

/** Readings last recorded for an open alarm. */
export interface AlarmNotified {
  /** Epoch ms. */
  at: number
  /** For each condition, in order: the reading, and the worst one since the alarm was raised; null if unknown. */
  values: (number | null)[]
  peaks: (number | null)[]
}

/** Stored state of a rule between evaluations. */
export interface RuleState {
  truth: TruthState
  /** Time of the last evaluation, epoch ms. */
  asOf: number
  /** For each condition, in order. */
  observed: ObservedValue[]
  /** UIDs of its devices that are offline. */
  offline: string[]
  /** Null if the conditions became true by something other than a change of a state. */
  cause: Change | null
  /** End actions that are pending until the conditions have been false for long enough. */
  owed: EndActions | null
  /** Null if it has no open alarm. */
  told?: AlarmNotified | null
  /** Last time at which it was recorded that the rule would have run but was blocked, epoch ms. */
  heldAt?: number
  /** Predicted crossing of a limit and the last time it was published, epoch ms; null if none is predicted. */
  ahead?: { crossesAt: number; toldAt: number } | null
}

/** Current value of each condition. Values of an offline device are unknown except its connection state; its silence is that of its hub. */
export const valuesOf = (
  { watched }: CompiledRule,
  { observed, offline }: RuleState,
): (number | undefined)[] =>
  watched.map(({ condition, source }, i) =>
    (source === 'event' || source === 'figure' || source === 'silence') &&
    offline.includes(condition.PeripheralUID)
      ? undefined
      : (observed[i]?.value ?? undefined),
  )

/** Verdict of each condition in a state. */
export function verdictsOf(rule: CompiledRule, memory: RuleState): TruthValue[] {
  const values = valuesOf(rule, memory)
  return memory.truth.verdicts.map((verdict, i) =>
    values[i] === undefined ? undefined : (verdict ?? undefined),
  )
}
