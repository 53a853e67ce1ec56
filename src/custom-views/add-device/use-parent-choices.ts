import type { DiscoveredPeripheral, Peripheral } from '../../../contract/devices/peripheral.ts'
import { isMeter } from '../../../contract/devices/kinds/registry.ts'
import { meterPositions, type MeterPosition } from '../../../contract/meters/meter-tree.ts'
import { useDevices } from '../../data/homes.ts'

export interface ParentChoice {
  PeripheralUID: string
  name: string
}

/** The likeliest parent first. */
const LIKELY: readonly MeterPosition[] = ['main', 'alone', 'between', 'sub']

/**
 * Possible parents of each device to be added that is a meter: the home's meters, and those added with it. Other devices, and the first
 * meter of a home, have no entry.
 */
export function useParentChoices(
  homeId: string,
  picked: readonly (DiscoveredPeripheral & Partial<Pick<Peripheral, 'ParentMeter'>>)[],
): ReadonlyMap<string, readonly ParentChoice[]> {
  const devices = useDevices(homeId).data
  const statusOf = new Map(devices?.Statuses.map((status) => [status.PeripheralUID, status]))
  const there = (devices?.Peripherals ?? []).filter((device) =>
    isMeter(device, statusOf.get(device.PeripheralUID)),
  )
  const stands = meterPositions(there)
  const rank = ({ PeripheralUID }: Peripheral) => LIKELY.indexOf(stands.get(PeripheralUID) ?? 'sub')
  const existing = there
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ PeripheralUID, IndexName, PeripheralName }) => ({
      PeripheralUID,
      name: IndexName ?? PeripheralName,
    }))
  // A Modbus device counts as a meter once it has reported a counter, which is unknown before it is added.
  const meters = picked.filter((device) => isMeter(device, undefined))
  return new Map(
    meters.flatMap(({ PeripheralUID }): [string, readonly ParentChoice[]][] => {
      const others = meters.filter(
        (other) => other.PeripheralUID !== PeripheralUID && other.ParentMeter !== PeripheralUID,
      )
      const choices = [
        ...existing.filter((one) => one.PeripheralUID !== PeripheralUID),
        ...others.map((other) => ({ PeripheralUID: other.PeripheralUID, name: other.PeripheralName })),
      ]
      return meters.length + existing.length > 1 ? [[PeripheralUID, choices]] : []
    }),
  )
}
