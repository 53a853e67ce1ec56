import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'

/** An answer that changes all the time is asked for this often, in ms. */
const MIN_REFETCH_INTERVAL_MS = 1_000

/** Asks again for answers that are old: at once, and once more for all that made them old meanwhile. */
export function createRefetcher(client: QueryClient) {
  /** Answers that are being asked for again, and whether they have grown old since. */
  const asking = new Map<string, { again: boolean; came: Promise<void> }>()

  async function renew(query: Query, state: { again: boolean }): Promise<void> {
    // Nobody knows whether what is under way was answered before the change; its coming would also wipe the mark away.
    if (query.state.fetchStatus === 'fetching') await refetch(query)
    for (let asked = 0; ; asked++) {
      state.again = false
      query.invalidate()
      if (asked > 1 && query.isActive())
        await new Promise((resolve) => setTimeout(resolve, MIN_REFETCH_INTERVAL_MS))
      if (!query.isActive()) return
      cut(query)
      await refetch(query)
      if (!state.again) return
    }
  }

  /** Of a list that pages, only the pages down to the last row in sight are asked for again; the rest come by scrolling. */
  function cut(query: Query): void {
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
    /** Marks an answer, asks for it where a screen shows it, and resolves when it has come. */
    ask(query: Query): Promise<void> {
      const under = asking.get(query.queryHash)
      if (under) {
        under.again = true
        return under.came
      }
      const state = { again: false, came: Promise.resolve() }
      asking.set(query.queryHash, state)
      state.came = renew(query, state).finally(() => asking.delete(query.queryHash))
      return state.came
    },
    /** Resolves when every answer that is being asked for again has come: for who goes on to a page that shows them. */
    async renewed(): Promise<void> {
      await Promise.all([...asking.values()].map(({ came }) => came))
    },
  }
}

/** What a list that pages says with its query (`meta`): which of its rows is the last in sight, 0 the first. */
export interface ListMeta {
  lastRow: () => number | undefined
}
const lastRowOf = ({ meta }: Query): number | undefined =>
  (meta as Partial<ListMeta> | undefined)?.lastRow?.()

/** Writes an answer that keeps its age and its mark: it is still asked for an hour after it came (§4). */
export function setQueryDataKeepingAge(client: QueryClient, query: Query, answer: unknown): void {
  const { dataUpdatedAt, isInvalidated } = query.state
  client.setQueryData(query.queryKey, answer, { updatedAt: dataUpdatedAt })
  if (isInvalidated) query.invalidate()
}

/** Asks, or joins what is under way. Failures stand in the answer's state; without a network it is asked later. */
function refetch(query: Query): Promise<unknown> {
  const coming = query.fetch(undefined, { cancelRefetch: false }).catch(() => undefined)
  return query.state.fetchStatus === 'paused' ? Promise.resolve() : coming
}

/** Rows of a page: a list itself, a page of the gateway's, or one of Refine's. */
function rowsIn(page: unknown): number {
  if (Array.isArray(page)) return page.length
  const { Rows, data } = page as { Rows?: unknown[]; data?: unknown[] }
  return (Rows ?? data ?? []).length
}
