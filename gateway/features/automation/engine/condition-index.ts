import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { readPath } from '../../../../contract/devices/kinds/history-fields.ts'
import {
  type ComparedCondition,
  type TruthValue,
  evaluateCondition,
} from '../../../../contract/automation/evaluate-conditions.ts'
import type { StoredReport } from '../../../kernel/events.ts'
import { isNotableChange } from './alarms.ts'
import type { CompiledRule } from './compile.ts'
import type { RecordedReadings } from './rule-state.ts'

/** Latest evaluation results of rules that this gateway knows, by rule key. */
export interface KnownResults {
  verdicts: Map<string, readonly TruthValue[]>
  /** Only rules whose alarm is open. */
  recordedReadings: Map<string, RecordedReadings>
}

/** A condition on a figure or the silence of a device. */
interface Watching {
  rule: CompiledRule
  /** Index of the condition in the rule. */
  index: number
  condition: ComparedCondition
}

/** Reads a number from a report: undefined if the report does not contain it, null if the report states it as unknown. */
type ReadValue = (values: CommandValues) => number | null | undefined

/**
 * A figure that rules watch. Nearly every report leaves all conditions unchanged and is skipped by comparing its value with the last one or
 * with two limits, however many rules there are.
 */
interface Figure {
  path: string
  read: ReadValue
  watching: Watching[]
  /** Last value that changed no condition; NaN if there is none. */
  unchangedAt: number
  /** No condition changes between these two limits, which are the nearest to that value. */
  above: number
  below: number
}

/** Watched conditions on the reports of one device. */
export interface ConditionIndex {
  figures: Figure[]
  silences: Watching[]
  /** Whether each rule on its silence has evaluated it as not silent. */
  isKnownReporting: boolean
}

export const createConditionIndex = (): ConditionIndex => ({
  figures: [],
  silences: [],
  isKnownReporting: false,
})

/** Adds those of a rule's conditions that refer to this device. */
export function addRule(index: ConditionIndex, rule: CompiledRule, uid: string): void {
  for (const [i, { condition, source }] of rule.watched.entries()) {
    if (condition.PeripheralUID !== uid) continue
    const watching = { rule, index: i, condition }
    if (source === 'silence') index.silences.push(watching)
    if (source !== 'figure') continue
    const figure = index.figures.find(({ path }) => path === condition.Field)
    if (figure) figure.watching.push(watching)
    else
      index.figures.push({
        path: condition.Field,
        read: readerOf(condition.Field),
        watching: [watching],
        ...NO_RANGE,
      })
  }
  invalidateValue(index)
}

/** Removes a rule's conditions; returns whether any conditions are left. */
export function removeRule(index: ConditionIndex, rule: CompiledRule): boolean {
  const others = (all: Watching[]) => all.filter((one) => one.rule !== rule)
  for (const figure of index.figures) figure.watching = others(figure.watching)
  index.figures = index.figures.filter(({ watching }) => watching.length > 0)
  index.silences = others(index.silences)
  return index.figures.length > 0 || index.silences.length > 0
}

const NO_RANGE = { unchangedAt: NaN, above: Infinity, below: -Infinity }

/** Resets the known ranges after a rule of the device was evaluated: the next report is checked whatever its values. */
export function invalidateValue(index: ConditionIndex): void {
  index.isKnownReporting = false
  for (const figure of index.figures) Object.assign(figure, NO_RANGE)
}

/**
 * Collects the rules that a report may affect: it changes a condition's verdict, or a reading of an open alarm is to be recorded.
 *
 * now  epoch ms
 */
export function addAffectedRules(
  results: KnownResults,
  index: ConditionIndex,
  { device, values }: StoredReport,
  found: Set<CompiledRule>,
  now: number,
): void {
  for (const figure of index.figures) {
    const value = figure.read(values)
    if (value === undefined || isUnchanged(figure, value)) continue
    let changesNone = value !== null
    for (const one of figure.watching) {
      if (
        changesVerdict(results, one, value) ||
        isToRecord(results, one.rule, device.peripheralUID, values, now)
      )
        found.add(one.rule)
      if (found.has(one.rule) || results.recordedReadings.has(one.rule.key)) changesNone = false
    }
    if (changesNone) setUnchangedRange(figure, value as number)
  }
  if (index.isKnownReporting) return
  // A device that has just reported is not silent.
  const silent = index.silences.filter((one) => results.verdicts.get(one.rule.key)?.[one.index] !== false)
  for (const { rule } of silent) found.add(rule)
  index.isKnownReporting = silent.length === 0
}

const isUnchanged = ({ unchangedAt, above, below }: Figure, value: number | null): boolean =>
  value !== null && (value === unchangedAt || (value > above && value < below))

/** The verdict is constant between two neighbouring limits, whatever the operator. */
function setUnchangedRange(figure: Figure, value: number): void {
  let [above, below] = [-Infinity, Infinity]
  for (const { condition } of figure.watching)
    for (const limit of [condition.Status, condition.Clear ?? []].flat()) {
      if (limit === value) [above, below] = [value, value]
      else if (limit < value) above = Math.max(above, limit)
      else below = Math.min(below, limit)
    }
  Object.assign(figure, { unchangedAt: value, above, below })
}

/** Whether a value changes a condition's verdict, as far as this gateway knows. */
function changesVerdict(
  { verdicts }: KnownResults,
  { rule, index, condition }: Watching,
  value: number | null,
): boolean {
  const known = verdicts.get(rule.key)
  if (!known) return true
  const previous = known[index]
  return evaluateCondition(condition, value ?? undefined, previous) !== previous
}

/** Whether a report is to be recorded in a rule's open alarm. */
function isToRecord(
  { recordedReadings }: KnownResults,
  rule: CompiledRule,
  uid: string,
  reported: CommandValues,
  now: number,
): boolean {
  const recorded = recordedReadings.get(rule.key)
  if (!recorded) return false
  const values = rule.watched.map(({ condition, source }, i) => {
    const before = recorded.values[i] ?? null
    if (source !== 'figure' || condition.PeripheralUID !== uid) return before
    const value = readerOf(condition.Field)(reported)
    return value === undefined ? before : value
  })
  return isNotableChange(rule, recorded, values, now)
}

/** Reader for a number of a report by its path, as used by rules and the history. */
function readerOf(path: string): ReadValue {
  const { field, zone, modbusKey } = readPath(path)
  const numeric = (value: unknown) =>
    typeof value === 'number' ? value : value === undefined ? undefined : null
  if (zone !== undefined)
    return ({ ThermostatTable: zones }) =>
      numeric(
        (zones as ({ NodeID: number } & CommandValues)[] | undefined)?.find(
          ({ NodeID }) => NodeID === zone,
        )?.[field],
      )
  if (modbusKey !== undefined)
    return (values) => {
      const table = values[field] as CommandValues | undefined
      // A table is always reported as a whole: entries that are missing from it are unknown.
      return table && (numeric(table[modbusKey]) ?? null)
    }
  return (values) => numeric(values[field])
}

/** Number of a status at a path; undefined if there is none. */
export const valueAt = (values: CommandValues, path: string): number | undefined =>
  readerOf(path)(values) ?? undefined
