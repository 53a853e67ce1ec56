import { useLayoutEffect, useRef, useState } from 'react'
import styles from './tick.module.css'

/** A box to choose one line with. */
export function Tick(props: { words: string; chosen: boolean; toggle: (through: boolean) => void }) {
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        checked={props.chosen}
        aria-label={props.words}
        // A click tells whether shift is held, and the space bar is a click too.
        onChange={() => {}}
        onClick={(event) => props.toggle(event.shiftKey)}
      />
    </label>
  )
}

interface AllProps {
  chosen: ReadonlySet<string>
  /** How many lines can be ticked. */
  of: number
  toggleAll: () => void
  allWords: string
  /** The words stand beside the box, where no head of a table does. */
  shown?: boolean
}

/** Ticked when every line is, half when some are. */
export function TickAll({ chosen, of, toggleAll, allWords, shown }: AllProps) {
  const box = useRef<HTMLInputElement>(null)
  const all = of > 0 && chosen.size === of
  const [isMeasured, setMeasured] = useState(false)
  // A table draws its head once more, hidden, to measure its columns: nothing in there may take the focus.
  useLayoutEffect(() => setMeasured(!!box.current?.closest('[aria-hidden="true"]')), [])
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = chosen.size > 0 && !all
  }, [chosen.size, all])
  if (isMeasured) return <span className={styles.box} />
  return (
    <label className={shown ? styles.line : styles.box}>
      <input ref={box} type="checkbox" checked={all} aria-label={allWords} onChange={toggleAll} />
      {shown && <span aria-hidden="true">{allWords}</span>}
    </label>
  )
}
