import { Button } from 'antd'
import { useEffect, useMemo, useRef, useState, type ReactNode, useId, type FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import type { BarFilter } from '../../ui/filter-bar/bar-filter.ts'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { Tick, TickAll } from '../../ui/table/tick.tsx'
import { RowMenu } from '../../ui/table/row-menu.tsx'
import { useChoice, type Choice } from '../../ui/table/use-choice.ts'
import { useFillHeight } from '../../ui/table/use-fill-height.ts'
import { VirtualTable, type VirtualColumn } from '../../ui/table/virtual-table.tsx'
import { ChooseMatching, useMatching } from '../bulk/choose-matching.tsx'
import { BulkBarContainer } from '../bulk/bulk-bar-container.tsx'
import { cellOf, textOf, type TitledColumn } from './column.ts'
import { phoneRowOf, PhoneRows, type PhoneRow } from './phone-rows.tsx'
import styles from './list.module.css'
import type { LoadPage, Records } from '../../data/records.ts'
import pageStyles from '../../ui/page/page.module.css'
import { usePhone } from '../../ui/page/use-screen.ts'

/** Selection of rows for bulk actions. */
export interface Bulk<Row> {
  nameOf: (row: Row) => string
  /** Bar above the rows while some are selected; `clear` clears the selection. */
  renderBar: (rows: readonly Row[], clear: () => void) => ReactNode
  /** Fetches rows that match the filters but are not listed yet; undefined if the list is not paged. */
  load?: LoadPage<Row> | undefined
}

interface Props<Row> {
  records: Records<Row>
  /** Identifies the list and its filters: a different value discards the selection of all matching rows. */
  list: string
  columns: readonly TitledColumn<Row>[]
  keyOf: (row: Row) => string
  /** Accessible name of the table. */
  label: string
  sort?: { Sort: string; Descending: boolean } | undefined
  /** Undefined if the rows cannot be sorted. */
  onSort?: ((sort: string) => void) | undefined
  open?: ((row: Row) => void) | undefined
  /** The row's main action. */
  renderActions?: ((row: Row) => ReactNode) | undefined
  /** Width of the main action, px. */
  actionsWidth?: number | undefined
  /** Further actions: icon buttons, shown in a menu with the row's name; undefined for a row without any. */
  menu?: { nameOf: (row: Row) => string; render: (row: Row) => ReactNode } | undefined
  /** Undefined if the list has no bulk actions. */
  bulk?: Bulk<Row> | undefined
  /** Row on a phone; by default its columns. */
  renderCompact?: ((row: Row) => PhoneRow) | undefined
  /** Shown if no row matches the filters; empty without filters. */
  noMatch: ReactNode
  /** Reason why the list is empty, and the next step. */
  empty: ReactNode
}

const COLUMN = 140
/** Width of a main action with its padding, px. */
const ACTION = 112
/** Width of the button that opens a menu, px. */
const MENU = 56

/** Rows of a list: a table, or on a phone rows of two lines; with a selection and its bulk actions. */
export function ListRows<Row extends object>(props: Props<Row>) {
  const { records, keyOf, bulk } = props
  const { rows, loadMore } = records
  const t = useT()
  const matching = useMatching(props.list, bulk?.load, (all: readonly Row[]) =>
    selection.choose(all.map(keyOf)),
  )
  /** Selectable rows: the listed ones, and the matching ones that were fetched in addition. */
  const choosable = useMemo(() => {
    if (!rows || !matching.rows) return rows ?? []
    const listedKeys = new Set(rows.map(keyOf))
    return [...rows, ...matching.rows.filter((row) => !listedKeys.has(keyOf(row)))]
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- keyOf reads only its argument
  }, [rows, matching.rows])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- keyOf reads only its argument
  const selection = useChoice(useMemo(() => choosable.map(keyOf), [choosable]))
  const clear = () => {
    selection.clear()
    matching.reset()
  }
  const choice: Choice = {
    ...selection,
    toggleAll: selection.selectedIds.size === selection.of ? clear : selection.toggleAll,
  }
  // Selected rows are kept, however far down they are.
  const lastShown = useRef<number>(undefined)
  const updateLastRow = () => {
    const last = choice.selectedIds.size > 0 ? (rows?.length ?? 0) : lastShown.current
    if (last !== undefined) records.trimTo?.(last)
  }
  const latestUpdate = useRef(updateLastRow)
  useEffect(() => {
    latestUpdate.current = updateLastRow
    updateLastRow()
  })
  const [onShown] = useState(() => (row: number) => {
    lastShown.current = row
    latestUpdate.current()
  })
  const isAllListed =
    choice.selectedIds.size > 0 && (rows ?? []).every((row) => choice.selectedIds.has(keyOf(row)))
  const offersMatching = loadMore && (isAllListed || matching.rows || matching.fetched !== undefined)

  return (
    <>
      <div>
        {bulk && (
          <BulkBarContainer
            count={choice.selectedIds.size}
            renderBar={() => (
              <>
                {bulk.renderBar(
                  choosable.filter((row) => choice.selectedIds.has(keyOf(row))),
                  clear,
                )}
                {bulk.load && offersMatching && (
                  <ChooseMatching matching={matching} total={records.total ?? 0} />
                )}
              </>
            )}
          />
        )}
        {rows && rows.length > 0 ? (
          <Lines {...props} rows={rows} choice={choice} onShown={onShown} />
        ) : rows ? (
          props.noMatch || props.empty
        ) : records.error ? (
          <LoadFailed error={records.error} retry={records.retry} />
        ) : (
          <ListSkeleton rows={8} />
        )}
      </div>
      {loadMore && rows && (
        <div className={pageStyles.actions}>
          <Button loading={records.fetchingMore} onClick={loadMore}>
            {t('lists:page.more', { shown: rows.length, total: records.total ?? 0 })}
          </Button>
        </div>
      )}
    </>
  )
}

type LinesProps<Row> = Props<Row> & { rows: readonly Row[]; choice: Choice; onShown: (row: number) => void }

function Lines<Row extends object>(props: LinesProps<Row>) {
  const { rows, keyOf, label, bulk, choice, columns, open } = props
  const t = useT()
  const phone = usePhone()
  if (!phone) return <Table {...props} />
  return (
    <>
      {bulk && (
        <TickAll
          isShown
          selectedIds={choice.selectedIds}
          of={choice.of}
          toggleAll={choice.toggleAll}
          allWords={t('lists:chooseListed')}
        />
      )}
      <PhoneRows
        {...{ rows, keyOf, label, onShown: props.onShown }}
        open={open && { onRow: open, nameOf: rowNameOf(props) }}
        render={props.renderCompact ?? ((row) => phoneRowOf(columns, row))}
        renderTick={
          bulk &&
          ((row) => (
            <Tick
              label={t('lists:choose', { name: bulk.nameOf(row) })}
              isSelected={choice.selectedIds.has(keyOf(row))}
              toggle={(isRange) => choice.toggle(keyOf(row), isRange)}
            />
          ))
        }
        renderActions={rowActionsOf(props)}
      />
    </>
  )
}

/** Name of a row for screen readers: that of its menu or checkbox, or the text of the first column. */
const rowNameOf =
  <Row extends object>({ menu, bulk, columns }: Pick<Props<Row>, 'menu' | 'bulk' | 'columns'>) =>
  (row: Row): string =>
    (menu ?? bulk)?.nameOf(row) ?? String(columns[0] ? textOf(columns[0], row) : '')

/** Renders the main action of a row and its menu; undefined for a list without both. */
const rowActionsOf = <Row,>({ renderActions, menu }: Pick<Props<Row>, 'renderActions' | 'menu'>) =>
  (renderActions || menu) &&
  ((row: Row) => (
    <>
      {renderActions?.(row)}
      {menu && <RowMenu name={menu.nameOf(row)}>{menu.render(row)}</RowMenu>}
    </>
  ))

function Table<Row extends object>(props: LinesProps<Row>) {
  const { rows, records, keyOf, bulk, choice, columns, sort, onSort, open } = props
  const renderActions = rowActionsOf(props)
  const t = useT()
  const { ref, height } = useFillHeight()
  const orderOf = (column: TitledColumn<Row>) =>
    sort && sort.Sort === column.sort ? (sort.Descending ? 'descending' : 'ascending') : null
  const virtualColumns = columns.map((column): VirtualColumn<Row> => ({
    key: column.sort ?? column.key,
    title: column.title,
    width: column.width ?? COLUMN,
    ...(column.minWidth !== undefined && { minWidth: column.minWidth }),
    ...(column.omitOrder !== undefined && { omitOrder: column.omitOrder }),
    ...(onSort && column.sort !== undefined && { order: orderOf(column) }),
    render: (row) => cellOf(column, row),
  }))
  const actions: VirtualColumn<Row> = {
    key: 'actions',
    title: <span className="visually-hidden">{t('lists:page.actions')}</span>,
    width: (props.renderActions ? (props.actionsWidth ?? ACTION) : 0) + (props.menu ? MENU : 0),
    isSticky: true,
    render: (row) => <div className={pageStyles.actions}>{renderActions?.(row)}</div>,
  }
  const byId = useMemo(() => new Map(rows.map((row) => [keyOf(row), row])), [rows, keyOf])
  return (
    <div
      ref={ref}
      className={`${styles.rows} ${records.isPlaceholder ? pageStyles.stale : ''}`}
      aria-busy={records.isPlaceholder}
    >
      <VirtualTable<Row>
        wraps
        rows={rows}
        height={height}
        columns={renderActions ? [...virtualColumns, actions] : virtualColumns}
        keyOf={keyOf}
        label={props.label}
        onShown={props.onShown}
        sort={(key) => onSort?.(key)}
        open={open && ((id) => open(byId.get(id) as Row))}
        onEnd={records.fetchingMore || records.isPlaceholder ? undefined : records.loadMore}
        ticks={
          bulk && {
            selectedIds: choice.selectedIds,
            of: choice.of,
            toggle: choice.toggle,
            toggleAll: choice.toggleAll,
            allWords: t('lists:chooseListed'),
            labelOf: (row) => t('lists:choose', { name: bulk.nameOf(row) }),
          }
        }
      />
    </div>
  )
}

interface ListFrameProps {
  title: string
  /** Number of rows; undefined while it is not known. */
  total: number | undefined
  tools: ReactNode
  /** Row below the title; on phones behind one button, except `leading`. */
  bar?: { leading?: ReactNode; filters: readonly BarFilter[] } | undefined
  /** For a list on a page that has a heading of its own. */
  isEmbedded?: boolean
  children: ReactNode
}

export const ListFrame: FC<ListFrameProps> = ({ title, total, tools, bar, isEmbedded, children }) => {
  const t = useT()
  const id = useId()
  const count = total === undefined ? undefined : t('screens:list.count', { count: total })
  const filterRow = bar && (bar.leading || bar.filters.length > 0) && (
    <FilterBar {...bar} resultCount={total} />
  )
  if (!isEmbedded)
    return (
      <Page title={title} count={count} actions={tools} filters={filterRow}>
        {children}
      </Page>
    )
  return (
    <section className={pageStyles.page} aria-labelledby={id}>
      <header className={pageStyles.header}>
        <h2 id={id}>{title}</h2>
        {count && <span className={pageStyles.count}>{count}</span>}
        <div className={pageStyles.tools}>{tools}</div>
      </header>
      {filterRow}
      {children}
    </section>
  )
}
