import type { UsualDay } from '../../logic/detected.ts'

/** Days that a proof shows: those that are usual stand before the others. */
const SHOWN = 56

/** The days of a proof up to one, exclusive. */
export const evidenceDays = (
  end: number,
  of: (day: number) => Omit<UsualDay, 'day'>,
  shown = SHOWN,
): UsualDay[] =>
  Array.from({ length: shown }, (_, i) => {
    const day = end - shown + i
    return { day, ...of(day) }
  })
