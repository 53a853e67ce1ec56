import type { DatePicker } from 'antd'
import dayjs from 'dayjs'
import type { ComponentProps } from 'react'
import { formatDay } from '../../../contract/time/periods.ts'
import styles from './site-today.module.css'

type Calendar = ComponentProps<typeof DatePicker.RangePicker>

/**
 * Props that mark the site's today in the calendar of a date picker, instead of the browser's.
 *
 * today    current day at the site, in days since 1970-01-01
 * returns  props of a date picker or a range picker; a picker of one day needs `showNow={false}` in addition
 */
export const siteToday = (
  today: number,
): Required<Pick<Calendar, 'cellRender'>> & { classNames: { popup: { root: string } } } => {
  const marked = formatDay(today)
  return {
    classNames: { popup: { root: styles.calendar ?? '' } },
    cellRender: (day, { originNode, type }) =>
      type === 'date' && dayjs.isDayjs(day) && day.format('YYYY-MM-DD') === marked ? (
        <div className={`ant-picker-cell-inner ${styles.today}`} aria-current="date">
          {day.date()}
        </div>
      ) : (
        originNode
      ),
  }
}
