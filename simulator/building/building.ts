import type { HubSettings } from '../../contract/devices/channels/settings.ts'
import type { Wiring } from '../models/model.ts'
import { modelOf } from '../models/registry.ts'
import type { Rush, Visit } from '../scenarios/visitors.ts'
import { type Defect, isActive, worldAt, type ProfileName } from '../scenarios/profiles.ts'

/** States of devices by PeripheralUID; plain JSON that persists across restarts, as a real meter's counter does. */
export type DeviceStates = Record<string, unknown>

interface Running {
  device: HubDevice
  model: ReturnType<typeof modelOf>
  state: unknown
}

/** Simulation of the devices of one hub. Pure except for its own states: no clock, no network. */
export interface Building {
  /** Advances the devices by `seconds` at `worldTime` (epoch ms). Boards draw the power of the devices they feed. */
  step(seconds: number, worldTime: number): void
  /** Current status fields of a device; undefined if the hub has no such device. */
  report(uid: string): Record<string, unknown> | undefined
  /** Applies a command; the values must have been validated. */
  command(uid: string, values: Record<string, unknown>): void
  /** Whether a device was silent in the last step. */
  isSilent(uid: string): boolean
  /** Marks the defects of a device as repaired. */
  repair(uid: string): void
  configure(settings: HubSettings): void
  states(): DeviceStates
}

/**
 * Creates a building.
 *
 * seed    makes the simulation reproducible
 * states  of an earlier run; devices without one start new
 * rush    recurring visits while the demo is watched; without it there are none
 * errors  RangeError for an unknown type code
 */
export function createBuilding(
  devices: readonly HubDevice[],
  seed: number,
  states: DeviceStates = {},
  rush?: Rush,
): Building {
  const running = new Map<string, Running>()
  for (const device of devices) {
    const model = modelOf(device.PeripheralType)
    const wiring: Wiring = device.scenario.wiring ?? {}
    const state = states[device.PeripheralUID] ?? model.make(device.PeripheralType, wiring)
    running.set(device.PeripheralUID, { device, model, state })
  }
  const drawnBy = (uids: readonly string[]) =>
    uids.reduce((sum, uid) => {
      const fed = running.get(uid)
      return sum + (fed ? fed.model.draws(fed.state) : 0)
    }, 0)
  const repaired = new Set<string>()
  const remainingDefects = ({ PeripheralUID, scenario }: HubDevice): readonly Defect[] =>
    repaired.has(PeripheralUID)
      ? []
      : (scenario.defects ?? []).filter(({ endedBy }) => {
          const one = endedBy && running.get(endedBy.PeripheralUID)
          return !endedBy || one?.model.report(one.state)[endedBy.field] !== endedBy.value
        })
  let lastStep = -Infinity

  return {
    step(seconds, worldTime) {
      lastStep = worldTime
      for (const one of running.values()) {
        const { profile, key, rooms = [key], watts = 0, feeds = [], wiring, visit } = one.device.scenario
        const place = { seed, key, rooms, watts, visit, rush, defects: remainingDefects(one.device) }
        const world = worldAt(profile, place, wiring?.phases ?? 1, worldTime)
        one.state = one.model.step(one.state, seconds, { ...world, watts: world.watts + drawnBy(feeds) })
      }
    },
    report(uid) {
      const one = running.get(uid)
      return one?.model.report(one.state)
    },
    isSilent(uid) {
      const one = running.get(uid)
      if (!one) return false
      const { key } = one.device.scenario
      return remainingDefects(one.device).some(
        (defect) => defect.silent && isActive(defect, seed, key, lastStep),
      )
    },
    repair: (uid) => void repaired.add(uid),
    command(uid, values) {
      const one = running.get(uid)
      if (one) one.state = one.model.command(one.state, values)
    },
    configure(settings) {
      const one = running.get(settings.PeripheralUID)
      if (one?.model.configure) one.state = one.model.configure(one.state, settings)
    },
    states: () => Object.fromEntries([...running].map(([uid, { state }]) => [uid, state])),
  }
}

/** Simulated behavior of one device, as plain data. */
interface DeviceScenario {
  profile: ProfileName
  /** Identifies the room or machine; the random numbers are derived from it. */
  key: string
  /** Rooms whose people it detects or serves; `key` if absent. */
  rooms?: readonly string[]
  /** Rated power in W of the load that a meter measures. */
  watts?: number
  /** PeripheralUIDs on the same hub whose loads flow through this meter; they precede it in the list. Plants reduce it. */
  feeds?: readonly string[]
  defects?: readonly Defect[]
  /** Visit to the device during a rush. */
  visit?: Visit | undefined
  wiring?: Wiring
}

/** A simulated end device. Field names are those of the wire format. */
export interface HubDevice {
  PeripheralUID: string
  PeripheralType: string
  PeripheralName: string
  /** Seconds between two readings of a meter. */
  PowerMeterUpdateFrequency?: number
  /** Seconds a dry contact stays closed in pulse mode. */
  PulseDuration?: 60 | 300 | 600 | 900
  scenario: DeviceScenario
}

/** A hub with its connection data: AddThing's answer, the company's id and its devices. */
export interface FleetHub {
  /** The company's RootCognitoId, first level of its topics. */
  rootId: string
  HomeID: string
  ThingName: string
  Secret: string
  devices: readonly HubDevice[]
}

/** Step in ms with which a period without a running simulator is simulated afterwards, and the maximum length of that period. */
const STEP_MS = 300_000
const MAX_CATCH_UP_MS = 30 * 86_400_000
/** Duration and step of the warm-up of new devices, in ms. */
const WARM_UP_MS = 24 * 3_600_000
const SETTLING_STEP = 900_000

/**
 * Simulates the devices of a hub from their stored states until now, in at least one step.
 *
 * memory   the stored states and their time, epoch ms
 * returns  the building at each step, the last of which is `now`
 */
export function* catchUpSince(
  devices: readonly HubDevice[],
  memory: { at: number; states: DeviceStates },
  seed: number,
  now: number,
): Generator<{ building: Building; at: number; isLast: boolean }> {
  const building = createBuilding(devices, seed, memory.states)
  let from = Math.min(now, Math.max(memory.at, now - MAX_CATCH_UP_MS))
  do {
    const at = Math.min(from + STEP_MS, now)
    building.step((at - from) / 1000, from)
    from = at
    yield { building, at, isLast: at === now }
  } while (from < now)
}

/**
 * States of devices after a day of warm-up: room temperatures follow people and weather, switches are as people left them.
 * Counters are left out: they start now.
 *
 * at  world time, epoch ms
 */
export function settledStates(devices: readonly HubDevice[], seed: number, at: number): DeviceStates {
  const building = createBuilding(devices, seed)
  for (let from = at - WARM_UP_MS; from < at; from += SETTLING_STEP) building.step(SETTLING_STEP / 1000, from)
  const counts = new Set(
    devices
      .filter(({ PeripheralUID }) => 'AccumulatePower' in (building.report(PeripheralUID) ?? {}))
      .map(({ PeripheralUID }) => PeripheralUID),
  )
  return Object.fromEntries(Object.entries(building.states()).filter(([uid]) => !counts.has(uid)))
}
