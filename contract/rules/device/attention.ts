import { lowBattery } from '../../device-kinds/capabilities/diagnostics.ts'
import { deviceType, reportsNothing } from '../../device-kinds/registry.ts'
import type { DeviceStatus } from '../../device-kinds/status.ts'
import type { Peripheral } from '../../resources/peripheral.ts'
import type { ThingWithState } from '../../resources/thing.ts'
import { isMeter } from '../meter/is-meter.ts'
import { isVital, LOST_AFTER, meterSilentAfter, SEVERITY_OF } from './alarm-kinds.ts'
import {
  alarmsByDevice,
  alarmsOfNobody,
  isSettled,
  latestOf,
  maintainedBy,
  pierces,
  storedOf,
  withAlarm,
  type AttentionNotes,
} from './attention-alarms.ts'
import { SEVERITIES, type AttentionItem } from './attention-item.ts'
import { withStored } from './attention-stored.ts'
import { isSilent } from './silence.ts'
import { troublesOf } from './troubles.ts'
import { breachesOf } from './warning-threshold.ts'

/** What is known of devices and hubs, of one home or of several. */
export interface AttentionFacts extends AttentionNotes {
  hubs: readonly ThingWithState[]
  devices: readonly Peripheral[]
  statusOf(uid: string): DeviceStatus | undefined
  /** Whether what changes is heard at this moment; without that nothing is known for certain. */
  connected: boolean
}

export type { AttentionItem } from './attention-item.ts'

export interface Attention {
  /** `clear` only when everything that is watched is known. */
  Verdict: 'clear' | 'attention' | 'unknown'
  /** The most severe first, then the newest; what somebody has acknowledged or put aside below what nobody has. */
  Items: readonly AttentionItem[]
  /** Of the devices and hubs that are watched, those whose state is known. */
  Known: number
  Watched: number
  /** Devices and hubs that are not watched because somebody works on them. */
  Maintained: number
}

/**
 * What needs somebody.
 *
 * A hub that is lost freezes what its devices said last and marks it: a state that means alarm or warning stays, doors and
 * motion, which are no alarms, become unknown, and so do readings. What a person has cleared is unknown until a newer report.
 * What is in maintenance is not watched, but for fire and smoke. Every other open alarm needs somebody until it is cleared, also
 * where the last report says no more of it.
 *
 * now  epoch ms
 */
export function attentionOf(facts: AttentionFacts, now: number): Attention {
  const hubs = new Map(facts.hubs.map((hub) => [hub.ThingName, hub]))
  const maintained = maintainedBy(facts.maintenances, now)
  const alarms = alarmsByDevice(facts.alarms)
  const seen = facts.devices.filter(({ PeripheralType }) => !deviceType(PeripheralType)?.hidden)
  const watched = seen.filter((device) => !maintained.device(device))
  const watchedHubs = facts.hubs.filter((hub) => !maintained.hub(hub))
  const vital = new Set(
    watched.flatMap((device) => {
      const isOne = device.ThingName !== null && isVital(device, facts.statusOf(device.PeripheralUID))
      return isOne ? [device.ThingName] : []
    }),
  )
  const Items: AttentionItem[] = watchedHubs.flatMap((hub) => hubItems(hub, vital.has(hub.ThingName), now))
  Items.push(...alarmsOfNobody(facts, facts.devices))
  let Known = watchedHubs.filter(({ Online }) => Online).length
  for (const device of seen) {
    const hub = device.ThingName === null ? undefined : hubs.get(device.ThingName)
    const alarm = alarms.get(device.PeripheralUID)
    const reported = facts.statusOf(device.PeripheralUID)
    const status = latestOf(reported, alarm)
    const isLost = device.ThingName !== null && hub?.Online !== true
    const lostSince = isLost ? (hub?.SeenAt ?? null) : undefined
    const items = status
      ? withAlarm(deviceItems(device, status, lostSince, now), alarm, status, reported !== undefined)
      : []
    if (maintained.device(device)) {
      Items.push(...items.filter(pierces))
      continue
    }
    Items.push(...items)
    const isHeard =
      (reported !== undefined && !isSettled(alarm, reported)) ||
      reportsNothing(deviceType(device.PeripheralType))
    if (isHeard && !isLost && !items.some(({ Kind }) => Kind === 'meterSilent' || Kind === 'silent')) Known++
  }
  const found = withStored(Items, facts, now)
  const Watched = watchedHubs.length + watched.length
  const needs = found.some(({ Severity }) => Severity !== 'info')
  const Maintained = facts.hubs.length + seen.length - Watched
  // Where everything is in maintenance nobody watches anything.
  const isCertain = facts.connected && Known === Watched && (Watched > 0 || Maintained === 0)
  return {
    Verdict: needs ? 'attention' : isCertain ? 'clear' : 'unknown',
    Items: found.toSorted(byUrgency),
    Known,
    Watched,
    Maintained,
  }
}

/** matters  whether something hangs on the hub of which somebody must know at once that it is not heard */
function hubItems(hub: ThingWithState, matters: boolean, now: number): AttentionItem[] {
  const { ThingName, HomeID, RoomID, SeenAt } = hub
  const item = { HomeID, RoomID, Subject: ThingName, Since: SeenAt, Stale: null, ...storedOf() }
  if (hub.Online) return []
  if (SeenAt === null)
    return [{ ...item, Key: `neverSeen/${ThingName}`, Kind: 'neverSeen', Severity: SEVERITY_OF.neverSeen() }]
  if (now - SeenAt <= LOST_AFTER) return []
  return [{ ...item, Key: `hubLost/${ThingName}`, Kind: 'hubLost', Severity: SEVERITY_OF.hubLost(matters) }]
}

/** lostSince  since when its hub is lost, or undefined while that is there */
function deviceItems(
  device: Peripheral,
  status: DeviceStatus,
  lostSince: number | null | undefined,
  now: number,
): AttentionItem[] {
  const { PeripheralUID, HomeID, RoomID } = device
  const item = {
    HomeID,
    RoomID,
    Subject: PeripheralUID,
    Since: status.Timestamp,
    Stale: lostSince === undefined ? null : ({ Why: 'hubLost', Since: lostSince } as const),
    ...storedOf(),
  }
  const found: AttentionItem[] = []
  const { troubles, urgent } = troublesOf(device, status)
  if (troubles.length > 0)
    found.push({
      ...item,
      Key: `state/${PeripheralUID}`,
      Kind: 'state',
      Severity: SEVERITY_OF.state(urgent),
      Troubles: troubles,
    })
  if (lostSince !== undefined) return found
  const breaches = breachesOf(device, status)
  if (breaches.length > 0)
    found.push({
      ...item,
      Key: `breach/${PeripheralUID}`,
      Kind: 'breach',
      Severity: SEVERITY_OF.breach(),
      Breaches: breaches,
    })
  const Battery = lowBattery(status)
  if (Battery !== undefined)
    found.push({
      ...item,
      Key: `lowBattery/${PeripheralUID}`,
      Kind: 'lowBattery',
      Severity: SEVERITY_OF.lowBattery(),
      Battery,
    })
  if (isMeter(device, status) && now - status.Timestamp >= meterSilentAfter(device))
    found.push({
      ...item,
      Key: `meterSilent/${PeripheralUID}`,
      Kind: 'meterSilent',
      Severity: SEVERITY_OF.meterSilent(),
    })
  if (isSilent(device, status.Timestamp, now))
    found.push({
      ...item,
      Key: `silent/${PeripheralUID}`,
      Kind: 'silent',
      Severity: SEVERITY_OF.silent(device),
    })
  return found
}

/** What nobody has acknowledged or put aside first, information last; then the most severe, then the newest. */
const byUrgency = (a: AttentionItem, b: AttentionItem): number =>
  rankOf(a) - rankOf(b) ||
  SEVERITIES.indexOf(a.Severity) - SEVERITIES.indexOf(b.Severity) ||
  (b.Since ?? 0) - (a.Since ?? 0)

const rankOf = (item: AttentionItem): number =>
  item.Severity === 'info' ? 2 : item.Acknowledged || item.Shelved ? 1 : 0
