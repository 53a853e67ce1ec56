import { memo, useState, type CSSProperties, type ReactNode } from 'react'
import { Tick, TickAll } from './tick.tsx'
import page from '../page/page.module.css'
import styles from './virtual-table.module.css'

export type SortOrder = 'ascending' | 'descending'

export interface VirtualColumn<Row> {
  key: string
  title: string
  /** Least width in px, and its share of what is left. */
  width: number
  /** Given for columns that can be sorted by; null while another one is. */
  order?: SortOrder | null
  render: (row: Row) => ReactNode
}

/** Ticks beside the lines. Words are those a screen reader says. */
export interface Ticks<Row> {
  chosen: ReadonlySet<string>
  /** all  every line, by the box in the head; through  every line since the last one that was ticked (shift) */
  toggle: (id: string, through: boolean) => void
  toggleAll: () => void
  allWords: string
  /** Undefined for a line that cannot be ticked. */
  words: (row: Row) => string | undefined
  /** How many lines can be ticked. */
  of: number
}

interface Props<Row> {
  rows: readonly Row[]
  /** Of the scrolling box, px. */
  height: number
  /** The same array as long as nothing in it changes: lines are drawn again when it does. */
  columns: readonly VirtualColumn<Row>[]
  keyOf: (row: Row) => string
  label: string
  open: (id: string) => void
  sort: (key: string) => void
  ticks?: Ticks<Row> | undefined
}

const LINE = 48
/** Lines kept ready above and below what can be seen. */
const AHEAD = 6
const TICK_WIDTH = 48

/** A table of which only the lines near the window are in the page: ten thousand scroll as freely as ten. */
export function VirtualTable<Row>({ rows, height, columns, keyOf, label, open, sort, ticks }: Props<Row>) {
  const [first, setFirst] = useState(0)
  const tracks = columns.map(({ width }) => `minmax(${width}px, ${width}fr)`)
  const grid: CSSProperties = {
    gridTemplateColumns: [...(ticks ? [`${TICK_WIDTH}px`] : []), ...tracks].join(' '),
    minWidth: columns.reduce((sum, { width }) => sum + width, ticks ? TICK_WIDTH : 0),
  }
  const seen = Math.ceil(height / LINE)
  // Fewer rows than before: the box has not said yet where it stands now.
  const top = Math.min(first, Math.max(0, rows.length - seen))
  const from = Math.max(0, top - AHEAD)
  const to = Math.min(rows.length, top + seen + AHEAD)

  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className={`${page.card} ${styles.scroller}`}
      style={{ maxHeight: height }}
      // Only a new first line changes what is drawn.
      onScroll={({ currentTarget }) => setFirst(Math.floor(currentTarget.scrollTop / LINE))}
    >
      <div role="rowgroup" className={styles.head} style={{ minWidth: grid.minWidth }}>
        <div role="row" aria-rowindex={1} className={styles.line} style={{ ...grid, height: LINE }}>
          {ticks && (
            <div role="columnheader" className={`${styles.cell} ${styles.tick}`}>
              <TickAll {...ticks} />
            </div>
          )}
          {columns.map((column) => (
            <div
              key={column.key}
              role="columnheader"
              className={styles.cell}
              {...(column.order !== undefined && { 'aria-sort': column.order ?? 'none' })}
            >
              {column.order === undefined ? (
                column.title
              ) : (
                <button type="button" className={styles.sort} onClick={() => sort(column.key)}>
                  {column.title}
                  {column.order && (
                    <span className={page.accent} aria-hidden="true">
                      {column.order === 'ascending' ? '▲' : '▼'}
                    </span>
                  )}
                </button>
              )}
            </div>
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        className={styles.body}
        style={{ height: rows.length * LINE, minWidth: grid.minWidth }}
      >
        {rows.slice(from, to).map((row, i) => {
          const id = keyOf(row)
          return (
            <MemoLine
              key={id}
              id={id}
              row={row}
              index={from + i}
              columns={columns as readonly VirtualColumn<unknown>[]}
              template={grid.gridTemplateColumns as string}
              chosen={ticks?.chosen.has(id)}
              words={ticks?.words as Ticks<unknown>['words'] | undefined}
              toggle={ticks?.toggle}
              open={open}
            />
          )
        })}
      </div>
    </div>
  )
}

interface LineProps {
  id: string
  row: unknown
  /** Among all rows, 0 first. */
  index: number
  columns: readonly VirtualColumn<unknown>[]
  template: string
  /** Undefined without ticks. */
  chosen: boolean | undefined
  words: Ticks<unknown>['words'] | undefined
  toggle: Ticks<unknown>['toggle'] | undefined
  open: (id: string) => void
}

function Line({ id, row, index, columns, template, chosen, words, toggle, open }: LineProps) {
  const tickWords = words?.(row)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the link inside is for the keyboard; the line only widens its target
    <div
      role="row"
      aria-rowindex={index + 2}
      data-chosen={chosen}
      data-row-key={id}
      className={styles.line}
      style={{ top: index * LINE, height: LINE, gridTemplateColumns: template }}
      onClick={() => open(id)}
    >
      {chosen !== undefined && (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- keeps a near miss from opening the line
        <div
          role="cell"
          className={`${styles.cell} ${styles.tick}`}
          onClick={(event) => event.stopPropagation()}
        >
          {tickWords !== undefined && (
            <Tick words={tickWords} chosen={chosen} toggle={(through) => toggle?.(id, through)} />
          )}
        </div>
      )}
      {columns.map((column) => (
        <div key={column.key} role="cell" className={styles.cell}>
          {column.render(row)}
        </div>
      ))}
    </div>
  )
}
const MemoLine = memo(Line)
