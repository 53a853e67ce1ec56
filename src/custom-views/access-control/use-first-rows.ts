import { startTransition, useEffect, useState } from 'react'

/** What stands above a list at least, and the least height of one of its rows, in px. */
const ABOVE = 210
const ROW = 39
/** Rows of a list's first picture: as many as the window shows. */
const firstRows = (): number => Math.ceil((innerHeight - ABOVE) / ROW)

/**
 * The rows to draw: the first ones at once, the rest when those are painted.
 *
 * key  of the list with its filters; undefined while the rows of other filters stand in
 */
export function useFirstRows<Row>(
  rows: readonly Row[] | undefined,
  key: string | undefined,
): readonly Row[] | undefined {
  const [whole, setWhole] = useState<string>()
  const isWhole = key === undefined || whole === key
  const waits = rows !== undefined && !isWhole
  useEffect(() => {
    if (!waits) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setWhole(key)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [waits, key])
  return isWhole ? rows : rows?.slice(0, firstRows())
}
