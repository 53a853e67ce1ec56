import { Radio } from 'antd'
import { useT } from '../../../lib/i18n/i18n.ts'
import { DayField } from '../../../ui/inputs/day-field/day-field.tsx'
import page from '../../../ui/page/page.module.css'

/** First day: today, a chosen date, or always. */
const WAYS = ['today', 'date', 'always'] as const

export interface SinceChoice {
  way: (typeof WAYS)[number]
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
        options={WAYS.map((option) => ({ value: option, label: t(`meters:move.${option}`) }))}
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
