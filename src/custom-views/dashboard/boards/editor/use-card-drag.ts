import { useCallback, useLayoutEffect, useRef, useState, type PointerEvent } from 'react'
import type { Card } from '../../../../../contract/dashboards/cards.ts'
import { GRID_COLUMNS, compactGrid, stepOf, moveByKey } from '../../../../ui/grid/compact.ts'
import { GAP, ROW } from '../kinds/card-props.ts'
import type { Edits } from './use-edits.ts'

interface DragState {
  id: string
  before: readonly Card[]
  inputMode: 'keys' | 'pointer'
}

export type DragAnnouncement = { kind: 'taken' | 'dropped' | 'putBack' | 'moved' | 'stays'; card: Card }

export interface CardDrag {
  heldId: string | undefined
  /** Whether the keyboard holds it: then the page must scroll to keep it visible. */
  isByKeys: boolean
  /** Picks up a card, or drops the held one. */
  toggle: (id: string) => void
  onDrop: () => void
  /** Handles a key on the grip of a card. Returns whether the key was used. */
  press: (event: { key: string; shiftKey: boolean }) => boolean
  /** Starts dragging a card, or its lower right corner. */
  drag: (event: PointerEvent<HTMLElement>, id: string, mode: 'move' | 'size') => void
}

/**
 * Moves and resizes cards by Enter, arrows, Shift with arrows and Escape, or by a pointer.
 *
 * grid  the element whose columns the pointer is measured in
 * announce  receives announcements for screen readers
 */
export function useCardDrag(
  edits: Pick<Edits, 'cards' | 'preview' | 'pushUndo'>,
  grid: { current: HTMLElement | null },
  announce: (announcement: DragAnnouncement) => void,
): CardDrag {
  const [held, setHeld] = useState<DragState>()
  const now = useRef({ cards: edits.cards, held, announce })
  useLayoutEffect(() => {
    now.current = { cards: edits.cards, held, announce }
  })
  const { preview, pushUndo } = edits
  const announceDrag = useCallback(
    (kind: DragAnnouncement['kind'], id: string, cards = now.current.cards) => {
      const card = cards.find(({ CardID }) => CardID === id)
      if (card) now.current.announce({ kind, card })
    },
    [],
  )

  const dropCard = useCallback(() => {
    const { held: holding } = now.current
    if (!holding) return
    pushUndo(holding.before)
    setHeld(undefined)
    announceDrag('dropped', holding.id)
  }, [pushUndo, announceDrag])

  const putBack = useCallback(() => {
    const { held: holding } = now.current
    if (!holding) return
    preview(holding.before)
    setHeld(undefined)
    announceDrag('putBack', holding.id, holding.before)
  }, [preview, announceDrag])

  const toggle = useCallback(
    (id: string) => {
      if (now.current.held) return dropCard()
      setHeld({ id, before: now.current.cards, inputMode: 'keys' })
      announceDrag('taken', id)
    },
    [dropCard, announceDrag],
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
      if (hasMoved) preview(next)
      announceDrag(hasMoved ? 'moved' : 'stays', holding.id, next)
      return true
    },
    [putBack, preview, announceDrag],
  )

  const drag = useCallback<CardDrag['drag']>(
    (event, id, mode) => {
      const element = grid.current
      const { cards: before } = now.current
      const card = before.find(({ CardID }) => CardID === id)
      if (!element || !card || event.button !== 0) return
      event.preventDefault()
      event.currentTarget.focus()
      setHeld({ id, before, inputMode: 'pointer' })
      follow(event, element, {
        // False after Escape has restored the card.
        isDragging: () => now.current.held?.id === id,
        move: (dx, dy) =>
          preview(
            compactGrid(
              before.map((other) => (other === card ? dragCard(card, dx, dy, mode) : other)),
              id,
            ),
          ),
        end: dropCard,
        cancel: putBack,
      })
    },
    [grid, preview, dropCard, putBack],
  )
  return { heldId: held?.id, isByKeys: held?.inputMode === 'keys', toggle, onDrop: dropCard, press, drag }
}

interface Followed {
  isDragging: () => boolean
  /** Offset from the start, in columns and rows. */
  move: (dx: number, dy: number) => void
  end: () => void
  cancel: () => void
}

/** Follows a pointer from its press on a handle to its release. */
function follow(
  event: PointerEvent<HTMLElement>,
  grid: HTMLElement,
  { isDragging: goesOn, ...then }: Followed,
) {
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
  const endAfter = (work: () => void) => () => {
    listening.abort()
    work()
  }
  handle.addEventListener('pointerup', endAfter(then.end), { signal })
  handle.addEventListener('pointercancel', endAfter(then.cancel), { signal })
}

/** A pointer position in grid columns and rows, measured now. */
function placeIn(grid: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }) {
  const { left, top, width } = grid.getBoundingClientRect()
  return { x: (clientX - left) / ((width + GAP) / GRID_COLUMNS), y: (clientY - top) / (ROW + GAP) }
}

function dragCard(card: Card, dx: number, dy: number, mode: 'move' | 'size'): Card {
  return mode === 'move'
    ? { ...card, X: card.X + dx, Y: card.Y + dy }
    : { ...card, W: Math.min(card.W + dx, GRID_COLUMNS - card.X), H: card.H + dy }
}
