/** What figures of energy are in. */
export const MEASURES = ['kwh', 'cost', 'co2'] as const
export type Measure = (typeof MEASURES)[number]
