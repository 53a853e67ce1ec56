import { lowBattery } from '../devices/capabilities/capability.ts'
import { deviceType, type DeviceType, reportsNothing, isMeter } from '../devices/kinds/registry.ts'
import type { DeviceStatus } from '../devices/kinds/status.ts'
import type { Peripheral } from '../devices/peripheral.ts'
import type { ThingWithState } from '../devices/thing.ts'
import { readingsOf } from './breach-verdict.ts'
import {
  isVital,
  HUB_LOST_AFTER_MS,
  meterSilentAfter,
  FIRST_REPORT_TIMEOUT_MS,
  SEVERITY_OF,
  alarmStateOf,
  hasAlarmStates,
} from '../alarms/alarm-states.ts'
import {
  alarmsByDevice,
  alarmsWithoutDevice,
  isSettled,
  latestOf,
  maintainedBy,
  bypassesMaintenance,
  storedOf,
  withAlarm,
  type AttentionNotes,
} from './attention-alarms.ts'
import { energyItems, givenItems } from './attention-energy.ts'
import type { AttentionItem, DemandFact, Item, QuarantinedFact } from './attention-item.ts'
import { SEVERITIES } from '../kernel/severity.ts'
import { withStored } from './attention-stored.ts'
import { isSilent } from '../devices/device-health.ts'
import { breachesOf } from '../devices/warning-threshold.ts'

/** Fields of a device that decide whether it needs attention. */
export type WatchedDevice = Pick<
  Peripheral,
  | 'PeripheralUID'
  | 'PeripheralType'
  | 'PeripheralName'
  | 'HomeID'
  | 'RoomID'
  | 'ThingName'
  | 'PowerMeterUpdateFrequency'
  | 'SilentAfter'
  | 'ParentMeter'
  | 'WarningThreshold'
  | 'ValueLimits'
> & {
  /** Number of devices without problems that this entry represents because they are alike in all deciding fields; default 1. */
  Alike?: number
}

/** Facts about devices and hubs of one or more homes. */
export interface AttentionFacts extends AttentionNotes {
  hubs: readonly ThingWithState[]
  devices: readonly WatchedDevice[]
  statusOf(uid: string): DeviceStatus | undefined
  /** Time a device was added, epoch ms; if unknown, a device that has never reported yields no item. */
  addedAt?(uid: string): number | undefined
  demands?: readonly DemandFact[]
  quarantined?: readonly QuarantinedFact[]
  /** Last items from the gateway: a screen knows neither demand nor quarantined readings, nor when a device was added. */
  given?: readonly AttentionItem[] | undefined
  /** Whether the realtime channel is connected; otherwise the verdict cannot be `clear`. */
  connected: boolean
}

export type { AttentionItem } from './attention-item.ts'

export const ATTENTION_VERDICTS = ['clear', 'attention', 'unknown'] as const

export interface Attention {
  /** `clear` only if the state of everything monitored is known. */
  Verdict: (typeof ATTENTION_VERDICTS)[number]
  /**
   * Unacknowledged and unshelved items first, by severity; critical states that devices report come before other critical items,
   * and newer items before older ones. Then acknowledged and shelved items, then information.
   */
  Items: readonly AttentionItem[]
  /** Number of monitored devices and hubs whose state is known. */
  Known: number
  Watched: number
  /** Number of monitored devices and hubs whose state is unknown, by home. */
  UnknownIn: Readonly<Record<string, number>>
  /** Number of devices and hubs in maintenance, which are not monitored. */
  Maintained: number
}

/**
 * Computes what needs attention; the only implementation of this rule (decision 0034).
 *
 * If a hub is lost, the last reports of its devices are marked stale: a state that means alarm or warning stays; doors and
 * motion, which are no alarms, become unknown, and so do readings. A state whose alarm a person cleared is unknown until a newer
 * report. Devices in maintenance are not monitored, except for fire and smoke. Every other open alarm needs attention until it is
 * cleared, even if the last report no longer shows the cause. Information does not change the verdict to `attention`, but a
 * device that it reports as silent counts as unknown.
 *
 * now  epoch ms
 */
export function attentionOf(facts: AttentionFacts, now: number): Attention {
  const { hubs, devices, alarms = [] } = facts
  const place = { hubs: byKey(hubs, 'ThingName'), devices: byKey(devices, 'PeripheralUID') }
  const maintained = maintainedBy(facts.maintenances, now)
  const ofDevice = alarmsByDevice(alarms)
  const watchedHubs = hubs.filter((hub) => !maintained.hub(hub))
  const vital = new Set<string>()
  const Items: AttentionItem[] = alarmsWithoutDevice(facts, place.devices)
  let [Known, Watched, Maintained] = [0, watchedHubs.length, hubs.length - watchedHubs.length]
  const UnknownIn: Record<string, number> = {}
  const countReported = (isReported: boolean, HomeID: string, count = 1) => {
    if (isReported) Known += count
    else UnknownIn[HomeID] = (UnknownIn[HomeID] ?? 0) + count
  }
  for (const device of devices) {
    const { PeripheralUID, PeripheralType, ThingName, Alike = 1 } = device
    const type = deviceType(PeripheralType)
    if (type?.hidden) continue
    const hub = ThingName === null ? undefined : place.hubs.get(ThingName)
    const alarm = ofDevice.get(PeripheralUID)
    const reported = facts.statusOf(PeripheralUID)
    const status = latestOf(reported, alarm)
    const lostSince = ThingName !== null && hub?.Online !== true ? (hub?.SeenAt ?? null) : undefined
    const items = status
      ? withAlarm(deviceItems(device, status, lostSince, now), alarm, status, reported !== undefined)
      : NONE
    if (maintained.device(device)) {
      Maintained += Alike
      Items.push(...items.filter(bypassesMaintenance))
      continue
    }
    Watched += Alike
    if (ThingName !== null && lostSince !== undefined && isVital(device, reported)) vital.add(ThingName)
    Items.push(...items)
    if (!reported && lostSince === undefined && isOverdue(facts.addedAt?.(PeripheralUID), type, now))
      Items.push(neverSeen(device, facts.addedAt?.(PeripheralUID) ?? null))
    const isReported = (reported !== undefined && !isSettled(alarm, reported)) || reportsNothing(type)
    countReported(isReported && lostSince === undefined && !items.some(isSilence), device.HomeID, Alike)
  }
  for (const hub of watchedHubs) {
    countReported(hub.Online, hub.HomeID)
    Items.push(...hubItems(hub, vital.has(hub.ThingName), now))
  }
  Items.push(...energyItems(facts, maintained, now))
  if (facts.given) {
    const isSilentStill = (uid: string) => {
      const device = place.devices.get(uid)
      return device !== undefined && !facts.statusOf(uid) && !maintained.device(device)
    }
    Items.push(...givenItems(facts.given, isSilentStill, maintained, now))
  }
  const found = withStored(Items, place, facts, now)
  const needsAttention = found.some(({ Severity }) => Severity !== 'info')
  // If everything is in maintenance, nothing is monitored.
  const isCertain = facts.connected && Known === Watched && (Watched > 0 || Maintained === 0)
  return {
    Verdict: needsAttention ? 'attention' : isCertain ? 'clear' : 'unknown',
    Items: found.toSorted(byUrgency),
    Known,
    Watched,
    UnknownIn,
    Maintained,
  }
}

const NONE: AttentionItem[] = []
const byKey = <K extends string, T extends Record<K, string>>(rows: readonly T[], key: K): Map<string, T> =>
  new Map(rows.map((row) => [row[key], row]))

const isSilence = ({ Kind }: AttentionItem): boolean => Kind === 'meterSilent' || Kind === 'silent'

/** Whether a device that has never reported was added more than `FIRST_REPORT_TIMEOUT_MS` ago and should have. */
const isOverdue = (addedAt: number | undefined, type: DeviceType | undefined, now: number): boolean =>
  addedAt !== undefined && now - addedAt >= FIRST_REPORT_TIMEOUT_MS && !reportsNothing(type)

const neverSeen = (
  { PeripheralUID, PeripheralName, HomeID, RoomID }: WatchedDevice,
  Since: number | null,
): AttentionItem => ({
  Key: `neverSeen/${PeripheralUID}`,
  Kind: 'neverSeen',
  IsHub: false,
  Severity: SEVERITY_OF.neverSeen(),
  HomeID,
  RoomID,
  Subject: PeripheralUID,
  Name: PeripheralName,
  Since,
  Stale: null,
  ...storedOf(),
})

/** matters  whether a vital device is behind the hub */
function hubItems(hub: ThingWithState, isRelevant: boolean, now: number): AttentionItem[] {
  const { ThingName, DeviceName, HomeID, RoomID, SeenAt } = hub
  if (hub.Online) return NONE
  const item = {
    ...{ HomeID, RoomID, Subject: ThingName, Name: DeviceName, Since: SeenAt, Stale: null },
    ...storedOf(),
  }
  if (SeenAt === null) {
    const Severity = SEVERITY_OF.neverSeen()
    return [{ ...item, Key: `neverSeen/${ThingName}`, Kind: 'neverSeen', IsHub: true, Severity }]
  }
  if (now - SeenAt <= HUB_LOST_AFTER_MS) return NONE
  return [
    { ...item, Key: `hubLost/${ThingName}`, Kind: 'hubLost', Severity: SEVERITY_OF.hubLost(isRelevant) },
  ]
}

/** lostSince  time at which its hub was lost, null if unknown; undefined while the hub is connected */
function deviceItems(
  device: WatchedDevice,
  status: DeviceStatus,
  lostSince: number | null | undefined,
  now: number,
): AttentionItem[] {
  const { PeripheralUID, PeripheralType, PeripheralName, HomeID, RoomID } = device
  const found: AttentionItem[] = []
  const base = (): Omit<Item, 'Key' | 'Severity'> => ({
    HomeID,
    RoomID,
    Subject: PeripheralUID,
    Name: PeripheralName,
    Since: status.Timestamp,
    Stale: lostSince === undefined ? null : { Why: 'hubLost', Since: lostSince },
    ...storedOf(),
  })
  const state = hasAlarmStates(PeripheralType) ? alarmStateOf({ ...status, PeripheralType }) : undefined
  if (state) {
    const { Severity, Values } = state
    found.push({ ...base(), Key: `state/${PeripheralUID}`, Kind: 'state', Severity, PeripheralType, Values })
  }
  if (lostSince !== undefined) return found
  const breaches = breachesOf(device, status)
  if (breaches.length > 0) {
    const common = { Severity: SEVERITY_OF.breach(), Readings: readingsOf(breaches) }
    found.push({ ...base(), Key: `breach/${PeripheralUID}`, Kind: 'breach', ...common })
  }
  const Battery = lowBattery(status)
  if (Battery !== undefined) {
    // A report contains that the battery is low, but not since when.
    const common = { Severity: SEVERITY_OF.lowBattery(), Battery, Since: null }
    found.push({ ...base(), Key: `lowBattery/${PeripheralUID}`, Kind: 'lowBattery', ...common })
  }
  if (isMeterSilent(device, status, now)) {
    const Severity = SEVERITY_OF.meterSilent()
    found.push({ ...base(), Key: `meterSilent/${PeripheralUID}`, Kind: 'meterSilent', Severity })
  }
  if (isSilent(device, status.Timestamp, now)) {
    const Severity = SEVERITY_OF.silent(device)
    found.push({ ...base(), Key: `silent/${PeripheralUID}`, Kind: 'silent', Severity })
  }
  return found
}

const isMeterSilent = (device: WatchedDevice, status: DeviceStatus, now: number): boolean =>
  isMeter(device, status) && now - status.Timestamp >= meterSilentAfter(device)

/** Whether a device has stopped reporting although its hub is connected. */
export const hasStoppedReporting = (device: WatchedDevice, status: DeviceStatus, now: number): boolean =>
  isMeterSilent(device, status, now) || isSilent(device, status.Timestamp, now)

/** Sorts a reported critical state, e.g. fire, before a hub that was lost after it. */
const byUrgency = (a: AttentionItem, b: AttentionItem): number =>
  rankOf(a) - rankOf(b) ||
  SEVERITIES.indexOf(a.Severity) - SEVERITIES.indexOf(b.Severity) ||
  Number(isCriticalState(b)) - Number(isCriticalState(a)) ||
  (b.Since ?? 0) - (a.Since ?? 0)

const isCriticalState = ({ Kind, Severity }: AttentionItem): boolean =>
  Kind === 'state' && Severity === 'critical'

const rankOf = (item: AttentionItem): number =>
  item.Severity === 'info' ? 2 : item.Acknowledged || item.Shelved ? 1 : 0
