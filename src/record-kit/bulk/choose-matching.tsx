import { formatWhole } from '../../../contract/kernel/numbers.ts'
import { Button } from 'antd'
import { type FC, useCallback, useEffect, useRef, useState } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import pageStyles from '../../ui/page/page.module.css'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import type { LoadPage } from '../../data/records.ts'

/** Maximum number of rows of a bulk action: more would take minutes. */
const MAX_SELECTED_ROWS = 2000
/** Maximum page size of the gateway. */
const PAGE_SIZE = 500

interface Matching<Row> {
  /** All matching rows, or the first MOST_CHOSEN of them; undefined while only listed rows can be selected. */
  rows: readonly Row[] | undefined
  /** Number of rows fetched so far, while they are fetched. */
  fetched: number | undefined
  chooseAll: () => void
  stop: () => void
  /** Returns to listed rows only. */
  reset: () => void
}

/**
 * All rows that match a list's filters, fetched when the user wants to select them.
 *
 * key     identifies the list and its filters; a different key discards the fetched rows
 * load    undefined for a list that is not paged
 * onChosen  called with the fetched rows
 */
export function useMatching<Row>(
  key: string,
  load: LoadPage<Row> | undefined,
  onChosen: (rows: readonly Row[]) => void,
): Matching<Row> {
  const [result, setResult] = useState<{ key: string; rows: readonly Row[] }>()
  const [fetched, setFetched] = useState<number>()
  const work = useRef<AbortController>(undefined)
  const stop = useCallback(() => {
    work.current?.abort()
    setFetched(undefined)
  }, [])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- cancels the request of the previous filters
  useEffect(() => stop, [key, stop])

  async function chooseAll() {
    if (!load) return
    const controller = new AbortController()
    const { signal } = controller
    work.current = controller
    setFetched(0)
    try {
      const rows: Row[] = []
      let next: string | null | undefined
      do {
        const page = await load({ Limit: PAGE_SIZE, ...(next && { Cursor: next }) }, signal)
        if (signal.aborted) return
        rows.push(...page.Rows)
        setFetched(Math.min(rows.length, MAX_SELECTED_ROWS))
        next = page.NextCursor
      } while (next && rows.length < MAX_SELECTED_ROWS)
      const first = rows.slice(0, MAX_SELECTED_ROWS)
      setResult({ key, rows: first })
      onChosen(first)
    } catch (error) {
      if (!signal.aborted) notices.error(() => describeFailure(error))
    } finally {
      if (!signal.aborted) setFetched(undefined)
    }
  }
  return {
    rows: result?.key === key ? result.rows : undefined,
    fetched,
    chooseAll: () => void chooseAll(),
    stop,
    reset: () => setResult(undefined),
  }
}

interface Props {
  matching: Pick<Matching<unknown>, 'rows' | 'fetched' | 'chooseAll' | 'stop'>
  /** Number of rows that match the filters. */
  total: number
}

/** Offers to select all rows that match the filters, not only the listed ones; shows the maximum. */
export const ChooseMatching: FC<Props> = ({ matching, total }) => {
  const t = useT()
  const maxCount = formatWhole(MAX_SELECTED_ROWS)
  if (matching.rows)
    return total > MAX_SELECTED_ROWS ? (
      <div role="status" className={`${pageStyles.tightRow} ${pageStyles.figures}`}>
        {t('lists:matching.capped', { most: maxCount, total: formatWhole(total) })}
      </div>
    ) : null
  return (
    <div className={`${pageStyles.tightRow} ${pageStyles.figures}`}>
      {matching.fetched === undefined ? (
        <Button type="link" onClick={matching.chooseAll}>
          {total > MAX_SELECTED_ROWS
            ? t('lists:matching.first', { most: maxCount, total: formatWhole(total) })
            : t('lists:matching.all', { total: formatWhole(total) })}
        </Button>
      ) : (
        <>
          <span role="status">
            {t('lists:matching.fetching', {
              done: formatWhole(matching.fetched),
              total: formatWhole(Math.min(total, MAX_SELECTED_ROWS)),
            })}
          </span>
          <Button type="link" onClick={matching.stop}>
            {t('screens:cancel')}
          </Button>
        </>
      )}
    </div>
  )
}
