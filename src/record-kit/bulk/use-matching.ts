import { useCallback, useEffect, useRef, useState } from 'react'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import type { LoadPage } from '../list/records.ts'

/** Lines that one bulk action may be done to: more take minutes, which nobody watches to the end. */
export const MOST_CHOSEN = 2000
/** As many as the gateway gives in a page. */
const AT_ONCE = 500

export interface Matching<Row> {
  /** All that match, or the first MOST_CHOSEN of them; undefined while only what is listed can be chosen. */
  rows: readonly Row[] | undefined
  /** How many have come while they are fetched. */
  fetched: number | undefined
  choose: () => void
  /** Stops fetching. */
  stop: () => void
  /** Only what is listed can be chosen again. */
  forget: () => void
}

/**
 * Everything that the gateway says matches a list's filters, fetched when a person wants to choose it.
 *
 * key     of the list with its filters; with another one what was fetched is forgotten
 * load    undefined for a list that comes whole
 * chosen  hears what has come
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
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- what another list's filters asked for is not wanted any more
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
