import { AutoComplete } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState, type FC, type KeyboardEvent } from 'react'
import { parseTimeOfDay } from '../../lib/parse-time.ts'

interface Props {
  id?: string
  value?: Dayjs
  onChange?: (time: Dayjs) => void
}

/** Step of the offered times, in minutes. */
const STEP = 15
const DAY = 1_440
const textOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
const TIME_OPTIONS = Array.from({ length: DAY / STEP }, (_, i) => ({ value: textOf(i * STEP) }))

/** Time of day, chosen from quarters of an hour or typed freely; invalid text keeps the previous time. */
export const TimeField: FC<Props> = ({ id, value, onChange }) => {
  const [typed, setTyped] = useState<string>()
  const shownText = value ? value.format('HH:mm') : ''
  const applyText = (text: string) => {
    setTyped(undefined)
    const minute = parseTimeOfDay(text)
    if (minute !== undefined && textOf(minute) !== shownText)
      onChange?.(
        dayjs('2000-01-01')
          .hour(Math.floor(minute / 60))
          .minute(minute % 60),
      )
  }
  const requestedTime = typed === undefined ? undefined : parseTimeOfDay(typed)
  // Options start at the typed time, else at the current value.
  const from = requestedTime === undefined ? shownText : textOf(requestedTime)
  const options = [
    ...TIME_OPTIONS.filter((option) => option.value >= from),
    ...TIME_OPTIONS.filter((option) => option.value < from),
  ]
  return (
    <AutoComplete
      {...(id !== undefined && { id })}
      value={typed ?? shownText}
      options={options}
      defaultActiveFirstOption={false}
      onSearch={setTyped}
      onSelect={applyText}
      onBlur={() => typed !== undefined && applyText(typed)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter') return
        // Enter applies the typed text without submitting the form.
        event.preventDefault()
        if (typed !== undefined) applyText(typed)
      }}
    />
  )
}
