/** kg CO2e per kWh where no factor of the year is known (§9). */
export const DEFAULT_CARBON_FACTOR = 0.494

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

/** overrides  a company's own factors by year, kg CO2e per kWh */
export const carbonFactorOf = (year: number, overrides: ReadonlyMap<number, number>): number =>
  overrides.get(year) ?? CARBON_FACTORS[year] ?? DEFAULT_CARBON_FACTOR
