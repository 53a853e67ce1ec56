import { type Building, createBuilding, type DeviceStates } from './building.ts'
import type { HubDevice } from './hub-device.ts'

/** Step with which the time is made up for during which devices did not run, in ms, and the most that is made up for. */
const STEP_MS = 300_000
const LONGEST = 30 * 86_400_000
/** Time and step in which new devices learn what surrounds them, in ms. */
const WARM_UP_MS = 24 * 3_600_000
const SETTLING_STEP = 900_000

/**
 * Lets the devices of a hub live on from what is remembered of them, at least one step.
 *
 * memory   the devices' states at a moment, epoch ms
 * returns  the building at each moment, the last of which is `now`
 */
export function* catchUpSince(
  devices: readonly HubDevice[],
  memory: { at: number; states: DeviceStates },
  seed: number,
  now: number,
): Generator<{ building: Building; at: number; last: boolean }> {
  const building = createBuilding(devices, seed, memory.states)
  let from = Math.min(now, Math.max(memory.at, now - LONGEST))
  do {
    const at = Math.min(from + STEP_MS, now)
    building.step((at - from) / 1000, from)
    from = at
    yield { building, at, last: at === now }
  } while (from < now)
}

/**
 * The states of devices that have been where they are for a day: rooms are as warm as their people and the weather make them,
 * what people switch is as they left it. What counts is left out: it begins now.
 *
 * at  the moment at which people live, epoch ms
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
