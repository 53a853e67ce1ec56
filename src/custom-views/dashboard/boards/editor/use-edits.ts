import { useCallback, useState } from 'react'
import type { Card } from '../../../../../contract/dashboards/cards.ts'
import { compactGrid } from '../../../../ui/grid/compact.ts'

/** Maximum number of undo steps. */
const MAX_UNDO_STEPS = 50

interface State {
  cards: readonly Card[]
  past: readonly (readonly Card[])[]
  future: readonly (readonly Card[])[]
}

export interface Edits {
  cards: readonly Card[]
  dirty: boolean
  /** Shows cards during a drag, without an undo step. */
  preview: (cards: readonly Card[]) => void
  /** Adds an undo step from the shown cards back to `before`. */
  pushUndo: (before: readonly Card[]) => void
  /** Shows cards and adds an undo step. */
  change: (cards: readonly Card[]) => void
  undo: (() => void) | undefined
  redo: (() => void) | undefined
}

const isSameCards = (a: readonly Card[], b: readonly Card[]) => JSON.stringify(a) === JSON.stringify(b)

/** Cards of a dashboard in the editor, with undo and redo. */
export function useEdits(saved: readonly Card[]): Edits {
  const [{ cards, past, future }, setState] = useState<State>({
    cards: compactGrid(saved),
    past: [],
    future: [],
  })
  const preview = useCallback((next: readonly Card[]) => setState((now) => ({ ...now, cards: next })), [])
  const pushUndo = useCallback(
    (before: readonly Card[]) =>
      setState((now) =>
        isSameCards(before, now.cards)
          ? now
          : { cards: now.cards, past: [...now.past, before].slice(-MAX_UNDO_STEPS), future: [] },
      ),
    [],
  )
  const change = useCallback(
    (next: readonly Card[]) =>
      setState((now) => ({
        cards: compactGrid(next),
        past: [...now.past, now.cards].slice(-MAX_UNDO_STEPS),
        future: [],
      })),
    [],
  )
  const [last] = past.slice(-1)
  const [next] = future
  return {
    cards,
    dirty: !isSameCards(cards, saved),
    preview,
    pushUndo,
    change,
    undo: last && (() => setState({ cards: last, past: past.slice(0, -1), future: [cards, ...future] })),
    redo: next && (() => setState({ cards: next, past: [...past, cards], future: future.slice(1) })),
  }
}
