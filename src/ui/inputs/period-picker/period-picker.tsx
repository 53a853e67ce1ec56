import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { dayOf } from '../../../../contract/rules/energy/periods.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../page/lazy-part.tsx'
import { useNow } from '../../page/use-now.ts'
import {
  comparisonsOf,
  currentRange,
  formatDays,
  formatRange,
  parseRange,
  PRESETS,
  stepRange,
  type DayRange,
  type PeriodChoice,
} from './period.ts'
import page from '../../page/page.module.css'
import styles from './period-picker.module.css'

/** Calendars are large, and most people take a preset. */
const OwnDates = lazyPart(() => import('./own-dates.tsx'), {
  meanwhile: <span className={`${page.tightRow} ${styles.dates}`} aria-busy="true" />,
})

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
  // Dates that a preset means today are shown as it.
  const means = formatRange(range, today)
  const preset = PRESETS.find((name) => name === value.range) ?? PRESETS.find((name) => name === means)
  const custom = customOpen || preset === undefined
  const choose = (days: DayRange) => onChange({ ...value, range: formatRange(days, today) })
  const next = stepRange(range, 1)
  const holdsToday = range.first <= today && today <= range.last
  return (
    <div role="group" aria-label={t('charts:period.title')} className={`${page.tightRow} ${styles.picker}`}>
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
      <div className={`${page.tightRow} ${styles.steps}`}>
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
        <OwnDates range={range} today={today} choose={(text) => onChange({ ...value, range: text })} />
      )}
      {!withoutCompare && (
        <Select
          aria-label={t('charts:period.compare')}
          value={value.compare}
          popupMatchSelectWidth={false}
          onChange={(compare) => onChange({ ...value, compare })}
          options={comparisonsOf(range).map((one) => ({
            value: one,
            label: t(`charts:period.comparisons.${one}`),
          }))}
        />
      )}
    </div>
  )
}
