import { lowBattery } from '../../device-kinds/capabilities/diagnostics.ts'
import { applies, type Capability } from '../../device-kinds/capability.ts'
import { choiceOf } from '../../device-kinds/field-shape.ts'
import { deviceType, reportsNothing } from '../../device-kinds/registry.ts'
import type { DeviceStatus } from '../../device-kinds/status.ts'
import type { Peripheral } from '../../resources/peripheral.ts'
import type { ThingWithState } from '../../resources/thing.ts'
import { isMeter } from '../meter/is-meter.ts'
import { isSilent } from './silence.ts'
import { breachesOf, type Breach } from './warning-threshold.ts'

/** A hub that is away for less, in ms, is only reconnecting. */
const LOST_AFTER = 60_000
/** A meter is silent when so many of its reports are due. */
const REPORTS_DUE = 3

/** What is known of devices and hubs, of one home or of several. */
export interface AttentionFacts {
  hubs: readonly ThingWithState[]
  devices: readonly Peripheral[]
  statusOf(uid: string): DeviceStatus | undefined
  /** Whether what changes is heard at this moment; without that nothing is known for certain. */
  connected: boolean
}

/** What a device says of itself that asks for somebody, e.g. smoke, or a full tank. */
export interface Trouble {
  capability: Capability
  field: string
  value: unknown
}

export const SEVERITIES = ['critical', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

interface Item {
  /** Of one thing for one reason: the same as long as that stands. */
  Key: string
  Severity: Severity
  HomeID: string
  RoomID: number
  /** A PeripheralUID, or of `hubLost` and `neverSeen` a ThingName. */
  Subject: string
  /** Since when, epoch ms; null when nobody knows. */
  Since: number | null
  /** Why this is no longer certain: what was said last before the hub was lost. */
  Stale: { Why: 'hubLost'; Since: number | null } | null
}

export type AttentionItem = Item &
  (
    | { Kind: 'state'; Troubles: readonly Trouble[] }
    | { Kind: 'breach'; Breaches: readonly Breach[] }
    | { Kind: 'lowBattery'; Battery: number }
    | { Kind: 'hubLost' | 'neverSeen' | 'meterSilent' | 'silent' }
  )

export interface Attention {
  /** `clear` only when everything that is watched is known. */
  Verdict: 'clear' | 'attention' | 'unknown'
  /** The most severe first, then the newest. */
  Items: readonly AttentionItem[]
  /** Of the devices and hubs that are watched, those whose state is known. */
  Known: number
  Watched: number
}

/**
 * What needs somebody.
 *
 * A hub that is lost freezes what its devices said last and marks it: a state that means alarm or warning stays, doors and
 * motion, which are no alarms, become unknown, and so do readings.
 *
 * now  epoch ms
 */
export function attentionOf(facts: AttentionFacts, now: number): Attention {
  const hubs = new Map(facts.hubs.map((hub) => [hub.ThingName, hub]))
  const watched = facts.devices.filter(({ PeripheralType }) => !deviceType(PeripheralType)?.hidden)
  const vital = new Set(
    watched.flatMap((device) => {
      const isOne = device.ThingName !== null && isVital(device, facts.statusOf(device.PeripheralUID))
      return isOne ? [device.ThingName] : []
    }),
  )
  const Items: AttentionItem[] = facts.hubs.flatMap((hub) => hubItems(hub, vital.has(hub.ThingName), now))
  let Known = facts.hubs.filter(({ Online }) => Online).length
  for (const device of watched) {
    const hub = device.ThingName === null ? undefined : hubs.get(device.ThingName)
    const status = facts.statusOf(device.PeripheralUID)
    const isLost = device.ThingName !== null && hub?.Online !== true
    const items = status ? deviceItems(device, status, isLost ? (hub?.SeenAt ?? null) : undefined, now) : []
    Items.push(...items)
    const isHeard = status !== undefined || reportsNothing(deviceType(device.PeripheralType))
    if (isHeard && !isLost && !items.some(({ Kind }) => Kind === 'meterSilent' || Kind === 'silent')) Known++
  }
  const Watched = facts.hubs.length + watched.length
  const needs = Items.some(({ Severity }) => Severity !== 'info')
  const isCertain = facts.connected && Known === Watched
  return {
    Verdict: needs ? 'attention' : isCertain ? 'clear' : 'unknown',
    Items: Items.toSorted(
      (a, b) =>
        SEVERITIES.indexOf(a.Severity) - SEVERITIES.indexOf(b.Severity) || (b.Since ?? 0) - (a.Since ?? 0),
    ),
    Known,
    Watched,
  }
}

/** matters  whether something hangs on the hub of which somebody must know at once that it is not heard */
function hubItems(hub: ThingWithState, matters: boolean, now: number): AttentionItem[] {
  const { ThingName, HomeID, RoomID, SeenAt } = hub
  const item = { HomeID, RoomID, Subject: ThingName, Since: SeenAt, Stale: null }
  if (hub.Online) return []
  if (SeenAt === null)
    return [{ ...item, Key: `neverSeen/${ThingName}`, Kind: 'neverSeen', Severity: 'info' }]
  if (now - SeenAt <= LOST_AFTER) return []
  return [
    { ...item, Key: `hubLost/${ThingName}`, Kind: 'hubLost', Severity: matters ? 'critical' : 'warning' },
  ]
}

/** Whether somebody must know at once that a device is not heard: smoke, doors, the main meters. */
const isVital = (device: Peripheral, status: DeviceStatus | undefined): boolean =>
  (device.ParentMeter === null && isMeter(device, status)) ||
  capabilitiesOf(device.PeripheralType).some(({ name }) => name === 'smoke' || name === 'door')

const capabilitiesOf = (type: string): readonly Capability[] => deviceType(type)?.capabilities ?? []

/** lostSince  since when its hub is lost, or undefined while that is there */
function deviceItems(
  device: Peripheral,
  status: DeviceStatus,
  lostSince: number | null | undefined,
  now: number,
): AttentionItem[] {
  const { PeripheralUID, HomeID, RoomID, PowerMeterUpdateFrequency } = device
  const item = {
    HomeID,
    RoomID,
    Subject: PeripheralUID,
    Since: status.Timestamp,
    Stale: lostSince === undefined ? null : ({ Why: 'hubLost', Since: lostSince } as const),
  }
  const found: AttentionItem[] = []
  const { troubles, urgent } = troublesOf(device, status)
  if (troubles.length > 0)
    found.push({
      ...item,
      Key: `state/${PeripheralUID}`,
      Kind: 'state',
      Severity: urgent ? 'critical' : 'warning',
      Troubles: troubles,
    })
  if (lostSince !== undefined) return found
  const breaches = breachesOf(device, status)
  if (breaches.length > 0)
    found.push({
      ...item,
      Key: `breach/${PeripheralUID}`,
      Kind: 'breach',
      Severity: 'critical',
      Breaches: breaches,
    })
  const Battery = lowBattery(status)
  if (Battery !== undefined)
    found.push({
      ...item,
      Key: `lowBattery/${PeripheralUID}`,
      Kind: 'lowBattery',
      Severity: 'warning',
      Battery,
    })
  if (isMeter(device, status) && now - status.Timestamp >= REPORTS_DUE * PowerMeterUpdateFrequency * 1000)
    found.push({ ...item, Key: `meterSilent/${PeripheralUID}`, Kind: 'meterSilent', Severity: 'warning' })
  if (isSilent(device, status.Timestamp, now))
    found.push({
      ...item,
      Key: `silent/${PeripheralUID}`,
      Kind: 'silent',
      Severity: isMissed(device) ? 'warning' : 'info',
    })
  return found
}

/** Whether somebody is to know that a device is silent: it can warn, or a person said after how long it is silent. */
const isMissed = ({ PeripheralType, SilentAfter }: Peripheral): boolean =>
  SilentAfter !== null ||
  capabilitiesOf(PeripheralType).some(({ choices = {} }) =>
    Object.values(choices).some((values) =>
      values.some(([, , meaning]) => meaning === 'alarm' || meaning === 'warning'),
    ),
  )

/** The fields of a device whose value means alarm or warning; `urgent` when one means alarm. An open door is none. */
export function troublesOf(
  { PeripheralType }: Pick<Peripheral, 'PeripheralType'>,
  status: DeviceStatus,
): { troubles: Trouble[]; urgent: boolean } {
  let urgent = false
  const troubles: Trouble[] = []
  for (const capability of capabilitiesOf(PeripheralType)) {
    if (capability.name === 'door' || !capability.choices || !applies(capability, status)) continue
    for (const [field, choices] of Object.entries(capability.choices)) {
      const meaning = choiceOf(choices, status[field])?.[2]
      if (meaning !== 'alarm' && meaning !== 'warning') continue
      urgent ||= meaning === 'alarm'
      troubles.push({ capability, field, value: status[field] })
    }
  }
  return { troubles, urgent }
}
