import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import type { RuleWarning } from '../../../../contract/automation/calls.ts'
import { type Condition, type Conditions, HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { alwaysOrNever, rangeOf } from '../logic/reachable.ts'
import { isSatisfiable } from '../logic/satisfiable.ts'
import type { RuleOfAutomation } from '../rules/stored-rule.ts'
import { sourceOf } from '../engine/compile.ts'
import { valueAt } from '../engine/condition-index.ts'
import type { Sources } from '../rules/ports.ts'
import type { TargetDevice } from '../targets/targets.ts'

/** A device in a condition. */
export type CheckedDevice = TargetDevice & {
  /** Report interval of a meter, seconds. */
  frequency: number
}

/** Known facts about the subjects of conditions, by PeripheralUID: devices, and the meters behind sites and virtual meters. */
export interface SubjectFacts {
  asked: ReadonlyMap<string, CheckedDevice>
  sources: ReadonlyMap<string, Sources>
}

/** Finding about one condition; `blocks` if it prevents the condition from ever becoming true. */
export interface ConditionFinding {
  Kind: Extract<RuleWarning['Kind'], 'meterTooSlow' | 'neverHeard' | 'noContract' | 'noMainMeter' | 'never'>
  PeripheralUID: string
  blocks: boolean
}

/** Maximum expected delay between a meter's measurement and a rule's action, seconds; `SUM_IN_TIME` for its sums. */
const IN_TIME = 60
const SUM_IN_TIME = { HourlyKwh: 900, DailyKwh: 3600, MonthlyKwh: 3600 } as const
/** Report interval in seconds from which the demand of a quarter of an hour, and the energy of an hour, is known only after it ends. */
const DEMAND_UNKNOWN = 900
const HOURLY_UNKNOWN = 3600

/** Findings that delay a condition or prevent it from becoming true. */
export function conditionFindings(
  condition: Condition,
  { For }: Pick<Conditions, 'For'>,
  { asked, sources }: SubjectFacts,
): ConditionFinding[] {
  const { PeripheralUID, Field } = condition
  const needed = Math.max(
    Field in SUM_IN_TIME ? SUM_IN_TIME[Field as keyof typeof SUM_IN_TIME] : IN_TIME,
    // A forecast covers the present quarter of an hour, regardless of the hold time.
    Field === 'DemandForecast' ? 0 : For,
  )
  const behind = sources.get(PeripheralUID)
  if (behind) return sourceFindings(condition, behind, needed)
  const device = asked.get(PeripheralUID)
  if (!device) return []
  const found: ConditionFinding[] = []
  const source = sourceOf(condition)
  const isMeasured = source === 'figure' || source === 'measure'
  if (capabilityOf(device.type, 'meter') && isMeasured && device.frequency > needed)
    found.push({ Kind: 'meterTooSlow', PeripheralUID, blocks: isUnknown(Field, device.frequency) })
  if (isUnheard(condition, device)) found.push({ Kind: 'neverHeard', PeripheralUID, blocks: true })
  return found
}

/** Findings on a demand or a virtual meter's sum, which is known only while each of its meters reports. */
function sourceFindings(
  { PeripheralUID: subject, Field }: Condition,
  { meters, capacity }: Sources,
  needed: number,
): ConditionFinding[] {
  const isHome = subject === HOME_SUBJECT
  const found: ConditionFinding[] = []
  if (isHome && Field === 'DemandShare' && capacity === null)
    found.push({ Kind: 'noContract', PeripheralUID: subject, blocks: true })
  if (isHome && meters.length === 0) found.push({ Kind: 'noMainMeter', PeripheralUID: subject, blocks: true })
  for (const { PeripheralUID, frequency, isHeard } of meters) {
    if (!isHeard) found.push({ Kind: 'neverHeard', PeripheralUID, blocks: true })
    if (frequency > needed)
      found.push({ Kind: 'meterTooSlow', PeripheralUID, blocks: isUnknown(Field, frequency) })
  }
  return found
}

/** Whether a field is never known in time, given a meter's report interval in seconds. */
const isUnknown = (field: string, seconds: number): boolean =>
  field.startsWith('Demand') ? seconds >= DEMAND_UNKNOWN : field === 'HourlyKwh' && seconds > HOURLY_UNKNOWN

/** Whether a device has never reported the value that a condition needs. */
function isUnheard({ PeripheralUID, Field }: Condition, { status }: CheckedDevice): boolean {
  const source = sourceOf({ PeripheralUID, Field })
  if (source === 'event' || source === 'figure') return valueAt(status ?? {}, Field) === undefined
  return source !== 'online' && status === null
}

/** Whether no value can meet the condition. */
export const isNever = (condition: Condition, { asked }: Pick<SubjectFacts, 'asked'>): boolean =>
  alwaysOrNever(condition, rangeOf(condition, asked.get(condition.PeripheralUID)?.type)) === 'never'

/**
 * Reason that the conditions of a rule can never become true; undefined if they can. A rule joined by OR is blocked if all its
 * conditions are. Unknown values never block an alarm that is raised for unknown values.
 */
export function blockerOf(
  { Conditions, Alarm }: Pick<RuleOfAutomation, 'Conditions' | 'Alarm'>,
  facts: SubjectFacts,
): ConditionFinding | undefined {
  if (!Conditions) return undefined
  const { PeripheralUIDs: list, Logical } = Conditions
  const blockers = list.map((condition): ConditionFinding | undefined =>
    isNever(condition, facts)
      ? { Kind: 'never', PeripheralUID: condition.PeripheralUID, blocks: true }
      : Alarm?.NoData === 'alarm'
        ? undefined
        : conditionFindings(condition, Conditions, facts).find(({ blocks }) => blocks),
  )
  if (Logical === 'OR') return blockers.every((one) => one !== undefined) ? blockers[0] : undefined
  const contradiction = list[0] && !isSatisfiable(list)
  return (
    blockers.find((one) => one !== undefined) ??
    (contradiction && list[0]
      ? { Kind: 'never', PeripheralUID: list[0].PeripheralUID, blocks: true }
      : undefined)
  )
}
