import type { CarbonSource } from '../energy/meter-data-calls.ts'

/** Factor of the specification (§9), kg CO2e per kWh, published by the Energy Administration for 2023. */
export const DEFAULT_CARBON_FACTOR = 0.494
const DEFAULT_IS_OF = 2023

/**
 * Taiwan's grid emission factor by year, kg CO2e per kWh, published by the Energy Administration a year later. Not valid for wheeled
 * green power.
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
 * Rules that select the factor of a company's energy.
 *
 * constant  0.494 in every year (§9)
 * byYear    factor published for the year; if there is none, the latest one published for an earlier year
 */
export const CARBON_RULES = ['constant', 'byYear'] as const
export type CarbonRule = (typeof CARBON_RULES)[number]

/** Factor of a year, kg CO2e per kWh, and its year of publication; null for a company's own. */
export interface CarbonFactorOfYear {
  Year: number
  Factor: number
  Source: CarbonSource
  Of: number | null
}

/**
 * Selects the emission factor of a year. A company's own factor takes precedence under either rule.
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
