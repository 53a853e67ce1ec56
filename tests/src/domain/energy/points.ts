import type { EnergyPoint, EnergySeries } from '../../../../contract/energy/meter-data-calls.ts'

export const HOUR = 3_600_000

export const point = (
  Timestamp: number,
  kWh: number | null,
  more: Partial<EnergyPoint> = {},
): EnergyPoint => ({
  Timestamp,
  kWh,
  Cost: kWh === null ? null : kWh * 2,
  CarbonKg: kWh === null ? null : kWh / 2,
  Coverage: {
    Measured: kWh === null ? 0 : 4,
    Between: 0,
    Estimated: 0,
    Corrected: 0,
    Missing: kWh === null ? 4 : 0,
    Withheld: 0,
  },
  Resets: 0,
  ...more,
})

/** Hourly points from a time on. */
export const line = (Key: string, from: number, values: readonly (number | null)[]): EnergySeries => ({
  Key,
  Points: values.map((value, i) => point(from + i * HOUR, value)),
})
