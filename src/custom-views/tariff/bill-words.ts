import type { bills } from '../../../contract/tariffs/bill-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { Band, Capacity } from '../../../contract/tariffs/tariff-terms.ts'
import { useT } from '../../lib/i18n/i18n.ts'

export type Bill = ResultsOf<typeof bills.getBill>
export type Line = Bill['Lines'][number]

export function useLineName(): (line: Line) => string {
  const t = useT()
  const detailOf = ({ Item, Detail }: Line): string => {
    if (Item === 'energy' || Item === 'overCapacity') return t(`tariff:bands.${Detail as Band}`)
    if (Item === 'capacity') return t(`tariff:capacities.${Detail as Capacity}`)
    if (Item === 'tier' || Item === 'surcharge') return t('tariff:bill.from', { kwh: Detail })
    return Item === 'powerFactor' ? `${Detail}%` : ''
  }
  return (line) => `${t(`tariff:items.${line.Item}`)} ${detailOf(line)}`.trimEnd()
}

/** Possible multiples of the rate for demand above the contract. */
const MULTIPLES = [2, 3]
const ROUNDING = 1e-9

/**
 * Factors of a line's quantity and price, separately: multiple of the rate, and number of months.
 *
 * bill  contains the capacity lines, which give the number of months
 */
export function factorsOf(
  { Item, Factor, Season, ValidFrom }: Line,
  { Lines }: Pick<Bill, 'Lines'>,
): number[] {
  if (Factor === 1) return []
  if (Item !== 'overCapacity') return [Factor]
  for (const otherLine of Lines)
    if (otherLine.Item === 'capacity' && otherLine.Season === Season && otherLine.ValidFrom === ValidFrom)
      for (const multiple of MULTIPLES)
        if (Math.abs(Factor - multiple * otherLine.Factor) < ROUNDING)
          return otherLine.Factor === 1 ? [multiple] : [multiple, otherLine.Factor]
  return [Factor]
}
