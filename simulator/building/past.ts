import type { MeterReading } from '../../contract/meters/channels.ts'
import { capabilityOf } from '../../contract/devices/kinds/registry.ts'
import { type Building, createBuilding, type DeviceStates, type HubDevice, catchUpSince } from './building.ts'
import { startOfDay, startOfMonth } from '../scenarios/taiwan.ts'
import { dayFactorOf, FULL_DAYS, simulatedDays } from './day-kinds.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const QUARTER = 15 * MINUTE

/** Number of days that include power and voltage. */
const POWER_DAYS = 31
/** Number of whole months before the current one: with 13, the last whole month can be compared with the one a year before. */
const MONTHS = 13

/** Start of the demo's past, epoch ms. */
export const startOfPast = (until: number): number => startOfMonth(until, MONTHS)

/** A past incident of a meter; days are counted back from the day in which the past ends. */
export type Incident =
  | { kind: 'silent'; fromDay: number; throughDay: number }
  /** The meter was replaced at 10:10 of that day; the old counter was `excess` kWh above the new one. */
  | { kind: 'replaced'; day: number; excess: number }

/** Time at which a meter was replaced, between two of its readings. */
export const replacedAt = (until: number, day: number): number =>
  startOfDay(until) - day * DAY + 10 * HOUR + 10 * MINUTE

/** The registers of a meter; the second one counts the other direction. */
const REGISTERS = ['AccumulatePower', 'AccumulateReturn'] as const
type Register = (typeof REGISTERS)[number]
type Counters = Partial<Record<Register, number>>

/** Readings of a simulated day, with counters of a new building. */
interface SimulatedDay {
  /** Start of the day, epoch ms. */
  from: number
  readings: readonly MeterReading[]
  /** Counters at its beginning and at its end, by PeripheralUID. */
  began: ReadonlyMap<string, Counters>
  ended: ReadonlyMap<string, Counters>
}

/**
 * Past readings of a hub's meters, a portion for each day, newest first. A meter without a parent on the hub, a plant or a battery is
 * read every quarter of an hour, as bills and contracts require; so are all others for the last two months, before that every hour.
 * Days before these two months repeat one simulated day of their kind, times a factor of the day.
 *
 * until      epoch ms; the counters then equal those of a new building, so that later readings continue them
 * incidents  by PeripheralUID
 * returns    readings of each day, ascending in time
 */
export function* pastOf(
  devices: readonly HubDevice[],
  until: number,
  seed: number,
  incidents: Readonly<Record<string, Incident>> = {},
): Generator<MeterReading[]> {
  const meters = devices.filter(isCounter)
  const parts = partsOf(devices, meters)
  const counted = new Set(meters.flatMap(({ scenario }) => scenario.feeds ?? []))
  const isSupply = ({ PeripheralUID, scenario: { wiring } }: HubDevice) =>
    !counted.has(PeripheralUID) || wiring?.source !== undefined || wiring?.storage !== undefined
  /** Value of each counter at the end of the day that is computed next. */
  const reported = new Map<string, Counters>()
  const building = createBuilding(parts, seed)
  for (const { PeripheralUID: uid } of meters) reported.set(uid, countersOf(building.report(uid)))
  const hub = devices[0]?.PeripheralUID ?? ''
  const today = startOfDay(until)
  const first = startOfPast(until)
  const dayCount = (today - first) / DAY + 1
  const repeated = simulatedDays(parts, seed, { first, last: today - FULL_DAYS * DAY })
  const days = new Map<number, SimulatedDay>()

  for (let day = 0; day < dayCount; day++) {
    const from = today - day * DAY
    const isFull = day < FULL_DAYS
    const simulated = isFull ? simulate(from, day) : dayLike(from, day)
    const portion = placeDay(simulated, from, isFull ? 1 : dayFactorOf(seed, hub, from))
      .filter((reading) => !isLost(reading, day))
      .map((reading) => asShown(reading, day))
    yield portion
  }

  /** The simulated day that this one repeats. */
  function dayLike(from: number, day: number): SimulatedDay {
    const simulatedFrom = repeated.get(from) as number
    const known = days.get(simulatedFrom) ?? simulate(simulatedFrom, day)
    days.set(simulatedFrom, known)
    return known
  }

  function simulate(from: number, day: number): SimulatedDay {
    const to = Math.min(from + DAY, until)
    const building = createBuilding(parts, seed)
    const counters = () =>
      new Map(meters.map(({ PeripheralUID: uid }) => [uid, countersOf(building.report(uid))] as const))
    const began = counters()
    const readings: MeterReading[] = []
    const step = day < FULL_DAYS ? QUARTER / 2 : QUARTER
    for (let at = from; at < to; at += step) {
      if ((at - from) % QUARTER === 0) {
        building.step(0, at)
        for (const device of meters) {
          const interval = day < FULL_DAYS || isSupply(device) ? QUARTER : HOUR
          if ((at - from) % interval === 0 && !building.isSilent(device.PeripheralUID))
            readings.push(readingOf(building, device, at, day < POWER_DAYS))
        }
      }
      building.step(Math.min(step, to - at) / 1000, at)
    }
    return { from, readings, began, ended: counters() }
  }

  /** Readings of a simulated day on another one as if no meter had been replaced; moves the counters back to its beginning. */
  function placeDay(
    { from: simulatedFrom, readings, began, ended }: SimulatedDay,
    from: number,
    factor: number,
  ): MeterReading[] {
    const at = new Map(reported)
    const before = (uid: string, register: Register, value: number): number =>
      (at.get(uid)?.[register] ?? 0) - factor * ((ended.get(uid)?.[register] ?? 0) - value)
    for (const [uid, counters] of began)
      reported.set(
        uid,
        Object.fromEntries(
          Object.entries(counters).map(([register, value]) => [
            register,
            before(uid, register as Register, value),
          ]),
        ),
      )
    return readings.map((reading) => {
      const { PeripheralUID, Timestamp, AccumulatePower, AccumulateReturn } = reading
      return {
        ...reading,
        Timestamp: Timestamp - simulatedFrom + from,
        AccumulatePower: kwh(before(PeripheralUID, 'AccumulatePower', AccumulatePower)),
        ...(AccumulateReturn !== undefined && {
          AccumulateReturn: kwh(before(PeripheralUID, 'AccumulateReturn', AccumulateReturn)),
        }),
      }
    })
  }

  function isLost({ PeripheralUID }: MeterReading, day: number): boolean {
    const incident = incidents[PeripheralUID]
    return incident?.kind === 'silent' && day <= incident.fromDay && day >= incident.throughDay
  }

  function asShown(reading: MeterReading, day: number): MeterReading {
    const incident = incidents[reading.PeripheralUID]
    const old =
      incident?.kind === 'replaced' &&
      day >= incident.day &&
      reading.Timestamp < replacedAt(until, incident.day)
    return old ? { ...reading, AccumulatePower: kwh(reading.AccumulatePower + incident.excess) } : reading
  }
}

/**
 * Readings of a hub's meters during an offline period, every quarter of an hour.
 *
 * memory   the devices' states at its beginning, with the time in epoch ms; counters continue from there
 * returns  ascending in time
 */
export function readingsSince(
  devices: readonly HubDevice[],
  memory: { at: number; states: DeviceStates },
  seed: number,
  now: number,
): MeterReading[] {
  const meters = devices.filter(isCounter)
  const readings: MeterReading[] = []
  let next = memory.at + QUARTER
  for (const { building, at, isLast } of catchUpSince(devices, memory, seed, now)) {
    if (isLast || at < next) continue
    next = at + QUARTER
    for (const device of meters)
      if (!building.isSilent(device.PeripheralUID)) readings.push(readingOf(building, device, at, true))
  }
  return readings
}

/** A meter's reading; `isFull` includes power, voltage and current. */
function readingOf(building: Building, device: HubDevice, Timestamp: number, isFull: boolean): MeterReading {
  const { PeripheralUID } = device
  const report = building.report(PeripheralUID) ?? {}
  const reportedFields = isFull
    ? Object.entries(report).filter(([field]) => field in meterFields(device))
    : []
  return {
    ...Object.fromEntries(reportedFields),
    PeripheralUID,
    Timestamp,
    AccumulatePower: 0,
    ...countersOf(report),
  }
}

/** The meters of a hub with the devices that they feed, in the hub's order, and the devices that end a defect of one of these. */
function partsOf(devices: readonly HubDevice[], meters: readonly HubDevice[]): HubDevice[] {
  const byUid = new Map(devices.map((device) => [device.PeripheralUID, device]))
  const result = new Set<string>()
  const addWithParts = (uid: string): void => {
    const device = byUid.get(uid)
    if (!device || result.has(uid)) return
    result.add(uid)
    const { feeds = [], defects = [] } = device.scenario
    for (const fed of feeds) addWithParts(fed)
    for (const { endedBy } of defects) if (endedBy) addWithParts(endedBy.PeripheralUID)
  }
  for (const { PeripheralUID } of meters) addWithParts(PeripheralUID)
  return devices.filter(({ PeripheralUID }) => result.has(PeripheralUID))
}

const meterFields = ({ PeripheralType }: HubDevice) => capabilityOf(PeripheralType, 'meter')?.status ?? {}
const isCounter = (device: HubDevice) => 'AccumulatePower' in meterFields(device)

const countersOf = (report: Record<string, unknown> | undefined): Counters =>
  Object.fromEntries(
    REGISTERS.flatMap((register) => {
      const value = report?.[register]
      return typeof value === 'number' ? [[register, value]] : []
    }),
  )

/** Rounds down to the counter's resolution. */
const kwh = (value: number) => Math.max(0, Math.floor(value * 10_000 + 1e-6) / 10_000)
