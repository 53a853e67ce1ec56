import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import type { ThermostatNode } from '../../../contract/devices/capabilities/thermostat.ts'
import { PLAIN_VALUE } from '../../../contract/devices/capabilities/sensor.ts'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { attentionOf } from '../../../contract/attention/attention.ts'
import type { AttentionNotes } from '../../../contract/attention/attention-alarms.ts'
import { roomValues } from '../../../contract/devices/room-values.ts'
import { isSilent } from '../../../contract/devices/silence.ts'
import { isCurrent } from '../../../contract/devices/status-order.ts'
import { isMeter } from '../../../contract/meters/is-meter.ts'
import { DEFAULT_ROLE } from '../../../contract/devices/meter-roles.ts'

/** What stands in one room, and all that its state hangs on. */
export interface RoomContents {
  RoomID: number
  /** Hubs in the room, and those elsewhere through which its devices speak. */
  hubs: readonly ThingWithState[]
  devices: readonly Peripheral[]
  /** Meters of the room whose power adds up to the room's. */
  meters: ReadonlySet<string>
}

/** Devices in a state, of how many; `unknown` are those whose state nobody can tell now. */
export interface RoomTally {
  count: number
  total: number
  unknown: number
}

/** A figure of a room. `value` is null while none of the `total` devices that could tell it does. */
export interface RoomFigure {
  value: number | null
  total: number
  unknown: number
}

export interface RoomSummary {
  /** The worst that is known; `well` only while everything that is watched is known, `bare` where nothing is to be watched. */
  state: 'critical' | 'warning' | 'unknown' | 'well' | 'bare'
  /** What needs somebody, information left out. */
  needs: number
  /** Of the devices and hubs that are watched, those whose state is known. */
  known: number
  watched: number
  /** °C: the mean of sensors; where none tells it of thermostat zones, else of appliances. */
  temperature: RoomFigure
  /** Sensors of presence and motion that see somebody. */
  people: RoomTally
  lights: RoomTally
  climate: RoomTally
  /** W of the meters of the room that report in time. */
  watts: RoomFigure
  /** ppm and µg/m³: the highest. */
  co2: RoomFigure
  pm25: RoomFigure
}

/**
 * The rooms of a home with what stands in them, by RoomID.
 *
 * special  a meter below another one of the same room is part of that one's power; one above a meter of another room counts
 *          more than its room and is left out, as is what is no load
 */
export function contentsOf(
  devices: readonly Peripheral[],
  hubs: readonly ThingWithState[],
): Map<number, RoomContents> {
  const byUid = new Map(devices.map((device) => [device.PeripheralUID, device]))
  const isBeyond = new Set<string>()
  const isBelow = new Set<string>()
  for (const device of devices) {
    const seen = new Set([device.PeripheralUID])
    let above = parentOf(device, byUid)
    while (above && !seen.has(above.PeripheralUID)) {
      seen.add(above.PeripheralUID)
      if (above.RoomID !== device.RoomID) isBeyond.add(above.PeripheralUID)
      above = parentOf(above, byUid)
    }
  }
  const counts = (device: Peripheral) =>
    !isBeyond.has(device.PeripheralUID) && (device.Role ?? DEFAULT_ROLE) === 'load'
  for (const device of devices) {
    const above = parentOf(device, byUid)
    if (above && above.RoomID === device.RoomID && counts(above)) isBelow.add(device.PeripheralUID)
  }
  const rooms = new Map<number, Peripheral[]>()
  for (const hub of hubs) if (!rooms.has(hub.RoomID)) rooms.set(hub.RoomID, [])
  for (const device of devices) {
    const room = rooms.get(device.RoomID)
    if (room) room.push(device)
    else rooms.set(device.RoomID, [device])
  }
  return new Map(
    [...rooms].map(([RoomID, inside]) => {
      const through = new Set(inside.map(({ ThingName }) => ThingName))
      const meters = inside.filter((one) => counts(one) && !isBelow.has(one.PeripheralUID))
      return [
        RoomID,
        {
          RoomID,
          hubs: hubs.filter((hub) => hub.RoomID === RoomID || through.has(hub.ThingName)),
          devices: inside,
          meters: new Set(meters.map(({ PeripheralUID }) => PeripheralUID)),
        },
      ]
    }),
  )
}

const parentOf = ({ ParentMeter }: Peripheral, byUid: ReadonlyMap<string, Peripheral>) =>
  ParentMeter === null ? undefined : byUid.get(ParentMeter)

/** What is known beside the contents of a room. */
export interface RoomFacts extends Pick<AttentionNotes, 'alarms' | 'maintenances'> {
  statusOf(uid: string): DeviceStatus | undefined
  /** Whether what changes is heard at this moment. */
  connected: boolean
}

/**
 * One room at a glance.
 *
 * now      epoch ms
 * special  what stands behind a lost hub or is silent is unknown, whatever it said last; an alarm stays
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
    const isHeard = ThingName === null || hubs.get(ThingName)?.Online === true
    const seen = isHeard && status && !isSilent(device, status.Timestamp, now) ? status : undefined
    const lamps = roomValues('lights', { On: 1 }, { PeripheralType, status: status ?? null })
    if (lamps)
      count(
        lights,
        Object.keys(lamps).map((field) => seen?.[field]),
      )
    switch (type.category) {
      case 'Thermostat': {
        const zones = (seen?.['ThermostatTable'] ?? []) as ThermostatNode[]
        count(
          climate,
          zones.map(({ Switch }) => Switch),
        )
        note(warmth[1], ...zones.map(({ Temperature }) => Temperature))
        break
      }
      case 'TaiSEIA':
        count(climate, [seen?.['Switch']])
        note(warmth[2], seen?.['IndoorTemperature'])
        break
      case 'Motion':
      case 'Presence':
        count(people, [seen?.['MotionState']])
        break
      case 'Sensor': {
        const quantity = status?.['Quantity']
        if (quantity === 'co2') note(air.co2, seen?.[PLAIN_VALUE])
        if (quantity === 'temperature' && status?.['Unit'] === '°C') note(warmth[0], seen?.[PLAIN_VALUE])
        break
      }
      case 'PM25':
        note(air.pm25, seen?.['PM25'])
        // Not every one of them measures it.
        if (status?.['Temperature'] !== undefined) note(warmth[0], seen?.['Temperature'])
    }
    if (contents.meters.has(PeripheralUID) && isMeter(device, status)) {
      const isInTime = seen && isCurrent(seen.Timestamp, device.PowerMeterUpdateFrequency, now)
      addPower(watts, isInTime ? seen['Power'] : undefined)
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

/** What needs somebody in a room, by the rule of the whole site; hubs elsewhere only make its devices unknown. */
function stateOf(
  { RoomID, devices, hubs }: RoomContents,
  { alarms = [], maintenances, statusOf, connected }: RoomFacts,
  now: number,
): Pick<RoomSummary, 'state' | 'needs' | 'known' | 'watched'> {
  const inside = new Set(devices.map(({ PeripheralUID }) => PeripheralUID))
  const [own, elsewhere] = [
    hubs.filter((hub) => hub.RoomID === RoomID),
    hubs.filter((hub) => hub.RoomID !== RoomID),
  ]
  const ownNames = new Set(own.map(({ ThingName }) => ThingName))
  const about = alarms.filter(({ PeripheralUID, ThingName }) =>
    PeripheralUID === null ? ThingName !== null && ownNames.has(ThingName) : inside.has(PeripheralUID),
  )
  const common = { maintenances, statusOf, connected }
  const whole = attentionOf({ ...common, devices, hubs, alarms: about }, now)
  const others = attentionOf({ ...common, devices: [], hubs: elsewhere }, now)
  const foreign = new Set(elsewhere.map(({ ThingName }) => ThingName))
  const items = whole.Items.filter(({ Severity, Subject }) => Severity !== 'info' && !foreign.has(Subject))
  const [known, watched] = [whole.Known - others.Known, whole.Watched - others.Watched]
  const worst = items.some(({ Severity }) => Severity === 'critical')
    ? 'critical'
    : items.length > 0
      ? 'warning'
      : watched + whole.Maintained - others.Maintained === 0
        ? 'bare'
        : connected && watched > 0 && known === watched
          ? 'well'
          : 'unknown'
  return { state: worst, needs: items.length, known, watched }
}

const tally = (): RoomTally => ({ count: 0, total: 0, unknown: 0 })
const figure = (): RoomFigure => ({ value: null, total: 0, unknown: 0 })
const values = () => ({ heard: [] as number[], total: 0, unknown: 0 })

/** Counts a device by its parts: in the state when any is, unknown when none says anything. */
function count(to: RoomTally, parts: readonly unknown[]): void {
  to.total++
  if (parts.includes(1)) to.count++
  else if (!parts.some((part) => part !== undefined)) to.unknown++
}

/** Notes what one device measures, at one place or several. */
function note(to: ReturnType<typeof values>, ...heard: unknown[]): void {
  const numbers = heard.filter((one) => typeof one === 'number')
  to.total++
  if (numbers.length === 0) to.unknown++
  to.heard.push(...numbers)
}

function addPower(to: RoomFigure, power: unknown): void {
  to.total++
  if (typeof power === 'number') to.value = (to.value ?? 0) + power
  else to.unknown++
}

/** Of the first sort that tells anything; what none tells is unknown of all. */
function meanOf(sorts: readonly ReturnType<typeof values>[]): RoomFigure {
  const best = sorts.find(({ heard }) => heard.length > 0) ?? sorts.find(({ total }) => total > 0)
  if (!best) return figure()
  const { heard, total, unknown } = best
  const sum = heard.reduce((all, one) => all + one, 0)
  return { value: heard.length > 0 ? sum / heard.length : null, total, unknown }
}

const highestOf = ({ heard, total, unknown }: ReturnType<typeof values>): RoomFigure => ({
  value: heard.length > 0 ? Math.max(...heard) : null,
  total,
  unknown,
})
