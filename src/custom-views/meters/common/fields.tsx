import type { FC, ReactNode } from 'react'
import { Select, Radio } from 'antd'
import page from '../../../ui/page/page.module.css'
import styles from './meters.module.css'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { NamedMeter } from '../../../domain/energy/use-names.ts'
import { holdsLabel } from '../../../lib/match-words.ts'
import { DayField } from '../../../ui/inputs/day-field/day-field.tsx'

export const Field: FC<{
  label: string
  hint?: ReactNode
  fault?: string | undefined
  children: ReactNode
}> = ({ label, hint, fault, children }) => (
  <div className={`${page.column} ${styles.field}`}>
    {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the control is among the children */}
    <label>
      <span>{label}</span>
      {children}
    </label>
    {hint && <span className={page.hint}>{hint}</span>}
    {fault && (
      <span className={page.fault} role="alert">
        {fault}
      </span>
    )}
  </div>
)

export const MeterSelect: FC<{
  meters: readonly NamedMeter[]
  value: string | undefined
  onChange: (id: string) => void
  label: string
}> = ({ meters, value, onChange, label }) => {
  const t = useT()
  return (
    <Select
      showSearch
      filterOption={holdsLabel}
      aria-label={label}
      placeholder={t('meters:chooseMeter')}
      value={value ?? null}
      onChange={(id: string) => onChange(id)}
      options={meters.map(({ PeripheralUID, name }) => ({ value: PeripheralUID, label: name }))}
    />
  )
}

/** First day: today, a chosen date, or always. */
const SINCE_OPTIONS = ['today', 'date', 'always'] as const

export interface SinceChoice {
  way: (typeof SINCE_OPTIONS)[number]
  /** `2026-11-01`; '' while none is chosen. */
  date: string
}

/** First day of a choice: null for always, undefined while no date is chosen. */
export const firstDay = ({ way, date }: SinceChoice, today: string): string | null | undefined =>
  way === 'always' ? null : way === 'today' ? today : date || undefined

interface Props {
  value: SinceChoice
  /** Maximum date. */
  today: string
  zone: string
  change: (value: SinceChoice) => void
}

export function Since({ value, today, zone, change }: Props) {
  const t = useT()
  return (
    <>
      <Radio.Group
        aria-label={t('balance:wizard.since')}
        className={page.stack ?? ''}
        value={value.way}
        onChange={({ target }) => change({ ...value, way: target.value as SinceChoice['way'] })}
        options={SINCE_OPTIONS.map((option) => ({ value: option, label: t(`meters:move.${option}`) }))}
      />
      {value.way === 'date' && (
        <DayField
          zone={zone}
          max={today}
          label={t('meters:move.firstDay')}
          value={value.date}
          change={(date) => change({ ...value, date })}
        />
      )}
    </>
  )
}
