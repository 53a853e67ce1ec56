import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListExport } from '../../record-kit/export/list-export.tsx'
import { useLineName, type Bill, type Line } from './bill-words.ts'

/** The lines of a bill as a file, each with what it is computed from. */
export const BillExport: FC<{ bill: Bill; zone: string }> = ({ bill, zone }) => {
  const t = useT()
  const nameOf = useLineName()
  const name = t('tariff:bill.of', { from: bill.From, through: bill.Through })
  const { ComputedPercent: percent } = bill
  return (
    <ListExport<Line>
      // A file outlives the notice on the page.
      name={percent === undefined ? name : t('tariff:bill.partlyComputed', { name, percent })}
      right={{ feature: 'electricity_download', operation: 'Export' }}
      zone={zone}
      rows={bill.Lines}
      columns={[
        { title: t('tariff:bill.item'), of: nameOf },
        {
          title: t('tariff:own.season'),
          of: ({ Season }) => (Season === null ? null : t(`tariff:seasons.${Season}`)),
        },
        { title: t('tariff:from'), of: ({ ValidFrom }) => ValidFrom },
        { title: t('tariff:bill.quantity'), of: ({ Quantity }) => Quantity },
        { title: t('tariff:bill.unit'), of: ({ Unit }) => t(`tariff:units.${Unit}`) },
        { title: t('tariff:bill.price'), of: ({ Price }) => Price },
        { title: t('tariff:bill.factor'), of: ({ Factor }) => Factor },
        { title: t('tariff:bill.amount'), of: ({ Amount }) => Amount },
      ]}
    />
  )
}
