import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { FC } from 'react'
import { dayOf } from '../../../../contract/time/periods.ts'
import { siteToday } from '../site-today.tsx'
import { useNow } from '../../page/use-now.ts'
import styles from './day-field.module.css'

interface Common {
  /** The home's; where the day it is there is marked. Without one the browser's day is. */
  zone?: string | undefined
  /** The first and last day that may be chosen, `2026-03-04`. */
  min?: string
  max?: string
  status?: 'error' | ''
  label?: string
  /** By which a label names the field; a form gives it to its fields. */
  id?: string | undefined
  /** The text of an empty field is ''. */
  value: string
  change: (next: string) => void
}
interface DayProps extends Common {
  /** Whether the field may be emptied. */
  clears?: boolean
}
interface MomentProps extends Common {
  /** How far apart the minutes are that are offered. */
  minutes: 1 | 15
}

const DAY = 'YYYY-MM-DD'
const MOMENT = 'YYYY-MM-DD HH:mm'
/** What a calendar shows has no clock, so that the browser's zone changes nothing in it. */
const read = (text: string): Dayjs | null => {
  const day = dayjs(text)
  return text && day.isValid() ? day : null
}

function usePicker({ zone, min, max, status = '', label, id, value }: Omit<Common, 'change'>) {
  const now = useNow()
  return {
    className: styles.field ?? '',
    ...(zone !== undefined && siteToday(dayOf(now, zone))),
    status,
    showNow: false,
    needConfirm: false,
    value: read(value),
    ...(min !== undefined && { minDate: dayjs(min) }),
    ...(max !== undefined && { maxDate: dayjs(max) }),
    ...(label !== undefined && { 'aria-label': label }),
    ...(id !== undefined && { id }),
  }
}

/** A day of the calendar, `2026-03-04`, chosen or typed. */
export const DayField: FC<DayProps> = ({ clears = false, change, ...common }) => (
  <DatePicker
    {...usePicker(common)}
    format={DAY}
    allowClear={clears}
    onChange={(day) => change(day ? day.format(DAY) : '')}
  />
)

/** A moment on the home's clock, `2026-03-04T14:30`, chosen or typed. */
export const MomentField: FC<MomentProps> = ({ minutes, change, ...common }) => (
  <DatePicker
    {...usePicker(common)}
    format={MOMENT}
    showTime={{ format: 'HH:mm', minuteStep: minutes }}
    onChange={(day) => change(day ? day.format(`${DAY}[T]HH:mm`) : '')}
  />
)
