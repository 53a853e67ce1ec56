import { OnOff, type Capability } from './capability.ts'

/** Up to three relays (§2): a single one is Switch, several are Switch1-3. */
export function switches(count: 1 | 2 | 3): Capability {
  const fields = Object.fromEntries(switchFields(count).map((field) => [field, OnOff]))
  return { name: 'switches', status: fields, command: fields, units: {}, summary: switchFields(count) }
}

export const switchFields = (count: number): string[] =>
  count === 1 ? ['Switch'] : Array.from({ length: count }, (_, i) => `Switch${i + 1}`)
