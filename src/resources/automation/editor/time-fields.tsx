import { InputNumber, Select, Space, TimePicker, Checkbox } from 'antd'
import dayjs from 'dayjs'
import type { FC } from 'react'
import type { Moment } from '../../../../contract/automation/schedule.ts'
import { useT, useLanguage } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { clockOf, WEEK } from '../words/sentence.ts'
import { formatWeekday } from '../../../../contract/time/format-time.ts'

interface Props {
  label: string
  value: Moment | null
  onChange: (moment: Moment | null) => void
  disabled?: boolean
}

/** Maximum offset from sunrise or sunset, minutes. */
const MAX_OFFSET_MINUTES = 180
const KINDS = ['clock', 'sunrise', 'sunset'] as const
type Kind = (typeof KINDS)[number]
const SIGNS = ['before', 'at', 'after'] as const
const signOf = (offset: number) => (offset < 0 ? 'before' : offset > 0 ? 'after' : 'at')

/** Time of day on the home's clock, or relative to its sunrise or sunset. */
export const MomentOfDay: FC<Props> = ({ label, value, onChange, disabled = false }) => {
  const t = useT()
  const sun = typeof value === 'object' && value !== null ? value : undefined
  const sign = signOf(sun?.Offset ?? 0)
  return (
    <Space wrap size={8}>
      <Select<Kind>
        aria-label={t('automation:rule.edit.momentKind', { label })}
        disabled={disabled}
        value={sun?.Sun ?? 'clock'}
        options={KINDS.map((kind) => ({ value: kind, label: t(`automation:rule.edit.moments.${kind}`) }))}
        onChange={(kind) => onChange(kind === 'clock' ? null : { Sun: kind, Offset: 0 })}
      />
      {sun ? (
        <>
          <Select
            aria-label={t('automation:rule.edit.sunSign', { label })}
            disabled={disabled}
            value={sign}
            options={SIGNS.map((one) => ({ value: one, label: t(`automation:rule.edit.signs.${one}`) }))}
            onChange={(next) =>
              onChange({
                ...sun,
                Offset: next === 'at' ? 0 : (next === 'before' ? -1 : 1) * (Math.abs(sun.Offset) || 30),
              })
            }
          />
          {sign !== 'at' && (
            <InputNumber<number>
              aria-label={t('automation:rule.edit.sunMinutes', { label })}
              disabled={disabled}
              min={1}
              max={MAX_OFFSET_MINUTES}
              precision={0}
              value={Math.abs(sun.Offset)}
              suffix={t('automation:rule.edit.minutes')}
              onChange={(minutes) => onChange({ ...sun, Offset: (sun.Offset < 0 ? -1 : 1) * (minutes ?? 1) })}
            />
          )}
        </>
      ) : (
        <TimePicker
          aria-label={label}
          className={page.fill ?? ''}
          disabled={disabled}
          format="HH:mm"
          showNow={false}
          needConfirm={false}
          allowClear={false}
          value={typeof value === 'number' ? dayjs(`2026-01-04T${clockOf(value)}`) : null}
          onChange={(time) => onChange(time ? time.hour() * 60 + time.minute() : null)}
        />
      )}
    </Space>
  )
}

interface WeekdaysFieldProps {
  label: string
  value: readonly number[]
  onChange: (days: number[]) => void
  disabled?: boolean
}

/** Days of the week, Monday first; 0 is Sunday. */
export const WeekdaysField: FC<WeekdaysFieldProps> = ({ label, value, onChange, disabled = false }) => {
  const language = useLanguage()
  const nameOf = (day: number) => formatWeekday(day, language)
  return (
    <fieldset className={page.row} aria-label={label}>
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
