import { observeElementRect, useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useMemo, useRef, type CSSProperties, type ReactNode, type RefObject } from 'react'
import { Tick, TickAll } from './tick.tsx'
import { LINE_HEIGHT, useDensity } from '../theme/density.ts'
import { MAX_PRINTED_ROWS, usePrinting } from '../page/printing.ts'
import { useWidth } from '../page/use-width.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../page/page.module.css'
import { fittingColumns, defaultMinWidth, type FittingColumn } from './fitting-columns.ts'
import styles from './virtual-table.module.css'

export type SortOrder = 'ascending' | 'descending'

/** Column of a `VirtualTable`; the remaining width is distributed in proportion to `width`. */
export interface VirtualColumn<Row> extends FittingColumn {
  title: ReactNode
  /** Sort order; null if another column is sorted, absent if the column cannot be sorted. */
  order?: SortOrder | null
  /** Keeps the last column visible while the others scroll, never narrower than its minimum width. */
  isSticky?: boolean
  render: (row: Row) => ReactNode
}

/** Checkboxes of the rows, and their accessible names. */
export interface RowSelection<Row> {
  selectedIds: ReadonlySet<string>
  /** all  every row, by the box in the header; through  every row since the last one that was ticked (Shift) */
  toggle: (id: string, isRange: boolean) => void
  toggleAll: () => void
  allWords: string
  /** Undefined for a row that cannot be selected. */
  labelOf: (row: Row) => string | undefined
  /** Number of rows that can be selected. */
  of: number
}

interface Props<Row> {
  rows: readonly Row[]
  /** Height of the scroll container, px. */
  height: number
  /** Must be referentially stable while nothing changes: otherwise all rows are rendered again. */
  columns: readonly VirtualColumn<Row>[]
  keyOf: (row: Row) => string
  label: string
  /** Undefined if rows do not open. */
  open?: ((id: string) => void) | undefined
  sort: (key: string) => void
  ticks?: RowSelection<Row> | undefined
  /** Rows are as high as their text; otherwise all are equally high, and text that is too long is cut off. */
  wraps?: boolean
  /** Called when the user has scrolled to the last row. */
  onEnd?: (() => void) | undefined
  /** Called with the index of the last rendered row. */
  onShown?: ((line: number) => void) | undefined
  /** Called with the keys of the columns omitted because the table is too narrow, joined by spaces. */
  onLeftOut?: ((keys: string) => void) | undefined
}

/** Number of rows rendered above and below the viewport. */
const OVERSCAN_ROWS = 6
const TICK_WIDTH = 48
/** Share of its width that a column may lose if text wraps, before the table scrolls horizontally. */
const GIVES = 0.3

/** Table that renders only the rows near the viewport, so that ten thousand scroll as smoothly as ten. */
export function VirtualTable<Row>(props: Props<Row>) {
  const { rows, height, keyOf, label, open, sort, wraps = false, onEnd, onShown } = props
  const printing = usePrinting()
  const ticks = printing ? undefined : props.ticks
  const t = useT()
  const line = LINE_HEIGHT[useDensity()]
  const box = useRef<HTMLDivElement>(null)
  const { columns, grid } = useColumns(box, props, ticks ? TICK_WIDTH : 0)
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => line,
    getItemKey: (index) => keyOf(rows[index] as Row),
    overscan: OVERSCAN_ROWS,
    useFlushSync: false,
    // Without layout, as in a test, the container has its maximum height.
    observeElementRect: (instance, onSize) =>
      observeElementRect(instance, (rect) => onSize({ ...rect, height: rect.height || height })),
    measureElement: (element) => element.getBoundingClientRect().height || line,
  })
  // Paper does not scroll.
  const shownRows = printing
    ? rows.slice(0, MAX_PRINTED_ROWS).map((_, index) => ({ index, start: index * line }))
    : lines.getVirtualItems()
  const last = shownRows.at(-1)?.index ?? 0
  useEffect(() => onShown?.(last), [last, onShown])
  const isAtEnd = (lines.scrollOffset ?? 0) > 0 && last === rows.length - 1
  useEffect(() => {
    if (isAtEnd) onEnd?.()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each end that is reached
  }, [isAtEnd, rows.length])

  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      ref={box}
      className={`${page.card} ${styles.scroller}`}
      style={printing ? {} : { maxHeight: height }}
      // A scroll container must be focusable for the keyboard, even if nothing in it is.
      {...(lines.getTotalSize() + line > height && { tabIndex: 0 })}
    >
      <div role="rowgroup" className={styles.head} style={{ minWidth: grid.minWidth }}>
        <div role="row" aria-rowindex={1} className={styles.line} style={{ ...grid, height: line }}>
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
              {...(column.isSticky && { 'data-sticks': true })}
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
        style={printing ? {} : { height: lines.getTotalSize(), minWidth: grid.minWidth }}
      >
        {shownRows.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const id = keyOf(row)
          return (
            <MemoLine
              key={id}
              id={id}
              row={row}
              index={index}
              top={start}
              measure={wraps ? lines.measureElement : undefined}
              columns={columns as readonly VirtualColumn<unknown>[]}
              template={grid.gridTemplateColumns as string}
              isSelected={ticks?.selectedIds.has(id)}
              height={line}
              labelOf={ticks?.labelOf as RowSelection<unknown>['labelOf'] | undefined}
              toggle={ticks?.toggle}
              open={open}
            />
          )
        })}
      </div>
      {printing && rows.length > MAX_PRINTED_ROWS && (
        <p className={page.hint}>{t('screens:print.more', { count: rows.length - MAX_PRINTED_ROWS })}</p>
      )}
    </div>
  )
}

/** Columns that fit, and their layout. */
function useColumns<Row>(
  box: RefObject<HTMLDivElement | null>,
  { columns: all, wraps, onLeftOut }: Props<Row>,
  tickWidth: number,
) {
  // On paper all columns are included, as narrow as necessary.
  const printing = usePrinting()
  const availableWidth = useWidth(box, Infinity) - tickWidth
  const { columns, grid } = useMemo(() => {
    const minWidthOf = (column: VirtualColumn<Row>) =>
      printing
        ? 0
        : wraps && !column.isSticky
          ? Math.max(column.minWidth ?? 0, Math.round(column.width * (1 - GIVES)))
          : defaultMinWidth(column)
    const columns = fittingColumns(all, availableWidth, minWidthOf)
    const tracks = columns.map((column) => `minmax(${minWidthOf(column)}px, ${column.width}fr)`)
    const grid: CSSProperties = {
      gridTemplateColumns: [...(tickWidth > 0 ? [`${tickWidth}px`] : []), ...tracks].join(' '),
      minWidth: columns.reduce((sum, column) => sum + minWidthOf(column), tickWidth),
    }
    return { columns, grid }
  }, [printing, wraps, all, availableWidth, tickWidth])
  const leftOut = all
    .filter((column) => !columns.includes(column))
    .map(({ key }) => key)
    .join(' ')
  useEffect(() => onLeftOut?.(leftOut), [leftOut, onLeftOut])
  return { columns, grid }
}

interface LineProps {
  id: string
  row: unknown
  /** Index among all rows. */
  index: number
  /** Distance from the header, px. */
  top: number
  /** Height of a row, px; the minimum if rows are as high as their text. */
  height: number
  /** Ref callback that measures rows which are as high as their text. */
  measure: ((line: HTMLElement | null) => void) | undefined
  columns: readonly VirtualColumn<unknown>[]
  template: string
  /** Undefined without checkboxes. */
  isSelected: boolean | undefined
  labelOf: RowSelection<unknown>['labelOf'] | undefined
  toggle: RowSelection<unknown>['toggle'] | undefined
  open: ((id: string) => void) | undefined
}

function Line(props: LineProps) {
  const { id, row, index, top, height, measure, columns, template, isSelected, labelOf, toggle, open } = props
  const tickWords = labelOf?.(row)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the link inside is for the keyboard; the line only widens its target
    <div
      role="row"
      ref={measure}
      aria-rowindex={index + 2}
      data-index={index}
      data-chosen={isSelected}
      data-row-key={id}
      className={styles.line}
      style={{ top, gridTemplateColumns: template, ...(measure ? { minHeight: height } : { height }) }}
      {...(measure && { 'data-wraps': true })}
      {...(open && {
        'data-opens': true,
        onClick: (event) => {
          // Links and buttons inside handle their own clicks; a dialog opened by a row is not inside the row's element.
          const { target, currentTarget } = event as { target: unknown; currentTarget: Element }
          const isInside = target instanceof Element && currentTarget.contains(target)
          if (isInside && !target.closest('a, button')) open(id)
        },
      })}
    >
      {isSelected !== undefined && (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- keeps a near miss from opening the line
        <div
          role="cell"
          className={`${styles.cell} ${styles.tick}`}
          onClick={(event) => event.stopPropagation()}
        >
          {tickWords !== undefined && (
            <Tick label={tickWords} isSelected={isSelected} toggle={(isRange) => toggle?.(id, isRange)} />
          )}
        </div>
      )}
      {columns.map((column) => (
        <div
          key={column.key}
          role="cell"
          className={styles.cell}
          {...(column.isSticky && { 'data-sticks': true })}
        >
          {column.render(row)}
        </div>
      ))}
    </div>
  )
}
const MemoLine = memo(Line)
