import type { World } from '../models/model.ts'
import {
  airConditioning,
  entrance,
  lift,
  meeting,
  officeLights,
  officeMotion,
  servers,
  sockets,
} from './office.ts'
import { coldStore, compressor, dockDoor, hallLights, hallMotion, machine } from './factory.ts'
import { chance, wander } from './random.ts'
import { localTime } from './taiwan.ts'

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
    moving: false,
    lit: 0,
    doorOpen: false,
    pressed: false,
    watts: 0,
    volts: mains,
    powerFactor: 1,
    ...profiles[profile](place, at),
  }
}
