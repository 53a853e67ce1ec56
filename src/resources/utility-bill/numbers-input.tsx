import { InputNumber } from 'antd'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './utility-bill.module.css'

interface Props {
  parts: readonly { key: string; label: string }[]
  unit: string
  value?: Record<string, number>
  onChange?: (value: Record<string, number>) => void
}

/** Number input for each part; empty parts are not in the value. */
export function NumbersInput({ parts, unit, value = {}, onChange }: Props) {
  const t = useT()
  return (
    <div className={styles.numbers}>
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
