import type { Action } from '../../../../contract/automation/action.ts'
import type { TruthValue } from '../../../../contract/automation/evaluate-conditions.ts'
import type { TruthState } from '../logic/condition-state.ts'
import type { RunPlan } from '../runs/port.ts'
import type { CompiledRule } from './compile.ts'

/** What was seen last of a condition's value. */
export interface ObservedValue {
  /** Null while it is not known. */
  value: number | null
  /** When its device said so, epoch ms. */
  at: number | null
}

/** The change of a device that made the conditions true. */
export interface Change {
  uid: string
  field: string
  value: number
  /** By the device, epoch ms. */
  at: number
}

/** How a run ends: as the rule promised when it began, whatever becomes of the rule. */
export interface EndActions {
  /** Whose fields become what they were. */
  runId: string
  actions: 'restore' | readonly Action[]
  order: RunPlan['order']
  depth: number
}

/** What was told last of an alarm that is open. */
export interface AlarmNotified {
  /** Epoch ms. */
  at: number
  /** Of each condition, in order: what was measured, and the worst since it was raised; null where that is not known. */
  values: (number | null)[]
  peaks: (number | null)[]
}

/** What is stored of a rule between decisions. */
export interface RuleState {
  truth: TruthState
  /** The moment up to which it was followed, epoch ms. */
  asOf: number
  /** For each condition, in order. */
  observed: ObservedValue[]
  /** UIDs of its devices that cannot be heard. */
  offline: string[]
  /** Null when something else than a change of a state made them true. */
  cause: Change | null
  /** What ends, and how, when the conditions have been false for long enough. */
  owed: EndActions | null
  /** Null while no alarm of it is open. */
  told?: AlarmNotified | null
  /** When it was noted last that it would have run and might not act, epoch ms. */
  heldAt?: number
  /** That a sum will cross its limit, when, and when that was told last, epoch ms; null while it will not. */
  ahead?: { crossesAt: number; toldAt: number } | null
}

/** What is known of each condition's value: nothing of a device that cannot be heard, except that. Its silence is its hub's. */
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

/** What each condition is as of a memory. */
export function verdictsOf(rule: CompiledRule, memory: RuleState): TruthValue[] {
  const values = valuesOf(rule, memory)
  return memory.truth.verdicts.map((verdict, i) =>
    values[i] === undefined ? undefined : (verdict ?? undefined),
  )
}
