import type { RuleRow } from '../rules/rule-rows.ts'
import { EVENT_PATHS, ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import {
  type Condition,
  HOME_MEASURES,
  HOME_SUBJECT,
  METER_SUMS,
} from '../../../../contract/automation/condition.ts'
import type { ComparedCondition } from '../../../../contract/automation/evaluate-conditions.ts'
import { type TruthRule, truthRuleOf } from '../logic/condition-state.ts'

/** Whether a rule is enabled: its times are followed, whether or not it may act. */
export const isActiveRule = ({ isReady, heldBy }: Pick<RuleRow, 'isReady' | 'heldBy'>): boolean =>
  isReady || heldBy !== null

/**
 * Source of a condition's value.
 *
 * event    device_events: states and counters
 * online   device_events: connection state of the device
 * figure   device_status: measured values
 * silence  time of the device's last report
 * measure  sums of meters and measures of homes, which other features compute
 */
export type Source = 'event' | 'online' | 'figure' | 'silence' | 'measure'

/** A condition with the source of its value. */
export interface WatchedCondition {
  condition: ComparedCondition
  source: Source
}

/** A rule, ready for evaluation. */
export interface CompiledRule extends RuleRow {
  /** `tenant/automationId` */
  key: string
  /** Truth rule of its conditions; undefined for schedules. */
  truth: TruthRule | undefined
  /** In the order of the conditions; empty for schedules. */
  watched: readonly WatchedCondition[]
  /** Distinct UIDs of the devices of the conditions, without the home as a whole. */
  devices: readonly string[]
}

const eventPaths = new Set(EVENT_PATHS.map(({ path }) => path))
/** Path with a wildcard, as in EVENT_PATHS: `ThermostatTable.3.Mode` becomes `ThermostatTable.*.Mode`. */
const generalPath = (path: string): string => path.replace(/^([^.]+)\.[^.]+\./, '$1.*.')
const isMeasure = new Set<string>([...METER_SUMS, ...HOME_MEASURES])

export function sourceOf({ PeripheralUID, Field }: Pick<Condition, 'PeripheralUID' | 'Field'>): Source {
  if (PeripheralUID === HOME_SUBJECT || isMeasure.has(Field)) return 'measure'
  if (Field === ONLINE) return 'online'
  if (Field === 'SilentFor') return 'silence'
  return eventPaths.has(Field) || eventPaths.has(generalPath(Field)) ? 'event' : 'figure'
}

/**
 * Compiles a stored rule: truth rule, watched conditions and devices.
 *
 * mode  observeOnly: a rule that may not act, so that only its conditions count, without alarm and end
 */
export function compileRule(row: RuleRow, mode: 'active' | 'observeOnly' = 'active'): CompiledRule {
  const { Conditions } = row.rule
  const active = Conditions && truthRuleOf({ ...row.rule, Conditions })
  const truth = Conditions && mode === 'observeOnly' ? { Conditions, EndDuration: 0 } : active
  const watched = (truth?.Conditions.PeripheralUIDs ?? []).map((condition) => ({
    condition,
    source: sourceOf(condition),
  }))
  const devices = new Set(
    watched.filter(({ source }) => source !== 'measure').map(({ condition }) => condition.PeripheralUID),
  )
  return { ...row, key: ruleKey(row), truth, watched, devices: [...devices] }
}

/** Key of a rule across companies. */
export const ruleKey = ({ tenant, automationId }: Pick<RuleRow, 'tenant' | 'automationId'>): string =>
  `${tenant}/${automationId}`
