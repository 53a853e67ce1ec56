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
import { confirmCommand } from '../commands/ask-first.ts'
import { type FieldProps, OnOffControl } from './on-off-control.tsx'
import { onEnter } from '../../../ui/inputs/on-enter.ts'

interface Props extends FieldProps {
  /** Label, if the field's own name is ambiguous, e.g. with the device's name before it. */
  name?: string
  small?: boolean
}

/** Maximum number of choices shown as segments; a longer list is a select. */
const MOST_SEGMENTS = 4
/** Maximum number of steps for a slider; with more steps, or without bounds, the number is typed. */
const MOST_STEPS = 100

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
  const why = useNoControl()
  const shape = fieldShape(capability, field)
  const label = name ?? words.nameOf(capability, field)
  if (shape.as === 'onOff')
    return (
      <OnOffControl {...{ capability, field, status, send, pending, small }} name={label} labelled={!name} />
    )
  const value = status?.[field]
  const wanted = pending?.[field]
  const change = (next: number) => {
    if (why === undefined) confirmCommand(capability, { [field]: next }, () => send({ [field]: next }))
  }
  const rest = { label, value, wanted, change }
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <span>{label}</span>
        <PendingChange capability={capability} field={field} value={value} wanted={wanted} />
      </div>
      {shape.as === 'choice' && <ChoiceControl {...rest} shape={shape} />}
      {shape.as === 'number' && (
        <NumberControl {...rest} shape={shape} unit={words.unitOf(capability, field)} />
      )}
    </div>
  )
}

/** Current and requested value of a field. */
export const PendingChange: FC<
  Omit<Props, 'status' | 'send' | 'pending' | 'small'> & { value: unknown; wanted: unknown }
> = ({ capability, field, value, wanted }) => {
  const t = useT()
  const { valueOf } = useDeviceFieldWords()
  const to = wanted === undefined || wanted === value ? undefined : valueOf(capability, field, wanted)
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
  wanted: unknown
  change: (next: number) => void
}

const ChoiceControl: FC<ControlProps<'choice'>> = ({ shape, label, value, wanted, change }) => {
  const t = useT()
  const options = shape.choices.map(([choice, name]) => ({ value: choice, label: t(valueKey(name)) }))
  const known = choiceOf(shape.choices, value)?.[0]
  const busy = wanted !== undefined && wanted !== value
  return options.length <= MOST_SEGMENTS ? (
    <Segmented<number>
      block
      aria-label={label}
      options={options}
      // NaN selects no segment; for undefined antd would select the first.
      value={known ?? Number.NaN}
      onChange={change}
    />
  ) : (
    <Select<number>
      aria-label={label}
      options={options}
      loading={busy}
      {...(known === undefined ? { value: null as unknown as number } : { value: known })}
      onChange={change}
    />
  )
}

const NumberControl: FC<ControlProps<'number'> & { unit: string | undefined }> = ({
  shape: { min, max, step = 1 },
  label,
  value,
  wanted,
  change,
  unit,
}) => {
  /** Value while the slider is dragged; after its release the reported value is shown again. */
  const [held, setHeld] = useState<number>()
  const stands = [held, wanted, value].find((one) => typeof one === 'number')
  const letGo = () => {
    setHeld(undefined)
    if (held !== undefined && held !== (wanted ?? value)) change(held)
  }
  if (min === undefined || max === undefined || (max - min) / step > MOST_STEPS)
    return (
      <NumberWithUnit
        aria-label={label}
        min={min}
        max={max}
        step={step}
        value={stands ?? null}
        unit={unit}
        onChange={(next) => setHeld(next ?? undefined)}
        onPressEnter={onEnter(letGo)}
        onBlur={letGo}
      />
    )
  return (
    <Slider
      min={min}
      max={max}
      step={step}
      value={stands ?? min}
      ariaLabelForHandle={label}
      tooltip={{ formatter: (at) => (unit ? `${at} ${unit}` : at) }}
      onChange={setHeld}
      onChangeComplete={(next) => {
        setHeld(undefined)
        if (next !== value || wanted !== undefined) change(next)
      }}
    />
  )
}
