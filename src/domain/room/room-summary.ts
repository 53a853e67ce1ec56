import { deviceType, isMeter } from '../../../contract/devices/kinds/registry.ts'
import type { ThermostatNode } from '../../../contract/devices/capabilities/thermostat.ts'
import { PLAIN_VALUE } from '../../../contract/devices/capabilities/sensors.ts'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { attentionOf } from '../../../contract/attention/attention.ts'
import type { AttentionNotes } from '../../../contract/attention/attention-alarms.ts'
import { roomValues } from '../../../contract/devices/room-values.ts'
import { isSilent } from '../../../contract/devices/device-health.ts'
import { isCurrent } from '../../../contract/devices/status-order.ts'
import { DEFAULT_ROLE } from '../../../contract/devices/meter-roles.ts'

/** Devices of one room, and the hubs that their state depends on. */
export interface RoomContents {
  RoomID: number
  /** Hubs in the room, and hubs elsewhere that connect its devices. */
  hubs: readonly ThingWithState[]
  devices: readonly Peripheral[]
  /** Meters whose power adds up to that of the room. */
  meters: ReadonlySet<string>
}

/** Number of devices in a state, out of a total; `unknown` counts those with an unknown state. */
export interface RoomTally {
  count: number
  total: number
  unknown: number
}

/** A figure of a room. `value` is null if none of the `total` devices that measure it reports one. */
export interface RoomFigure {
  value: number | null
  total: number
  unknown: number
}

export interface RoomSummary {
  /** Worst known state; `well` only if the state of everything monitored is known, `bare` if nothing is monitored. */
  state: 'critical' | 'warning' | 'unknown' | 'well' | 'bare'
  /** Number of items that need attention, without those of severity information. */
  attentionCount: number
  /** Number of monitored devices and hubs whose state is known. */
  knownCount: number
  watchedCount: number
  /** °C: mean of the sensors; without values from these, of thermostat zones; otherwise of appliances. */
  temperature: RoomFigure
  /** Presence and motion sensors that detect people. */
  people: RoomTally
  lights: RoomTally
  climate: RoomTally
  /** W of the room's meters that report on time. */
  watts: RoomFigure
  /** Maximum in ppm and µg/m³. */
  co2: RoomFigure
  pm25: RoomFigure
}

/**
 * Rooms of a home with their devices, by RoomID.
 *
 * special  a meter below another meter of the same room is part of that meter's power; a meter above one of another room
 * measures more than its room and is left out, as are meters that measure no load
 */
export function contentsOf(
  devices: readonly Peripheral[],
  hubs: readonly ThingWithState[],
): Map<number, RoomContents> {
  const byUid = new Map(devices.map((device) => [device.PeripheralUID, device]))
  const isBeyond = new Set<string>()
  const isBelow = new Set<string>()
  for (const device of devices) {
    const visited = new Set([device.PeripheralUID])
    let ancestor = parentOf(device, byUid)
    while (ancestor && !visited.has(ancestor.PeripheralUID)) {
      visited.add(ancestor.PeripheralUID)
      if (ancestor.RoomID !== device.RoomID) isBeyond.add(ancestor.PeripheralUID)
      ancestor = parentOf(ancestor, byUid)
    }
  }
  const isCounted = (device: Peripheral) =>
    !isBeyond.has(device.PeripheralUID) && (device.Role ?? DEFAULT_ROLE) === 'load'
  for (const device of devices) {
    const parent = parentOf(device, byUid)
    if (parent && parent.RoomID === device.RoomID && isCounted(parent)) isBelow.add(device.PeripheralUID)
  }
  const rooms = new Map<number, Peripheral[]>()
  for (const hub of hubs) if (!rooms.has(hub.RoomID)) rooms.set(hub.RoomID, [])
  for (const device of devices) {
    const room = rooms.get(device.RoomID)
    if (room) room.push(device)
    else rooms.set(device.RoomID, [device])
  }
  return new Map(
    [...rooms].map(([RoomID, roomDevices]) => {
      const hubNames = new Set(roomDevices.map(({ ThingName }) => ThingName))
      const meters = roomDevices.filter((meter) => isCounted(meter) && !isBelow.has(meter.PeripheralUID))
      return [
        RoomID,
        {
          RoomID,
          hubs: hubs.filter((hub) => hub.RoomID === RoomID || hubNames.has(hub.ThingName)),
          devices: roomDevices,
          meters: new Set(meters.map(({ PeripheralUID }) => PeripheralUID)),
        },
      ]
    }),
  )
}

const parentOf = ({ ParentMeter }: Peripheral, byUid: ReadonlyMap<string, Peripheral>) =>
  ParentMeter === null ? undefined : byUid.get(ParentMeter)

/** Facts in addition to the contents of a room. */
export interface RoomFacts extends Pick<AttentionNotes, 'alarms' | 'maintenances'> {
  statusOf(uid: string): DeviceStatus | undefined
  /** Whether the realtime channel is connected. */
  connected: boolean
}

/**
 * Summary of one room.
 *
 * now      epoch ms
 * special  devices that are silent or whose hub is offline are unknown, whatever they reported last; their alarms stay
 */
export function summarizeRoom(contents: RoomContents, facts: RoomFacts, now: number): RoomSummary {
  const hubs = new Map(contents.hubs.map((hub) => [hub.ThingName, hub]))
  const [lights, climate, people] = [tally(), tally(), tally()]
  const watts = figure()
  const air = { co2: values(), pm25: values() }
  const warmth = [values(), values(), values()] as const
  for (const device of contents.devices) {
    const { PeripheralType, PeripheralUID, ThingName } = device
    const type = deviceType(PeripheralType)
    if (!type || type.hidden) continue
    const status = facts.statusOf(PeripheralUID)
    const isHubOnline = ThingName === null || hubs.get(ThingName)?.Online === true
    const freshStatus = isHubOnline && status && !isSilent(device, status.Timestamp, now) ? status : undefined
    const lamps = roomValues('lights', { On: 1 }, { PeripheralType, status: status ?? null })
    if (lamps)
      count(
        lights,
        Object.keys(lamps).map((field) => freshStatus?.[field]),
      )
    switch (type.category) {
      case 'Thermostat': {
        const zones = (freshStatus?.['ThermostatTable'] ?? []) as ThermostatNode[]
        count(
          climate,
          zones.map(({ Switch }) => Switch),
        )
        note(warmth[1], ...zones.map(({ Temperature }) => Temperature))
        break
      }
      case 'TaiSEIA':
        count(climate, [freshStatus?.['Switch']])
        note(warmth[2], freshStatus?.['IndoorTemperature'])
        break
      case 'Motion':
      case 'Presence':
        count(people, [freshStatus?.['MotionState']])
        break
      case 'Sensor': {
        const quantity = status?.['Quantity']
        if (quantity === 'co2') note(air.co2, freshStatus?.[PLAIN_VALUE])
        if (quantity === 'temperature' && status?.['Unit'] === '°C')
          note(warmth[0], freshStatus?.[PLAIN_VALUE])
        break
      }
      case 'PM25':
        note(air.pm25, freshStatus?.['PM25'])
        // Not all of these devices measure the temperature.
        if (status?.['Temperature'] !== undefined) note(warmth[0], freshStatus?.['Temperature'])
    }
    if (contents.meters.has(PeripheralUID) && isMeter(device, status)) {
      const isInTime = freshStatus && isCurrent(freshStatus.Timestamp, device.PowerMeterUpdateFrequency, now)
      addPower(watts, isInTime ? freshStatus['Power'] : undefined)
    }
  }
  return {
    ...stateOf(contents, facts, now),
    temperature: meanOf(warmth),
    people,
    lights,
    climate,
    watts,
    co2: highestOf(air.co2),
    pm25: highestOf(air.pm25),
  }
}

/** Items that need attention in a room, by the rules of the whole site; hubs elsewhere only make its devices unknown. */
function stateOf(
  { RoomID, devices, hubs }: RoomContents,
  { alarms = [], maintenances, statusOf, connected }: RoomFacts,
  now: number,
): Pick<RoomSummary, 'state' | 'attentionCount' | 'knownCount' | 'watchedCount'> {
  const deviceIds = new Set(devices.map(({ PeripheralUID }) => PeripheralUID))
  const [ownHubs, otherHubs] = [
    hubs.filter((hub) => hub.RoomID === RoomID),
    hubs.filter((hub) => hub.RoomID !== RoomID),
  ]
  const ownNames = new Set(ownHubs.map(({ ThingName }) => ThingName))
  const roomAlarms = alarms.filter(({ PeripheralUID, ThingName }) =>
    PeripheralUID === null ? ThingName !== null && ownNames.has(ThingName) : deviceIds.has(PeripheralUID),
  )
  const common = { maintenances, statusOf, connected }
  const all = attentionOf({ ...common, devices, hubs, alarms: roomAlarms }, now)
  const outside = attentionOf({ ...common, devices: [], hubs: otherHubs }, now)
  const otherHubNames = new Set(otherHubs.map(({ ThingName }) => ThingName))
  const items = all.Items.filter(
    ({ Severity, Subject }) => Severity !== 'info' && !otherHubNames.has(Subject),
  )
  const [knownCount, watchedCount] = [all.Known - outside.Known, all.Watched - outside.Watched]
  const worstState = items.some(({ Severity }) => Severity === 'critical')
    ? 'critical'
    : items.length > 0
      ? 'warning'
      : watchedCount + all.Maintained - outside.Maintained === 0
        ? 'bare'
        : connected && watchedCount > 0 && knownCount === watchedCount
          ? 'well'
          : 'unknown'
  return { state: worstState, attentionCount: items.length, knownCount, watchedCount }
}

const tally = (): RoomTally => ({ count: 0, total: 0, unknown: 0 })
const figure = (): RoomFigure => ({ value: null, total: 0, unknown: 0 })
const values = () => ({ measured: [] as number[], total: 0, unknown: 0 })

/** Counts a device by its parts: in the state if any part is, unknown if no part has a value. */
function count(to: RoomTally, parts: readonly unknown[]): void {
  to.total++
  if (parts.includes(1)) to.count++
  else if (!parts.some((part) => part !== undefined)) to.unknown++
}

/** Records the measured values of one device. */
function note(to: ReturnType<typeof values>, ...readings: unknown[]): void {
  const numbers = readings.filter((reading) => typeof reading === 'number')
  to.total++
  if (numbers.length === 0) to.unknown++
  to.measured.push(...numbers)
}

function addPower(to: RoomFigure, power: unknown): void {
  to.total++
  if (typeof power === 'number') to.value = (to.value ?? 0) + power
  else to.unknown++
}

/** Mean of the first kind that has values; if none has, all are unknown. */
function meanOf(sorts: readonly ReturnType<typeof values>[]): RoomFigure {
  const bestSort = sorts.find(({ measured }) => measured.length > 0) ?? sorts.find(({ total }) => total > 0)
  if (!bestSort) return figure()
  const { measured, total, unknown } = bestSort
  const sum = measured.reduce((all, reading) => all + reading, 0)
  return { value: measured.length > 0 ? sum / measured.length : null, total, unknown }
}

const highestOf = ({ measured, total, unknown }: ReturnType<typeof values>): RoomFigure => ({
  value: measured.length > 0 ? Math.max(...measured) : null,
  total,
  unknown,
})
