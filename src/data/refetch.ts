import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'

/** Minimum interval between refetches of an answer that changes continuously, ms. */
const MIN_REFETCH_INTERVAL_MS = 1_000

/** Refetches stale answers: at once, and once more for all changes that arrived meanwhile. */
export function createRefetcher(client: QueryClient) {
  /** Refetches in progress by query hash, and whether the answer became stale again meanwhile. */
  const inProgress = new Map<string, { isStaleAgain: boolean; finished: Promise<void> }>()

  async function refetchUntilFresh(query: Query, state: { isStaleAgain: boolean }): Promise<void> {
    // The answer in flight may precede the change, and its arrival would reset the invalidation: wait for it first.
    if (query.state.fetchStatus === 'fetching') await fetchQuery(query)
    for (let rounds = 0; ; rounds++) {
      state.isStaleAgain = false
      query.invalidate()
      if (rounds > 1 && query.isActive())
        await new Promise((resolve) => setTimeout(resolve, MIN_REFETCH_INTERVAL_MS))
      if (!query.isActive()) return
      truncatePages(query)
      await fetchQuery(query)
      if (!state.isStaleAgain) return
    }
  }

  /** Limits the refetch of an infinite list to the pages down to the last visible row; scrolling loads the rest. */
  function truncatePages(query: Query): void {
    const lastRow = lastRowOf(query)
    const data = query.state.data as InfiniteData<unknown> | undefined
    if (lastRow === undefined || !data) return
    let pages = 1
    for (let rows = rowsIn(data.pages[0]); pages < data.pages.length && rows <= lastRow; pages++)
      rows += rowsIn(data.pages[pages])
    if (pages < data.pages.length)
      setQueryDataKeepingAge(client, query, {
        pages: data.pages.slice(0, pages),
        pageParams: data.pageParams.slice(0, pages),
      })
  }

  return {
    /** Invalidates an answer, refetches it if a screen shows it, and resolves when it has arrived. */
    refetch(query: Query): Promise<void> {
      const running = inProgress.get(query.queryHash)
      if (running) {
        running.isStaleAgain = true
        return running.finished
      }
      const state = { isStaleAgain: false, finished: Promise.resolve() }
      inProgress.set(query.queryHash, state)
      state.finished = refetchUntilFresh(query, state).finally(() => inProgress.delete(query.queryHash))
      return state.finished
    },
    /** Resolves when all refetches in progress have finished, for navigation to a page that shows the answers. */
    async whenRefetched(): Promise<void> {
      await Promise.all([...inProgress.values()].map(({ finished }) => finished))
    },
  }
}

/** `meta` of the query of an infinite list: returns the index of the last visible row, from 0. */
export interface ListMeta {
  lastRow: () => number | undefined
}
const lastRowOf = ({ meta }: Query): number | undefined =>
  (meta as Partial<ListMeta> | undefined)?.lastRow?.()

/** Replaces an answer but keeps its age and its invalidation: it still expires an hour after it arrived (§4). */
export function setQueryDataKeepingAge(client: QueryClient, query: Query, answer: unknown): void {
  const { dataUpdatedAt, isInvalidated } = query.state
  client.setQueryData(query.queryKey, answer, { updatedAt: dataUpdatedAt })
  if (isInvalidated) query.invalidate()
}

/** Fetches, or joins the fetch in flight. Failures are stored in the query's state; without a network the query fetches later. */
function fetchQuery(query: Query): Promise<unknown> {
  const answer = query.fetch(undefined, { cancelRefetch: false }).catch(() => undefined)
  return query.state.fetchStatus === 'paused' ? Promise.resolve() : answer
}

/** Number of rows of a page: a plain list, a page of the gateway, or one of Refine. */
function rowsIn(page: unknown): number {
  if (Array.isArray(page)) return page.length
  const { Rows, data } = page as { Rows?: unknown[]; data?: unknown[] }
  return (Rows ?? data ?? []).length
}
