import { capabilityOf, deviceType, reportsNothing } from './kinds/registry.ts'
import type { Peripheral } from './peripheral.ts'

type Device = Pick<Peripheral, 'PeripheralType' | 'SilentAfter'>

/** Whether a time of silence can be set: not for what never reports, nor for a meter, which has its update frequency. */
export const canBeSilent = (peripheralType: string): boolean =>
  !reportsNothing(deviceType(peripheralType)) && !capabilityOf(peripheralType, 'meter')

/**
 * The ms without a report after which a device is silent although its hub is there.
 *
 * returns  null when no time makes it so
 */
export function silentAfter({ PeripheralType, SilentAfter }: Device): number | null {
  if (!canBeSilent(PeripheralType)) return null
  if (SilentAfter !== null) return SilentAfter * 60_000
  const hours = deviceType(PeripheralType)?.silentAfter ?? null
  return hours === null ? null : hours * 3_600_000
}

/**
 * Whether a device whose hub is there has said nothing for as long as makes it silent.
 *
 * timestamp  of its last report, epoch ms
 * now        epoch ms
 */
export function isSilent(device: Device, timestamp: number, now: number): boolean {
  const after = silentAfter(device)
  return after !== null && now - timestamp >= after
}
