import { OnOff, oneOf, type Capability, type Choices } from './capability.ts'

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
