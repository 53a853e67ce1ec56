import { useCallback } from 'react'
import {
  CURRENCY,
  formatCarbon,
  formatDecimals,
  formatEnergy,
  formatFigure,
  formatMoney,
  type FormattedAmount,
  formatWhole,
} from '../../../contract/kernel/numbers.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import type { EnergyMeasure } from './measures.ts'

export const ENERGY_UNITS: Record<EnergyMeasure, string> = { kwh: 'kWh', cost: CURRENCY, co2: 'kg CO₂e' }

const FORMATS: Record<EnergyMeasure, (value: number | null | undefined) => FormattedAmount> = {
  kwh: formatEnergy,
  cost: formatMoney,
  co2: formatCarbon,
}

/** Formats an amount of energy, money or emissions in a unit that suits its size. */
export const formatMeasure = (measure: EnergyMeasure, value: number | null | undefined): FormattedAmount =>
  FORMATS[measure](value)

/** Formats figures whose unit is shown elsewhere, such as in a table's header. */
export const FIGURE_FORMATS: Record<EnergyMeasure, (value: number | null | undefined) => string> = {
  kwh: formatFigure,
  cost: formatWhole,
  co2: formatFigure,
}

/** Formats meter readings and bills with the decimals of the user's settings; "–" for no value. */
export function useReadingFormat(): (value: number | null | undefined) => string {
  const decimals = useDecimalPrecision()
  return useCallback((value) => formatDecimals(value, decimals), [decimals])
}
