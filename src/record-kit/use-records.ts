import { useInfiniteList, type BaseRecord, type GetListResponse, type HttpError } from '@refinedev/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { resources, type ResourceName } from '../../contract/index.ts'
import { callKey, queryClient } from '../data/api.ts'
import type { ListMeta } from '../data/refetch.ts'
import { notices } from '../data/notices.ts'
import { callErrorIn } from '../data/post.ts'
import { t } from '../lib/i18n/i18n.ts'
import { listCallOf, pages } from '../providers/calls.ts'
import { idOf } from '../providers/data.ts'
import { rowsOfPages, type Records } from './list/records.ts'
import type { AnyRow, FilterOf, RowOf } from './resource-types.ts'

export interface RecordsQuery<N extends ResourceName> {
  filter?: FilterOf<N>
  /** Of a list that the gateway pages; any other one is sorted by what its columns show. */
  sort?: { Sort: string; Descending: boolean } | undefined
  /** The home whose records are listed. */
  scope?: { HomeID: string } | undefined
  enabled?: boolean
}

/** Pages without a row, though others follow, that are passed over before a person has to ask. */
const MOST_EMPTY = 3

type Pages<Row> = { pages: GetListResponse<Row & BaseRecord>[]; pageParams: unknown[] }

/** The records of a list: those that the gateway pages as far as they have come, any others whole. */
export function useRecords<N extends ResourceName>(
  resource: N,
  asked: RecordsQuery<N> = {},
): Records<RowOf<N>> {
  type Row = RowOf<N>
  const { filter = {}, sort, scope, enabled = true } = asked
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
      // Left out, Refine would count pages, and a cursor is no number.
      getNextPageParam: (last) => last.cursor?.next,
      placeholderData: (before) => (paged ? keepPreviousData(before) : held<Row>(resource, scope)),
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

  // What the filters let through may begin some pages later.
  const empty = data ? data.pages.length - 1 - data.pages.findLastIndex((page) => page.data.length > 0) : 0
  const passesOver = hasNextPage && !isFetching && empty > 0 && empty <= MOST_EMPTY
  useEffect(() => {
    if (passesOver) void fetchNextPage()
  }, [passesOver, empty, fetchNextPage])

  // A cursor of a list that is no more as it was: the list begins again.
  const told = useRef<unknown>(undefined)
  const { error } = query
  useEffect(() => {
    const isOld = query.isFetchNextPageError && callErrorIn(error)?.fields['Cursor'] !== undefined
    if (!isOld || told.current === error) return
    told.current = error
    notices.info(() => t('lists:page.again'))
    void refetch()
  }, [query.isFetchNextPageError, error, refetch])

  return {
    rows,
    total: data?.pages.at(-1)?.total,
    error,
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    fetchingMore: query.isFetchingNextPage,
    standsIn: paged && query.isPlaceholderData,
    retry: () => void refetch(),
    keepTo: (row) => {
      lastRow.current = row
    },
  }
}

/** What another screen has loaded of the same list, e.g. the header its homes: shown until the list is there. */
function held<Row>(resource: ResourceName, scope: object | undefined): Pages<Row> | undefined {
  const rows = queryClient.getQueryData(callKey(listCallOf(resource), scope ?? {}))
  if (!Array.isArray(rows)) return undefined
  const data = (rows as AnyRow[]).map((row) => ({ ...row, id: idOf(resource, row) })) as (Row & BaseRecord)[]
  return { pages: [{ data, total: data.length }], pageParams: [1] }
}

/** The home of the address, for a record that belongs to one. */
export const scopeIn = (resource: ResourceName, params: { HomeID?: string | undefined }) =>
  resources[resource].scope === 'home' && params.HomeID ? { HomeID: params.HomeID } : undefined
