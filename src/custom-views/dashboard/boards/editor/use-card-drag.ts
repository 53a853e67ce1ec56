import { useCallback, useLayoutEffect, useRef, useState, type PointerEvent } from 'react'
import type { Card } from '../../../../../contract/dashboards/cards.ts'
import { GRID_COLUMNS, compactGrid, stepOf, moveByKey } from '../../../../ui/grid/compact.ts'
import { GAP, ROW } from '../kinds/card-props.ts'
import type { Edits } from './use-edits.ts'

interface Held {
  id: string
  before: readonly Card[]
  by: 'keys' | 'pointer'
}

export type DragAnnouncement = { what: 'taken' | 'dropped' | 'putBack' | 'moved' | 'stays'; card: Card }

export interface CardDrag {
  held: string | undefined
  /** Whether the keyboard holds it: then the page must scroll to keep it visible. */
  isByKeys: boolean
  /** Picks up a card, or drops the held one. */
  toggle: (id: string) => void
  drop: () => void
  /** Handles a key on the grip of a card. Returns whether the key was used. */
  press: (event: { key: string; shiftKey: boolean }) => boolean
  /** Starts dragging a card, or its lower right corner. */
  drag: (event: PointerEvent<HTMLElement>, id: string, what: 'move' | 'size') => void
}

/**
 * Moves and resizes cards by Enter, arrows, Shift with arrows and Escape, or by a pointer.
 *
 * grid  the element whose columns the pointer is measured in
 * tell  receives announcements for screen readers
 */
export function useCardDrag(
  edits: Pick<Edits, 'cards' | 'show' | 'keep'>,
  grid: { current: HTMLElement | null },
  tell: (told: DragAnnouncement) => void,
): CardDrag {
  const [held, setHeld] = useState<Held>()
  const now = useRef({ cards: edits.cards, held, tell })
  useLayoutEffect(() => {
    now.current = { cards: edits.cards, held, tell }
  })
  const { show, keep } = edits
  const say = useCallback((what: DragAnnouncement['what'], id: string, cards = now.current.cards) => {
    const card = cards.find(({ CardID }) => CardID === id)
    if (card) now.current.tell({ what, card })
  }, [])

  const drop = useCallback(() => {
    const { held: holding } = now.current
    if (!holding) return
    keep(holding.before)
    setHeld(undefined)
    say('dropped', holding.id)
  }, [keep, say])

  const putBack = useCallback(() => {
    const { held: holding } = now.current
    if (!holding) return
    show(holding.before)
    setHeld(undefined)
    say('putBack', holding.id, holding.before)
  }, [show, say])

  const toggle = useCallback(
    (id: string) => {
      if (now.current.held) return drop()
      setHeld({ id, before: now.current.cards, by: 'keys' })
      say('taken', id)
    },
    [drop, say],
  )

  const press = useCallback(
    (event: { key: string; shiftKey: boolean }) => {
      const { held: holding, cards } = now.current
      if (!holding) return false
      if (event.key === 'Escape') {
        putBack()
        return true
      }
      const step = stepOf(event)
      if (!step) return false
      const next = moveByKey(cards, holding.id, step)
      const hasMoved = JSON.stringify(next) !== JSON.stringify(cards)
      if (hasMoved) show(next)
      say(hasMoved ? 'moved' : 'stays', holding.id, next)
      return true
    },
    [putBack, show, say],
  )

  const drag = useCallback<CardDrag['drag']>(
    (event, id, what) => {
      const element = grid.current
      const { cards: before } = now.current
      const card = before.find(({ CardID }) => CardID === id)
      if (!element || !card || event.button !== 0) return
      event.preventDefault()
      event.currentTarget.focus()
      setHeld({ id, before, by: 'pointer' })
      follow(event, element, {
        // False after Escape has restored the card.
        goesOn: () => now.current.held?.id === id,
        move: (dx, dy) =>
          show(
            compactGrid(
              before.map((one) => (one === card ? dragged(card, dx, dy, what) : one)),
              id,
            ),
          ),
        end: drop,
        cancel: putBack,
      })
    },
    [grid, show, drop, putBack],
  )
  return { held: held?.id, isByKeys: held?.by === 'keys', toggle, drop, press, drag }
}

interface Followed {
  goesOn: () => boolean
  /** Offset from the start, in columns and rows. */
  move: (dx: number, dy: number) => void
  end: () => void
  cancel: () => void
}

/** Follows a pointer from its press on a handle to its release. */
function follow(event: PointerEvent<HTMLElement>, grid: HTMLElement, { goesOn, ...then }: Followed) {
  const handle: HTMLElement = event.currentTarget
  handle.setPointerCapture(event.pointerId)
  const startsAt = placeIn(grid, event)
  const listening = new AbortController()
  const { signal } = listening
  let last = '0 0'
  handle.addEventListener(
    'pointermove',
    (to) => {
      if (!goesOn()) return listening.abort()
      const at = placeIn(grid, to)
      const [dx, dy] = [Math.round(at.x - startsAt.x), Math.round(at.y - startsAt.y)]
      if (last === `${dx} ${dy}`) return
      last = `${dx} ${dy}`
      then.move(dx, dy)
    },
    { signal },
  )
  const ends = (work: () => void) => () => {
    listening.abort()
    work()
  }
  handle.addEventListener('pointerup', ends(then.end), { signal })
  handle.addEventListener('pointercancel', ends(then.cancel), { signal })
}

/** A pointer position in grid columns and rows, measured now. */
function placeIn(grid: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }) {
  const { left, top, width } = grid.getBoundingClientRect()
  return { x: (clientX - left) / ((width + GAP) / GRID_COLUMNS), y: (clientY - top) / (ROW + GAP) }
}

function dragged(card: Card, dx: number, dy: number, what: 'move' | 'size'): Card {
  return what === 'move'
    ? { ...card, X: card.X + dx, Y: card.Y + dy }
    : { ...card, W: Math.min(card.W + dx, GRID_COLUMNS - card.X), H: card.H + dy }
}
