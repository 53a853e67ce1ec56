import { OnOff, type Capability } from './capability.ts'

/** A siren. Sounding one sends people running and silencing one may hide a danger, so screens ask before either. */
export const sirenCapability: Capability = {
  name: 'siren',
  status: { Switch: OnOff },
  command: { Switch: OnOff },
  units: {},
  labels: { Switch: 'Siren' },
  asksFirst: ({ Switch }) => (Switch === 1 ? 'soundSiren' : 'silenceSiren'),
}
