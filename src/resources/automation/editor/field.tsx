import { Form, InputNumber, Select, Space } from 'antd'
import { type FC, type ReactNode, useState } from 'react'
import { describeField } from '../../../data/failure.ts'
import { useT, type TKey } from '../../../lib/i18n/i18n.ts'
import type { Reasons, RuleDraft } from '../rules/draft.ts'
import page from '../../../ui/page/page.module.css'

export interface PartProps {
  draft: RuleDraft
  change: (next: Partial<RuleDraft>) => void
  /** Reasons why the rule cannot be saved, by path. */
  reasons: Reasons
  disabled: boolean
}

/** Messages for missing values; other fields use the general one. */
const REQUIRED_TEXTS: Readonly<Record<string, TKey>> = {
  'Conditions.PeripheralUIDs': 'automation:rule.needs.condition',
  'Schedule.Weekdays': 'automation:rule.needs.weekday',
  'Schedule.At': 'automation:rule.needs.time',
  'Booking.ConferenceRoomID': 'automation:rule.needs.room',
  PeripheralUID: 'automation:rule.needs.device',
  Field: 'automation:rule.needs.field',
  Status: 'automation:rule.needs.value',
}

/** Returns a function that translates the reason of a field's error into a message. */
function useReason(): (path: string, reason: string) => string {
  const t = useT()
  return (path, reason) => {
    const requiredText =
      reason === 'required' && (REQUIRED_TEXTS[path] ?? REQUIRED_TEXTS[path.split('.').at(-1) ?? ''])
    if (requiredText) return t(requiredText)
    return path.endsWith('.Clear') ? t('automation:rule.needs.clear') : describeField(reason, path)
  }
}

interface Props {
  /** Visible label; a field in a sentence has none and names itself to screen readers. */
  label?: string
  /** Path of the field in the gateway's errors. */
  path?: string
  reasons?: Reasons
  hint?: ReactNode
  isWide?: boolean
  className?: string | undefined
  children: ReactNode
}

/** One field of the editor, with its error below. */
export const Field: FC<Props> = ({ label, path, reasons = {}, hint, isWide, className, children }) => {
  const inWords = useReason()
  const reason = path === undefined ? undefined : reasons[path]
  return (
    <Form.Item
      {...(label !== undefined && { label })}
      className={isWide ? page.wholeRow : className}
      {...(hint !== undefined && { extra: hint })}
      {...(path !== undefined &&
        reason !== undefined && {
          validateStatus: 'error' as const,
          help: <span role="alert">{inWords(path, reason)}</span>,
        })}
    >
      {children}
    </Form.Item>
  )
}

/** Error of a whole part; renders nothing if there is none. */
export const PartFault: FC<{ path: string; reasons: Reasons }> = ({ path, reasons }) => {
  const inWords = useReason()
  const reason = reasons[path]
  return reason === undefined ? null : (
    <p role="alert" className={page.fault}>
      {inWords(path, reason)}
    </p>
  )
}

/** Path of the first error at or below a path, e.g. of a list item; the path itself if there is none. */
export const faultWithin = (path: string, reasons: Reasons): string =>
  Object.keys(reasons).find((one) => one === path || one.startsWith(`${path}.`)) ?? path

export const Section: FC<{ title: string; children: ReactNode }> = ({ title, children }) => (
  <section className={`${page.card} ${page.padded} ${page.tightStack}`} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

interface DurationFieldProps {
  label: string
  /** Seconds. */
  value: number
  onChange: (seconds: number) => void
  disabled?: boolean
}

const UNITS = { seconds: 1, minutes: 60, hours: 3600 } as const
type Unit = keyof typeof UNITS
/** Maximum in seconds: one day. */
const MAX_DURATION_S = 86_400

const unitOf = (seconds: number): Unit =>
  seconds % 3600 === 0 && seconds > 0 ? 'hours' : seconds % 60 === 0 ? 'minutes' : 'seconds'

/** Duration of up to a day, in a unit that the user selects. */
export const DurationField: FC<DurationFieldProps> = ({ label, value, onChange, disabled = false }) => {
  const t = useT()
  const [chosenUnit, setChosenUnit] = useState<Unit>()
  // If the value is not a whole number in the selected unit, use one in which it is.
  const unit = chosenUnit !== undefined && value % UNITS[chosenUnit] === 0 ? chosenUnit : unitOf(value)
  return (
    <Space.Compact block>
      <InputNumber<number>
        aria-label={label}
        disabled={disabled}
        style={{ width: '100%' }}
        min={0}
        max={MAX_DURATION_S / UNITS[unit]}
        precision={0}
        value={value / UNITS[unit]}
        onChange={(figure) => onChange((figure ?? 0) * UNITS[unit])}
      />
      <Select<Unit>
        aria-label={t('automation:rule.edit.unitOf', { label })}
        disabled={disabled}
        style={{ width: 'auto', minWidth: 116 }}
        value={unit}
        options={(Object.keys(UNITS) as Unit[]).map((one) => ({
          value: one,
          label: t(`automation:rule.edit.units.${one}`),
        }))}
        onChange={(next) => {
          setChosenUnit(next)
          onChange(Math.min((value / UNITS[unit]) * UNITS[next], MAX_DURATION_S))
        }}
      />
    </Space.Compact>
  )
}
