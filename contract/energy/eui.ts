export interface EuiDay {
  /** Energy used, kWh. */
  kWh: number
  /** Complete share of the day, 0..1 (`completeShare`). */
  complete: number
  /** Floor area without parking on that day, m²; null if not entered. */
  area: number | null
}

/** Number of days in an energy use intensity. */
export const EUI_DAYS = 365
/** Minimum complete share of these days. */
const MIN_COMPLETE_SHARE = 0.9

/** Reasons for a missing result: area unknown on a day, fewer than 365 days, or too little data. */
export const EUI_LACKS = ['area', 'days', 'coverage'] as const
export type EuiLack = (typeof EUI_LACKS)[number]

/**
 * Energy use intensity: energy of 365 days by floor area, kWh per m² and year. If the area changed, each day counts by its own area.
 *
 * days  most recent days, oldest first
 */
export function euiOf(days: readonly EuiDay[]): { Eui: number; Complete: number } | { Lack: EuiLack } {
  const year = days.slice(-EUI_DAYS)
  if (year.some(({ area }) => area === null || !(area > 0))) return { Lack: 'area' }
  if (year.length < EUI_DAYS) return { Lack: 'days' }
  const Complete = year.reduce((sum, { complete }) => sum + complete, 0) / EUI_DAYS
  if (Complete < MIN_COMPLETE_SHARE) return { Lack: 'coverage' }
  return { Eui: year.reduce((sum, { kWh, area }) => sum + kWh / (area as number), 0), Complete }
}
