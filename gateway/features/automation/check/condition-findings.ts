import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import type { RuleWarning } from '../../../../contract/automation/calls.ts'
import { type Condition, type Conditions, HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { alwaysOrNever, rangeOf } from '../logic/reachable.ts'
import { isSatisfiable } from '../logic/satisfiable.ts'
import type { RuleOfAutomation } from '../rules/stored-rule.ts'
import { sourceOf } from '../engine/compile.ts'
import { valueAt } from '../engine/condition-index.ts'
import type { Sources, EngineHomeKey, SourcesOf } from '../rules/ports.ts'
import { type TargetDevice, loadDevices } from '../targets/targets.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import { type Db, sql } from '../../../kernel/db.ts'

/** A device in a condition. */
type CheckedDevice = TargetDevice & {
  /** Report interval of a meter, seconds. */
  frequency: number
}

/** Known facts about the subjects of conditions, by PeripheralUID: devices, and the meters behind sites and virtual meters. */
export interface SubjectFacts {
  devices: ReadonlyMap<string, CheckedDevice>
  sources: ReadonlyMap<string, Sources>
}

/** Finding about one condition; `isBlocking` if it prevents the condition from ever becoming true. */
interface ConditionFinding {
  Kind: Extract<RuleWarning['Kind'], 'meterTooSlow' | 'neverHeard' | 'noContract' | 'noMainMeter' | 'never'>
  PeripheralUID: string
  isBlocking: boolean
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
  { devices, sources }: SubjectFacts,
): ConditionFinding[] {
  const { PeripheralUID, Field } = condition
  const needed = Math.max(
    Field in SUM_IN_TIME ? SUM_IN_TIME[Field as keyof typeof SUM_IN_TIME] : IN_TIME,
    // A forecast covers the present quarter of an hour, regardless of the hold time.
    Field === 'DemandForecast' ? 0 : For,
  )
  const sourcesOfSubject = sources.get(PeripheralUID)
  if (sourcesOfSubject) return sourceFindings(condition, sourcesOfSubject, needed)
  const device = devices.get(PeripheralUID)
  if (!device) return []
  const found: ConditionFinding[] = []
  const source = sourceOf(condition)
  const isMeasured = source === 'figure' || source === 'measure'
  if (capabilityOf(device.type, 'meter') && isMeasured && device.frequency > needed)
    found.push({ Kind: 'meterTooSlow', PeripheralUID, isBlocking: isUnknown(Field, device.frequency) })
  if (hasNeverReported(condition, device)) found.push({ Kind: 'neverHeard', PeripheralUID, isBlocking: true })
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
    found.push({ Kind: 'noContract', PeripheralUID: subject, isBlocking: true })
  if (isHome && meters.length === 0)
    found.push({ Kind: 'noMainMeter', PeripheralUID: subject, isBlocking: true })
  for (const { PeripheralUID, frequency, isReporting } of meters) {
    if (!isReporting) found.push({ Kind: 'neverHeard', PeripheralUID, isBlocking: true })
    if (frequency > needed)
      found.push({ Kind: 'meterTooSlow', PeripheralUID, isBlocking: isUnknown(Field, frequency) })
  }
  return found
}

/** Whether a field is never known in time, given a meter's report interval in seconds. */
const isUnknown = (field: string, seconds: number): boolean =>
  field.startsWith('Demand') ? seconds >= DEMAND_UNKNOWN : field === 'HourlyKwh' && seconds > HOURLY_UNKNOWN

/** Whether a device has never reported the value that a condition needs. */
function hasNeverReported({ PeripheralUID, Field }: Condition, { status }: CheckedDevice): boolean {
  const source = sourceOf({ PeripheralUID, Field })
  if (source === 'event' || source === 'figure') return valueAt(status ?? {}, Field) === undefined
  return source !== 'online' && status === null
}

/** Whether no value can meet the condition. */
const isNever = (condition: Condition, { devices }: Pick<SubjectFacts, 'devices'>): boolean =>
  alwaysOrNever(condition, rangeOf(condition, devices.get(condition.PeripheralUID)?.type)) === 'never'

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
      ? { Kind: 'never', PeripheralUID: condition.PeripheralUID, isBlocking: true }
      : Alarm?.NoData === 'alarm'
        ? undefined
        : conditionFindings(condition, Conditions, facts).find(({ isBlocking }) => isBlocking),
  )
  if (Logical === 'OR') return blockers.every((one) => one !== undefined) ? blockers[0] : undefined
  const contradiction = list[0] && !isSatisfiable(list)
  return (
    blockers.find((one) => one !== undefined) ??
    (contradiction && list[0]
      ? { Kind: 'never', PeripheralUID: list[0].PeripheralUID, isBlocking: true }
      : undefined)
  )
}

/** Whether a subject of a condition is computed from several meters. */
const isComputed = (uid: string): boolean => uid === HOME_SUBJECT || uid.startsWith(VIRTUAL_PREFIX)

/** Reads the known facts about the subjects of a home's rule conditions at a time, epoch ms. */
export async function readSubjects(
  db: Db,
  sourcesOf: SourcesOf,
  home: EngineHomeKey,
  rules: readonly Pick<RuleOfAutomation, 'Conditions'>[],
  now: number,
): Promise<SubjectFacts> {
  const uids = [
    ...new Set(
      rules.flatMap(({ Conditions }) =>
        (Conditions?.PeripheralUIDs ?? []).map(({ PeripheralUID }) => PeripheralUID),
      ),
    ),
  ]
  const devices = await readDevices(
    db,
    home,
    uids.filter((uid) => !isComputed(uid)),
  )
  const sources = new Map<string, Sources>()
  for (const uid of uids.filter(isComputed)) sources.set(uid, await sourcesOf(home, uid, now))
  return { devices: new Map(devices.map((device) => [device.uid, device])), sources }
}

async function readDevices(db: Db, home: EngineHomeKey, uids: readonly string[]): Promise<CheckedDevice[]> {
  if (uids.length === 0) return []
  const devices = await loadDevices(db, home, { uids })
  const rows = await db.query<{ uid: string; seconds: number }>(sql`
    select peripheral_uid as uid, power_meter_update_frequency as seconds from peripherals
    where tenant = ${home.tenant} and peripheral_uid = any(${[...uids]}::text[])`)
  const frequencies = new Map(rows.map(({ uid, seconds }) => [uid, seconds]))
  return devices.map((device) => ({ ...device, frequency: frequencies.get(device.uid) ?? 0 }))
}
