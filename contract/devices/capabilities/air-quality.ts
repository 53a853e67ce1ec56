import { z } from 'zod'
import type { Capability } from './capability.ts'

/** Fine dust in µg/m³; many sensors measure the air's temperature and humidity besides. */
export const airQuality: Capability = {
  name: 'airQuality',
  status: {
    PM25: z.number().min(0).max(10_000),
    Temperature: z.number().min(-60).max(125),
    Humidity: z.number().min(0).max(100),
  },
  command: {},
  units: { PM25: 'µg/m³', Temperature: '°C', Humidity: '%' },
}
