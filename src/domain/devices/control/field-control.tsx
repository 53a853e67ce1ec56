import { Segmented, Select, Slider } from 'antd'
import { useState, type FC } from 'react'
import { choiceOf, fieldShape, type FieldShape } from '../../../../contract/devices/kinds/field-shape.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import { FieldValue } from './field-value.tsx'
import { useDeviceFieldWords, valueKey } from '../field-words.ts'
import page from '../../../ui/page/page.module.css'
import styles from './faces.module.css'
import { confirmCommand } from '../commands/use-device-control.ts'
import { type FieldProps, OnOffControl } from './on-off-control.tsx'
import { onEnter } from '../../../ui/inputs/on-enter.ts'

interface Props extends FieldProps {
  /** Label, if the field's own name is ambiguous, e.g. with the device's name before it. */
  name?: string
  small?: boolean
}

/** Maximum number of choices shown as segments; a longer list is a select. */
const MAX_SEGMENTS = 4
/** Maximum number of steps for a slider; with more steps, or without bounds, the number is typed. */
const MAX_STEPS = 100

/**
 * Control for one field of a device, chosen by the field's shape. It shows the reported value; a requested value that is not reported yet
 * is shown next to it.
 */
export const FieldControl: FC<Props> = ({
  capability,
  field,
  status,
  send,
  pending,
  name,
  small = false,
}) => {
  const words = useDeviceFieldWords()
  const reason = useNoControl()
  const shape = fieldShape(capability, field)
  const label = name ?? words.nameOf(capability, field)
  if (shape.as === 'onOff')
    return (
      <OnOffControl {...{ capability, field, status, send, pending, small }} name={label} labelled={!name} />
    )
  const value = status?.[field]
  const target = pending?.[field]
  const change = (next: number) => {
    if (reason === undefined) confirmCommand(capability, { [field]: next }, () => send({ [field]: next }))
  }
  const shared = { label, value, target, change }
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <span>{label}</span>
        <PendingChange capability={capability} field={field} value={value} target={target} />
      </div>
      {shape.as === 'choice' && <ChoiceControl {...shared} shape={shape} />}
      {shape.as === 'number' && (
        <NumberControl {...shared} shape={shape} unit={words.unitOf(capability, field)} />
      )}
    </div>
  )
}

/** Current and requested value of a field. */
export const PendingChange: FC<
  Omit<Props, 'status' | 'send' | 'pending' | 'small'> & { value: unknown; target: unknown }
> = ({ capability, field, value, target }) => {
  const t = useT()
  const { valueOf } = useDeviceFieldWords()
  const to = target === undefined || target === value ? undefined : valueOf(capability, field, target)
  return (
    <span className={to ? page.accent : undefined} aria-live="polite">
      {to ? (
        t('devices:command.changing', {
          from: valueOf(capability, field, value) ?? t('devices:state.unknown'),
          to,
        })
      ) : (
        <FieldValue capability={capability} field={field} value={value} />
      )}
    </span>
  )
}

interface ControlProps<As extends FieldShape['as']> {
  shape: Extract<FieldShape, { as: As }>
  label: string
  value: unknown
  target: unknown
  change: (next: number) => void
}

const ChoiceControl: FC<ControlProps<'choice'>> = ({ shape, label, value, target, change }) => {
  const t = useT()
  const options = shape.choices.map(([choice, name]) => ({ value: choice, label: t(valueKey(name)) }))
  const reportedChoice = choiceOf(shape.choices, value)?.[0]
  const busy = target !== undefined && target !== value
  return options.length <= MAX_SEGMENTS ? (
    <Segmented<number>
      block
      aria-label={label}
      options={options}
      // NaN selects no segment; for undefined antd would select the first.
      value={reportedChoice ?? Number.NaN}
      onChange={change}
    />
  ) : (
    <Select<number>
      aria-label={label}
      options={options}
      loading={busy}
      {...(reportedChoice === undefined ? { value: null as unknown as number } : { value: reportedChoice })}
      onChange={change}
    />
  )
}

const NumberControl: FC<ControlProps<'number'> & { unit: string | undefined }> = ({
  shape: { min, max, step = 1 },
  label,
  value,
  target,
  change,
  unit,
}) => {
  /** Value while the slider is dragged; after its release the reported value is shown again. */
  const [dragValue, setDragValue] = useState<number>()
  const shownValue = [dragValue, target, value].find((candidate) => typeof candidate === 'number')
  const releaseDrag = () => {
    setDragValue(undefined)
    if (dragValue !== undefined && dragValue !== (target ?? value)) change(dragValue)
  }
  if (min === undefined || max === undefined || (max - min) / step > MAX_STEPS)
    return (
      <NumberWithUnit
        aria-label={label}
        min={min}
        max={max}
        step={step}
        value={shownValue ?? null}
        unit={unit}
        onChange={(next) => setDragValue(next ?? undefined)}
        onPressEnter={onEnter(releaseDrag)}
        onBlur={releaseDrag}
      />
    )
  return (
    <Slider
      min={min}
      max={max}
      step={step}
      value={shownValue ?? min}
      ariaLabelForHandle={label}
      tooltip={{ formatter: (at) => (unit ? `${at} ${unit}` : at) }}
      onChange={setDragValue}
      onChangeComplete={(next) => {
        setDragValue(undefined)
        if (next !== value || target !== undefined) change(next)
      }}
    />
  )
}
