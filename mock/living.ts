import type { DeviceStatus } from '../contract/devices/kinds/status.ts'
import { parseCommandValues, parseStatusFields } from '../contract/devices/kinds/status.ts'
import { createBuilding, type HubDevice, settledStates } from '../simulator/building/building.ts'
import { demoCompany } from '../simulator/demo/demo.ts'
import { storyOf, withStory } from '../simulator/demo/story.ts'

/** Interval of simulation steps, in ms. */
const STEP = 1_000
/** Delay in ms between a command and its execution by the device. */
const LATENCY = 600
/** §4: smoke 3 is fire. */
const FIRE = { field: 'SmokeState', value: 3 }

export interface LivingOptions {
  seed: number
  now(): number
  /** A smoke sensor of each building reports fire. */
  fire: boolean
  changed(statuses: readonly DeviceStatus[]): void
}

/** The demo's buildings, run by the simulator that also simulates their hubs. */
export function createLiving({ seed, now, fire, changed }: LivingOptions) {
  const story = storyOf(now())
  const devices: HubDevice[] = demoCompany.homes.flatMap(({ hubs }) =>
    hubs.flatMap((hub) => withStory(hub.devices, story)),
  )
  const building = createBuilding(devices, seed, settledStates(devices, seed, now()))
  // A meter first measures in a step, even one of zero seconds.
  building.step(0, now())
  const byUid = new Map(devices.map((device) => [device.PeripheralUID, device]))
  const published = new Map<string, string>()
  const burning = new Set(
    fire ? devices.filter((one) => one.PeripheralType === '756').map((one) => one.PeripheralUID) : [],
  )

  function statusOf({ PeripheralUID, PeripheralType }: HubDevice): DeviceStatus | undefined {
    const parsed = parseStatusFields(PeripheralType, building.report(PeripheralUID) ?? {})
    if (!parsed?.success || Object.keys(parsed.data).length === 0) return undefined
    const values = burning.has(PeripheralUID) ? { ...parsed.data, [FIRE.field]: FIRE.value } : parsed.data
    return { PeripheralUID, PeripheralType, Timestamp: now(), updateAt: now(), ...values }
  }

  /** Publishes statuses that changed since the last time. */
  function publishChanges(): void {
    const statuses = devices.flatMap((device) => {
      const status = statusOf(device)
      if (!status) return []
      const { Timestamp: _, updateAt: __, ...values } = status
      const text = JSON.stringify(values)
      if (published.get(device.PeripheralUID) === text) return []
      published.set(device.PeripheralUID, text)
      return [status]
    })
    if (statuses.length) changed(statuses)
  }

  return {
    start: () => setInterval(() => (building.step(STEP / 1000, now()), publishChanges()), STEP),
    all: () => devices.flatMap((device) => statusOf(device) ?? []),
    /** Current status of a device; undefined for a device outside the demo, and for a silent one. */
    statusOf: (uid: string): DeviceStatus | undefined => {
      const device = byUid.get(uid)
      return device && statusOf(device)
    },
    /** Executes a command after the latency; false if the device or the values are invalid. */
    command(uid: string, values: unknown, onDone: () => void): boolean {
      const device = byUid.get(uid)
      const parsed = device && parseCommandValues(device.PeripheralType, values)
      if (!parsed?.success) return false
      setTimeout(() => {
        building.command(uid, parsed.data)
        publishChanges()
        onDone()
      }, LATENCY)
      return true
    },
  }
}
export type Living = ReturnType<typeof createLiving>
