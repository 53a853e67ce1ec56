import { useId, useState, type FC } from 'react'
import page from '../page/page.module.css'
import styles from './plain-number.module.css'

interface Props {
  label: string
  /** Range of valid whole numbers. */
  min: number
  max: number
  /** Undefined while the field is empty. */
  value: number | undefined
  fault: string
  onChange: (value: number | undefined) => void
}

/** Field for a whole number, without Ant Design. Invalid input shows an error and changes nothing. */
export const PlainNumber: FC<Props> = ({ label, min, max, value, fault, onChange }) => {
  const id = useId()
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const [isWrong, setIsWrong] = useState(value !== undefined && value > max)
  const [shownValue, setShownValue] = useState(value)
  if (shownValue !== value) {
    setShownValue(value)
    // Changed from outside; a value that was typed here returns with the same meaning.
    if (parseText(text) !== value) {
      setText(value === undefined ? '' : String(value))
      setIsWrong(false)
    }
  }
  return (
    <span className={styles.field}>
      <input
        type="number"
        className={styles.input}
        min={min}
        max={max}
        step={1}
        inputMode="numeric"
        value={text}
        placeholder={label}
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? id : undefined}
        onChange={({ target }) => {
          setText(target.value)
          setIsWrong(!target.validity.valid)
          if (target.validity.valid) onChange(parseText(target.value))
        }}
        // The wheel scrolls the page instead of changing the number.
        onWheel={({ currentTarget }) => currentTarget.blur()}
      />
      {isWrong && (
        <span id={id} role="alert" className={page.fault}>
          {fault}
        </span>
      )}
    </span>
  )
}

const parseText = (text: string): number | undefined => (text === '' ? undefined : Number(text))
