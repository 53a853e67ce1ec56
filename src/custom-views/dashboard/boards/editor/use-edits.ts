import { useCallback, useState } from 'react'
import type { Card } from '../../../../../contract/dashboards/cards.ts'
import { compactGrid } from '../../../../ui/grid/compact.ts'

/** As many steps can be undone. */
const MOST_STEPS = 50

interface State {
  cards: readonly Card[]
  past: readonly (readonly Card[])[]
  future: readonly (readonly Card[])[]
}

export interface Edits {
  cards: readonly Card[]
  dirty: boolean
  /** Shows cards as they are while a hand holds one; nothing to undo yet. */
  show: (cards: readonly Card[]) => void
  /** What is shown is kept: from here it is undone to `before`. */
  keep: (before: readonly Card[]) => void
  /** Shows and keeps. */
  change: (cards: readonly Card[]) => void
  undo: (() => void) | undefined
  redo: (() => void) | undefined
}

const same = (a: readonly Card[], b: readonly Card[]) => JSON.stringify(a) === JSON.stringify(b)

/** The cards of a dashboard while it is arranged, each step of which can be undone. */
export function useEdits(saved: readonly Card[]): Edits {
  const [{ cards, past, future }, setState] = useState<State>({
    cards: compactGrid(saved),
    past: [],
    future: [],
  })
  const show = useCallback((next: readonly Card[]) => setState((now) => ({ ...now, cards: next })), [])
  const keep = useCallback(
    (before: readonly Card[]) =>
      setState((now) =>
        same(before, now.cards)
          ? now
          : { cards: now.cards, past: [...now.past, before].slice(-MOST_STEPS), future: [] },
      ),
    [],
  )
  const change = useCallback(
    (next: readonly Card[]) =>
      setState((now) => ({
        cards: compactGrid(next),
        past: [...now.past, now.cards].slice(-MOST_STEPS),
        future: [],
      })),
    [],
  )
  const [last] = past.slice(-1)
  const [next] = future
  return {
    cards,
    dirty: !same(cards, saved),
    show,
    keep,
    change,
    undo: last && (() => setState({ cards: last, past: past.slice(0, -1), future: [cards, ...future] })),
    redo: next && (() => setState({ cards: next, past: [...past, cards], future: future.slice(1) })),
  }
}
