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
  /** The key that leads to it. */
  'data-keys'?: string
}

/** A select of the platform's own, where Ant Design may not be there: phones show their wheel, keyboards type to find. */
export function PlainSelect<Value extends string>(props: SelectProps<Value>) {
  const { label, options, value, onChange, className = '', ...rest } = props
  return (
    <select
      {...rest}
      className={`${styles.select} ${className}`}
      aria-label={label}
      value={value}
      // Nothing but one of its options can be chosen in it.
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
  /** As wide as there is room, all parts alike. */
  block?: boolean
}

/** A few that stand side by side, of which one is chosen. */
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
