import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { cellOf, textOf, type TitledColumn } from './column.ts'
import { usePrinting } from '../../ui/page/printing.ts'
import pageStyles from '../../ui/page/page.module.css'
import styles from './list.module.css'

/** A row on a phone: its name, a line of facts below it, and its state at the right side. */
export interface PhoneRow {
  name: ReactNode
  facts: ReactNode
  aside?: ReactNode
}

/** Row of a table: the first column is the name; the others are facts. */
export function phoneRowOf<Row extends object>(columns: readonly TitledColumn<Row>[], row: Row): PhoneRow {
  const [first, ...others] = columns as [TitledColumn<Row>, ...TitledColumn<Row>[]]
  const isFirst = ({ onPhone }: TitledColumn<Row>) => onPhone === 'first'
  const facts = [...others.filter(isFirst), ...others.filter((column) => !isFirst(column))]
  return {
    name: cellOf(first, row),
    // A number alone says nothing.
    facts: facts.map((column) => (
      <bdi key={column.key}>
        {isNumber(textOf(column, row)) && `${column.title} `}
        {cellOf(column, row)}
      </bdi>
    )),
  }
}

const isNumber = (text: string | number) => text !== '' && Number.isFinite(Number(text))

interface Props<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Accessible name of the list. */
  label: string
  render: (row: Row) => PhoneRow
  open?: { onRow: (row: Row) => void; nameOf: (row: Row) => string } | undefined
  /** Checkbox before a row. */
  renderTick?: ((row: Row) => ReactNode) | undefined
  /** Action and menu after a row. */
  renderActions?: ((row: Row) => ReactNode) | undefined
  /** Called with the index of the last rendered row. */
  onShown?: (row: number) => void
}

/** Height of a row, px; two lines, each cut off at its end. */
const ROW = 64
/** Number of rows rendered above and below the viewport. */
const OVERSCAN_ROWS = 8

/** Rows of a list on a phone; only those near the viewport are rendered. */
export function PhoneRows<Row>(props: Props<Row>) {
  const { rows, keyOf, label, render, open, renderTick, renderActions, onShown } = props
  const list = useRef<HTMLUListElement>(null)
  const [offsetTop, setOffsetTop] = useState(0)
  useLayoutEffect(() => setOffsetTop(list.current?.offsetTop ?? 0), [])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const lines = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW,
    getItemKey: (index) => keyOf(rows[index] as Row),
    overscan: OVERSCAN_ROWS,
    scrollMargin: offsetTop,
    useFlushSync: false,
  })
  // Paper does not scroll.
  const shownRows = usePrinting()
    ? rows.map((_, index) => ({ index, start: offsetTop + index * ROW }))
    : lines.getVirtualItems()
  const last = shownRows.at(-1)?.index ?? 0
  useEffect(() => onShown?.(last), [last, onShown])
  return (
    <ul
      ref={list}
      className={`${pageStyles.card} ${styles.lines}`}
      aria-label={label}
      style={{ height: lines.getTotalSize() }}
    >
      {shownRows.map(({ index, start }) => {
        const row = rows[index]
        if (row === undefined) return null
        return (
          <li
            key={keyOf(row)}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ top: start - offsetTop, height: ROW }}
          >
            {renderTick?.(row)}
            {open && (
              <button
                type="button"
                className={styles.open}
                aria-label={open.nameOf(row)}
                onClick={() => open.onRow(row)}
              />
            )}
            <Line {...render(row)} />
            {renderActions && <div className={pageStyles.tightRow}>{renderActions(row)}</div>}
          </li>
        )
      })}
    </ul>
  )
}

function Line({ name, facts, aside }: PhoneRow) {
  return (
    <>
      <div className={styles.line}>
        <span className={`${pageStyles.ellipsis} ${styles.name}`}>{name}</span>
        <span className={`${pageStyles.small} ${pageStyles.figures} ${pageStyles.ellipsis} ${styles.facts}`}>
          {facts}
        </span>
      </div>
      {aside && <div className={pageStyles.tightRow}>{aside}</div>}
    </>
  )
}
