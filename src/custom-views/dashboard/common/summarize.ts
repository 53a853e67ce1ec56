import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { MOTION_DETECTED } from '../../../../contract/devices/capabilities/sensors.ts'
import { DEFAULT_ROLE, signOf } from '../../../../contract/devices/meter-roles.ts'
import { isSilent } from '../../../../contract/devices/device-health.ts'
import { isCurrent } from '../../../../contract/devices/status-order.ts'
import type { DeviceRow } from '../../../domain/devices/device-rows.ts'

/** Time since when a sensor has detected no one, epoch ms, as far as its reports show. */
type EmptyTracker = (uid: string, status: DeviceStatus) => number

interface LastChange {
  PeripheralUID: string
  Value: number
  Since: number
}

/**
 * Tracks since when each sensor has detected no one: a report gives the state, not its start.
 *
 * returns  also `applyChanges`, which takes the gateway's last changes from before this page was open
 */
export function createEmptyTracker(): EmptyTracker & { applyChanges(changes: readonly LastChange[]): void } {
  const sinceByUid = new Map<string, number>()
  const emptySince: EmptyTracker = (uid, { MotionState, Timestamp }) => {
    if (MotionState === MOTION_DETECTED) {
      sinceByUid.delete(uid)
      return Timestamp
    }
    const knownSince = sinceByUid.get(uid)
    if (knownSince !== undefined && knownSince <= Timestamp) return knownSince
    sinceByUid.set(uid, Timestamp)
    return Timestamp
  }
  return Object.assign(emptySince, {
    applyChanges(changes: readonly LastChange[]) {
      for (const { PeripheralUID, Value, Since } of changes)
        if (Value !== MOTION_DETECTED)
          sinceByUid.set(PeripheralUID, Math.min(sinceByUid.get(PeripheralUID) ?? Since, Since))
    },
  })
}

/** Time without motion after which lights that are on count as wasted. */
const EMPTY_AFTER_MS = 15 * 60_000

/** Devices or rooms in a state, among all of their kind; `unknown` counts those whose state is unknown now. */
export interface StateCount {
  count: number
  total: number
  unknown: number
}

export interface Summary {
  devices: number
  lights: StateCount
  doors: StateCount
  /** Rooms with a motion sensor; `count` is those with people. */
  rooms: StateCount
  /** RoomIDs of these rooms in which lights are on and no one has been detected for 15 minutes. */
  litEmpty: readonly number[]
  /** Range of indoor temperatures, °C; null if none is reported. */
  temperature: { low: number; high: number } | null
  /**
   * Power that the site uses, W, from the reporting meters: with an import meter, import minus export; otherwise the sum of the top-level
   * loads, because a submeter's load is part of its parent's. A lower bound if `meters.count` is below `meters.total`; null if no meter
   * reports or a silent one would be subtracted.
   */
  watts: number | null
  /** `count` is those with a reading younger than their update frequency (§4). */
  meters: StateCount
}

const tally = (): StateCount => ({ count: 0, total: 0, unknown: 0 })
const power = () => ({ ...tally(), watts: 0, isBounded: true })

interface RoomLife {
  /** For each sensor whether it detects a person, and since when it has not; undefined if the sensor is silent. */
  people: ({ isThere: boolean; since: number } | undefined)[]
  isLit: boolean
}

/** Fields that report the ambient temperature. */
const INDOOR_FIELDS = ['Temperature', 'IndoorTemperature'] as const

/**
 * Summary of a home or room, from its device list and last statuses.
 *
 * emptySince  time since when a sensor has detected no one
 * special     a switch with several relays is one light, on if any relay is; devices that are silent or behind an offline hub are
 *             unknown whatever they last reported; a meter without a current reading adds no power, nor does a submeter of
 *             these meters
 */
export function summarize(
  rows: readonly DeviceRow[],
  statusOf: (uid: string) => DeviceStatus | undefined,
  now: number,
  emptySince: EmptyTracker = (_, { Timestamp }) => Timestamp,
): Summary {
  const ids = new Set(rows.map(({ id }) => id))
  const sum = { devices: 0, lights: tally(), doors: tally(), temperature: null as Summary['temperature'] }
  const [loads, balance] = [power(), power()]
  const rooms = new Map<number, RoomLife>()
  let isBalanced = false
  for (const { device, hub, type, id, RoomID } of rows) {
    if (!device) continue
    sum.devices++
    const status = statusOf(id)
    const isKnown = hub?.Online === true && !(status && isSilent(device, status.Timestamp, now))
    const knownStatus = isKnown ? status : undefined
    const room = rooms.get(RoomID) ?? { people: [], isLit: false }
    rooms.set(RoomID, room)
    if (knownStatus) sum.temperature = widenRange(sum.temperature, knownStatus)
    for (const { name, command } of type?.capabilities ?? [])
      switch (name) {
        case 'switches': {
          // Relays of other categories may switch anything.
          if (type?.category !== 'LightSwitch') break
          const values = knownStatus && Object.keys(command).map((relay) => knownStatus[relay])
          add(sum.lights, values, 1)
          room.isLit ||= values?.includes(1) === true
          break
        }
        case 'door':
          add(sum.doors, knownStatus && [knownStatus['DoorState']], 2)
          break
        case 'motion':
        case 'presence':
          room.people.push(peopleOf(knownStatus, id, emptySince))
          break
        case 'meter': {
          if (device.ParentMeter !== null && ids.has(device.ParentMeter)) break
          // A Modbus device counts as a meter once it has reported a counter.
          if (type?.category === 'ModBus' && status?.['AccumulatePower'] === undefined) break
          const role = device.Role ?? DEFAULT_ROLE
          const sign = signOf(role)
          if (sign === 0 && role !== 'load') break
          if (role === 'gridImport') isBalanced = true
          addPower(sign === 0 ? loads : balance, device, status, sign || 1, now)
        }
      }
  }
  const { watts, isBounded, ...meters } = isBalanced ? balance : loads
  return {
    ...sum,
    ...livesOf(rooms, now),
    watts: meters.count > 0 && isBounded ? watts : null,
    meters,
  }
}

function addPower(
  to: ReturnType<typeof power>,
  device: Peripheral,
  status: DeviceStatus | undefined,
  sign: number,
  now: number,
): void {
  to.total++
  const watts = status?.['Power']
  const isNow = status !== undefined && isCurrent(status.Timestamp, device.PowerMeterUpdateFrequency, now)
  if (!isNow || typeof watts !== 'number') {
    if (sign < 0) to.isBounded = false
    return
  }
  to.count++
  to.watts += watts * sign
}

function peopleOf(
  status: DeviceStatus | undefined,
  id: string,
  emptySince: EmptyTracker,
): RoomLife['people'][0] {
  if (typeof status?.['MotionState'] !== 'number') return undefined
  return { isThere: status['MotionState'] === MOTION_DETECTED, since: emptySince(id, status) }
}

/** Rooms with people among those with sensors; a room is empty only if all of its sensors agree. */
function livesOf(rooms: ReadonlyMap<number, RoomLife>, now: number): Pick<Summary, 'rooms' | 'litEmpty'> {
  const counts = { rooms: tally(), litEmpty: [] as number[] }
  for (const [RoomID, { people, isLit }] of rooms) {
    if (people.length === 0) continue
    counts.rooms.total++
    if (people.some((presence) => presence?.isThere)) counts.rooms.count++
    else if (people.includes(undefined)) counts.rooms.unknown++
    else if (isLit && people.every((presence) => presence && now - presence.since >= EMPTY_AFTER_MS))
      counts.litEmpty.push(RoomID)
  }
  return counts
}

function widenRange(range: Summary['temperature'], status: DeviceStatus): Summary['temperature'] {
  let widest = range
  for (const field of INDOOR_FIELDS) {
    const value = status[field]
    if (typeof value !== 'number') continue
    widest = { low: Math.min(widest?.low ?? value, value), high: Math.max(widest?.high ?? value, value) }
  }
  return widest
}

/** Counts a device by its reported values: in the state if any is `expected`, unknown if it reported none. */
function add(to: StateCount, values: readonly unknown[] | undefined, expected: number): void {
  to.total++
  if (values?.includes(expected)) to.count++
  else if (!values?.some((value) => value !== undefined)) to.unknown++
}

/** Power of several homes together, from the reporting meters; null if it is unknown for all homes. */
export function totalPower(homes: readonly Pick<Summary, 'watts' | 'meters'>[]) {
  const sum = { watts: null as number | null, meters: tally() }
  for (const { watts, meters } of homes) {
    if (watts !== null) sum.watts = (sum.watts ?? 0) + watts
    for (const field of ['count', 'total', 'unknown'] as const) sum.meters[field] += meters[field]
  }
  return sum
}
