import { CALM, type World } from '../models/model.ts'
import {
  airConditioning,
  conveyor,
  entrance,
  lift,
  officeLights,
  officeMotion,
  presence,
  servers,
  serviceDoor,
  sockets,
} from './office.ts'
import {
  coldStore,
  compressor,
  dayCompressor,
  dockDoor,
  hallCooling,
  hallLights,
  hallMotion,
  hallSockets,
  machine,
  signalTower,
  shift,
} from './factory.ts'
import { chance, wander } from './random.ts'
import { isVisiting, type Rush, type Visit } from './visitors.ts'
import { sunshine, isWorkday, localTime, outdoor } from './taiwan.ts'

const HOUR = 3_600_000

/** A defect of a device for a period, in its past and while the demo is watched. Plain data. */
export interface Defect {
  /** World time, epoch ms; without an end the defect stays. */
  from: number
  until?: number
  /** Hours of the day in which it is active; past midnight if the first is the later one. All day if absent. */
  hours?: readonly [from: number, to: number]
  /** Share of the workdays on which it is active, counting the day on which its hours begin; every day if absent. */
  workdays?: number
  /** Additional power of its load in W. */
  extraWatts?: number
  /** Minimum power of its load, as a share of its rated power. */
  minShare?: number
  /** Values that the device senses instead of the real ones. */
  sensed?: Partial<World>
  /** The device reports nothing. */
  silent?: true
  /** The defect ends while this device of the same hub has this value. */
  endedBy?: { PeripheralUID: string; field: string; value: number }
}

/** Whether a defect is active at a world time (epoch ms); `key` identifies the device. */
export function isActive(defect: Defect, seed: number, key: string, at: number): boolean {
  const { from, until = Infinity, hours, workdays } = defect
  if (at < from || at >= until) return false
  let began = at
  if (hours) {
    const [first, last] = hours
    const { hour } = localTime(at)
    const isIn = first < last ? hour >= first && hour < last : hour >= first || hour < last
    if (!isIn) return false
    // After midnight it continues from the evening before.
    if (hour < first) began = at - 24 * HOUR
  }
  if (workdays === undefined) return true
  const day = localTime(began)
  return isWorkday(day) && chance(seed, key, 'defect', day.day) < workdays
}

/** A world with active defects applied. */
function withDefect(world: World, { extraWatts = 0, minShare = 0, sensed }: Defect, rated: number): World {
  return { ...world, ...sensed, watts: Math.max(world.watts, rated * minShare) + extraWatts }
}

const MINUTE = 60_000
/** Cycle in ms of a boiler's thermostat. */
const BOILER_CYCLE_MS = 9 * MINUTE
/** Hour from which until midnight a battery discharges stored solar energy: energy is expensive then. */
const BATTERY_GIVES_FROM = 16

/** Location data that a profile needs. */
interface Place {
  seed: number
  /** Identifies the room or the machine; the random numbers are derived from it. */
  key: string
  /** Rooms whose people it detects or serves; `key` if absent. */
  rooms?: readonly string[]
  /** Rated power in W of the metered load; 0 if not metered. */
  watts: number
  /** Recurring visit while the demo is watched. */
  visit?: Visit | undefined
  rush?: Rush | undefined
  /** Defects that have not been repaired. */
  defects?: readonly Defect[]
}

type Profile = (place: Place, at: number) => Partial<World>

const roomsOf = ({ key, rooms = [key] }: Place): readonly string[] => rooms
const roomOf = (place: Place): string => roomsOf(place)[0] ?? place.key

const metered =
  (share: (seed: number, key: string, at: number) => number, powerFactor: number): Profile =>
  ({ seed, key, watts }, at) => ({ watts: watts * share(seed, key, at), powerFactor })

/** A load that depends on the people of the rooms that it serves. */
const serving =
  (
    share: (seed: number, key: string, rooms: readonly string[], at: number) => number,
    powerFactor: number,
  ): Profile =>
  (place, at) => ({
    watts: place.watts * share(place.seed, place.key, roomsOf(place), at),
    powerFactor,
  })

/** Charging time in hours of a company car; the cars charge one after the other. */
const OWN_CAR_HOURS = 2

/** Whether a company car is charging on a workday; each charger whose visit starts with the rush has its slot. */
function isOwnCarCharging(visit: Visit | undefined, at: number): boolean {
  const time = localTime(at)
  if (!visit || visit.late >= 60 || !isWorkday(time)) return false
  const from = 9 + (visit.late / 15) * OWN_CAR_HOURS
  return time.hour >= from && time.hour < from + OWN_CAR_HOURS
}

/** All profiles of a device's day, as functions of time. */
export const profiles = {
  officeLight: (place, at) => ({ lit: officeLights(place.seed, roomOf(place), at) }),
  officeMotion: (place, at) => ({ moving: officeMotion(place.seed, roomOf(place), at) }),
  officePresence: (place, at) => ({
    occupied: presence(place.seed, roomOf(place), at) > 0,
    moving: officeMotion(place.seed, roomOf(place), at),
  }),
  /** A hall's or an office's air. */
  officeAir: (place, at) => officeAir(place.seed, roomOf(place), at),
  hallAir: ({ seed, key }, at) => hallAir(seed, key, at),
  officeClimate: (place, at) => ({
    ...officeAir(place.seed, roomOf(place), at),
    occupied: presence(place.seed, roomOf(place), at) > 0,
    outdoors: outdoor(place.seed, at),
  }),
  /** The tower of a machine: green while it works, amber while it waits, red flashing when it calls for help. */
  signalTower: ({ seed, key }, at) => signalTower(seed, key, at),
  /** An object that is bumped into a few times a day. */
  shocks: ({ seed, key }, at) => ({ shaken: chance(seed, key, 'shock', Math.floor(at / 5_000)) < 0.0003 }),
  /** A button that is pressed a few times a day. */
  serviceBell: ({ seed, key }, at) => ({
    pressed: chance(seed, key, 'bell', Math.floor(at / 5_000)) < 0.001,
  }),
  /** A kitchen with smoke once or twice a day, in which the sensor is taken off its mount for frying. */
  kitchenSmoke: ({ seed, key, visit, rush }, at) => ({
    smoky: chance(seed, key, 'smoke', Math.floor(at / 240_000)) < 0.004,
    loose: isVisiting(rush, visit, at),
  }),
  /** A smoke sensor that hangs by one screw, with a chamber full of dust. */
  neglectedSmoke: ({ seed, key }, at) => ({
    loose: chance(seed, key, 'loose', Math.floor(at / 1_200_000)) < 0.02,
    faulty: chance(seed, key, 'faulty', Math.floor(at / 1_200_000)) < 0.02,
  }),
  /** Outdoor and sign lighting, from dusk to eleven. */
  eveningLight: (_place, at) => ({ lit: localTime(at).hour > 17.8 && localTime(at).hour < 23 ? 1 : 0 }),
  entrance: (place, at) => ({ doorOpen: entrance(place.seed, roomOf(place), at) }),
  serviceDoor: ({ seed, key }, at) => ({ doorOpen: serviceDoor(seed, key, at) }),
  hallLight: (_place, at) => ({ lit: hallLights(at) }),
  hallMotion: ({ seed, key }, at) => ({ moving: hallMotion(seed, key, at) }),
  dockDoor: ({ seed, key }, at) => ({ doorOpen: dockDoor(seed, key, at) }),
  airConditioning: serving(airConditioning, 0.86),
  /** An air conditioner behind a socket that is on. */
  pluggedCooling: (place, at) => ({ lit: 1, ...serving(airConditioning, 0.9)(place, at) }),
  hallCooling: metered(hallCooling, 0.86),
  sockets: serving(sockets, 0.93),
  hallSockets: metered(hallSockets, 0.93),
  servers: serving(servers, 0.97),
  lift: serving(lift, 0.72),
  conveyor: serving(conveyor, 0.85),
  /**
   * A charger that is on; it draws power while a car is plugged in: during a rush, or more slowly for a company car before the first one.
   */
  charger: ({ seed, key, watts, visit, rush }, at) => ({
    lit: 1,
    watts: !rush
      ? isOwnCarCharging(visit, at)
        ? watts * 0.5
        : 0
      : isVisiting(rush, visit, at)
        ? watts * (0.94 + 0.06 * wander(seed, key, at, MINUTE))
        : 0,
    powerFactor: 0.98,
  }),
  /** A boiler that is on; its thermostat switches. */
  boiler: ({ key, seed, watts }, at) => ({
    lit: 1,
    watts: (at / BOILER_CYCLE_MS + chance(seed, key)) % 1 < 0.7 ? watts : 0,
  }),
  machine: metered(machine, 0.81),
  compressor: metered(compressor, 0.88),
  dayCompressor: metered(dayCompressor, 0.88),
  coldStore: metered(coldStore, 0.84),
  /** A board that feeds other devices and has small consumers of its own. */
  board: ({ seed, key, watts }, at) => ({ watts: watts * wander(seed, key, at, 120_000), powerFactor: 0.9 }),
  /** A photovoltaic plant; `watts` is its rated power. */
  solar: ({ seed, watts }, at) => ({ watts: watts * sunshine(seed, at), powerFactor: 0.99 }),
  /** A battery that levels the demand of its meter's feeds. */
  battery: (_place, at) => ({
    batteryGives: localTime(at).hour >= BATTERY_GIVES_FROM,
    powerFactor: 0.99,
  }),
  /** A contact that only commands move. */
  untouched: () => ({}),
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles

/** The surroundings of a device at a time (epoch ms); mains voltage varies by up to 2 %. */
export function worldAt(profile: ProfileName, place: Place, phases: 1 | 3, at: number): World {
  const { seed, key, watts, defects = [] } = place
  const mains = (phases === 3 ? 380 : 220) * (0.98 + 0.04 * wander(seed, 'mains', at, 10 * 60_000))
  const world = { ...CALM, volts: mains, ...profiles[profile](place, at) }
  return defects
    .filter((defect) => isActive(defect, seed, key, at))
    .reduce((wrong, defect) => withDefect(wrong, defect, watts), world)
}

/** Air values that a sensor reads from its world. */
interface Air {
  dust: number
  temperature: number
  humidity: number
}

/** Outdoor fine dust in µg/m³: more in the rush hours and on still winter nights; the weather changes every few hours. */
function outdoorDust(seed: number, at: number): number {
  const { hour } = localTime(at)
  const rush = (peak: number) => Math.exp(-((hour - peak) ** 2) / 3)
  return 8 + 22 * wander(seed, 'dust', at, 240 * MINUTE) + 14 * (rush(8) + 0.8 * rush(18.5))
}

/** Air of an office: filtered, warmed a little by its people, kept near 25 °C while it is occupied. */
function officeAir(seed: number, key: string, at: number): Air {
  const people = presence(seed, key, at)
  const out = outdoor(seed, at)
  return {
    dust: 3 + 0.45 * outdoorDust(seed, at) + 4 * people,
    temperature: people > 0 ? 24.5 + people + 0.12 * (out - 26) : 25 + 0.5 * (out - 25),
    humidity: 52 + 12 * wander(seed, key, at, 180 * MINUTE) + 4 * people,
  }
}

/** Air of a production hall: slightly warmer than outdoors, dustier the more machines run. */
function hallAir(seed: number, key: string, at: number): Air {
  const crew = shift(at)
  return {
    dust: 0.8 * outdoorDust(seed, at) + 28 * crew * (0.7 + 0.6 * wander(seed, key, at, 15 * MINUTE)),
    temperature: outdoor(seed, at) + 1.5 + 3 * crew,
    humidity: 58 + 16 * wander(seed, key, at, 180 * MINUTE),
  }
}
