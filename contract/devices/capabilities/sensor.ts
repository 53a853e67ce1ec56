import { z } from 'zod'
import type { Capability } from './capability.ts'

/** Quantities that have a name in the locales, `devices.quantities`; any other is shown as the device says it. */
export const QUANTITIES = [
  'temperature',
  'humidity',
  'pressure',
  'illuminance',
  'co2',
  'co',
  'voc',
  'formaldehyde',
  'ozone',
  'pm1',
  'pm10',
  'noise',
  'windSpeed',
  'rain',
  'uvIndex',
  'soilMoisture',
  'ph',
  'conductivity',
  'weight',
  'distance',
  'level',
  'speed',
  'flow',
  'volume',
  'water',
  'gas',
  'heat',
  'heatPower',
  'frequency',
  'voltage',
  'current',
] as const

/** The field whose unit and name stand in the report. */
export const PLAIN_VALUE = 'Value'

/** One measured value of whatever quantity, in the unit that the device names. */
export const sensorCapability: Capability = {
  name: 'sensor',
  status: {
    [PLAIN_VALUE]: z.number().min(-1e12).max(1e12),
    /** As it is written behind the value; '' for none. */
    Unit: z.string().trim().max(16),
    /** One of QUANTITIES, or any other in the device's own words. */
    Quantity: z.string().trim().min(1).max(32),
  },
  command: {},
  // Its unit is reported beside it.
  units: { [PLAIN_VALUE]: '' },
  summary: [PLAIN_VALUE],
}
