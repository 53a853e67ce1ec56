import type { DeviceStatus } from '../../../contract/device-kinds/status.ts'
import { deviceType } from '../../../contract/device-kinds/registry.ts'
import type { DeviceSnapshot } from '../../../contract/resources/peripheral.ts'
import { isCurrent } from '../../../contract/rules/status-order.ts'

/** A home at a glance. */
export interface HomeSummary {
  devices: number
  hubs: number
  hubsOnline: number
  /** Sum of the meters whose reading is current, W. */
  watts: number
  meters: number
  /** Meters whose reading is younger than their update frequency (§4). */
  metersReporting: number
  doors: number
  doorsOpen: number
  lights: number
  lightsOn: number
}

/**
 * Counts and sums of one home's devices by their last statuses.
 *
 * special  a meter whose reading is old, or that has no power to tell, is not in the sum; a light with several relays is
 *          on when any of them is
 */
export function summarize(
  snapshot: Pick<DeviceSnapshot, 'Things' | 'Peripherals'>,
  statusOf: (uid: string) => DeviceStatus | undefined,
  now: number,
): HomeSummary {
  const sum: HomeSummary = {
    devices: 0,
    hubs: snapshot.Things.length,
    hubsOnline: snapshot.Things.filter(({ Online }) => Online).length,
    watts: 0,
    meters: 0,
    metersReporting: 0,
    doors: 0,
    doorsOpen: 0,
    lights: 0,
    lightsOn: 0,
  }
  for (const device of snapshot.Peripherals) {
    const type = deviceType(device.PeripheralType)
    const status = statusOf(device.PeripheralUID)
    sum.devices++
    for (const capability of type?.capabilities ?? []) {
      if (capability.name === 'meter') {
        sum.meters++
        const watts = status?.['Power']
        if (
          status &&
          typeof watts === 'number' &&
          isCurrent(status.Timestamp, device.PowerMeterUpdateFrequency, now)
        ) {
          sum.metersReporting++
          sum.watts += watts
        }
      } else if (capability.name === 'door') {
        sum.doors++
        if (status?.['DoorState'] === 2) sum.doorsOpen++
      } else if (capability.name === 'switches') {
        sum.lights++
        if (Object.keys(capability.command).some((field) => status?.[field] === 1)) sum.lightsOn++
      }
    }
  }
  return sum
}
