/** A day of a site. */
export interface EuiDay {
  /** What it used. */
  kWh: number
  /** 0..1 of it that is complete (`completeShare`). */
  complete: number
  /** m² of floor without parking on that day; null where nobody said. */
  area: number | null
}

/** Days of an energy use intensity. */
export const EUI_DAYS = 365
/** So much of its days must be complete. */
const LEAST_COMPLETE = 0.9

/** Why there is none: the area is not known of each day, the year is not over, or too little of it is known. */
export const EUI_LACKS = ['area', 'days', 'coverage'] as const
export type EuiLack = (typeof EUI_LACKS)[number]

/**
 * Energy use intensity: what a site used in 365 days by the area that it had, kWh per m² and year; of a site that grew each day counts by
 * its own area.
 *
 * days  the last ones, oldest first
 */
export function euiOf(days: readonly EuiDay[]): { Eui: number; Complete: number } | { Lack: EuiLack } {
  const year = days.slice(-EUI_DAYS)
  if (year.some(({ area }) => area === null || !(area > 0))) return { Lack: 'area' }
  if (year.length < EUI_DAYS) return { Lack: 'days' }
  const Complete = year.reduce((sum, { complete }) => sum + complete, 0) / EUI_DAYS
  if (Complete < LEAST_COMPLETE) return { Lack: 'coverage' }
  return { Eui: year.reduce((sum, { kWh, area }) => sum + kWh / (area as number), 0), Complete }
}
