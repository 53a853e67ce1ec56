import { capabilityOf } from '../contract/devices/kinds/registry.ts'
import { figureFields, stateFields } from '../contract/devices/kinds/history-fields.ts'
import { type Building, createBuilding, type DeviceStates } from './building.ts'
import { catchUpSince } from './catch-up.ts'
import type { HubDevice } from './hub-device.ts'
import type { ProfileName } from './scenarios/profiles.ts'
import { chance } from './scenarios/random.ts'
import { startOfDay } from './scenarios/taiwan.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Days that are looked at every five minutes, those before them every half hour, and the days of all. */
const FINE_DAYS = 62
const FINE = 5 * MINUTE
const COARSE = 30 * MINUTE
const ALL_DAYS = 395
/** Days of the coarse part that are handed out together. */
const COARSE_DAYS = 10
/** Portions with a look every five minutes, and all. */
export const FINE_PORTIONS = FINE_DAYS
export const ALL_PORTIONS = FINE_DAYS + Math.ceil((ALL_DAYS - FINE_DAYS) / COARSE_DAYS)
/** A day's devices live so long before it begins, so that rooms are as warm as the evening before left them. */
const WARM_UP = 12 * 60 * MINUTE
/** Devices say what they see at moments of their own within a minute after a look, in ms. */
const MAX_JITTER_MS = 50_000

/** What is measured all the time, and told at each look; anything else is told when it changes. */
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
/** What goes wrong, and what only people press: neither happened before the demo began. */
const AT_REST: ReadonlySet<ProfileName> = new Set([
  'shocks',
  'serviceBell',
  'kitchenSmoke',
  'neglectedSmoke',
  'untouched',
])
/** Doors that close behind whoever passes, after so many ms, rather than at the next look. */
const BRIEF: Partial<Record<ProfileName, number>> = { entrance: 15_000, serviceDoor: 25_000 }

/** What a device said of itself at a moment (epoch ms), with the status fields that it then had to tell. */
export interface LateStatus {
  PeripheralUID: string
  Timestamp: number
  [field: string]: unknown
}

type Fields = Record<string, unknown>

/** A device and what of it is told. */
interface Teller {
  device: HubDevice
  /** Told when they change. */
  states: readonly string[]
  measured: readonly string[]
  atRest: boolean
  /** After which its states are as a new device's again, in ms; undefined when they stay. */
  brief: number | undefined
  resting: Fields
  /** How long after a look it speaks, in ms. */
  delay: number
}

const pick = (report: Fields, fields: readonly string[]): Fields =>
  Object.fromEntries(
    fields.filter((field) => report[field] !== undefined).map((field) => [field, report[field]]),
  )

/** What of `now` is not the same in `before`. */
const differing = (now: Fields, before: Fields): Fields =>
  Object.fromEntries(Object.entries(now).filter(([field, value]) => value !== before[field]))

/** A gateway sees at once that each is older than the one before, and need not try whether it changes what the device is now. */
const newestFirst = (a: LateStatus, b: LateStatus): number => b.Timestamp - a.Timestamp

const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0

function tellersOf(devices: readonly HubDevice[], seed: number): Teller[] {
  const fresh = createBuilding(devices, seed)
  return devices.flatMap((device): Teller[] => {
    const { PeripheralUID, PeripheralType, scenario } = device
    const report = fresh.report(PeripheralUID) ?? {}
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
        atRest: AT_REST.has(scenario.profile),
        brief: BRIEF[scenario.profile],
        resting: pick(report, states),
        delay: Math.floor(MAX_JITTER_MS * chance(seed, PeripheralUID, 'delay')),
      },
    ]
  })
}

/** What devices told from look to look. */
interface Told {
  statuses: LateStatus[]
  /** The states with which they began, and with which they ended, by PeripheralUID. */
  began: Map<string, Fields>
  ended: Map<string, Fields>
}

const nothingTold = (): Told => ({ statuses: [], began: new Map(), ended: new Map() })

/** Notes what devices have to tell when somebody looks at them at a moment. */
function look(told: Told, tellers: readonly Teller[], building: Building, at: number): void {
  for (const { device, states, measured, atRest, brief, resting, delay } of tellers) {
    const { PeripheralUID } = device
    const report = building.report(PeripheralUID) ?? {}
    const Timestamp = at + delay
    const before = told.ended.get(PeripheralUID)
    const now = atRest ? (before ?? resting) : pick(report, states)
    if (!before) told.began.set(PeripheralUID, brief === undefined ? now : resting)
    const changes = differing(now, before ?? told.began.get(PeripheralUID) ?? now)
    const fields = { ...changes, ...pick(report, measured) }
    if (!isEmpty(fields)) told.statuses.push({ PeripheralUID, Timestamp, ...fields })
    const passes = brief !== undefined && !isEmpty(changes)
    if (passes)
      told.statuses.push({
        PeripheralUID,
        Timestamp: Timestamp + brief,
        ...pick(resting, Object.keys(changes)),
      })
    told.ended.set(PeripheralUID, passes ? resting : now)
  }
}

/** Lets new devices live from one moment to another, and notes what they have to tell every so many ms. */
function live(
  devices: readonly HubDevice[],
  tellers: readonly Teller[],
  seed: number,
  { from, to, every }: { from: number; to: number; every: number },
): Told {
  const building = createBuilding(devices, seed)
  for (let at = from - WARM_UP; at < from; at += COARSE) building.step(COARSE / 1000, at)
  const told = nothingTold()
  for (let at = from; at < to; at += every) {
    building.step(every / 1000, at)
    look(told, tellers, building, at)
  }
  return told
}

/**
 * Adds what makes the changes of a span whole: a device that changed says first with what it began, and at the end what it was
 * when the span that follows began, where that is something else.
 *
 * later  with what the span that follows began; undefined for the last one
 */
function complete(
  { statuses, began, ended }: Told,
  { from, to }: { from: number; to: number },
  tellers: readonly Teller[],
  { later, oldest }: { later: ReadonlyMap<string, Fields> | undefined; oldest: boolean },
): LateStatus[] {
  const changed = new Set<string>()
  for (const { PeripheralUID, ...fields } of statuses) {
    const known = began.get(PeripheralUID) ?? {}
    if (Object.keys(fields).some((field) => field in known)) changed.add(PeripheralUID)
  }
  const all = [...statuses]
  for (const { device, delay } of tellers) {
    const { PeripheralUID } = device
    const first = began.get(PeripheralUID) ?? {}
    const last = ended.get(PeripheralUID) ?? {}
    const after = differing(later?.get(PeripheralUID) ?? last, last)
    if (!isEmpty(after)) all.push({ PeripheralUID, Timestamp: to + delay, ...after })
    if (!isEmpty(first) && (oldest || changed.has(PeripheralUID) || !isEmpty(after)))
      all.push({ PeripheralUID, Timestamp: from, ...first })
  }
  return all.toSorted(newestFirst)
}

/** The spans of the past, the newest first: days, then some days together; the first is empty at midnight. */
function spansBefore(until: number): { from: number; to: number; every: number }[] {
  const today = startOfDay(until)
  const days = Array.from({ length: FINE_DAYS }, (_, day) => ({
    from: today - day * DAY,
    to: Math.min(today + DAY - day * DAY, until),
    every: FINE,
  }))
  for (let day = FINE_DAYS; day < ALL_DAYS; day += COARSE_DAYS)
    days.push({
      from: today - (Math.min(day + COARSE_DAYS, ALL_DAYS) - 1) * DAY,
      to: today - (day - 1) * DAY,
      every: COARSE,
    })
  return days
}

/**
 * What the devices of a hub were before a moment, in the portions in which the hub would send it, the newest first: days with a
 * look every five minutes, then ten days at a time with one every half hour. States are told when they change, what is measured
 * at each look. Nothing went wrong then.
 *
 * until    epoch ms
 * skipped  how many of the first portions are not wanted
 * returns  statuses of each portion, the newest first
 */
export function* pastStatusesOf(
  devices: readonly HubDevice[],
  until: number,
  seed: number,
  skipped = 0,
): Generator<LateStatus[]> {
  const tellers = tellersOf(devices, seed)
  const spans = spansBefore(until)
  let later: Map<string, Fields> | undefined
  // The portion before the first that is wanted says with what it began.
  for (const [number, span] of spans.entries()) {
    if (number < skipped - 1) continue
    const told = live(devices, tellers, seed, span)
    const oldest = number === spans.length - 1
    if (number >= skipped)
      yield complete(told, span, tellers, { later, oldest }).filter(({ Timestamp }) => Timestamp < until)
    later = told.began
  }
}

/**
 * What the devices of a hub were while nobody listened to it, looked at every five minutes, in one portion.
 *
 * memory   their states when it fell silent, epoch ms
 * returns  statuses, the newest first
 */
export function statusesSince(
  devices: readonly HubDevice[],
  memory: { at: number; states: DeviceStates },
  seed: number,
  now: number,
): LateStatus[] {
  const tellers = tellersOf(devices, seed)
  const told = nothingTold()
  const before = createBuilding(devices, seed, memory.states)
  for (const { device, states } of tellers)
    told.ended.set(device.PeripheralUID, pick(before.report(device.PeripheralUID) ?? {}, states))
  for (const { building, at, last } of catchUpSince(devices, memory, seed, now))
    if (!last) look(told, tellers, building, at)
  return told.statuses.filter(({ Timestamp }) => Timestamp < now).toSorted(newestFirst)
}
