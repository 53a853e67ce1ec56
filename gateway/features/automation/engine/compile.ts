import { EVENT_PATHS, ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import type {
  AutomationProblem,
  AutomationRule,
  AutomationType,
} from '../../../../contract/automation/automation.ts'
import {
  type Condition,
  HOME_MEASURES,
  HOME_SUBJECT,
  METER_SUMS,
} from '../../../../contract/automation/condition.ts'
import type { ComparedCondition } from '../../../../contract/automation/evaluate-conditions.ts'
import { type TruthRule, truthRuleOf } from '../logic/condition-state.ts'

/** A stored rule: `AutomationRule` without name, text and switch. */
export type StoredRule = Omit<AutomationRule, 'AutomationName' | 'Description' | 'Enabled'>

/** A row of automations, as far as the engine reads it. */
export interface RuleRow {
  tenant: string
  automationId: string
  homeId: string
  type: AutomationType
  name: string
  version: number
  ownerId: string | null
  /** Whether it is switched on and nothing is wrong with it. */
  isReady: boolean
  /** Of one that is switched on: what is wrong with it. Its times and conditions are followed, and it does nothing. */
  heldBy: AutomationProblem['Reason'] | null
  rule: StoredRule
}

/** Whether a rule is switched on: its times are kept, whether or not it may act when they come. */
export const isActiveRule = ({ isReady, heldBy }: Pick<RuleRow, 'isReady' | 'heldBy'>): boolean =>
  isReady || heldBy !== null

/**
 * Where the value of a condition comes from.
 *
 * event    device_events: states and counters
 * online   device_events: whether the device can be heard
 * figure   device_status: what is measured
 * silence  the time of the device's last report
 * measure  sums of meters and measures of homes: what others compute
 */
export type Source = 'event' | 'online' | 'figure' | 'silence' | 'measure'

/** A condition and where its value comes from. */
export interface WatchedCondition {
  condition: ComparedCondition
  source: Source
}

/** A rule, ready to be decided. */
export interface CompiledRule extends RuleRow {
  /** `tenant/automationId` */
  key: string
  /** Its conditions as they are evaluated; undefined for schedules. */
  truth: TruthRule | undefined
  /** In the order of the conditions; empty for schedules. */
  watched: readonly WatchedCondition[]
  /** UIDs of the devices of the conditions, each once; the home as a whole is none. */
  devices: readonly string[]
}

const eventPaths = new Set(EVENT_PATHS.map(({ path }) => path))
/** `ThermostatTable.3.Mode` as EVENT_PATHS has it. */
const generalPath = (path: string): string => path.replace(/^([^.]+)\.[^.]+\./, '$1.*.')
const isMeasure = new Set<string>([...METER_SUMS, ...HOME_MEASURES])

/** Where the value of a condition comes from. */
export function sourceOf({ PeripheralUID, Field }: Pick<Condition, 'PeripheralUID' | 'Field'>): Source {
  if (PeripheralUID === HOME_SUBJECT || isMeasure.has(Field)) return 'measure'
  if (Field === ONLINE) return 'online'
  if (Field === 'SilentFor') return 'silence'
  return eventPaths.has(Field) || eventPaths.has(generalPath(Field)) ? 'event' : 'figure'
}

/** What a rule watches. */
export function compileRule(row: RuleRow): CompiledRule {
  const { Conditions } = row.rule
  const truth = Conditions && truthRuleOf({ ...row.rule, Conditions })
  const watched = (truth?.Conditions.PeripheralUIDs ?? []).map((condition) => ({
    condition,
    source: sourceOf(condition),
  }))
  const devices = new Set(
    watched.filter(({ source }) => source !== 'measure').map(({ condition }) => condition.PeripheralUID),
  )
  return { ...row, key: ruleKey(row), truth, watched, devices: [...devices] }
}

/** Names a rule across companies. */
export const ruleKey = ({ tenant, automationId }: Pick<RuleRow, 'tenant' | 'automationId'>): string =>
  `${tenant}/${automationId}`
