import { z } from 'zod'
import type { Capability } from './capability.ts'

/** Fine dust (PM2.5) in µg/m³; many sensors also measure air temperature and humidity. */
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
