import { Button, Grid } from 'antd'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { Tick, TickAll } from '../../ui/table/tick.tsx'
import { useChoice, type Choice } from '../../ui/table/use-choice.ts'
import { useFillHeight } from '../../ui/table/use-fill-height.ts'
import { VirtualTable, type VirtualColumn } from '../../ui/table/virtual-table.tsx'
import { ChooseMatching } from '../bulk/choose-matching.tsx'
import { KeptBar } from '../bulk/selection-bar.tsx'
import { useMatching } from '../bulk/use-matching.ts'
import { cellOf, type TitledColumn } from './column.ts'
import { CompactLines, type CompactRow } from './compact-lines.tsx'
import styles from './list.module.css'
import type { LoadPage, Records } from './records.ts'
import { RowCards } from './row-cards.tsx'

/** What rows are ticked for. */
export interface Bulk<Row> {
  nameOf: (row: Row) => string
  /** Above the rows while some are ticked; `clear` ticks none. */
  renderBar: (rows: readonly Row[], clear: () => void) => ReactNode
  /** Fetches what the same filters let through beyond the rows that are listed; undefined where the list comes whole. */
  load?: LoadPage<Row> | undefined
}

interface Props<Row> {
  records: Records<Row>
  /** Of the list with its filters: with another one the choice of all that match is forgotten. */
  list: string
  columns: readonly TitledColumn<Row>[]
  keyOf: (row: Row) => string
  /** Of the table, for who cannot see it. */
  label: string
  sort?: { Sort: string; Descending: boolean } | undefined
  /** Undefined where rows have one order only. */
  onSort?: ((sort: string) => void) | undefined
  open?: ((row: Row) => void) | undefined
  /** Small buttons, which a card has beside its title. */
  renderButtons?: ((row: Row) => ReactNode) | undefined
  renderActions?: ((row: Row) => ReactNode) | undefined
  /** Of the column with both, px. */
  actionsWidth?: number | undefined
  /** Undefined where nothing can be done with several at once. */
  bulk?: Bulk<Row> | undefined
  /** On a phone instead of a card, for rows that are many and little. */
  renderCompact?: (row: Row) => CompactRow
  /** What there is instead of rows when filters let none through; nothing while none are on. */
  noMatch: ReactNode
  /** Why there is nothing at all, and the next step. */
  empty: ReactNode
}

const COLUMN = 140
const BUTTONS = 104

/** The rows of a list: a table, or on a phone cards; ticks, and what can be done with those that are ticked. */
export function ListRows<Row extends object>(props: Props<Row>) {
  const { records, keyOf, bulk } = props
  const { rows, more } = records
  const t = useT()
  const matching = useMatching(props.list, bulk?.load, (all: readonly Row[]) => marked.choose(all.map(keyOf)))
  /** What can be chosen: what is listed, and what a person had fetched beyond it. */
  const choosable = useMemo(() => {
    if (!rows || !matching.rows) return rows ?? []
    const listed = new Set(rows.map(keyOf))
    return [...rows, ...matching.rows.filter((row) => !listed.has(keyOf(row)))]
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- keyOf reads only its argument
  }, [rows, matching.rows])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- keyOf reads only its argument
  const marked = useChoice(useMemo(() => choosable.map(keyOf), [choosable]))
  const clear = () => {
    marked.clear()
    matching.forget()
  }
  const choice: Choice = {
    ...marked,
    toggleAll: marked.chosen.size === marked.of ? clear : marked.toggleAll,
  }
  // Rows that are ticked stay, however far down they are.
  const lastShown = useRef<number>(undefined)
  const keepTo = () => {
    const last = choice.chosen.size > 0 ? (rows?.length ?? 0) : lastShown.current
    if (last !== undefined) records.keepTo?.(last)
  }
  const tell = useRef(keepTo)
  useEffect(() => {
    tell.current = keepTo
    keepTo()
  })
  const [onShown] = useState(() => (row: number) => {
    lastShown.current = row
    tell.current()
  })
  const isAllListed = choice.chosen.size > 0 && (rows ?? []).every((row) => choice.chosen.has(keyOf(row)))
  const offersMatching = more && (isAllListed || matching.rows || matching.fetched !== undefined)

  return (
    <>
      <div>
        {bulk && (
          <KeptBar
            count={choice.chosen.size}
            renderBar={() => (
              <>
                {bulk.renderBar(
                  choosable.filter((row) => choice.chosen.has(keyOf(row))),
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
      {more && rows && (
        <div className={styles.more}>
          <Button loading={records.fetchingMore} onClick={more}>
            {t('lists:page.more', { shown: rows.length, total: records.total ?? 0 })}
          </Button>
        </div>
      )}
    </>
  )
}

type LinesProps<Row> = Props<Row> & { rows: readonly Row[]; choice: Choice; onShown: (row: number) => void }

function Lines<Row extends object>(props: LinesProps<Row>) {
  const { rows, keyOf, label, bulk, choice, columns, open, renderButtons, renderActions } = props
  const t = useT()
  const phone = !(Grid.useBreakpoint().md ?? true)
  if (!phone) return <Table {...props} />
  if (props.renderCompact)
    return <CompactLines rows={rows} rowKey={keyOf} label={label} render={props.renderCompact} />
  const renderCorner = (row: Row) => (
    <>
      {renderButtons?.(row)}
      {bulk && (
        <Tick
          words={t('lists:choose', { name: bulk.nameOf(row) })}
          chosen={choice.chosen.has(keyOf(row))}
          toggle={(through) => choice.toggle(keyOf(row), through)}
        />
      )}
    </>
  )
  return (
    <>
      {bulk && (
        <TickAll
          shown
          chosen={choice.chosen}
          of={choice.of}
          toggleAll={choice.toggleAll}
          allWords={t('lists:chooseListed')}
        />
      )}
      <RowCards
        {...{ rows, keyOf, columns, label, open, renderActions, onShown: props.onShown }}
        renderCorner={renderButtons || bulk ? renderCorner : undefined}
      />
    </>
  )
}

function Table<Row extends object>(props: LinesProps<Row>) {
  const { rows, records, keyOf, bulk, choice, columns, sort, onSort, open } = props
  const { renderButtons, renderActions } = props
  const t = useT()
  const { ref, height } = useFillHeight()
  const orderOf = (column: TitledColumn<Row>) =>
    sort && sort.Sort === column.sort ? (sort.Descending ? 'descending' : 'ascending') : null
  const drawn = columns.map((column): VirtualColumn<Row> => ({
    key: column.sort ?? column.key,
    title: column.title,
    width: column.width ?? COLUMN,
    ...(column.least !== undefined && { least: column.least }),
    ...(column.leaves !== undefined && { leaves: column.leaves }),
    ...(onSort && column.sort !== undefined && { order: orderOf(column) }),
    render: (row) => cellOf(column, row),
  }))
  const actions: VirtualColumn<Row> = {
    key: 'actions',
    title: <span className="visually-hidden">{t('lists:page.actions')}</span>,
    width: props.actionsWidth ?? BUTTONS,
    sticks: true,
    render: (row) => (
      <div className={styles.actions}>
        {renderActions?.(row)}
        {renderButtons?.(row)}
      </div>
    ),
  }
  const byId = useMemo(() => new Map(rows.map((row) => [keyOf(row), row])), [rows, keyOf])
  return (
    <div
      ref={ref}
      className={`${styles.rows} ${records.standsIn ? styles.standsIn : ''}`}
      aria-busy={records.standsIn}
    >
      <VirtualTable<Row>
        wraps
        rows={rows}
        height={height}
        columns={renderActions || renderButtons ? [...drawn, actions] : drawn}
        keyOf={keyOf}
        label={props.label}
        onShown={props.onShown}
        sort={(key) => onSort?.(key)}
        open={open && ((id) => open(byId.get(id) as Row))}
        onEnd={records.fetchingMore || records.standsIn ? undefined : records.more}
        ticks={
          bulk && {
            chosen: choice.chosen,
            of: choice.of,
            toggle: choice.toggle,
            toggleAll: choice.toggleAll,
            allWords: t('lists:chooseListed'),
            words: (row) => t('lists:choose', { name: bulk.nameOf(row) }),
          }
        }
      />
    </div>
  )
}
