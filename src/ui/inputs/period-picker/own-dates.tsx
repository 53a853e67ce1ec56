import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useId, type FC } from 'react'
import { formatDay } from '../../../../contract/time/periods.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { siteToday } from '../site-today.tsx'
import { usePhone } from '../../page/use-screen.ts'
import { MOST_DAYS, parseRange, type DayRange } from './period.ts'
import page from '../../page/page.module.css'
import styles from './period-picker.module.css'

interface Props {
  range: DayRange
  /** Today in the home, as a day number. */
  today: number
  /** Called with the range as written in an address. */
  choose: (range: string) => void
}

/** First selectable day. */
const MIN_DATE = '2000-01-01'
const DAY = 'YYYY-MM-DD'
/** Day of the home's calendar without a zone, so that the browser's zone has no effect. */
const dayAt = (number: number): Dayjs => dayjs(formatDay(number))

/**
 * Range of any first and last day, chosen or typed; applied once both are set. Phones have no space for two calendars, so that each day
 * has its own.
 */
const OwnDates: FC<Props> = ({ range, today, choose }) => {
  const t = useT()
  const id = useId()
  const phone = usePhone()
  const [first, last] = [dayAt(range.first), dayAt(range.last)]
  const shownText = `${formatDay(range.first)}..${formatDay(range.last)}`
  const applyDates = (from: Dayjs | null | undefined, to: Dayjs | null | undefined) => {
    const requestedText = from && to && `${from.format(DAY)}..${to.format(DAY)}`
    // A calendar may report the same days again on blur.
    if (requestedText && requestedText !== shownText && parseRange(requestedText, today))
      choose(requestedText)
  }
  const common = {
    className: styles.range ?? '',
    allowClear: false,
    format: DAY,
    minDate: dayjs(MIN_DATE),
    // The current week or month is selected as a whole, including future days.
    maxDate: dayAt(Math.max(today, range.last)),
    ...siteToday(today),
  }
  const tooLong = (day: Dayjs, from: Dayjs | undefined) =>
    from !== undefined && Math.abs(day.diff(from, 'day')) >= MOST_DAYS
  return (
    <div className={`${page.tightRow} ${styles.dates}`}>
      <label className="visually-hidden" htmlFor={`${id}first`}>
        {t('charts:period.first')}
      </label>
      <label className="visually-hidden" htmlFor={`${id}last`}>
        {t('charts:period.last')}
      </label>
      {phone ? (
        <>
          <DatePicker
            {...common}
            id={`${id}first`}
            showNow={false}
            value={first}
            // A first day after the last one moves the last one, too.
            onChange={(day) => applyDates(day, day?.isAfter(last) ? day : last)}
          />
          <span aria-hidden="true">–</span>
          <DatePicker
            {...common}
            id={`${id}last`}
            showNow={false}
            value={last}
            disabledDate={(day) => day.isBefore(first) || tooLong(day, first)}
            onChange={(day) => applyDates(first, day)}
          />
        </>
      ) : (
        <DatePicker.RangePicker
          {...common}
          id={{ start: `${id}first`, end: `${id}last` }}
          value={[first, last]}
          disabledDate={(day, { from }) => tooLong(day, from)}
          onChange={(days) => applyDates(days?.[0], days?.[1])}
        />
      )}
    </div>
  )
}
export default OwnDates
