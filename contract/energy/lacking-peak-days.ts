import { z } from 'zod'

/** Announced peak days of a year that are missing to price one of its days. */
export const LackingPeakDays = z.object({
  Year: z.number().int(),
  /** Number of days entered, and how many a whole year has. */
  Known: z.number().int(),
  Needed: z.number().int(),
})
export type LackingPeakDays = z.infer<typeof LackingPeakDays>
