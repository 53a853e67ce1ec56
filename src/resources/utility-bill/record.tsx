import { UtilityBill } from '../../../contract/tariffs/utility-bill.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { CompareBill } from './compare-bill.tsx'
import { useBillColumns } from './use-bill-columns.tsx'
import { Input, InputNumber } from 'antd'
import { BANDS, CAPACITIES } from '../../../contract/tariffs/tariff-terms.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { DayInput } from './day-input.tsx'
import { NumbersInput } from './numbers-input.tsx'

/** Bills of the power company, as entered, each compared with the calculated bill. */
export default defineRecord({
  resource: 'utilityBill',
  columns: useBillColumns,
  form: {
    as: 'drawer',
    fields: useBillFields,
    initial: { kWh: {}, PeakKw: {}, Capacities: {}, PowerFactor: null },
    columns: true,
    toForm: (record) => ({ ...record, Capacities: record.Capacities ?? {} }),
    toInput: (values) => ({
      ...values,
      PowerFactor: values['PowerFactor'] ?? null,
      // Without entered capacities, the contract capacities of the site apply.
      Capacities:
        Object.keys((values['Capacities'] as UtilityBill['Capacities']) ?? {}).length > 0
          ? values['Capacities']
          : null,
    }),
  },
  Actions: ({ row }) => <CompareBill bill={row} />,
  actionsWidth: 176,
  remove: { consequence: () => t('resources:utilityBill.consequence') },
})

function useBillFields(): readonly FormField[] {
  const t = useT()
  const bands = BANDS.map((key) => ({ key, label: t(`tariff:bands.${key}`) }))
  return [
    {
      name: 'SupplyNo',
      hint: t('resources:utilityBill.hints.supply'),
      input: <Input maxLength={20} inputMode="numeric" />,
      isWide: true,
    },
    { name: 'From', input: <DayInput /> },
    { name: 'Through', input: <DayInput /> },
    {
      name: 'kWh',
      hint: t('resources:utilityBill.hints.kWh'),
      rule: UtilityBill.shape.kWh,
      input: <NumbersInput parts={bands} unit="kWh" />,
      isWide: true,
    },
    {
      name: 'PeakKw',
      hint: t('resources:utilityBill.hints.peak'),
      rule: UtilityBill.shape.PeakKw.optional(),
      input: <NumbersInput parts={bands} unit="kW" />,
      isWide: true,
    },
    {
      name: 'Capacities',
      hint: t('resources:utilityBill.hints.capacities'),
      rule: UtilityBill.shape.Capacities.optional(),
      input: (
        <NumbersInput
          parts={CAPACITIES.map((key) => ({ key, label: t(`tariff:capacities.${key}`) }))}
          unit="kW"
        />
      ),
      isWide: true,
    },
    {
      name: 'PowerFactor',
      input: <InputNumber min={0} max={100} addonAfter="%" style={{ width: '100%' }} />,
    },
    {
      name: 'Total',
      hint: t('resources:utilityBill.hints.total'),
      input: <InputNumber min={0} addonBefore="NT$" style={{ width: '100%' }} />,
    },
  ]
}
