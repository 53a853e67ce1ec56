import { useLayoutEffect, useRef, useState } from 'react'
import styles from './tick.module.css'

/** Checkbox that selects one row. */
export function Tick(props: { label: string; isSelected: boolean; toggle: (isRange: boolean) => void }) {
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        checked={props.isSelected}
        aria-label={props.label}
        // A click event includes the Shift key, and the space bar triggers a click too.
        onChange={() => {}}
        onClick={(event) => props.toggle(event.shiftKey)}
      />
    </label>
  )
}

interface AllProps {
  selectedIds: ReadonlySet<string>
  /** Number of rows that can be selected. */
  of: number
  toggleAll: () => void
  allWords: string
  /** Shows the label next to the box, for lists without a table header. */
  isShown?: boolean
}

/** Checked if every row is, indeterminate if some are. */
export function TickAll({ selectedIds, of, toggleAll, allWords, isShown }: AllProps) {
  const box = useRef<HTMLInputElement>(null)
  const all = of > 0 && selectedIds.size === of
  const [isMeasured, setMeasured] = useState(false)
  // A table renders its header again, hidden, to measure its columns: nothing in it may be focusable.
  useLayoutEffect(() => setMeasured(!!box.current?.closest('[aria-hidden="true"]')), [])
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = selectedIds.size > 0 && !all
  }, [selectedIds.size, all])
  if (isMeasured) return <span className={styles.box} />
  return (
    <label className={isShown ? styles.line : styles.box}>
      <input ref={box} type="checkbox" checked={all} aria-label={allWords} onChange={toggleAll} />
      {isShown && <span aria-hidden="true">{allWords}</span>}
    </label>
  )
}
