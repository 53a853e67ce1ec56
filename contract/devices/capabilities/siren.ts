import { OnOff, type Capability } from './capability.ts'

/** Siren. Screens ask for confirmation both ways: sounding it causes an evacuation, silencing it may hide a danger. */
export const sirenCapability: Capability = {
  name: 'siren',
  status: { Switch: OnOff },
  command: { Switch: OnOff },
  units: {},
  labels: { Switch: 'Siren' },
  needsConfirmation: ({ Switch }) => (Switch === 1 ? 'soundSiren' : 'silenceSiren'),
}
