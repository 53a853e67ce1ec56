/** kg CO2e per kWh: the figure of the specification (§9), which the Energy Administration published for 2023. */
export const DEFAULT_CARBON_FACTOR = 0.494
const DEFAULT_IS_OF = 2023

/**
 * Taiwan's grid emission factor by year, kg CO2e per kWh, as the Energy Administration publishes it a year later;
 * it does not hold for green power that is wheeled.
 */
export const CARBON_FACTORS: Readonly<Record<number, number>> = {
  2017: 0.554,
  2018: 0.533,
  2019: 0.509,
  2020: 0.502,
  2021: 0.509,
  2022: 0.495,
  2023: 0.494,
  2024: 0.474,
}

/**
 * By which factor a company's energy counts.
 *
 * constant  0.494 in every year (§9)
 * byYear    what is published for the year; of a year without, the latest that was published before it
 */
export const CARBON_RULES = ['constant', 'byYear'] as const
export type CarbonRule = (typeof CARBON_RULES)[number]

/** Where a factor comes from: the company, the year's publication, the specification, or the publication of an earlier year. */
export const CARBON_SOURCES = ['own', 'published', 'constant', 'latest'] as const
export type CarbonSource = (typeof CARBON_SOURCES)[number]

/** The factor of a year, kg CO2e per kWh, with the year that it was published for; null of a company's own. */
export interface CarbonFactorOfYear {
  Year: number
  Factor: number
  Source: CarbonSource
  Of: number | null
}

/**
 * The factor by which the energy of a year counts. A company's own holds under either rule.
 *
 * own  by year, kg CO2e per kWh
 */
export function carbonFactorOf(
  Year: number,
  own: ReadonlyMap<number, number>,
  rule: CarbonRule,
): CarbonFactorOfYear {
  const given = own.get(Year)
  if (given !== undefined) return { Year, Factor: given, Source: 'own', Of: null }
  const years = Object.keys(CARBON_FACTORS).map(Number)
  const before = years.filter((year) => year <= Year)
  if (rule === 'constant' || before.length === 0)
    return { Year, Factor: DEFAULT_CARBON_FACTOR, Source: 'constant', Of: DEFAULT_IS_OF }
  const Of = Math.max(...before)
  return { Year, Factor: CARBON_FACTORS[Of] as number, Source: Of === Year ? 'published' : 'latest', Of }
}
