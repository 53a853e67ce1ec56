import type { MeterReading } from '../../contract/meters/channels.ts'
import { capabilityOf } from '../../contract/devices/kinds/registry.ts'
import { type Building, createBuilding, type DeviceStates, type HubDevice, catchUpSince } from './building.ts'
import { startOfDay } from '../scenarios/taiwan.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const QUARTER = 15 * MINUTE

/** Number of days with a reading every quarter of an hour, of days that include power and voltage, and of all days. */
const FINE_DAYS = 62
const FULL_DAYS = 31
const ALL_DAYS = 395
/** Number of coarse days in one portion. */
const COARSE_DAYS = 10
/** Number of portions with fine days. */
export const FINE_ENERGY_PORTIONS = FINE_DAYS

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

/**
 * Past readings of a hub's meters in portions as the hub would send them: newest day first, then ten days at a time. A meter without a
 * parent on the hub, a plant or a battery is read every quarter of an hour, as bills and contracts require; so are all others for the
 * last two months, before that every hour.
 *
 * until      epoch ms; the counters then equal those of a new building, so that later readings continue them
 * incidents  by PeripheralUID
 * returns    readings of each portion, ascending in time
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

  let portion: MeterReading[] = []
  for (let day = 0; day < ALL_DAYS; day++) {
    const from = startOfDay(until) - day * DAY
    const isFine = day < FINE_DAYS
    const intervalOf = (meter: HubDevice) => (isFine || isSupply(meter) ? QUARTER : HOUR)
    const dayReadings = dayOf(from, Math.min(from + DAY, until), {
      intervalOf,
      isFine,
      isFull: day < FULL_DAYS,
    })
    portion = [
      ...dayReadings.filter((reading) => !isLost(reading, day)).map((one) => asShown(one, day)),
      ...portion,
    ]
    if (!isFine && (day - FINE_DAYS + 1) % COARSE_DAYS !== 0 && day < ALL_DAYS - 1) continue
    if (portion.length > 0) yield portion
    portion = []
  }

  /** Readings of one day as if no meter had been replaced; moves the counters back to its beginning. */
  function dayOf(
    from: number,
    to: number,
    {
      intervalOf,
      isFine,
      isFull,
    }: { intervalOf(device: HubDevice): number; isFine: boolean; isFull: boolean },
  ): MeterReading[] {
    const building = createBuilding(parts, seed)
    const began = new Map(
      meters.map(({ PeripheralUID: uid }) => [uid, countersOf(building.report(uid))] as const),
    )
    const readings: MeterReading[] = []
    const step = isFine ? QUARTER / 2 : QUARTER
    for (let at = from; at < to; at += step) {
      if ((at - from) % QUARTER === 0) {
        building.step(0, at)
        for (const device of meters)
          if ((at - from) % intervalOf(device) === 0 && !building.isSilent(device.PeripheralUID))
            readings.push(readingOf(building, device, at, isFull))
      }
      building.step(Math.min(step, to - at) / 1000, at)
    }
    const fedCounters = new Map<string, Counters>()
    for (const { PeripheralUID: uid } of meters) {
      const ended = countersOf(building.report(uid))
      fedCounters.set(uid, less(reported.get(uid), ended))
      reported.set(uid, plus(began.get(uid), fedCounters.get(uid)))
    }
    return readings.map((reading) => ({
      ...reading,
      ...plus(reading, fedCounters.get(reading.PeripheralUID), kwh),
    }))
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

/** Difference `a` minus `b` of each register of `a`. */
const less = (a: Counters = {}, b: Counters = {}): Counters =>
  Object.fromEntries(
    Object.entries(a).map(([register, value]) => [register, value - (b[register as Register] ?? 0)]),
  )

/** Sum of `a` and `b` for each register of `b`. */
const plus = (
  a: Counters = {},
  b: Counters = {},
  combine: (sum: number) => number = (sum) => sum,
): Counters =>
  Object.fromEntries(
    Object.entries(b).map(([register, value]) => [register, combine(value + (a[register as Register] ?? 0))]),
  )

/** Rounds down to the counter's resolution. */
const kwh = (value: number) => Math.max(0, Math.floor(value * 10_000 + 1e-6) / 10_000)
