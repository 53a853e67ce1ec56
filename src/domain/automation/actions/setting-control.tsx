import { Button, InputNumber, Segmented, Select, Slider } from 'antd'
import { CloseOutlined } from '@ant-design/icons'
import { useRef, type FC } from 'react'
import { choiceOf, type FieldShape } from '../../../../contract/devices/kinds/field-shape.ts'
import { useDeviceFieldWords, valueKey } from '../../devices/field-words.ts'
import { widthOfText } from '../../../lib/fit-text.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import { onOff } from '../../../ui/inputs/switch-control.tsx'
import { useWidth } from '../../../ui/page/use-width.ts'
import page from '../../../ui/page/page.module.css'
import styles from './actions.module.css'
import type { Setting } from '../targets/settable.ts'

interface Props {
  setting: Setting
  /** Name of the setting, and name of its target. */
  label: string
  owner: string
  value: number | undefined
  error: string | undefined
  disabled: boolean
  /** Undefined leaves the field unchanged. */
  onChange: (next: number | undefined) => void
}

/** Maximum number of choices shown as segments; a longer list, or one that does not fit, is a select. */
const MAX_SEGMENTS = 4
/** Font size of a segment, its padding on both sides, and the button that unsets the field with its gap, px. */
const SEGMENT = { size: 14, padding: 24, clear: 40 }
/** Width of a control that cannot be measured, px. */
const UNKNOWN_WIDTH_PX = 480
/** Maximum number of steps for a slider. */
const MAX_STEPS = 100
/** One hour in minutes; timers are set in whole hours (§9). */
const HOUR = 60

/**
 * Control for one field of an action. Unlike a device's own control it can be unset: the action then leaves the field unchanged. On and off
 * are therefore two segments, either or neither of which is selected.
 */
export const SettingControl: FC<Props> = ({ setting, label, owner, value, error, disabled, onChange }) => {
  const t = useT()
  const name = t('automation:actions.fieldOf', { field: label, name: owner })
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, UNKNOWN_WIDTH_PX)
  const rest = { setting, value, disabled, onChange, name, width }
  return (
    <div className={styles.setting} role="group" aria-label={name}>
      <span className={page.words}>{label}</span>
      <div ref={box} className={styles.control}>
        <Control {...rest} />
        {value !== undefined && !disabled && (
          <Button
            type="text"
            icon={<CloseOutlined />}
            title={t('automation:actions.leave')}
            aria-label={t('automation:actions.leaveField', { field: name })}
            onClick={() => onChange(undefined)}
          />
        )}
      </div>
      {error && (
        <p role="alert" className={`${page.fault} ${page.wholeRow}`}>
          {error}
        </p>
      )}
    </div>
  )
}

type ControlProps = Omit<Props, 'label' | 'owner' | 'error'> & {
  name: string
  /** Available width, px. */
  width: number
}

function Control({ setting, ...rest }: ControlProps) {
  const t = useT()
  const { unitOf } = useDeviceFieldWords()
  const { shape, capability, field } = setting
  if (shape.as === 'onOff')
    return (
      <Choice
        {...rest}
        options={[1, 0].map((option) => ({ value: option, label: onOff(t as never, option) }))}
        startValue={rest.value}
      />
    )
  if (shape.as === 'choice')
    return (
      <Choice
        {...rest}
        options={shape.choices.map(([option, word]) => ({ value: option, label: t(valueKey(word)) }))}
        startValue={choiceOf(shape.choices, rest.value)?.[0]}
      />
    )
  if (setting.register === undefined && field.endsWith('Timer') && shape.max !== undefined)
    return (
      <Choice
        {...rest}
        startValue={rest.value}
        options={Array.from({ length: shape.max / HOUR + 1 }, (_, hours) => ({
          value: hours * HOUR,
          label: hours === 0 ? t('devices:climate.noTimer') : t('devices:climate.hours', { hours }),
        }))}
      />
    )
  return <Figure {...rest} shape={shape} unit={unitOf(capability, field)} />
}

/** Whether choices fit side by side, also next to the button that unsets the field. */
const fitsAsSegments = (options: readonly { label: string }[], width: number): boolean =>
  options.length <= MAX_SEGMENTS &&
  options.reduce((sum, { label }) => sum + widthOfText(label, SEGMENT) + SEGMENT.padding, SEGMENT.clear) <=
    width

function Choice({
  options,
  startValue,
  name,
  width,
  disabled,
  onChange,
}: Omit<ControlProps, 'setting'> & {
  options: { value: number; label: string }[]
  startValue: number | undefined
}) {
  const t = useT()
  return fitsAsSegments(options, width) ? (
    <Segmented<number>
      className={styles.segments ?? ''}
      aria-label={name}
      options={options}
      disabled={disabled}
      // NaN selects no segment; for undefined antd would select the first.
      value={startValue ?? Number.NaN}
      onChange={onChange}
    />
  ) : (
    <Select<number>
      aria-label={name}
      className={styles.choice ?? ''}
      options={options}
      disabled={disabled}
      placeholder={t('automation:actions.unset')}
      value={startValue ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

function Figure({
  shape: { min, max, step = 1 },
  unit,
  name,
  value,
  disabled,
  onChange,
}: Omit<ControlProps, 'setting' | 'width'> & {
  shape: Extract<FieldShape, { as: 'number' }>
  unit: string | undefined
}) {
  const t = useT()
  const hasSlider = min !== undefined && max !== undefined && (max - min) / step <= MAX_STEPS
  const Field = unit === undefined ? InputNumber<number> : NumberWithUnit
  return (
    <div className={styles.figure}>
      {hasSlider && (
        <Slider
          className={value === undefined ? styles.unset : ''}
          disabled={disabled}
          min={min}
          max={max}
          step={step}
          value={value ?? min}
          ariaLabelForHandle={name}
          tooltip={{ formatter: (at) => (unit ? `${at} ${unit}` : at) }}
          onChange={onChange}
        />
      )}
      <div className={styles.number}>
        <Field
          aria-label={name}
          disabled={disabled}
          min={min}
          max={max}
          step={step}
          value={value ?? null}
          placeholder={t('automation:actions.unset')}
          {...(unit !== undefined && { unit })}
          onChange={(next) => onChange(next ?? undefined)}
        />
      </div>
    </div>
  )
}
