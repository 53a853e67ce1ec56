import { AutoComplete } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState, type FC, type KeyboardEvent } from 'react'
import { parseTimeOfDay } from '../../lib/parse-time.ts'

interface Props {
  /** Of a form's item. */
  id?: string
  value?: Dayjs
  onChange?: (time: Dayjs) => void
}

/** Between the times that are offered, in minutes. */
const STEP = 15
const DAY = 1_440
const textOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
const OFFERED = Array.from({ length: DAY / STEP }, (_, i) => ({ value: textOf(i * STEP) }))

/** A time of day, picked of every quarter of an hour or typed as people write it; what is none leaves the one before. */
export const TimeField: FC<Props> = ({ id, value, onChange }) => {
  /** What is being typed. */
  const [typed, setTyped] = useState<string>()
  const shown = value ? value.format('HH:mm') : ''
  const take = (text: string) => {
    setTyped(undefined)
    const minute = parseTimeOfDay(text)
    if (minute !== undefined && textOf(minute) !== shown)
      onChange?.(
        dayjs('2000-01-01')
          .hour(Math.floor(minute / 60))
          .minute(minute % 60),
      )
  }
  const wanted = typed === undefined ? undefined : parseTimeOfDay(typed)
  // Offered from what is typed on, else from what stands there.
  const from = wanted === undefined ? shown : textOf(wanted)
  const options = [
    ...OFFERED.filter((one) => one.value >= from),
    ...OFFERED.filter((one) => one.value < from),
  ]
  return (
    <AutoComplete
      {...(id !== undefined && { id })}
      value={typed ?? shown}
      options={options}
      defaultActiveFirstOption={false}
      onSearch={setTyped}
      onSelect={take}
      onBlur={() => typed !== undefined && take(typed)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter') return
        // Enter ends what was typed, and does not send the form yet.
        event.preventDefault()
        if (typed !== undefined) take(typed)
      }}
    />
  )
}
