import { z } from 'zod'
import { formatDay, parseDay } from './periods.ts'

/** Aborts on an invalid day, because dependent checks cannot compute with it. */
export const NO_DAY = { error: 'invalid', abort: true } as const

/** Calendar day, `2025-10-01`. */
export const DateText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, NO_DAY)
  .refine((text) => Number.isFinite(parseDay(text)) && formatDay(parseDay(text)) === text, NO_DAY)
