import { z } from 'zod'
import type { Capability } from './capability.ts'

/** Quantities that have a name in the locales, `devices.quantities`; others are shown as reported. */
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

/** Field whose unit and quantity are in the report. */
export const PLAIN_VALUE = 'Value'

/** One measured value of any quantity, in the unit that the device reports. */
export const sensorCapability: Capability = {
  name: 'sensor',
  status: {
    [PLAIN_VALUE]: z.number().min(-1e12).max(1e12),
    /** Unit as displayed after the value; '' for none. */
    Unit: z.string().trim().max(16),
    /** One of QUANTITIES, or another name from the device. */
    Quantity: z.string().trim().min(1).max(32),
  },
  command: {},
  // The unit is in the report.
  units: { [PLAIN_VALUE]: '' },
  summary: [PLAIN_VALUE],
}
