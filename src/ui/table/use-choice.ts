import { useCallback, useMemo, useRef, useState } from 'react'

export interface Choice {
  /** Ids of the selected rows among the listed ones. */
  selectedIds: ReadonlySet<string>
  /** Toggles one row; with `isRange`, all from the previously toggled row to this one. */
  toggle: (id: string, isRange: boolean) => void
  /** Selects all listed rows, or none if all are selected. */
  toggleAll: () => void
  /** Adds ids to the selection; they need not be listed yet. */
  choose: (ids: Iterable<string>) => void
  clear: () => void
  /** Number of rows that can be selected. */
  of: number
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Selection of rows in a list. Rows that a filter hides are not selected while they are hidden.
 *
 * ids  selectable ids in the order of the list; must be referentially stable while nothing changes
 */
export function useChoice(ids: readonly string[]): Choice {
  const [marked, setMarked] = useState(NONE)
  const last = useRef<string>(undefined)
  const selectedIds = useMemo(
    () => (marked.size === 0 ? marked : new Set(ids.filter((id) => marked.has(id)))),
    [ids, marked],
  )

  const toggle = useCallback(
    (id: string, isRange: boolean) => {
      const before = last.current === undefined ? -1 : ids.indexOf(last.current)
      last.current = id
      setMarked((now) => {
        const next = new Set(now)
        if (isRange && before >= 0) {
          const index = ids.indexOf(id)
          const span = ids.slice(Math.min(before, index), Math.max(before, index) + 1)
          for (const spanId of span) next.add(spanId)
        } else if (!next.delete(id)) next.add(id)
        return next
      })
    },
    [ids],
  )
  return {
    selectedIds,
    toggle,
    toggleAll: () => setMarked(selectedIds.size === ids.length ? NONE : new Set(ids)),
    choose: (added) => setMarked((now) => new Set([...now, ...added])),
    clear: () => setMarked(NONE),
    of: ids.length,
  }
}
