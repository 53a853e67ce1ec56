import type { MeterReading } from '../contract/channels/meter.ts'
import { capabilityOf } from '../contract/device-kinds/registry.ts'
import { createBuilding, type DeviceStates } from './building.ts'
import { livedSince } from './catch-up.ts'
import type { HubDevice } from './hub-device.ts'
import { startOfDay } from './scenarios/taiwan.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const QUARTER = 15 * MINUTE

/** Days with a reading every quarter of an hour, of them those that tell power and voltage too, and the days of all. */
const FINE_DAYS = 62
const FULL_DAYS = 31
const ALL_DAYS = 395
/** Days with one reading that are handed out together. */
const COARSE_DAYS = 30

/** What became of a meter in the past; days are counted back from the one the past ends in. */
export type Incident =
  | { kind: 'silent'; fromDay: number; throughDay: number }
  /** Ten past ten of that day its successor took over; the old counter stood so many kWh above the new one. */
  | { kind: 'replaced'; day: number; excess: number }

/** The moment at which a meter was replaced, between two of its readings. */
export const replacedAt = (until: number, day: number): number =>
  startOfDay(until) - day * DAY + 10 * 60 * MINUTE + 10 * MINUTE

/**
 * What the meters of a hub counted before a moment, in the portions in which the hub would send it: the newest day first, then
 * months of one reading a day.
 *
 * until      epoch ms; the counters stand there as a new building's do, so that what is counted from then on joins
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
  const needed = new Set(
    meters.flatMap(({ PeripheralUID, scenario }) => [PeripheralUID, ...(scenario.feeds ?? [])]),
  )
  const parts = devices.filter(({ PeripheralUID }) => needed.has(PeripheralUID))
  /** What each counter shows at the end of the day that is computed next. */
  const shown = new Map<string, number>()
  const fresh = createBuilding(parts, seed)
  for (const { PeripheralUID: uid } of meters) shown.set(uid, counterOf(fresh.report(uid)))

  let portion: MeterReading[] = []
  for (let day = 0; day < ALL_DAYS; day++) {
    const from = startOfDay(until) - day * DAY
    const fine = day < FINE_DAYS
    const found = dayOf(from, Math.min(from + DAY, until), fine ? QUARTER : DAY, day < FULL_DAYS)
    portion = [
      ...found.filter((reading) => !isLost(reading, day)).map((one) => asShown(one, day)),
      ...portion,
    ]
    if (!fine && day % COARSE_DAYS !== 0 && day < ALL_DAYS - 1) continue
    if (portion.length > 0) yield portion
    portion = []
  }

  /** One day's readings as if no meter had ever been replaced; takes the counters back to its beginning. */
  function dayOf(from: number, to: number, every: number, full: boolean): MeterReading[] {
    const building = createBuilding(parts, seed)
    const step = every === QUARTER ? QUARTER / 2 : 60 * MINUTE
    const readings: MeterReading[] = []
    for (let at = from; at < to; at += step) {
      if ((at - from) % every === 0) {
        if (full) building.step(0, at)
        for (const device of meters) readings.push(readingOf(device, at))
      }
      building.step(Math.min(step, to - at) / 1000, at)
    }
    const began = new Map(
      readings.slice(0, meters.length).map((one) => [one.PeripheralUID, one.AccumulatePower]),
    )
    const behind = new Map(
      meters.map(({ PeripheralUID: uid }) => [
        uid,
        (shown.get(uid) as number) - counterOf(building.report(uid)),
      ]),
    )
    const moved = readings.map((reading) => ({
      ...reading,
      AccumulatePower: kwh(reading.AccumulatePower + (behind.get(reading.PeripheralUID) as number)),
    }))
    for (const [uid, counter] of began) shown.set(uid, counter + (behind.get(uid) as number))
    return moved

    function readingOf(device: HubDevice, Timestamp: number): MeterReading {
      const { PeripheralUID } = device
      const report = building.report(PeripheralUID) ?? {}
      const told = full ? Object.entries(report).filter(([field]) => field in meterFields(device)) : []
      return { ...Object.fromEntries(told), PeripheralUID, Timestamp, AccumulatePower: counterOf(report) }
    }
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
 * What the meters of a hub counted while nobody listened to it: a reading every quarter of an hour.
 *
 * memory   the devices' states when it fell silent, epoch ms; counters go on from there
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
  for (const { building, at, last } of livedSince(devices, memory, seed, now)) {
    if (last || at < next) continue
    next = at + QUARTER
    for (const device of meters) {
      const report = building.report(device.PeripheralUID) ?? {}
      readings.push({
        ...Object.fromEntries(Object.entries(report).filter(([field]) => field in meterFields(device))),
        PeripheralUID: device.PeripheralUID,
        Timestamp: at,
        AccumulatePower: counterOf(report),
      })
    }
  }
  return readings
}

const meterFields = ({ PeripheralType }: HubDevice) => capabilityOf(PeripheralType, 'meter')?.status ?? {}
const isCounter = (device: HubDevice) => 'AccumulatePower' in meterFields(device)
const counterOf = (report: Record<string, unknown> | undefined) =>
  (report?.['AccumulatePower'] as number) ?? 0
/** As fine as a counter shows it, rounded down. */
const kwh = (value: number) => Math.max(0, Math.floor(value * 10_000 + 1e-6) / 10_000)
