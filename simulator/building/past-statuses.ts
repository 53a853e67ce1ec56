import { capabilityOf } from '../../contract/devices/kinds/registry.ts'
import { figureFields, stateFields } from '../../contract/devices/kinds/history-fields.ts'
import { type Building, createBuilding, type DeviceStates, type HubDevice, catchUpSince } from './building.ts'
import type { ProfileName } from '../scenarios/profiles.ts'
import { chance } from '../scenarios/random.ts'
import { startOfDay } from '../scenarios/taiwan.ts'
import { dayFactorOf, FULL_DAYS, simulatedDays } from './day-kinds.ts'
import { startOfPast } from './past.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Number of days sampled every five minutes; earlier ones are sampled every half hour, repeated ones every hour. */
const FINE_DAYS = 14
const FINE = 5 * MINUTE
const COARSE = 30 * MINUTE
const REPEATED = 60 * MINUTE
/** Number of coarse days that are simulated at a time. */
const COARSE_DAYS = 8
/** Warm-up in ms before a day begins, so that room temperatures match the previous evening. */
const WARM_UP_MS = 12 * 60 * MINUTE
/** Maximum delay in ms after a sample at which a device sends its status. */
const MAX_JITTER_MS = 50_000

/** Continuously measured fields, reported with each sample; other fields are reported when they change. */
const MEASURED = new Set([
  'PM25',
  'Temperature',
  'Humidity',
  'IndoorTemperature',
  'OutdoorTemperature',
  'IndoorHumidity',
  'Value',
  'ThermostatTable',
])
/** Profiles of faults and of things that only people press: neither happened before the demo started. */
const AT_REST: ReadonlySet<ProfileName> = new Set([
  'shocks',
  'serviceBell',
  'kitchenSmoke',
  'neglectedSmoke',
  'untouched',
])
/** Time in ms after which a door closes again, for profiles with brief openings; otherwise it closes at the next sample. */
const BRIEF: Partial<Record<ProfileName, number>> = { entrance: 15_000, serviceDoor: 25_000 }

/** Status of a device at a time (epoch ms), with the fields that it reported. */
export interface LateStatus {
  PeripheralUID: string
  Timestamp: number
  [field: string]: unknown
}

type Fields = Record<string, unknown>

/** A device with the fields that it reports. */
interface Teller {
  device: HubDevice
  /** Fields reported when they change. */
  states: readonly string[]
  measured: readonly string[]
  isAtRest: boolean
  /** Time in ms after which its states return to those of a new device; undefined if they stay. */
  briefMs: number | undefined
  restingStatus: Fields
  /** Delay of its report after a sample, in ms. */
  delay: number
}

const pickFields = (report: Fields, fields: readonly string[]): Fields =>
  Object.fromEntries(
    fields.filter((field) => report[field] !== undefined).map((field) => [field, report[field]]),
  )

const differing = (now: Fields, before: Fields): Fields =>
  Object.fromEntries(Object.entries(now).filter(([field, value]) => value !== before[field]))

/** Sort order: newest first, so that the gateway recognizes each status as older and need not check it against the current one. */
const newestFirst = (a: LateStatus, b: LateStatus): number => b.Timestamp - a.Timestamp

const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0

function createReporters(devices: readonly HubDevice[], seed: number): Teller[] {
  const building = createBuilding(devices, seed)
  return devices.flatMap((device): Teller[] => {
    const { PeripheralUID, PeripheralType, scenario } = device
    const report = building.report(PeripheralUID) ?? {}
    const known = [...stateFields(PeripheralType), ...figureFields(PeripheralType)]
    const measured = [
      ...known,
      ...(capabilityOf(PeripheralType, 'thermostat') ? ['ThermostatTable'] : []),
    ].filter((field) => MEASURED.has(field))
    const states = known.filter((field) => !MEASURED.has(field))
    if (states.length + measured.length === 0) return []
    return [
      {
        device,
        states,
        measured,
        isAtRest: AT_REST.has(scenario.profile),
        briefMs: BRIEF[scenario.profile],
        restingStatus: pickFields(report, states),
        delay: Math.floor(MAX_JITTER_MS * chance(seed, PeripheralUID, 'delay')),
      },
    ]
  })
}

/** Reports of devices over a period. */
interface ReportedStates {
  statuses: LateStatus[]
  /** States at the beginning and at the end of the period, by PeripheralUID. */
  began: Map<string, Fields>
  ended: Map<string, Fields>
}

const noStates = (): ReportedStates => ({ statuses: [], began: new Map(), ended: new Map() })

/** Samples the devices and records their reports. */
function sample(
  reported: ReportedStates,
  reporters: readonly Teller[],
  building: Building,
  at: number,
): void {
  for (const { device, states, measured, isAtRest, briefMs, restingStatus, delay } of reporters) {
    const { PeripheralUID } = device
    const report = building.report(PeripheralUID) ?? {}
    const Timestamp = at + delay
    const before = reported.ended.get(PeripheralUID)
    const now = isAtRest ? (before ?? restingStatus) : pickFields(report, states)
    if (!before) reported.began.set(PeripheralUID, briefMs === undefined ? now : restingStatus)
    const changes = differing(now, before ?? reported.began.get(PeripheralUID) ?? now)
    const fields = { ...changes, ...pickFields(report, measured) }
    if (!isEmpty(fields)) reported.statuses.push({ PeripheralUID, Timestamp, ...fields })
    const passes = briefMs !== undefined && !isEmpty(changes)
    if (passes)
      reported.statuses.push({
        PeripheralUID,
        Timestamp: Timestamp + briefMs,
        ...pickFields(restingStatus, Object.keys(changes)),
      })
    reported.ended.set(PeripheralUID, passes ? restingStatus : now)
  }
}

/** Simulates new devices over a period and samples them at an interval in ms. */
function live(
  devices: readonly HubDevice[],
  reporters: readonly Teller[],
  seed: number,
  { from, to, intervalMs }: { from: number; to: number; intervalMs: number },
): ReportedStates {
  const building = createBuilding(devices, seed)
  for (let at = from - WARM_UP_MS; at < from; at += COARSE) building.step(COARSE / 1000, at)
  const reported = noStates()
  for (let at = from; at < to; at += intervalMs) {
    building.step(intervalMs / 1000, at)
    sample(reported, reporters, building, at)
  }
  return reported
}

/**
 * Completes the changes of a period: a device that changed first reports its state at the beginning, and at the end its state at the
 * beginning of the following period, if that differs.
 *
 * newerStates  states at the beginning of the following period; undefined for the last one
 */
function complete(
  { statuses, began, ended }: ReportedStates,
  { from, to }: { from: number; to: number },
  reporters: readonly Teller[],
  {
    later: newerStates,
    oldest: isOldest,
  }: { later: ReadonlyMap<string, Fields> | undefined; oldest: boolean },
): LateStatus[] {
  const changed = new Set<string>()
  for (const { PeripheralUID, ...fields } of statuses) {
    const known = began.get(PeripheralUID) ?? {}
    if (Object.keys(fields).some((field) => field in known)) changed.add(PeripheralUID)
  }
  const all = [...statuses]
  for (const { device, delay } of reporters) {
    const { PeripheralUID } = device
    const first = began.get(PeripheralUID) ?? {}
    const last = ended.get(PeripheralUID) ?? {}
    const after = differing(newerStates?.get(PeripheralUID) ?? last, last)
    if (!isEmpty(after)) all.push({ PeripheralUID, Timestamp: to + delay, ...after })
    if (!isEmpty(first) && (isOldest || changed.has(PeripheralUID) || !isEmpty(after)))
      all.push({ PeripheralUID, Timestamp: from, ...first })
  }
  return all.toSorted(newestFirst)
}

/** A period of the past, in epoch ms. */
interface Span {
  from: number
  to: number
  intervalMs: number
  /** True for a day that repeats another one of its kind. */
  isRepeated: boolean
}

/** Periods of the past, newest first: single days, then several days together, then single days that repeat others. */
function spansBefore(until: number): Span[] {
  const today = startOfDay(until)
  const single = { intervalMs: FINE, isRepeated: false }
  const days = Array.from({ length: FINE_DAYS }, (_, day): Span => ({
    ...single,
    from: today - day * DAY,
    to: Math.min(today + DAY - day * DAY, until),
  }))
  for (let day = FINE_DAYS; day < FULL_DAYS; day += COARSE_DAYS)
    days.push({
      from: today - (Math.min(day + COARSE_DAYS, FULL_DAYS) - 1) * DAY,
      to: today - (day - 1) * DAY,
      intervalMs: COARSE,
      isRepeated: false,
    })
  for (let from = today - FULL_DAYS * DAY; from >= startOfPast(until); from -= DAY)
    days.push({ from, to: from + DAY, intervalMs: REPEATED, isRepeated: true })
  return days
}

/** States of a simulated day as those of another one: measured values are a little higher or lower. */
function repeatStates(simulated: ReportedStates, shiftMs: number, factor: number): ReportedStates {
  return {
    ...simulated,
    statuses: simulated.statuses.map((status) => ({
      ...Object.fromEntries(
        Object.entries(status).map(([field, value]) => [
          field,
          MEASURED.has(field) && typeof value === 'number' ? roundLike(value, value * factor) : value,
        ]),
      ),
      PeripheralUID: status.PeripheralUID,
      Timestamp: status.Timestamp + shiftMs,
    })),
  }
}

/** Rounds to at most as many decimals as a reported value has. */
const roundLike = (reported: number, value: number): number =>
  Number.isInteger(reported) ? Math.round(value) : Math.round(value * 10) / 10

/**
 * Past statuses of a hub's devices in portions, newest first: days sampled every five minutes, then some days at a time sampled every half
 * hour, then days that repeat one of their kind, sampled every hour. States are reported when they change, measured values with each sample. No faults occur.
 *
 * until    epoch ms
 * returns  statuses of each portion, newest first
 */
export function* pastStatusesOf(
  devices: readonly HubDevice[],
  until: number,
  seed: number,
): Generator<LateStatus[]> {
  const reporters = createReporters(devices, seed)
  const spans = spansBefore(until)
  const hub = devices[0]?.PeripheralUID ?? ''
  const last = startOfDay(until) - FULL_DAYS * DAY
  const repeated = simulatedDays(devices, seed, { first: startOfPast(until), last })
  const days = new Map<number, ReportedStates>()
  const repeatedDay = ({ from, intervalMs }: Span): ReportedStates => {
    const simulatedFrom = repeated.get(from) as number
    const simulated =
      days.get(simulatedFrom) ??
      live(devices, reporters, seed, { from: simulatedFrom, to: simulatedFrom + DAY, intervalMs })
    days.set(simulatedFrom, simulated)
    return repeatStates(simulated, from - simulatedFrom, dayFactorOf(seed, hub, from))
  }
  let newerStates: Map<string, Fields> | undefined
  for (const [number, span] of spans.entries()) {
    const reported = span.isRepeated ? repeatedDay(span) : live(devices, reporters, seed, span)
    const oldest = number === spans.length - 1
    yield complete(reported, span, reporters, { later: newerStates, oldest }).filter(
      ({ Timestamp }) => Timestamp < until,
    )
    newerStates = reported.began
  }
}

/**
 * Statuses of a hub's devices during an offline period, sampled every five minutes, in one portion.
 *
 * memory   their states at its beginning, with the time in epoch ms
 * returns  statuses, newest first
 */
export function statusesSince(
  devices: readonly HubDevice[],
  memory: { at: number; states: DeviceStates },
  seed: number,
  now: number,
): LateStatus[] {
  const reporters = createReporters(devices, seed)
  const reported = noStates()
  const before = createBuilding(devices, seed, memory.states)
  for (const { device, states } of reporters)
    reported.ended.set(device.PeripheralUID, pickFields(before.report(device.PeripheralUID) ?? {}, states))
  for (const { building, at, isLast } of catchUpSince(devices, memory, seed, now))
    if (!isLast) sample(reported, reporters, building, at)
  return reported.statuses.filter(({ Timestamp }) => Timestamp < now).toSorted(newestFirst)
}
