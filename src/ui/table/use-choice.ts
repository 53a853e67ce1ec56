import { useCallback, useMemo, useRef, useState } from 'react'

export interface Choice {
  /** Ids of what is chosen among what is listed. */
  chosen: ReadonlySet<string>
  /** One line, or with `through` all from the one chosen before to this one. */
  toggle: (id: string, through: boolean) => void
  /** All that are listed, or none when all are chosen. */
  toggleAll: () => void
  /** These beside what is chosen; they may be listed only now. */
  choose: (ids: Iterable<string>) => void
  clear: () => void
  /** How many can be chosen. */
  of: number
}

const NONE: ReadonlySet<string> = new Set()

/**
 * What a person chose in a list. What a filter hides is not chosen any more for as long as it is hidden.
 *
 * ids  of what can be chosen, in the order of the list; the same array as long as nothing in it changes
 */
export function useChoice(ids: readonly string[]): Choice {
  const [marked, setMarked] = useState(NONE)
  const last = useRef<string>(undefined)
  const chosen = useMemo(
    () => (marked.size === 0 ? marked : new Set(ids.filter((id) => marked.has(id)))),
    [ids, marked],
  )

  const toggle = useCallback(
    (id: string, through: boolean) => {
      const before = last.current === undefined ? -1 : ids.indexOf(last.current)
      last.current = id
      setMarked((now) => {
        const next = new Set(now)
        if (through && before >= 0) {
          const here = ids.indexOf(id)
          const span = ids.slice(Math.min(before, here), Math.max(before, here) + 1)
          for (const one of span) next.add(one)
        } else if (!next.delete(id)) next.add(id)
        return next
      })
    },
    [ids],
  )
  return {
    chosen,
    toggle,
    toggleAll: () => setMarked(chosen.size === ids.length ? NONE : new Set(ids)),
    choose: (more) => setMarked((now) => new Set([...now, ...more])),
    clear: () => setMarked(NONE),
    of: ids.length,
  }
}
