import type { UtilityBill } from '../../../contract/tariffs/utility-bill.ts'
import { useEnergyFormat } from '../../domain/energy/use-figures.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'

/** Supply number (電號) as printed on bills: 00-00-0000-00-0. */
export const formatSupplyNumber = (digits: string): string =>
  digits.replace(/^(\d{2})(\d{2})(\d{4})(\d{2})(\d)$/, '$1-$2-$3-$4-$5')

export const kWhOf = ({ kWh }: Pick<UtilityBill, 'kWh'>): number =>
  Object.values(kWh).reduce((sum, one) => sum + one, 0)

export function useBillColumns(): readonly (ListTableColumn<UtilityBill> | keyof UtilityBill)[] {
  const figures = useEnergyFormat()
  const date = useFormatDate()
  return [
    {
      key: 'period',
      value: ({ From, Through }) => `${From} – ${Through}`,
      text: ({ From, Through }) => `${date(From)} – ${date(Through)}`,
      width: 220,
    },
    { key: 'SupplyNo', text: ({ SupplyNo }) => formatSupplyNumber(SupplyNo), width: 160 },
    { key: 'kWh', text: (bill) => kWhOf(bill), render: (bill) => figures(kWhOf(bill)), width: 120 },
    { key: 'Total', text: ({ Total }) => Total, render: ({ Total }) => figures(Total), width: 120 },
  ]
}
