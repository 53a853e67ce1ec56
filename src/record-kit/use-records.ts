import { useInfiniteList, type BaseRecord, type GetListResponse, type HttpError } from '@refinedev/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { resources, type ResourceName } from '../../contract/index.ts'
import { callKey, queryClient } from '../data/api.ts'
import type { ListMeta } from '../data/refetch.ts'
import { notices } from '../data/notices.ts'
import { callErrorIn } from '../data/post.ts'
import { t, useLanguage } from '../lib/i18n/i18n.ts'
import { listCallOf, pages } from '../providers/calls.ts'
import { idOf } from '../providers/data.ts'
import { rowsOfPages, type Records } from '../data/records.ts'
import type { AnyRow, FilterOf, RowOf } from './resource-types.ts'
import { matchesAllWords } from '../lib/match-words.ts'
import { textOf, columnValueOf, type ListTableColumn } from './list/column.ts'

export interface RecordsQuery<N extends ResourceName> {
  filter?: FilterOf<N>
  /** For a paged list; others are sorted by the values of their columns. */
  sort?: { Sort: string; Descending: boolean } | undefined
  scope?: { HomeID: string } | undefined
  enabled?: boolean
}

/** Maximum number of consecutive empty pages that are skipped automatically if more follow. */
const MAX_EMPTY_PAGES = 3

type Pages<Row> = { pages: GetListResponse<Row & BaseRecord>[]; pageParams: unknown[] }

/** Records of a list: the pages fetched so far, or all if the list is not paged. */
export function useRecords<N extends ResourceName>(
  resource: N,
  options: RecordsQuery<N> = {},
): Records<RowOf<N>> {
  type Row = RowOf<N>
  const { filter = {}, sort, scope, enabled = true } = options
  const paged = pages(resource)
  const keyOf = (row: Row) => idOf(resource, row as AnyRow)
  const lastRow = useRef<number>(undefined)
  const [meta] = useState<ListMeta & Record<string, unknown>>({ lastRow: () => lastRow.current })
  const { query } = useInfiniteList<Row & BaseRecord, HttpError>({
    resource,
    filters: Object.entries(filter).map(([field, value]) => ({ field, operator: 'eq' as const, value })),
    ...(paged && sort && { sorters: [{ field: sort.Sort, order: sort.Descending ? 'desc' : 'asc' }] }),
    ...(scope && { meta: scope }),
    pagination: { mode: paged ? 'server' : 'off' },
    errorNotification: false,
    queryOptions: {
      enabled,
      meta,
      // Without it Refine would count pages, but the gateway's cursor is not a number.
      getNextPageParam: (last) => last.cursor?.next,
      placeholderData: (previous) => (paged ? keepPreviousData(previous) : cachedPages<Row>(resource, scope)),
    },
  })
  const { data, hasNextPage, isFetching, fetchNextPage, refetch } = query
  const rows = useMemo(
    () =>
      data &&
      rowsOfPages<Row>(
        data.pages.map((page) => page.data),
        keyOf,
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- keyOf reads only its argument
    [data],
  )

  // The first matching rows may be on a later page.
  const emptyPages = data
    ? data.pages.length - 1 - data.pages.findLastIndex((page) => page.data.length > 0)
    : 0
  const skipsEmptyPages = hasNextPage && !isFetching && emptyPages > 0 && emptyPages <= MAX_EMPTY_PAGES
  useEffect(() => {
    if (skipsEmptyPages) void fetchNextPage()
  }, [skipsEmptyPages, emptyPages, fetchNextPage])

  // The cursor is invalid because the list has changed: reload from the first page.
  const reportedError = useRef<unknown>(undefined)
  const { error } = query
  useEffect(() => {
    const isOld = query.isFetchNextPageError && callErrorIn(error)?.fields['Cursor'] !== undefined
    if (!isOld || reportedError.current === error) return
    reportedError.current = error
    notices.info(() => t('lists:page.again'))
    void refetch()
  }, [query.isFetchNextPageError, error, refetch])

  return {
    rows,
    total: data?.pages.at(-1)?.total,
    error,
    loadMore: hasNextPage ? () => void fetchNextPage() : undefined,
    fetchingMore: query.isFetchingNextPage,
    isPlaceholder: paged && query.isPlaceholderData,
    retry: () => void refetch(),
    trimTo: (row) => {
      lastRow.current = row
    },
  }
}

/** Rows of the same list from the cache of another screen, e.g. the homes of the header; shown until the list is loaded. */
function cachedPages<Row>(resource: ResourceName, scope: object | undefined): Pages<Row> | undefined {
  const rows = queryClient.getQueryData(callKey(listCallOf(resource), scope ?? {}))
  if (!Array.isArray(rows)) return undefined
  const data = (rows as AnyRow[]).map((row) => ({ ...row, id: idOf(resource, row) })) as (Row & BaseRecord)[]
  return { pages: [{ data, total: data.length }], pageParams: [1] }
}

/** Home from the address, for a record that belongs to one. */
export const scopeIn = (resource: ResourceName, params: { HomeID?: string | undefined }) =>
  resources[resource].scope === 'home' && params.HomeID ? { HomeID: params.HomeID } : undefined

/**
 * Rows that contain the search text in any column, sorted by one column.
 *
 * sort  by a column's key; without it rows keep their order
 */
export function useOrderedRows<Row extends object>(
  rows: readonly Row[] | undefined,
  columns: readonly ListTableColumn<Row>[],
  search: string,
  sort: { Sort: string; Descending: boolean } | undefined,
): readonly Row[] {
  const language = useLanguage()
  const matchingRows = useMemo(() => {
    if (search.trim() === '') return rows ?? []
    const isMatch = matchesAllWords(search)
    return (rows ?? []).filter((row) => isMatch(columns.map((column) => textOf(column, row)).join('\n')))
  }, [rows, columns, search])

  return useMemo(() => {
    const column = columns.find(({ key }) => key === sort?.Sort)
    if (!column) return matchingRows
    const { compare } = new Intl.Collator(language, { numeric: true })
    const direction = sort?.Descending ? -1 : 1
    return matchingRows.toSorted((a, b) => {
      const [first, second] = [columnValueOf(column, a), columnValueOf(column, b)]
      return typeof first === 'number' && typeof second === 'number'
        ? direction * (first - second)
        : direction * compare(String(first), String(second))
    })
  }, [matchingRows, columns, sort?.Sort, sort?.Descending, language])
}
