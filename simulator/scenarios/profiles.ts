import { CALM, type World } from '../models/model.ts'
import { hallAir, officeAir } from './air.ts'
import { type Defect, shows, withDefect } from './defect.ts'
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
} from './factory.ts'
import { chance, wander } from './random.ts'
import { isVisiting, type Rush, type Visit } from './visitors.ts'
import { sunshine } from './sun.ts'
import { isWorkday, localTime, outdoor } from './taiwan.ts'

const MINUTE = 60_000
/** ms in which the thermostat of a boiler switches on and off. */
const BOILER_CYCLE = 9 * MINUTE
/** From this hour until midnight a battery gives what the sun has put into it: the hours in which energy is dear. */
const BATTERY_GIVES_FROM = 16

/** What a profile needs to know of its place. */
export interface Place {
  seed: number
  /** Names the room or the machine: each has chances of its own. */
  key: string
  /** The rooms whose people it sees or serves; the key's if absent. */
  rooms?: readonly string[]
  /** Rated W of the metered load; 0 for what is not metered. */
  watts: number
  /** When somebody comes to it, in what comes again and again while one watches. */
  visit?: Visit | undefined
  rush?: Rush | undefined
  /** What is wrong there, as far as nobody has seen to it. */
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

/** Hours for which a car of the company charges, one after the other. */
const OWN_CAR_HOURS = 2

/** Whether one of the company's cars charges on a workday; each charger of a rush that begins with it has its turn. */
function isOwnCarCharging(visit: Visit | undefined, at: number): boolean {
  const time = localTime(at)
  if (!visit || visit.late >= 60 || !isWorkday(time)) return false
  const from = 9 + (visit.late / 15) * OWN_CAR_HOURS
  return time.hour >= from && time.hour < from + OWN_CAR_HOURS
}

/** Every course a day can take for one device, as functions of time. */
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
  /** Something that is bumped into a few times a day. */
  shocks: ({ seed, key }, at) => ({ shaken: chance(seed, key, 'shock', Math.floor(at / 5_000)) < 0.0003 }),
  /** A button that somebody presses a few times a day. */
  serviceBell: ({ seed, key }, at) => ({
    pressed: chance(seed, key, 'bell', Math.floor(at / 5_000)) < 0.001,
  }),
  /** A kitchen in which something burns once or twice a day, and in which whoever fries takes the sensor off its mount. */
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
  /** A charger that is on; it draws while a car is plugged in: in a rush, or a slower one of the company's own before there is any. */
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
    watts: (at / BOILER_CYCLE + chance(seed, key)) % 1 < 0.7 ? watts : 0,
  }),
  machine: metered(machine, 0.81),
  compressor: metered(compressor, 0.88),
  dayCompressor: metered(dayCompressor, 0.88),
  coldStore: metered(coldStore, 0.84),
  /** A board that feeds other devices and has small consumers of its own. */
  board: ({ seed, key, watts }, at) => ({ watts: watts * wander(seed, key, at, 120_000), powerFactor: 0.9 }),
  /** A photovoltaic plant of so many W. */
  solar: ({ seed, watts }, at) => ({ watts: watts * sunshine(seed, at), powerFactor: 0.99 }),
  /** A battery that levels what its meter feeds on. */
  battery: (_place, at) => ({
    batteryGives: localTime(at).hour >= BATTERY_GIVES_FROM,
    powerFactor: 0.99,
  }),
  /** Nobody touches it: a contact that only commands move. */
  untouched: () => ({}),
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles

/** The world around a device at one moment (epoch ms); mains voltage wanders by up to 2 %. */
export function worldAt(profile: ProfileName, place: Place, phases: 1 | 3, at: number): World {
  const { seed, key, watts, defects = [] } = place
  const mains = (phases === 3 ? 380 : 220) * (0.98 + 0.04 * wander(seed, 'mains', at, 10 * 60_000))
  const world = { ...CALM, volts: mains, ...profiles[profile](place, at) }
  return defects
    .filter((defect) => shows(defect, seed, key, at))
    .reduce((wrong, defect) => withDefect(wrong, defect, watts), world)
}
