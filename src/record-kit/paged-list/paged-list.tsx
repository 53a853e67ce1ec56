import { hashKey, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Button, Table, type TableColumnType } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { ChooseMatching } from '../bulk/choose-matching.tsx'
import { KeptBar } from '../bulk/kept-bar.tsx'
import { useMatching } from '../bulk/use-matching.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/page/states.tsx'
import { choiceColumn } from '../../ui/table/choice-column.tsx'
import table from '../../ui/table/list-table.module.css'
import { Tick, TickAll } from '../../ui/table/tick.tsx'
import { useChoice, type Choice } from '../../ui/table/use-choice.ts'
import { usePhone } from '../../ui/page/use-phone.ts'
import { CompactLines, type CompactRow } from './compact-lines.tsx'
import styles from './paged-list.module.css'
import type { LoadPage, PagedColumn } from './page.ts'
import { RowCards } from './row-cards.tsx'
import { useFirstRows } from './use-first-rows.ts'

/** What rows are ticked for. */
export interface Bulk<Row> {
  nameOf: (row: Row) => string
  /** Above the rows while some are ticked; `clear` ticks none. */
  renderBar: (rows: readonly Row[], clear: () => void) => ReactNode
}

interface Props<Row> {
  queryKey: readonly unknown[]
  load: LoadPage<Row>
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

/** A list that the gateway pages, searches and sorts: a table, or cards on a phone; more rows on demand. */
export function PagedList<Row extends object>(props: Props<Row>) {
  const { columns, rowKey, open, renderActions, sort, onSort, bulk, renderCompact } = props
  const t = useT()
  const phone = usePhone()
  const navigate = useNavigate()
  const query = useInfiniteQuery({
    queryKey: [...props.queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      props.load(pageParam === undefined ? {} : { Cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.NextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ Rows }) => Rows), [query.data])
  const total = query.data?.pages[0]?.Total
  const list = hashKey(props.queryKey)
  const drawn = useFirstRows(rows, query.isPlaceholderData ? undefined : list)
  const matching = useMatching(list, props.load, (all) => marked.choose(all.map(rowKey)))
  /** What can be chosen: what is listed, and what a person had fetched beyond it. */
  const choosable = useMemo(() => {
    if (!rows || !matching.rows) return rows ?? []
    const listed = new Set(rows.map(rowKey))
    return [...rows, ...matching.rows.filter((row) => !listed.has(rowKey(row)))]
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- rowKey reads only its argument
  }, [rows, matching.rows])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- rowKey reads only its argument
  const marked = useChoice(useMemo(() => choosable.map(rowKey), [choosable]))
  const clearChoice = () => {
    marked.clear()
    matching.forget()
  }
  const choice: Choice = {
    ...marked,
    toggleAll: marked.chosen.size === marked.of ? clearChoice : marked.toggleAll,
  }
  const isAllListed = choice.chosen.size > 0 && (rows ?? []).every((row) => choice.chosen.has(rowKey(row)))
  const tick = (row: Row) =>
    bulk && (
      <Tick
        words={t('lists:choose', { name: bulk.nameOf(row) })}
        chosen={choice.chosen.has(rowKey(row))}
        toggle={(through) => choice.toggle(rowKey(row), through)}
      />
    )

  const renderRows = () =>
    !rows || !drawn ? (
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
      <CompactLines rows={drawn} rowKey={rowKey} label={props.label} render={renderCompact} />
    ) : phone ? (
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
          rows={drawn}
          rowKey={rowKey}
          columns={columns}
          label={props.label}
          tick={tick}
          renderActions={renderActions}
        />
      </>
    ) : (
      <Table<Row>
        aria-label={props.label}
        dataSource={drawn as Row[]}
        rowKey={rowKey}
        size="small"
        pagination={false}
        loading={query.isPlaceholderData}
        className={table.table ?? ''}
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
    )

  return (
    <>
      {props.renderHead(total)}
      <div>
        {bulk && (
          <KeptBar
            count={choice.chosen.size}
            renderBar={() => (
              <>
                {bulk.renderBar(
                  choosable.filter((row) => choice.chosen.has(rowKey(row))),
                  clearChoice,
                )}
                {query.hasNextPage && (isAllListed || matching.rows || matching.fetched !== undefined) && (
                  <ChooseMatching matching={matching} total={total ?? 0} />
                )}
              </>
            )}
          />
        )}
        {renderRows()}
      </div>
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
