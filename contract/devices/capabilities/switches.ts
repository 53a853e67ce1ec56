import { z } from 'zod'
import { OnOff, type Capability, oneOf, type Choices } from './capability.ts'

/** Up to three relays (§2): a single one is Switch, several are Switch1-3. */
export function switches(count: 1 | 2 | 3): Capability {
  const fields = Object.fromEntries(switchFields(count).map((field) => [field, OnOff]))
  return { name: 'switches', status: fields, command: fields, units: {}, summary: switchFields(count) }
}

export const switchFields = (count: number): string[] =>
  count === 1 ? ['Switch'] : Array.from({ length: count }, (_, i) => `Switch${i + 1}`)

const fields = { Switch: OnOff, Brightness: z.number().int().min(0).max(100) }

/** Dimmable lamp: Brightness in percent of full light, kept while the lamp is off. */
export const dimmer: Capability = {
  name: 'dimmer',
  status: fields,
  command: fields,
  units: { Brightness: '%' },
}

/** Values as in §4: a pulse closes for PulseDuration, then opens by itself; a switch stays; a toggle changes with its button. */
export const CONTACT_MODES: Choices = [
  [0, 'pulse'],
  [1, 'switch'],
  [2, 'toggle'],
]

/** Potential-free output. Closing it may start a machine. */
export const dryContact: Capability = {
  name: 'dryContact',
  status: { Switch: OnOff, ContactMode: oneOf(CONTACT_MODES) },
  command: { Switch: OnOff },
  units: {},
  choices: { ContactMode: CONTACT_MODES },
  summary: ['Switch'],
  labels: { Switch: 'Contact' },
  needsConfirmation: ({ Switch }) => (Switch === 1 ? 'closeContact' : 'openContact'),
}

/** Siren. Screens ask for confirmation both ways: sounding it causes an evacuation, silencing it may hide a danger. */
export const sirenCapability: Capability = {
  name: 'siren',
  status: { Switch: OnOff },
  command: { Switch: OnOff },
  units: {},
  labels: { Switch: 'Siren' },
  needsConfirmation: ({ Switch }) => (Switch === 1 ? 'soundSiren' : 'silenceSiren'),
}
