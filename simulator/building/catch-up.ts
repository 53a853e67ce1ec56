import { type Building, createBuilding, type DeviceStates, type HubDevice } from './building.ts'

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
): Generator<{ building: Building; at: number; last: boolean }> {
  const building = createBuilding(devices, seed, memory.states)
  let from = Math.min(now, Math.max(memory.at, now - MAX_CATCH_UP_MS))
  do {
    const at = Math.min(from + STEP_MS, now)
    building.step((at - from) / 1000, from)
    from = at
    yield { building, at, last: at === now }
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
