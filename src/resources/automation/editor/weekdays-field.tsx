import { formatWeekday } from '../../../lib/format-when.ts'
import { Checkbox } from 'antd'
import type { FC } from 'react'
import { useLanguage } from '../../../lib/i18n/i18n.ts'
import styles from './editor.module.css'
import { WEEK } from '../words/sentence.ts'

interface Props {
  label: string
  value: readonly number[]
  onChange: (days: number[]) => void
  disabled?: boolean
}

/** Days of the week, Monday first; 0 is Sunday. */
export const WeekdaysField: FC<Props> = ({ label, value, onChange, disabled = false }) => {
  const language = useLanguage()
  const nameOf = (day: number) => formatWeekday(day, language)
  return (
    <fieldset className={styles.weekdays} aria-label={label}>
      {WEEK.map((day) => (
        <Checkbox
          key={day}
          disabled={disabled}
          checked={value.includes(day)}
          onChange={({ target }) =>
            onChange(WEEK.filter((one) => (one === day ? target.checked : value.includes(one))))
          }
        >
          {nameOf(day)}
        </Checkbox>
      ))}
    </fieldset>
  )
}
