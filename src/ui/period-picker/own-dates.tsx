import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useId, type ComponentProps, type FC } from 'react'
import { formatDay } from '../../../contract/rules/periods.ts'
import { useT } from '../../providers/i18n.ts'
import { MOST_DAYS, parseRange, type DayRange } from './period.ts'
import styles from './period-picker.module.css'

interface Props {
  range: DayRange
  /** The day it is in the home. */
  today: number
  /** Is given the range as it stands in an address. */
  choose: (range: string) => void
}

/** Nothing is older. */
const EARLIEST = '2000-01-01'
const DAY = 'YYYY-MM-DD'
/** A day of the home's calendar; it has no clock, so that the browser's zone changes nothing in it. */
const dayAt = (number: number): Dayjs => dayjs(formatDay(number))

/** The days of the calendar: it marks the home's today by itself, because the picker would mark the browser's. */
const cellOf =
  (today: string): NonNullable<ComponentProps<typeof DatePicker.RangePicker>['cellRender']> =>
  (day, { originNode, type }) =>
    type === 'date' && dayjs.isDayjs(day) && day.format(DAY) === today ? (
      <div className={`ant-picker-cell-inner ${styles.today}`} aria-current="date">
        {day.date()}
      </div>
    ) : (
      originNode
    )

/** Any first and last day, from a calendar or typed; taken over once both are chosen. */
const OwnDates: FC<Props> = ({ range, today, choose }) => {
  const t = useT()
  const id = useId()
  return (
    <div className={styles.dates}>
      <label className="visually-hidden" htmlFor={`${id}first`}>
        {t('charts:period.first')}
      </label>
      <label className="visually-hidden" htmlFor={`${id}last`}>
        {t('charts:period.last')}
      </label>
      <DatePicker.RangePicker
        id={{ start: `${id}first`, end: `${id}last` }}
        className={styles.range ?? ''}
        classNames={{ popup: { root: styles.calendar ?? '' } }}
        allowClear={false}
        format={DAY}
        value={[dayAt(range.first), dayAt(range.last)]}
        minDate={dayjs(EARLIEST)}
        // A week or a month that runs is chosen as a whole.
        maxDate={dayAt(Math.max(today, range.last))}
        disabledDate={(day, { from }) => from !== undefined && Math.abs(day.diff(from, 'day')) >= MOST_DAYS}
        cellRender={cellOf(formatDay(today))}
        onChange={(days) => {
          const [first, last] = days ?? []
          const wanted = first && last && `${first.format(DAY)}..${last.format(DAY)}`
          if (wanted && parseRange(wanted, today)) choose(wanted)
        }}
      />
    </div>
  )
}
export default OwnDates
