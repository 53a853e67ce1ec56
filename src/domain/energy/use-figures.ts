import { useCallback } from 'react'
import { formatReading } from '../../lib/format-power.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import type { EnergyMeasure } from './measures.ts'

export const ENERGY_UNITS: Record<EnergyMeasure, string> = { kwh: 'kWh', cost: 'NT$', co2: 'kg CO₂e' }

/** Formats figures with the decimals of the user's settings; "–" for no value. */
export function useEnergyFormat() {
  const decimals = useDecimalPrecision()
  return useCallback((value: number | null | undefined): string => formatReading(value, decimals), [decimals])
}

/** A share as a percentage, e.g. "12.3%". */
export const formatShare = (share: number): string => `${(share * 100).toFixed(1)}%`

/** A share of missing or estimated data as a percentage; a positive share is never shown as "0.0%". */
export const formatLack = (share: number): string =>
  share > 0 && share < 0.0005 ? '<0.1%' : formatShare(share)
