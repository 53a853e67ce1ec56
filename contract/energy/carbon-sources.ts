/** Source of a factor: the company, the year's publication, the specification, or the publication for an earlier year. */
export const CARBON_SOURCES = ['own', 'published', 'constant', 'latest'] as const
export type CarbonSource = (typeof CARBON_SOURCES)[number]
