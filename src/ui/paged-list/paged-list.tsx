import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Button, Card, Table, type TableColumnType } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../providers/i18n.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../crud/states.tsx'
import ticks from '../tick.module.css'
import { choiceColumn } from '../choice-column.tsx'
import { Tick } from '../tick.tsx'
import { useChoice } from '../use-choice.ts'
import { usePhone } from '../use-phone.ts'
import styles from './paged-list.module.css'

export interface PagedColumn<Row> {
  key: string
  title: string
  render: (row: Row) => ReactNode
  /** What the gateway calls this order, where it can sort by it. */
  sort?: string
}

export interface Page<Row> {
  Rows: Row[]
  NextCursor: string | null
  Total: number
}

/** What rows are ticked for. */
export interface Bulk<Row> {
  nameOf: (row: Row) => string
  /** Above the rows while some are ticked; `clear` ticks none. */
  renderBar: (rows: readonly Row[], clear: () => void) => ReactNode
}

/** A row of a long list on a phone: two lines, a button where it opens. */
export interface CompactRow {
  head: ReactNode
  foot: ReactNode
  open?: () => void
}

interface Props<Row> {
  queryKey: readonly unknown[]
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>
  columns: readonly PagedColumn<Row>[]
  rowKey: (row: Row) => string
  /** Of the table, for who cannot see it. */
  label: string
  sort?: { Sort: string; Descending: boolean }
  onSort?: (sort: string, descending: boolean) => void
  open?: ((row: Row) => string) | undefined
  renderActions?: ((row: Row) => ReactNode) | undefined
  /** Undefined where nothing can be done with several at once. */
  bulk?: Bulk<Row> | undefined
  /** On a phone instead of a card, for rows that are many and little. */
  renderCompact?: (row: Row) => CompactRow
  /** Above the rows, with how many there are. */
  renderHead: (total: number | undefined) => ReactNode
  /** Whether filters are on: an empty list then offers to clear them. */
  filtered: boolean
  clear: () => void
  /** Why there is nothing at all, and the next step. */
  empty: ReactNode
  next?: ReactNode
}

/** The page's own head stays above. */
const BELOW_HEAD = { offsetHeader: 56 }

/** A list that the gateway pages, searches and sorts: a table, or cards on a phone; more rows on demand. */
export function PagedList<Row extends object>(props: Props<Row>) {
  const { columns, rowKey, open, renderActions, sort, onSort, bulk, renderCompact } = props
  const t = useT()
  const phone = usePhone()
  const navigate = useNavigate()
  const query = useInfiniteQuery({
    queryKey: [...props.queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => props.load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.NextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ Rows }) => Rows), [query.data])
  const total = query.data?.pages[0]?.Total
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- rowKey reads only its argument
  const choice = useChoice(useMemo(() => (rows ?? []).map(rowKey), [rows]))
  const tick = (row: Row) =>
    bulk && (
      <Tick
        words={t('lists:choose', { name: bulk.nameOf(row) })}
        chosen={choice.chosen.has(rowKey(row))}
        toggle={(through) => choice.toggle(rowKey(row), through)}
      />
    )

  return (
    <>
      {props.renderHead(total)}
      {bulk &&
        choice.chosen.size > 0 &&
        bulk.renderBar(rows?.filter((row) => choice.chosen.has(rowKey(row))) ?? [], choice.clear)}
      {!rows ? (
        query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={8} />
        )
      ) : rows.length === 0 ? (
        props.filtered ? (
          <Nothing
            why={t('lists:page.noMatch')}
            next={<Button onClick={props.clear}>{t('screens:list.clearFilters')}</Button>}
          />
        ) : (
          <Nothing why={props.empty} next={props.next} />
        )
      ) : phone && renderCompact ? (
        <ul className={styles.lines} aria-label={props.label}>
          {rows.map((row) => (
            <li key={rowKey(row)}>
              <Line {...renderCompact(row)} />
            </li>
          ))}
        </ul>
      ) : phone ? (
        <ul className={styles.cards} aria-label={props.label}>
          {rows.map((row) => (
            <li key={rowKey(row)}>
              <Card size="small" title={columns[0]?.render(row)} extra={tick(row)}>
                <dl>
                  {columns.slice(1).map((column) => (
                    <div key={column.key}>
                      <dt>{column.title}</dt>
                      <dd>{column.render(row)}</dd>
                    </div>
                  ))}
                </dl>
                {renderActions && <div className={styles.actions}>{renderActions(row)}</div>}
              </Card>
            </li>
          ))}
        </ul>
      ) : (
        <Table<Row>
          aria-label={props.label}
          dataSource={rows}
          rowKey={rowKey}
          size="small"
          sticky={BELOW_HEAD}
          pagination={false}
          scroll={{ x: 'max-content' }}
          loading={query.isPlaceholderData}
          className={ticks.table ?? ''}
          {...(bulk && {
            rowSelection: choiceColumn(choice, t('lists:chooseListed'), tick),
          })}
          onChange={(_pages, _filters, sorter, { action }) => {
            if (action !== 'sort' || Array.isArray(sorter) || !onSort) return
            onSort(String(sorter.columnKey), sorter.order === 'descend')
          }}
          {...(open && {
            onRow: (row: Row) => ({
              onClick: (event) => {
                if (!(event.target as Element).closest('a, button, .ant-table-selection-column'))
                  void navigate(open(row))
              },
              style: { cursor: 'pointer' },
            }),
          })}
          columns={[
            ...columns.map((column): TableColumnType<Row> => ({
              key: column.sort ?? column.key,
              title: column.title,
              render: (_, row) => column.render(row),
              ...(column.sort && {
                sorter: true,
                sortDirections: ['ascend', 'descend', 'ascend'] as const as ('ascend' | 'descend')[],
                sortOrder: sort?.Sort === column.sort ? (sort.Descending ? 'descend' : 'ascend') : null,
              }),
            })),
            ...(renderActions
              ? [
                  {
                    key: 'actions',
                    title: <span className="visually-hidden">{t('lists:page.actions')}</span>,
                    align: 'end' as const,
                    render: (_: unknown, row: Row) => (
                      <div className={styles.actions}>{renderActions(row)}</div>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {query.hasNextPage && rows && (
        <div className={styles.more}>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('lists:page.more', { shown: rows.length, total: total ?? 0 })}
          </Button>
        </div>
      )}
    </>
  )
}

function Line({ head, foot, open }: CompactRow) {
  const lines = (
    <>
      <span className={styles.lineHead}>{head}</span>
      <span className={styles.lineFoot}>{foot}</span>
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
