import { useId } from 'react'
import styles from './plain-choice.module.css'

interface Props<Value extends string> {
  label: string
  options: readonly { value: Value; label: string; disabled?: boolean }[]
  value: Value
  onChange: (value: Value) => void
}

interface SelectProps<Value extends string> extends Props<Value> {
  className?: string | undefined
  /** Keyboard shortcut that focuses it. */
  'data-keys'?: string
}

/** Native select without Ant Design: phones show their own picker, and typing finds options. */
export function PlainSelect<Value extends string>(props: SelectProps<Value>) {
  const { label, options, value, onChange, className = '', ...rest } = props
  return (
    <select
      {...rest}
      className={`${styles.select} ${className}`}
      aria-label={label}
      value={value}
      // Only values of the options can be selected, which justifies the cast.
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

interface SegmentedProps<Value extends string> extends Props<Value> {
  /** Fills the available width with parts of equal width. */
  block?: boolean
}

/** A few options side by side, one of which is selected. */
export function PlainSegmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange, block = false } = props
  const name = useId()
  return (
    <span role="radiogroup" aria-label={label} className={`${styles.segments} ${block ? styles.block : ''}`}>
      {options.map((option) => (
        <label key={option.value} className={styles.segment}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </span>
  )
}
