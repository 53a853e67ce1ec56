import CalendarOutlined from '@ant-design/icons-svg/es/asn/CalendarOutlined.js'
import LeftOutlined from '@ant-design/icons-svg/es/asn/LeftOutlined.js'
import RightOutlined from '@ant-design/icons-svg/es/asn/RightOutlined.js'
import { useState } from 'react'
import { dayOf, formatDay } from '../../../../contract/time/periods.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { Icon } from '../../plain/icon.tsx'
import { usePublishPrintPeriod } from '../../page/printing.ts'
import { lazyPart } from '../../page/lazy.tsx'
import { PlainButton } from '../../plain/plain-button.tsx'
import { useNow } from '../../page/use-now.ts'
import { usePhone } from '../../page/use-screen.ts'
import { ReadOnlyField } from '../../plain/read-only-field.tsx'
import { PlainSelect } from '../../plain/plain-choice.tsx'
import {
  currentRange,
  formatDays,
  formatRange,
  hasBegun,
  hourNow,
  isCurrentRange,
  LAST_24H,
  parseRange,
  PRESETS,
  stepRange,
  type DayRange,
  type PeriodChoice,
  comparisonsOf,
  usualComparison,
} from './period.ts'
import page from '../../page/page.module.css'
import styles from './period-picker.module.css'
import type { BarFilter } from '../../filter-bar/bar-filter.ts'

/** Calendars are large, and most users choose a preset. */
const OwnDates = lazyPart(() => import('./own-dates.tsx'), {
  fallback: ({ range }) => <ClosedDates range={range} />,
})

function ClosedDates({ range }: { range: DayRange }) {
  const [first, last] = [formatDay(range.first), formatDay(range.last)]
  const field = (text: string) => (
    <span className={styles.range}>
      <ReadOnlyField text={text} icon={CalendarOutlined} />
    </span>
  )
  return (
    <div className={`${page.tightRow} ${styles.dates}`}>
      {usePhone() ? (
        <>
          {field(first)}
          <span aria-hidden="true">–</span>
          {field(last)}
        </>
      ) : (
        field(`${first} – ${last}`)
      )}
    </div>
  )
}

interface Props {
  value: PeriodChoice
  onChange: (next: PeriodChoice) => void
  /** Time zone of the home. */
  zone: string
  /** Offers the last 24 hours, for data that does not need whole days. */
  withHours?: boolean
}

/** Picker of a period on a home's calendar: a preset or custom dates, previous and next, and back to now. */
export function PeriodPicker({ value, onChange, zone, withHours = false }: Props) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const today = dayOf(now, zone)
  const hour = withHours ? hourNow(now, zone) : undefined
  const presets = withHours ? ([LAST_24H, ...PRESETS] as const) : PRESETS
  const range =
    parseRange(value.range, today, hour) ??
    (parseRange(withHours ? LAST_24H : 'today', today, hour) as DayRange)
  const [customOpen, setCustomOpen] = useState(false)
  // Dates that equal a preset today are shown as that preset.
  const means = formatRange(range, today, hour)
  const preset = presets.find((name) => name === value.range) ?? presets.find((name) => name === means)
  const custom = customOpen || preset === undefined
  const choose = (to: DayRange) => onChange({ ...value, range: formatRange(to, today, hour) })
  const next = stepRange(range, 1)
  const days = formatDays(range, language)
  usePublishPrintPeriod(days)
  return (
    <div role="group" aria-label={t('charts:period.title')} className={`${page.tightRow} ${styles.picker}`}>
      <PlainSelect<string>
        label={t('charts:period.preset')}
        className={styles.preset}
        value={custom ? 'custom' : preset}
        onChange={(choice) => {
          setCustomOpen(choice === 'custom')
          if (choice !== 'custom') onChange({ ...value, range: choice })
        }}
        options={[
          ...presets.map((name) => ({ value: name, label: t(`charts:period.presets.${name}`) })),
          { value: 'custom', label: t('charts:period.presets.custom') },
        ]}
      />
      <div className={`${page.tightRow} ${styles.steps}`}>
        <PlainButton
          square
          aria-label={t('charts:period.back')}
          data-keys="["
          onClick={() => choose(stepRange(range, -1))}
        >
          <Icon of={LeftOutlined} />
        </PlainButton>
        <span className={styles.days} aria-live="polite">
          {days}
        </span>
        <PlainButton
          square
          aria-label={t('charts:period.on')}
          data-keys="]"
          disabled={!hasBegun(next, today, hour)}
          onClick={() => choose(next)}
        >
          <Icon of={RightOutlined} />
        </PlainButton>
        <PlainButton
          data-keys="t"
          disabled={isCurrentRange(range, today, hour)}
          onClick={() => choose(currentRange(range, today, hour))}
        >
          {t('charts:period.now')}
        </PlainButton>
      </div>
      {custom && (
        <OwnDates range={range} today={today} choose={(text) => onChange({ ...value, range: text })} />
      )}
    </div>
  )
}

export function useCompareFilter(
  value: PeriodChoice,
  onChange: (next: PeriodChoice) => void,
  days: DayRange,
): BarFilter {
  const t = useT()
  const defaultComparison = usualComparison(days)
  return {
    key: 'compare',
    label: t('charts:period.compare'),
    chosenLabel:
      value.compare === defaultComparison ? undefined : t(`charts:period.comparisons.${value.compare}`),
    clear: () => onChange({ ...value, compare: defaultComparison }),
    input: (
      <PlainSelect
        data-keys="c"
        label={t('charts:period.compare')}
        value={value.compare}
        onChange={(compare) => onChange({ ...value, compare })}
        options={comparisonsOf(days).map((comparison) => ({
          value: comparison,
          label: t(`charts:period.comparisons.${comparison}`),
        }))}
      />
    ),
  }
}
