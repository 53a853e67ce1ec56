import { applies, type Capability } from './capabilities/capability.ts'
import { choiceOf } from './kinds/field-shape.ts'
import { deviceType } from './kinds/registry.ts'
import type { Peripheral } from './peripheral.ts'

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
