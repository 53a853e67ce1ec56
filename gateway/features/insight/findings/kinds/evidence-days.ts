import type { UsualDay } from '../../logic/detected.ts'

/** Number of days of evidence: it also shows the usual days before the others. */
const SHOWN = 56

/** Evidence for the days up to `end`, exclusive. */
export const evidenceDays = (
  end: number,
  of: (day: number) => Omit<UsualDay, 'day'>,
  shown = SHOWN,
): UsualDay[] =>
  Array.from({ length: shown }, (_, i) => {
    const day = end - shown + i
    return { day, ...of(day) }
  })
