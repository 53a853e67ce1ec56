import { useCallback } from 'react'
import { type EstimateText, formatEstimate } from '../../../contract/kernel/numbers.ts'
import { useT } from '../../lib/i18n/i18n.ts'

type FormatParameters = Parameters<typeof formatEstimate>

/** Text of an estimate with its range: "about NT$ 21,000 (19,000–22,000)"; parameters as for `formatEstimate`. */
export function useEstimateWords(): (...parameters: FormatParameters) => string {
  const t = useT()
  return useCallback(
    (...parameters) => {
      const { amount, range }: EstimateText = formatEstimate(...parameters)
      return range === undefined
        ? t('insight:estimate.about', { amount })
        : t('insight:estimate.range', { amount, range })
    },
    [t],
  )
}
