import type { bills } from '../../../contract/procedures/bills.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { Band, Capacity } from '../../../contract/rules/tariff.ts'
import { useT } from '../../providers/i18n.ts'

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

/** By what a line's amount is multiplied beside quantity and price; '' where by nothing. */
export const factorOf = ({ Factor }: Line): string => (Factor === 1 ? '' : ` × ${Number(Factor.toFixed(4))}`)
