import { z } from 'zod'
import type { Capability } from './capability.ts'

/**
 * Percent below which a battery should be replaced. Alkaline cells then last some more weeks, and makers of Zigbee and Z-Wave
 * devices warn between 10 and 20 (decision 0018).
 */
export const LOW_BATTERY = 15

/** Percent of a low battery; undefined if it is not low or not reported. */
export function lowBattery(status: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const percent = status?.['Battery']
  return typeof percent === 'number' && percent < LOW_BATTERY ? percent : undefined
}

/** Additional values of any device: battery in percent, quality of its radio link from 0 to 255. */
export const diagnostics: Capability = {
  name: 'diagnostics',
  status: {
    Battery: z.number().min(0).max(100),
    LinkQuality: z.number().int().min(0).max(255),
  },
  command: {},
  units: { Battery: '%' },
}
