import { z } from 'zod'
import { OnOff, type Capability } from './capability.ts'

const fields = { Switch: OnOff, Brightness: z.number().int().min(0).max(100) }

/** Dimmable lamp: Brightness in percent of full light, kept while the lamp is off. */
export const dimmer: Capability = {
  name: 'dimmer',
  status: fields,
  command: fields,
  units: { Brightness: '%' },
}
