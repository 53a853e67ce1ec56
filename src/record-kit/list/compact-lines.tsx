import type { ReactNode } from 'react'
import styles from './list.module.css'

/** A row of a long list on a phone: two lines, a button if it opens. */
export interface CompactRow {
  head: ReactNode
  footer: ReactNode
  open?: () => void
}

interface Props<Row> {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Accessible name of the list. */
  label: string
  render: (row: Row) => CompactRow
}

/** Many short rows on a phone. */
export const CompactLines = <Row,>({ rows, rowKey, label, render }: Props<Row>) => (
  <ul className={styles.lines} aria-label={label}>
    {rows.map((row) => (
      <li key={rowKey(row)}>
        <Line {...render(row)} />
      </li>
    ))}
  </ul>
)

function Line({ head, footer, open }: CompactRow) {
  const lines = (
    <>
      <span className={styles.lineHead}>{head}</span>
      <span className={styles.lineFoot}>{footer}</span>
    </>
  )
  return open ? (
    <button type="button" className={styles.line} onClick={open}>
      {lines}
    </button>
  ) : (
    <div className={styles.line}>{lines}</div>
  )
}
