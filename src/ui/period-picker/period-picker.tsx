import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { dayOf, formatDay } from '../../../contract/rules/periods.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { useNow } from '../use-now.ts'
import {
  COMPARISONS,
  currentRange,
  formatDays,
  formatRange,
  parseRange,
  PRESETS,
  stepRange,
  type DayRange,
  type PeriodChoice,
} from './period.ts'
import styles from './period-picker.module.css'

interface Props {
  value: PeriodChoice
  onChange: (next: PeriodChoice) => void
  /** The clock of the home whose days these are. */
  zone: string
  /** Without the choice of what to compare with. */
  withoutCompare?: boolean
}

/** Chooses a period on a home's calendar: a preset or own dates, one step back or on, back to now, and what to compare with. */
export function PeriodPicker({ value, onChange, zone, withoutCompare = false }: Props) {
  const t = useT()
  const language = useLanguage()
  const today = dayOf(useNow(), zone)
  const range = parseRange(value.range, today) ?? (parseRange('today', today) as DayRange)
  const [customOpen, setCustomOpen] = useState(false)
  const preset = PRESETS.find((name) => name === value.range)
  const custom = customOpen || preset === undefined
  const choose = (days: DayRange) => onChange({ ...value, range: formatRange(days, today) })
  const next = stepRange(range, 1)
  const holdsToday = range.first <= today && today <= range.last
  return (
    <div role="group" aria-label={t('charts:period.title')} className={styles.picker}>
      <Select
        aria-label={t('charts:period.preset')}
        className={styles.preset ?? ''}
        value={custom ? 'custom' : preset}
        popupMatchSelectWidth={false}
        listHeight={360}
        onChange={(chosen: string) => {
          setCustomOpen(chosen === 'custom')
          if (chosen !== 'custom') onChange({ ...value, range: chosen })
        }}
        options={[
          ...PRESETS.map((name) => ({ value: name as string, label: t(`charts:period.presets.${name}`) })),
          { value: 'custom', label: t('charts:period.presets.custom') },
        ]}
      />
      <div className={styles.steps}>
        <Button
          icon={<LeftOutlined />}
          aria-label={t('charts:period.back')}
          onClick={() => choose(stepRange(range, -1))}
        />
        <span className={styles.days} aria-live="polite">
          {formatDays(range, language)}
        </span>
        <Button
          icon={<RightOutlined />}
          aria-label={t('charts:period.on')}
          disabled={next.first > today}
          onClick={() => choose(next)}
        />
        <Button disabled={holdsToday} onClick={() => choose(currentRange(range, today))}>
          {t('charts:period.now')}
        </Button>
      </div>
      {custom && (
        <OwnDates
          key={`${range.first} ${range.last}`}
          range={range}
          today={today}
          choose={(text) => onChange({ ...value, range: text })}
        />
      )}
      {!withoutCompare && (
        <Select
          aria-label={t('charts:period.compare')}
          value={value.compare}
          popupMatchSelectWidth={false}
          onChange={(compare) => onChange({ ...value, compare })}
          options={COMPARISONS.map((one) => ({ value: one, label: t(`charts:period.comparisons.${one}`) }))}
        />
      )}
    </div>
  )
}

/** Two dates; taken over when both are given and in order. */
function OwnDates(props: { range: DayRange; today: number; choose: (range: string) => void }) {
  const t = useT()
  const { range, today, choose } = props
  const [first, setFirst] = useState(formatDay(range.first))
  const [last, setLast] = useState(formatDay(range.last))
  const wanted = `${first}..${last}`
  const parsed = parseRange(wanted, today)
  const same = parsed?.first === range.first && parsed.last === range.last
  const faulty = parsed === undefined
  return (
    <form
      className={styles.dates}
      onSubmit={(event) => {
        event.preventDefault()
        if (parsed) choose(wanted)
      }}
    >
      <Input
        type="date"
        aria-label={t('charts:period.first')}
        value={first}
        max={formatDay(today)}
        onChange={(event) => setFirst(event.target.value)}
      />
      <span aria-hidden="true">–</span>
      <Input
        type="date"
        aria-label={t('charts:period.last')}
        value={last}
        {...(faulty && { status: 'error' as const, 'aria-invalid': true })}
        onChange={(event) => setLast(event.target.value)}
      />
      <Button htmlType="submit" disabled={faulty || same}>
        {t('charts:period.apply')}
      </Button>
      {faulty && (
        <span role="alert" className={styles.fault}>
          {t('charts:period.fault')}
        </span>
      )}
    </form>
  )
}
