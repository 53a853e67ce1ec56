/** Types of days; offPeakDay stands for Sundays and the listed holidays. */
export const DAY_TYPES = ['weekday', 'saturday', 'offPeakDay'] as const
export type DayType = (typeof DAY_TYPES)[number]
