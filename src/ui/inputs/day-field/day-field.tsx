import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { FC } from 'react'
import { dayOf } from '../../../../contract/time/periods.ts'
import { siteToday } from '../site-today.tsx'
import { useNow } from '../../page/use-now.ts'
import styles from './day-field.module.css'

interface Common {
  /** Time zone of the home, in which today is marked; the browser's zone if absent. */
  zone?: string | undefined
  /** First and last selectable day, `2026-03-04`. */
  min?: string
  max?: string
  status?: 'error' | ''
  label?: string
  /** Id that a label refers to; a form passes it to its fields. */
  id?: string | undefined
  /** '' if the field is empty. */
  value: string
  change: (next: string) => void
}
interface DayProps extends Common {
  clears?: boolean
}
interface MomentProps extends Common {
  /** Step of the offered minutes. */
  minutes: 1 | 15
}

const DAY = 'YYYY-MM-DD'
const MOMENT = 'YYYY-MM-DD HH:mm'
/** Days are parsed without a zone, so that the browser's zone has no effect. */
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

/** Field for a day, `2026-03-04`, chosen or typed. */
export const DayField: FC<DayProps> = ({ clears = false, change, ...common }) => (
  <DatePicker
    {...usePicker(common)}
    format={DAY}
    allowClear={clears}
    onChange={(day) => change(day ? day.format(DAY) : '')}
  />
)

/** Field for a date and time on the home's clock, `2026-03-04T14:30`, chosen or typed. */
export const MomentField: FC<MomentProps> = ({ minutes, change, ...common }) => (
  <DatePicker
    {...usePicker(common)}
    format={MOMENT}
    showTime={{ format: 'HH:mm', minuteStep: minutes }}
    onChange={(day) => change(day ? day.format(`${DAY}[T]HH:mm`) : '')}
  />
)
