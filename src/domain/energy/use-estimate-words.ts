import { useCallback } from 'react'
import { type EstimateText, formatEstimate } from '../../../contract/kernel/numbers.ts'
import { useT } from '../../lib/i18n/i18n.ts'

interface Estimate {
  mid: number
  low: number | null
  high: number | null
}

/** Text of an estimate with its range: "about NT$ 21,000 (19,000–22,000)". */
export function useEstimateWords(): (estimate: Estimate, kind: 'energy' | 'money') => string {
  const t = useT()
  return useCallback(
    (estimate, kind) => {
      const { amount, range }: EstimateText = formatEstimate(estimate, kind)
      return range === undefined
        ? t('insight:estimate.about', { amount })
        : t('insight:estimate.range', { amount, range })
    },
    [t],
  )
}
