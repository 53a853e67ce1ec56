import { useCallback, useEffect, useRef, useState } from 'react'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import type { LoadPage } from '../../data/records.ts'

/** Maximum number of rows of a bulk action: more would take minutes. */
export const MOST_CHOSEN = 2000
/** Maximum page size of the gateway. */
const AT_ONCE = 500

export interface Matching<Row> {
  /** All matching rows, or the first MOST_CHOSEN of them; undefined while only listed rows can be selected. */
  rows: readonly Row[] | undefined
  /** Number of rows fetched so far, while they are fetched. */
  fetched: number | undefined
  choose: () => void
  stop: () => void
  /** Returns to listed rows only. */
  forget: () => void
}

/**
 * All rows that match a list's filters, fetched when the user wants to select them.
 *
 * key     identifies the list and its filters; a different key discards the fetched rows
 * load    undefined for a list that is not paged
 * chosen  called with the fetched rows
 */
export function useMatching<Row>(
  key: string,
  load: LoadPage<Row> | undefined,
  chosen: (rows: readonly Row[]) => void,
): Matching<Row> {
  const [found, setFound] = useState<{ key: string; rows: readonly Row[] }>()
  const [fetched, setFetched] = useState<number>()
  const work = useRef<AbortController>(undefined)
  const stop = useCallback(() => {
    work.current?.abort()
    setFetched(undefined)
  }, [])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- cancels the request of the previous filters
  useEffect(() => stop, [key, stop])

  async function choose() {
    if (!load) return
    const controller = new AbortController()
    const { signal } = controller
    work.current = controller
    setFetched(0)
    try {
      const rows: Row[] = []
      let next: string | null | undefined
      do {
        const page = await load({ Limit: AT_ONCE, ...(next && { Cursor: next }) }, signal)
        if (signal.aborted) return
        rows.push(...page.Rows)
        setFetched(Math.min(rows.length, MOST_CHOSEN))
        next = page.NextCursor
      } while (next && rows.length < MOST_CHOSEN)
      const first = rows.slice(0, MOST_CHOSEN)
      setFound({ key, rows: first })
      chosen(first)
    } catch (error) {
      if (!signal.aborted) notices.error(() => describeFailure(error))
    } finally {
      if (!signal.aborted) setFetched(undefined)
    }
  }
  return {
    rows: found?.key === key ? found.rows : undefined,
    fetched,
    choose: () => void choose(),
    stop,
    forget: () => setFound(undefined),
  }
}
