import { CALM, type World } from '../models/model.ts'
import { hallAir, officeAir } from './air.ts'
import {
  airConditioning,
  entrance,
  lift,
  meeting,
  officeLights,
  officeMotion,
  presence,
  servers,
  sockets,
} from './office.ts'
import { coldStore, compressor, dockDoor, hallLights, hallMotion, machine, signalTower } from './factory.ts'
import { chance, wander } from './random.ts'
import { localTime, outdoor } from './taiwan.ts'

/** What a profile needs to know of its place. */
export interface Place {
  seed: number
  /** Names the room or the machine, so that the devices of one room see the same people. */
  key: string
  /** Rated W of the metered load; 0 for what is not metered. */
  watts: number
}

type Profile = (place: Place, at: number) => Partial<World>

const metered =
  (share: (seed: number, key: string, at: number) => number, powerFactor: number): Profile =>
  ({ seed, key, watts }, at) => ({ watts: watts * share(seed, key, at), powerFactor })

/** Every course a day can take for one device, as functions of time. */
export const profiles = {
  officeLight: ({ seed, key }, at) => ({ lit: officeLights(seed, key, at) }),
  officeMotion: ({ seed, key }, at) => ({ moving: officeMotion(seed, key, at) }),
  meetingLight: ({ seed, key }, at) => ({ lit: meeting(seed, key, at) ? 1 : 0 }),
  meetingMotion: ({ seed, key }, at) => ({
    moving: meeting(seed, key, at) && chance(seed, key, Math.floor(at / 30_000)) < 0.9,
  }),
  officePresence: ({ seed, key }, at) => ({
    occupied: presence(seed, key, at) > 0.1,
    moving: officeMotion(seed, key, at),
  }),
  meetingPresence: ({ seed, key }, at) => ({ occupied: meeting(seed, key, at) }),
  /** A hall's or an office's air. */
  officeAir: ({ seed, key }, at) => officeAir(seed, key, at),
  hallAir: ({ seed, key }, at) => hallAir(seed, key, at),
  officeClimate: ({ seed, key }, at) => ({
    ...officeAir(seed, key, at),
    occupied: presence(seed, key, at) > 0.1,
    outdoors: outdoor(seed, at),
  }),
  /** The tower of a machine: green while it works, amber while it waits, red flashing when it calls for help. */
  signalTower: ({ seed, key }, at) => signalTower(seed, key, at),
  /** Something that is bumped into now and then. */
  shocks: ({ seed, key }, at) => ({ shaken: chance(seed, key, 'shock', Math.floor(at / 5_000)) < 0.002 }),
  /** A button that somebody presses a few times a day. */
  serviceBell: ({ seed, key }, at) => ({
    pressed: chance(seed, key, 'bell', Math.floor(at / 5_000)) < 0.001,
  }),
  /** A kitchen in which something burns once or twice a day. */
  kitchenSmoke: ({ seed, key }, at) => ({
    smoky: chance(seed, key, 'smoke', Math.floor(at / 240_000)) < 0.004,
  }),
  /** A smoke sensor that hangs by one screw, with a chamber full of dust. */
  neglectedSmoke: ({ seed, key }, at) => ({
    loose: chance(seed, key, 'loose', Math.floor(at / 1_200_000)) < 0.02,
    faulty: chance(seed, key, 'faulty', Math.floor(at / 1_200_000)) < 0.02,
  }),
  /** Outdoor and sign lighting, from dusk to eleven. */
  eveningLight: (_place, at) => ({ lit: localTime(at).hour > 17.8 && localTime(at).hour < 23 ? 1 : 0 }),
  entrance: ({ seed, key }, at) => ({ doorOpen: entrance(seed, key, at) }),
  /** A door that opens rarely: plant rooms, fire exits. */
  serviceDoor: ({ seed, key }, at) => ({ doorOpen: chance(seed, key, Math.floor(at / 60_000)) < 0.01 }),
  hallLight: (_place, at) => ({ lit: hallLights(at) }),
  hallMotion: ({ seed, key }, at) => ({ moving: hallMotion(seed, key, at) }),
  dockDoor: ({ seed, key }, at) => ({ doorOpen: dockDoor(seed, key, at) }),
  airConditioning: metered(airConditioning, 0.86),
  sockets: metered(sockets, 0.93),
  servers: metered(servers, 0.97),
  lift: metered(lift, 0.72),
  machine: metered(machine, 0.81),
  compressor: metered(compressor, 0.88),
  coldStore: metered(coldStore, 0.84),
  /** A board that feeds other devices and has small consumers of its own. */
  board: ({ seed, key, watts }, at) => ({ watts: watts * wander(seed, key, at, 120_000), powerFactor: 0.9 }),
  /** Nobody touches it: a contact that only commands move. */
  untouched: () => ({}),
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles

/** The world around a device at one moment (epoch ms); mains voltage wanders by up to 2 %. */
export function worldAt(profile: ProfileName, place: Place, phases: 1 | 3, at: number): World {
  const mains = (phases === 3 ? 380 : 220) * (0.98 + 0.04 * wander(place.seed, 'mains', at, 10 * 60_000))
  return {
    ...CALM,
    volts: mains,
    ...profiles[profile](place, at),
  }
}
