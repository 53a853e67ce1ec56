/**
 * What a meter counts for its site: which sign its energy has in the balance, or none. `load` divides what the site used and is
 * the role of a meter of which nobody has said another; `check` is a second look that no total counts.
 */
export const METER_ROLES = [
  'load',
  'gridImport',
  'gridExport',
  'generation',
  'soldGeneration',
  'storageCharge',
  'storageDischarge',
  'check',
] as const
export type MeterRole = (typeof METER_ROLES)[number]
