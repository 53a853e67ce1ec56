import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { ListMeta } from '../../data/refetch.ts'
import { rowsOfPages, type LoadPage, type Records } from './records.ts'

/** A list that the gateway pages and that is of no record, e.g. a log. */
export function usePages<Row>(
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
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    fetchingMore: query.isFetchingNextPage,
    standsIn: query.isPlaceholderData,
    retry: () => void query.refetch(),
    keepTo: (row) => {
      lastRow.current = row
    },
  }
}
