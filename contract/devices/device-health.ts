import { capabilityOf, deviceType, reportsNothing } from './kinds/registry.ts'
import type { Peripheral } from './peripheral.ts'
import { applies, type Capability } from './capabilities/capability.ts'
import { choiceOf } from './kinds/field-shape.ts'

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

/** Reported value that means alarm or warning, e.g. smoke, or a full tank. */
export interface Trouble {
  capability: Capability
  field: string
  value: unknown
}

export const capabilitiesOf = (type: string): readonly Capability[] => deviceType(type)?.capabilities ?? []

/** Fields of a device whose value means alarm or warning; `urgent` if any means alarm. An open door does not count. */
export function troublesOf(
  { PeripheralType }: Pick<Peripheral, 'PeripheralType'>,
  status: Readonly<Record<string, unknown>>,
): { troubles: Trouble[]; urgent: boolean } {
  let urgent = false
  const troubles: Trouble[] = []
  for (const capability of capabilitiesOf(PeripheralType)) {
    if (capability.name === 'door' || !capability.choices || !applies(capability, status)) continue
    for (const [field, choices] of Object.entries(capability.choices)) {
      const meaning = choiceOf(choices, status[field])?.[2]
      if (meaning !== 'alarm' && meaning !== 'warning') continue
      urgent ||= meaning === 'alarm'
      troubles.push({ capability, field, value: status[field] })
    }
  }
  return { troubles, urgent }
}
