import { useReadingFormat } from '../../domain/energy/use-figures.ts'
import { formatComplete, formatDecimals, withPlus } from '../../../contract/kernel/numbers.ts'
import { DiffOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { type UtilityBill, utilityBillCalls } from '../../../contract/tariffs/utility-bill.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatPeriod } from '../../ui/page/format-when.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import { Drawer } from '../../ui/page/dialog.tsx'
import type { ListTableColumn } from '../../record-kit/list/column.ts'

/** Supply number (電號) as printed on bills: 00-00-0000-00-0. */
const formatSupplyNumber = (digits: string): string =>
  digits.replace(/^(\d{2})(\d{2})(\d{4})(\d{2})(\d)$/, '$1-$2-$3-$4-$5')

export const kWhOf = ({ kWh }: Pick<UtilityBill, 'kWh'>): number =>
  Object.values(kWh).reduce((sum, value) => sum + value, 0)

export function useBillColumns(): readonly (ListTableColumn<UtilityBill> | keyof UtilityBill)[] {
  const figures = useReadingFormat()
  const daysText = useFormatPeriod()
  return [
    {
      key: 'period',
      value: ({ From, Through }) => `${From} – ${Through}`,
      text: ({ From, Through }) => daysText(From, Through),
      width: 220,
    },
    { key: 'SupplyNo', text: ({ SupplyNo }) => formatSupplyNumber(SupplyNo), width: 160 },
    { key: 'kWh', text: (bill) => kWhOf(bill), render: (bill) => figures(kWhOf(bill)), width: 120 },
    { key: 'Total', text: ({ Total }) => Total, render: ({ Total }) => figures(Total), width: 120 },
  ]
}

type Comparison = ResultsOf<typeof utilityBillCalls.compare>

/** Button that explains the difference between a bill of the power company and the calculated one. */
export function CompareBill({ bill }: { bill: UtilityBill }) {
  const t = useT()
  const daysText = useFormatPeriod()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<DiffOutlined />} onClick={() => setOpen(true)}>
        {t('resources:utilityBill.compare.button')}
      </Button>
      <Drawer
        open={isOpen}
        title={t('resources:utilityBill.compare.title', {
          supply: formatSupplyNumber(bill.SupplyNo),
          days: daysText(bill.From, bill.Through),
        })}
        onClose={() => setOpen(false)}
        destroyOnHidden
      >
        <Compared bill={bill} />
      </Drawer>
    </>
  )
}

function Compared({ bill: { HomeID, UtilityBillID } }: { bill: UtilityBill }) {
  const t = useT()
  const query = useQuery(callQuery(utilityBillCalls.compare, { HomeID, UtilityBillID }))
  const { data } = query
  if (!data)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <ListSkeleton rows={8} />
    )
  const { Refused, Counted, MeterFactor } = data
  return (
    <div className={page.stack}>
      {Refused === null ? (
        <Steps of={data} />
      ) : (
        <p className={page.warning}>{t(`resources:utilityBill.compare.refused.${Refused}`)}</p>
      )}
      {MeterFactor && (
        <p className={page.warning}>
          {t('resources:utilityBill.compare.factor', {
            count: MeterFactor.Bills,
            ratio: formatDecimals(MeterFactor.Ratio, 3),
          })}
        </p>
      )}
      <Bands of={data} />
      <div className={page.column}>
        <p className={page.hint}>
          {t('resources:utilityBill.compare.known', {
            share: formatComplete(Counted.Known),
          })}
        </p>
        <p className={page.hint}>{t('resources:utilityBill.compare.how')}</p>
      </div>
    </div>
  )
}

/** Differences from the calculated bill to the power company's, step by step. */
function Steps({ of: { Ours, Bill, Steps: steps } }: { of: Comparison }) {
  const t = useT()
  const daysText = useFormatPeriod()
  const money = (value: number) => formatDecimals(value, 2)
  const signed = (value: number) => withPlus(value, { figure: money(value), unit: '' }).figure
  return (
    <table className={`${page.table} ${page.figures} ${page.amounts}`}>
      <caption className="visually-hidden">{t('resources:utilityBill.compare.caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('resources:utilityBill.compare.step')}</th>
          <th scope="col">NT$</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            {t('resources:utilityBill.compare.ours', { days: daysText(Ours.From, Ours.Through) })}
          </th>
          <td>{money(Ours.Total ?? 0)}</td>
        </tr>
        {steps.map(({ Step, Amount }) => (
          <tr key={Step}>
            <th scope="row">{t(`resources:utilityBill.compare.steps.${Step}`)}</th>
            <td>{signed(Amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('resources:utilityBill.compare.theirs')}</th>
          <td>{money(Bill.Total)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** Energy and demand by band, calculated and on the bill. */
function Bands({ of: { Bands: bands, PowerFactor } }: { of: Comparison }) {
  const t = useT()
  const cell = useReadingFormat()
  const heads = ['oursKwh', 'billKwh', 'oursKw', 'billKw'] as const
  return (
    <div
      className={page.scroll}
      role="group"
      aria-label={t('resources:utilityBill.compare.bands')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      <table className={`${page.table} ${page.figures} ${page.amounts}`}>
        <caption className="visually-hidden">{t('resources:utilityBill.compare.bands')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('resources:utilityBill.compare.band')}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {t(`resources:utilityBill.compare.${head}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bands.map(({ Band, OursKwh, BillKwh, OursKw, BillKw }) => (
            <tr key={Band}>
              <th scope="row">{t(`tariff:bands.${Band}`)}</th>
              {[OursKwh, BillKwh, OursKw, BillKw].map((value, i) => (
                <td key={heads[i]}>{cell(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={page.hint}>
        {t('resources:utilityBill.compare.powerFactor', {
          ours: cell(PowerFactor.Ours),
          bill: cell(PowerFactor.Bill),
        })}
      </p>
    </div>
  )
}
