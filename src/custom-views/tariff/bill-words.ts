import type { bills } from '../../../contract/tariffs/bill-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { Band, Capacity } from '../../../contract/tariffs/tariff-terms.ts'
import { useT } from '../../lib/i18n/i18n.ts'

export type Bill = ResultsOf<typeof bills.getBill>
export type Line = Bill['Lines'][number]

/** What a line of a bill is called, with what it is about beside it. */
export function useLineName(): (line: Line) => string {
  const t = useT()
  const detailOf = ({ Item, Detail }: Line): string => {
    if (Item === 'energy' || Item === 'overCapacity') return t(`tariff:bands.${Detail as Band}`)
    if (Item === 'capacity') return t(`tariff:capacities.${Detail as Capacity}`)
    if (Item === 'tier' || Item === 'surcharge') return t('tariff:bill.from', { kwh: Detail })
    return Item === 'powerFactor' ? `${Detail} %` : ''
  }
  return (line) => `${t(`tariff:items.${line.Item}`)} ${detailOf(line)}`.trimEnd()
}

/** Beyond the contract each kW costs so many times its rate. */
const MULTIPLES = [2, 3]
const ROUNDING = 1e-9

/**
 * What a line's quantity and price are multiplied by, each number by itself: how many times the rate, and months or a part of one.
 *
 * bill  whose lines for capacity say how many months what was agreed held
 */
export function factorsOf(
  { Item, Factor, Season, ValidFrom }: Line,
  { Lines }: Pick<Bill, 'Lines'>,
): number[] {
  if (Factor === 1) return []
  if (Item !== 'overCapacity') return [Factor]
  for (const other of Lines)
    if (other.Item === 'capacity' && other.Season === Season && other.ValidFrom === ValidFrom)
      for (const multiple of MULTIPLES)
        if (Math.abs(Factor - multiple * other.Factor) < ROUNDING)
          return other.Factor === 1 ? [multiple] : [multiple, other.Factor]
  return [Factor]
}
