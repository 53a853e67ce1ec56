import { hashKey, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { Right } from '../../../contract/kernel/permissions.ts'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { call, callKey, type ResultsOf, type RequestOf } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { BarFilter } from '../../ui/filter-bar/bar-filter.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import type { ListColumn } from '../export/columns.ts'
import { ListExport } from '../export/list-export.tsx'
import type { TitledColumn } from './column.ts'
import type { PhoneRow } from './phone-rows.tsx'
import { ListFrame, ListRows, type Bulk } from './list-rows.tsx'
import { type LoadPage, rowsOfPages, type Records } from '../../data/records.ts'
import type { ListMeta } from '../../data/refetch.ts'

type RowIn<E extends AnyEndpoint> =
  ResultsOf<E> extends { Rows: readonly (infer Row extends object)[] } ? Row : never

interface Props<E extends AnyEndpoint> {
  /** A call that returns pages. */
  endpoint: E
  /** Filters of the list. */
  input: RequestOf<E>
  keyOf: (row: RowIn<E>) => string
  title: string
  /** Set on a page that has a heading of its own. */
  isEmbedded?: boolean
  columns: readonly TitledColumn<RowIn<E>>[]
  bar?: { leading?: ReactNode; filters: readonly BarFilter[] }
  /** Whether a filter is set, and a function that clears all filters. */
  filtered: boolean
  clear: () => void
  views?: ReactNode
  /** Button that creates an entry. */
  primary?: ReactNode
  exports?: { requiredRight: Right; columns: readonly ListColumn<RowIn<E>>[] }
  /** Shown above the rows. */
  note?: ReactNode
  open?: ((row: RowIn<E>) => void) | undefined
  renderActions?: ((row: RowIn<E>) => ReactNode) | undefined
  /** Width of the main action, px. */
  actionsWidth?: number
  menu?: { nameOf: (row: RowIn<E>) => string; render: (row: RowIn<E>) => ReactNode } | undefined
  renderCompact?: ((row: RowIn<E>) => PhoneRow) | undefined
  bulk?: Omit<Bulk<RowIn<E>>, 'load'> | undefined
  /** Reason why the list is empty, and the next step; content other than text is rendered as is. */
  empty: ReactNode
  next?: ReactNode
}

/** Page size of an export. */
const PAGE_SIZE = 500

/** List of entries other than records, e.g. a log: pages of a call, shown like any list. */
export function CallList<E extends AnyEndpoint>(props: Props<E>) {
  type Row = RowIn<E>
  const { endpoint, input, keyOf, title, bulk, exports } = props
  const t = useT()
  const key = callKey(endpoint, input)
  const load: LoadPage<Row> = (pageInput, signal) => call(endpoint, { ...input, ...pageInput }, { signal })
  const records = usePages(key, load, keyOf)
  return (
    <ListFrame
      title={title}
      isEmbedded={props.isEmbedded ?? false}
      total={records.total}
      bar={props.bar}
      tools={
        <>
          {props.views}
          {exports && (
            <ListExport<Row>
              name={title}
              right={exports.requiredRight}
              total={records.total}
              rows={(Cursor, signal) => load({ Limit: PAGE_SIZE, ...(Cursor && { Cursor }) }, signal)}
              columns={exports.columns}
            />
          )}
          {props.primary}
        </>
      }
    >
      {props.note}
      <ListRows<Row>
        records={records}
        list={hashKey(key)}
        columns={props.columns}
        keyOf={keyOf}
        label={title}
        open={props.open}
        renderActions={props.renderActions}
        actionsWidth={props.actionsWidth}
        menu={props.menu}
        renderCompact={props.renderCompact}
        bulk={bulk && { ...bulk, load }}
        noMatch={
          props.filtered && (
            <EmptyState
              message={t('lists:page.noMatch')}
              next={<Button onClick={props.clear}>{t('screens:list.clearFilters')}</Button>}
            />
          )
        }
        empty={
          typeof props.empty === 'string' ? (
            <EmptyState message={props.empty} next={props.next} />
          ) : (
            props.empty
          )
        }
      />
    </ListFrame>
  )
}

/** Pages of a list of entries other than records, e.g. a log. */
function usePages<Row>(
  queryKey: readonly unknown[],
  load: LoadPage<Row>,
  keyOf: (row: Row) => string,
): Records<Row> {
  const lastRow = useRef<number>(undefined)
  const [meta] = useState<ListMeta & Record<string, unknown>>({ lastRow: () => lastRow.current })
  const query = useInfiniteQuery({
    meta,
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => load(pageParam === undefined ? {} : { Cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.NextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(
    () =>
      query.data &&
      rowsOfPages(
        query.data.pages.map(({ Rows }) => Rows),
        keyOf,
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- keyOf reads only its argument
    [query.data],
  )
  return {
    rows,
    total: query.data?.pages.at(-1)?.Total,
    error: query.error,
    loadMore: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    fetchingMore: query.isFetchingNextPage,
    isPlaceholder: query.isPlaceholderData,
    retry: () => void query.refetch(),
    trimTo: (row) => {
      lastRow.current = row
    },
  }
}
