/** Number of columns of the grid. */
export const GRID_COLUMNS = 12
/** Maximum height of a card in rows, and the last row in which a card may begin. */
export const MAX_ROWS = 12
export const LAST_ROW = 399
/** If no card is higher than this, the maximum number of cards always ends before the last row. */
const MAX_FITTING_ROWS = 9

/** Position of a card in a grid: column and row from 0, width and height in columns and rows. */
export interface GridItem {
  CardID: string
  X: number
  Y: number
  W: number
  H: number
}

const clamp = (value: number, min: number, max: number) =>
  Math.max(min, Math.min(max, Math.round(Number.isFinite(value) ? value : min)))

/** Clamps a card to the grid: first its size, then its position. */
function clampCard<T extends GridItem>(card: T, maxRow: number): T {
  const W = clamp(card.W, 1, GRID_COLUMNS)
  const H = clamp(card.H, 1, maxRow)
  return { ...card, W, H, X: clamp(card.X, 0, GRID_COLUMNS - W), Y: clamp(card.Y, 0, LAST_ROW) }
}

const sharesColumns = (a: GridItem, b: GridItem) => a.X < b.X + b.W && b.X < a.X + a.W
const overlaps = (a: GridItem, b: GridItem) => sharesColumns(a, b) && a.Y < b.Y + b.H && b.Y < a.Y + a.H

/** Cards from top to bottom, then from left to right; phones show them in this order. */
export const inReadingOrder = <T extends GridItem>(cards: readonly T[]): T[] =>
  cards.toSorted((a, b) => a.Y - b.Y || a.X - b.X)

/**
 * Arranges cards without overlaps, within the grid, each as high up as possible. Pure; a compact board does not change.
 *
 * heldId     id of the dragged card: it takes the place of cards whose upper half it covers, and they move away
 * special  if a board of up to 40 cards would extend below the last row, all cards are made lower
 * returns  the cards in the given order; those that do not move are the same objects
 */
export function compactGrid<T extends GridItem>(cards: readonly T[], heldId?: string): T[] {
  const of = (highest: number) =>
    stack(
      cards.map((card) => clampCard(card, highest)),
      heldId,
    )
  const settled = of(MAX_ROWS)
  const fitted = settled.every(({ Y }) => Y <= LAST_ROW) ? settled : of(MAX_FITTING_ROWS)
  return cards.map((card, i) => {
    const next = fitted[i] ?? card
    return isAt(card, next) ? card : next
  })
}

const isAt = (a: GridItem, b: GridItem) => a.X === b.X && a.Y === b.Y && a.W === b.W && a.H === b.H

function stack<T extends GridItem>(cards: readonly T[], heldId: string | undefined): T[] {
  const heldCard = cards.find(({ CardID }) => CardID === heldId)
  const placedCards = cards.map((card) => (card === heldCard ? placeHeldCard(heldCard, cards) : card))
  const order = placedCards.toSorted(
    (a, b) => a.Y - b.Y || Number(b.CardID === heldId) - Number(a.CardID === heldId) || a.X - b.X,
  )
  const settled = new Map<string, T>()
  for (const card of order) {
    const otherCards = [...settled.values()]
    settled.set(card.CardID, raiseCard(lowerCard(card, otherCards), otherCards))
  }
  return placedCards.map((card) => settled.get(card.CardID) ?? card)
}

/** Moves the dragged card to the top of the highest card whose upper half it covers. */
function placeHeldCard<T extends GridItem>(heldCard: T, cards: readonly T[]): T {
  const overlapped = cards.filter(
    (card) => card !== heldCard && overlaps(card, heldCard) && heldCard.Y < card.Y + card.H / 2,
  )
  return { ...heldCard, Y: Math.min(heldCard.Y, ...overlapped.map(({ Y }) => Y)) }
}

/** Moves a card down until it overlaps no other. */
function lowerCard<T extends GridItem>(card: T, otherCards: readonly GridItem[]): T {
  const overlapping = otherCards.find((other) => overlaps(other, card))
  return overlapping ? lowerCard({ ...card, Y: overlapping.Y + overlapping.H }, otherCards) : card
}

/** Moves a card up until another card is in the way. */
function raiseCard<T extends GridItem>(card: T, otherCards: readonly GridItem[]): T {
  const above = otherCards.filter((other) => sharesColumns(other, card) && other.Y + other.H <= card.Y)
  return { ...card, Y: Math.max(0, ...above.map(({ Y, H }) => Y + H)) }
}

/** Step of a held card by keyboard. */
export type GridStep = 'left' | 'right' | 'up' | 'down' | 'narrower' | 'wider' | 'lower' | 'higher'

/** Step of a key: arrows move, Shift + arrows resize; undefined for other keys. */
export function stepOf({ key, shiftKey }: { key: string; shiftKey: boolean }): GridStep | undefined {
  switch (key) {
    case 'ArrowLeft':
      return shiftKey ? 'narrower' : 'left'
    case 'ArrowRight':
      return shiftKey ? 'wider' : 'right'
    case 'ArrowUp':
      return shiftKey ? 'lower' : 'up'
    case 'ArrowDown':
      return shiftKey ? 'higher' : 'down'
    default:
      return undefined
  }
}

/**
 * Compacted board after one step of the held card. Up and down swap it with the next card in its columns; a step out of the grid, or past
 * the last card, changes nothing.
 */
export function moveByKey<T extends GridItem>(cards: readonly T[], heldId: string, step: GridStep): T[] {
  const card = cards.find(({ CardID }) => CardID === heldId)
  const next = card && stepped(card, cards, step)
  return next ? compactGrid(replaced(cards, next), heldId) : [...cards]
}

const replaced = <T extends GridItem>(cards: readonly T[], next: T): T[] =>
  cards.map((card) => (card.CardID === next.CardID ? next : card))

function stepped<T extends GridItem>(card: T, cards: readonly T[], step: GridStep): T | undefined {
  const { X, Y, W, H } = card
  const columnMates = cards.filter((item) => item !== card && item.X < X + W && X < item.X + item.W)
  switch (step) {
    case 'left':
      return X > 0 ? { ...card, X: X - 1 } : undefined
    case 'right':
      return X + W < GRID_COLUMNS ? { ...card, X: X + 1 } : undefined
    case 'up': {
      const above = columnMates.filter((item) => item.Y < Y).toSorted((a, b) => b.Y - a.Y)[0]
      return above && { ...card, Y: above.Y }
    }
    case 'down': {
      const below = columnMates.filter((item) => item.Y >= Y + H).toSorted((a, b) => a.Y - b.Y)[0]
      return below && { ...card, Y: below.Y + below.H }
    }
    case 'narrower':
      return W > 1 ? { ...card, W: W - 1 } : undefined
    case 'wider':
      return X + W < GRID_COLUMNS ? { ...card, W: W + 1 } : undefined
    case 'lower':
      return H > 1 ? { ...card, H: H - 1 } : undefined
    case 'higher':
      return H < MAX_ROWS ? { ...card, H: H + 1 } : undefined
  }
}
