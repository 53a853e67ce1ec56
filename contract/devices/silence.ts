import { capabilityOf, deviceType, reportsNothing } from './kinds/registry.ts'
import type { Peripheral } from './peripheral.ts'

type Device = Pick<Peripheral, 'PeripheralType' | 'SilentAfter'>

/** Whether SilentAfter applies: not to types that never report, nor to meters, which have their update frequency. */
export const canBeSilent = (peripheralType: string): boolean =>
  !reportsNothing(deviceType(peripheralType)) && !capabilityOf(peripheralType, 'meter')

/**
 * Time in ms without a report after which a device is silent although its hub is online.
 *
 * returns  null if the device never becomes silent
 */
export function silentAfter({ PeripheralType, SilentAfter }: Device): number | null {
  if (!canBeSilent(PeripheralType)) return null
  if (SilentAfter !== null) return SilentAfter * 60_000
  const hours = deviceType(PeripheralType)?.silentAfter ?? null
  return hours === null ? null : hours * 3_600_000
}

/**
 * Whether a device whose hub is online has not reported for its silence limit.
 *
 * timestamp  time of its last report, epoch ms
 * now        epoch ms
 */
export function isSilent(device: Device, timestamp: number, now: number): boolean {
  const after = silentAfter(device)
  return after !== null && now - timestamp >= after
}
