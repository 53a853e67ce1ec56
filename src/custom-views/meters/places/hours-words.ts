import type { OpeningHours } from '../../../../contract/homes/place-facts-calls.ts'
import { formatMinute } from '../../../../contract/time/periods.ts'
import { formatWeekday } from '../../../lib/format-when.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import type { Language } from '../../../lib/i18n/words.ts'

/** Initial hours: an office day, in minutes since midnight. */
export const OFFICE: OpeningHours[number] = {
  Weekdays: [1, 2, 3, 4, 5],
  From: 540,
  To: 1080,
  Days: 'workdays',
}

/** Days of the week, Monday first; 0 is Sunday. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const

/** Weekdays as ranges: `Mon–Fri, Sun`. */
export function weekdayRanges(days: readonly number[], language: Language): string {
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
