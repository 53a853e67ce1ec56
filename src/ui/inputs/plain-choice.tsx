import { useId } from 'react'
import styles from './plain-choice.module.css'

interface Props {
  label: string
  options: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

/** A select of the platform's own, where Ant Design may not be there: phones show their wheel, keyboards type to find. */
export function PlainSelect({ label, options, value, onChange }: Props) {
  return (
    <select
      className={styles.select}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/** A few that stand side by side, of which one is chosen. */
export function PlainSegmented({ label, options, value, onChange }: Props) {
  const name = useId()
  return (
    <span role="radiogroup" aria-label={label} className={styles.segments}>
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
