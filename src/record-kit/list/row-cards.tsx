import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Card, Space } from 'antd'
import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { cellOf, type TitledColumn } from './column.ts'
import styles from './list.module.css'

interface Props<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  columns: readonly TitledColumn<Row>[]
  /** Accessible name of the list. */
  label: string
  open: ((row: Row) => void) | undefined
  /** Content next to a card's title: checkbox, small buttons. */
  renderCorner: ((row: Row) => ReactNode) | undefined
  /** Content below a card's fields. */
  renderActions: ((row: Row) => ReactNode) | undefined
  /** Called with the index of the last rendered card. */
  onShown: (card: number) => void
}

/** Hides the body of a card that has only a title. */
const EMPTY_BODY = { body: { display: 'none' } }
/** Gap between cards, and their estimated height, px. */
const GAP = 12
const CARD = 160
/** Column width from which a field fills a whole line of a card, px. */
const WIDE = 200
/** Number of cards rendered above and below the viewport. */
const OVERSCAN_ROWS = 4

const stopPropagation = (event: MouseEvent) => event.stopPropagation()

/** Rows on a phone: cards titled by the first column; only those near the viewport are rendered. */
export function RowCards<Row extends object>(props: Props<Row>) {
  const { rows, keyOf, columns, label, open, renderCorner, renderActions, onShown } = props
  const list = useRef<HTMLUListElement>(null)
  const [offsetTop, setOffsetTop] = useState(0)
  useLayoutEffect(() => setOffsetTop(list.current?.offsetTop ?? 0), [])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const cards = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => CARD,
    getItemKey: (index) => keyOf(rows[index] as Row),
    gap: GAP,
    overscan: OVERSCAN_ROWS,
    scrollMargin: offsetTop,
    useFlushSync: false,
    measureElement: (card) => card.getBoundingClientRect().height || CARD,
  })
  const last = cards.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => onShown(last), [last, onShown])
  const [first, ...otherColumns] = columns as [TitledColumn<Row>, ...TitledColumn<Row>[]]
  return (
    <ul ref={list} className={styles.cards} aria-label={label} style={{ height: cards.getTotalSize() }}>
      {cards.getVirtualItems().map(({ index, start }) => {
        const row = rows[index]
        if (row === undefined) return null
        return (
          <li
            key={keyOf(row)}
            ref={cards.measureElement}
            data-index={index}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ top: start - offsetTop }}
          >
            <Card
              size="small"
              title={cellOf(first, row)}
              {...(renderCorner && {
                extra: (
                  <Space size={0} onClick={stopPropagation}>
                    {renderCorner(row)}
                  </Space>
                ),
              })}
              {...(open && { hoverable: true, onClick: () => open(row) })}
              {...(otherColumns.length === 0 && !renderActions && { styles: EMPTY_BODY })}
            >
              <dl>
                {otherColumns.map((column) => (
                  <div
                    key={column.key}
                    {...(column.width && column.width >= WIDE && { className: styles.wide })}
                  >
                    <dt>{column.title}</dt>
                    <dd>{cellOf(column, row)}</dd>
                  </div>
                ))}
              </dl>
              {renderActions && (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps what is pressed inside from opening the card
                <div className={styles.actions} onClick={stopPropagation}>
                  {renderActions(row)}
                </div>
              )}
            </Card>
          </li>
        )
      })}
    </ul>
  )
}

/** A row of a long list on a phone: two lines, a button if it opens. */
export interface CompactRow {
  head: ReactNode
  footer: ReactNode
  open?: () => void
}

interface CompactLinesProps<Row> {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Accessible name of the list. */
  label: string
  render: (row: Row) => CompactRow
}

/** Many short rows on a phone. */
export const CompactLines = <Row,>({ rows, rowKey, label, render }: CompactLinesProps<Row>) => (
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
