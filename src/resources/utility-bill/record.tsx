import { Input, InputNumber } from 'antd'
import { UtilityBill } from '../../../contract/tariffs/utility-bill.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { CompareBill, useBillColumns } from './compare-bill.tsx'
import { BANDS, CAPACITIES } from '../../../contract/tariffs/tariff-terms.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import page from '../../ui/page/page.module.css'

interface Props {
  /** Set by the form, to connect the label with the field. */
  id?: string
  /** `2026-03-04`. */
  value?: string
  onChange?: (value: string | undefined) => void
}

const DayInput = ({ id, value = '', onChange }: Props) => (
  <DayField id={id} value={value} clears change={(day) => onChange?.(day || undefined)} />
)

/** Bills of the power company, as entered, each compared with the calculated bill. */
export default defineRecord({
  resource: 'utilityBill',
  columns: useBillColumns,
  form: {
    presentation: 'drawer',
    fields: useBillFields,
    initial: { kWh: {}, PeakKw: {}, Capacities: {}, PowerFactor: null },
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

interface NumbersInputProps {
  parts: readonly { key: string; label: string }[]
  unit: string
  value?: Record<string, number>
  onChange?: (value: Record<string, number>) => void
}

/** Number input for each part; empty parts are not in the value. */
function NumbersInput({ parts, unit, value = {}, onChange }: NumbersInputProps) {
  const t = useT()
  return (
    <div className={page.fields}>
      {parts.map(({ key, label }) => (
        <label key={key}>
          <span>{label}</span>
          <InputNumber
            min={0}
            value={value[key] ?? null}
            aria-label={t('resources:utilityBill.part', { part: label, unit })}
            addonAfter={unit}
            onChange={(next) => {
              const { [key]: _, ...others } = value
              onChange?.(typeof next === 'number' ? { ...others, [key]: next } : others)
            }}
          />
        </label>
      ))}
    </div>
  )
}
