import { z } from 'zod'
import type { Capability } from './capability.ts'

/**
 * Percent of a battery below which it is to be replaced. Alkaline cells keep working for some weeks from here, and makers
 * of Zigbee and Z-Wave devices warn between 10 and 20: our choice (decision 0018).
 */
export const LOW_BATTERY = 15

/** Percent of a battery that runs low; undefined for one that does not, and for a device that says nothing of any. */
export function lowBattery(status: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const percent = status?.['Battery']
  return typeof percent === 'number' && percent < LOW_BATTERY ? percent : undefined
}

/** What any device may say of itself beside what it is there for: battery in percent, quality of its radio link 0 to 255. */
export const diagnostics: Capability = {
  name: 'diagnostics',
  status: {
    Battery: z.number().min(0).max(100),
    LinkQuality: z.number().int().min(0).max(255),
  },
  command: {},
  units: { Battery: '%' },
}
