import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Select, TimePicker } from 'antd'
import dayjs from 'dayjs'
import { MAX_WINDOWS, type OpeningHours } from '../../../../contract/homes/place-facts-calls.ts'
import { DAY_KINDS } from '../../../../contract/automation/schedule.ts'
import { formatMinute } from '../../../../contract/time/periods.ts'
import { formatWeekday } from '../../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import type { Language } from '../../../lib/i18n/words.ts'

/** Initial hours: an office day, in minutes since midnight. */
export const OFFICE: OpeningHours[number] = {
  Weekdays: [1, 2, 3, 4, 5],
  From: 540,
  To: 1080,
  Days: 'workdays',
}

/** Days of the week, Monday first; 0 is Sunday. */
const WEEK = [1, 2, 3, 4, 5, 6, 0] as const

/** Weekdays as ranges: `Mon–Fri, Sun`. */
function weekdayRanges(days: readonly number[], language: Language): string {
  const at = WEEK.flatMap((day, i) => (days.includes(day) ? [i] : []))
  const ranges: [first: number, last: number][] = []
  for (const i of at) {
    const last = ranges.at(-1)
    if (last && last[1] === i - 1) last[1] = i
    else ranges.push([i, i])
  }
  const name = (i: number) => formatWeekday(WEEK[i] as number, language)
  const texts = ranges.flatMap(([first, last]) =>
    last - first > 1
      ? [`${name(first)}–${name(last)}`]
      : first === last
        ? [name(first)]
        : [name(first), name(last)],
  )
  return new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(texts)
}

export function useHoursWords(): (hours: OpeningHours | null) => string {
  const t = useT()
  const language = useLanguage()
  return (hours) => {
    if (hours === null) return t('meters:places.unsaid')
    if (hours.length === 0) return t('meters:places.never')
    const texts = hours.map(({ Weekdays, From, To, Days }) => {
      const days = Weekdays.length === WEEK.length ? '' : weekdayRanges(Weekdays, language)
      const isAllDay = From === 0 && To === 0
      const until = To <= From ? t('meters:places.nextDay', { time: formatMinute(To) }) : formatMinute(To)
      const time = isAllDay ? t('meters:places.allDay') : `${formatMinute(From)}–${until}`
      const kind = Days === 'all' ? '' : `(${t(`meters:places.kinds.${Days}`)})`
      return [days, time, kind].filter(Boolean).join(' ')
    })
    return texts.join(language === 'zh-TW' ? '；' : '; ')
  }
}

type Window = OpeningHours[number]

/** Weekly hours: any number of time windows. */
export function HoursField({
  value,
  change,
}: {
  value: OpeningHours
  change: (hours: OpeningHours) => void
}) {
  const t = useT()
  return (
    <div className={page.stack}>
      {value.length === 0 && <p className={page.hint}>{t('meters:places.never')}</p>}
      <ol className={page.rows}>
        {value.map((window, i) => (
          // Windows have no identity other than their position.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i} className={page.stack}>
            <WindowFields
              window={window}
              number={i + 1}
              change={(next) => change(value.map((current, at) => (at === i ? next : current)))}
              remove={() => change(value.filter((_, at) => at !== i))}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button
          icon={<PlusOutlined />}
          disabled={value.length >= MAX_WINDOWS}
          onClick={() => change([...value, OFFICE])}
        >
          {t('meters:places.addWindow')}
        </Button>
      </div>
    </div>
  )
}

function WindowFields(props: {
  window: Window
  number: number
  change: (window: Window) => void
  remove: () => void
}) {
  const { window, number, change, remove } = props
  const t = useT()
  const language = useLanguage()
  const label = (name: string) => t('meters:places.ofWindow', { name, number })
  const time = (name: 'From' | 'To', text: string) => (
    <label>
      {text}{' '}
      <TimePicker
        aria-label={label(text)}
        format="HH:mm"
        showNow={false}
        needConfirm={false}
        allowClear={false}
        value={dayjs(`2026-01-04T${formatMinute(window[name])}`)}
        onChange={(at) => change({ ...window, [name]: at ? at.hour() * 60 + at.minute() : 0 })}
      />
    </label>
  )
  return (
    <>
      <fieldset className={page.tightRow} aria-label={label(t('meters:places.weekdays'))}>
        {WEEK.map((day) => (
          <Checkbox
            key={day}
            checked={window.Weekdays.includes(day)}
            onChange={({ target }) =>
              change({
                ...window,
                Weekdays: WEEK.filter((weekday) =>
                  weekday === day ? target.checked : window.Weekdays.includes(weekday),
                ),
              })
            }
          >
            {formatWeekday(day, language)}
          </Checkbox>
        ))}
      </fieldset>
      <div className={page.tightRow}>
        {time('From', t('meters:places.opens'))}
        {time('To', t('meters:places.closes'))}
        <Select
          aria-label={label(t('meters:places.days'))}
          value={window.Days}
          options={DAY_KINDS.map((kind) => ({ value: kind, label: t(`meters:places.kinds.${kind}`) }))}
          onChange={(Days) => change({ ...window, Days })}
        />
        <Button
          type="text"
          danger
          icon={<DeleteOutlined />}
          aria-label={t('meters:places.dropWindow', { number })}
          onClick={remove}
        />
      </div>
      {window.To <= window.From && <p className={page.hint}>{t('meters:places.overnight')}</p>}
    </>
  )
}
