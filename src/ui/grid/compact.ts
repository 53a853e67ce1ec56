/** Number of columns of the grid. */
export const GRID_COLUMNS = 12
/** Maximum height of a card in rows, and the last row in which a card may begin. */
export const MAX_ROWS = 12
export const LAST_ROW = 399
/** If no card is higher than this, the maximum number of cards always ends before the last row. */
const ROWS_THAT_FIT = 9

/** Position of a card in a grid: column and row from 0, width and height in columns and rows. */
export interface GridItem {
  CardID: string
  X: number
  Y: number
  W: number
  H: number
}

const between = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(most, Math.round(Number.isFinite(value) ? value : least)))

/** Clamps a card to the grid: first its size, then its position. */
function within<T extends GridItem>(card: T, highest: number): T {
  const W = between(card.W, 1, GRID_COLUMNS)
  const H = between(card.H, 1, highest)
  return { ...card, W, H, X: between(card.X, 0, GRID_COLUMNS - W), Y: between(card.Y, 0, LAST_ROW) }
}

const sharesColumns = (a: GridItem, b: GridItem) => a.X < b.X + b.W && b.X < a.X + a.W
const overlaps = (a: GridItem, b: GridItem) => sharesColumns(a, b) && a.Y < b.Y + b.H && b.Y < a.Y + a.H

/** Cards from top to bottom, then from left to right; phones show them in this order. */
export const inReadingOrder = <T extends GridItem>(cards: readonly T[]): T[] =>
  cards.toSorted((a, b) => a.Y - b.Y || a.X - b.X)

/**
 * Arranges cards without overlaps, within the grid, each as high up as possible. Pure; a compact board does not change.
 *
 * held     id of the dragged card: it takes the place of cards whose upper half it covers, and they move away
 * special  if a board of up to 40 cards would extend below the last row, all cards are made lower
 * returns  the cards in the given order; those that do not move are the same objects
 */
export function compactGrid<T extends GridItem>(cards: readonly T[], held?: string): T[] {
  const of = (highest: number) =>
    stack(
      cards.map((card) => within(card, highest)),
      held,
    )
  const settled = of(MAX_ROWS)
  const whole = settled.every(({ Y }) => Y <= LAST_ROW) ? settled : of(ROWS_THAT_FIT)
  return cards.map((card, i) => {
    const next = whole[i] ?? card
    return isAt(card, next) ? card : next
  })
}

const isAt = (a: GridItem, b: GridItem) => a.X === b.X && a.Y === b.Y && a.W === b.W && a.H === b.H

function stack<T extends GridItem>(cards: readonly T[], held: string | undefined): T[] {
  const hand = cards.find(({ CardID }) => CardID === held)
  const given = cards.map((card) => (card === hand ? takePlace(hand, cards) : card))
  const order = given.toSorted(
    (a, b) => a.Y - b.Y || Number(b.CardID === held) - Number(a.CardID === held) || a.X - b.X,
  )
  const settled = new Map<string, T>()
  for (const card of order) {
    const others = [...settled.values()]
    settled.set(card.CardID, rise(sink(card, others), others))
  }
  return given.map((card) => settled.get(card.CardID) ?? card)
}

/** Moves the dragged card to the top of the highest card whose upper half it covers. */
function takePlace<T extends GridItem>(hand: T, cards: readonly T[]): T {
  const under = cards.filter((card) => card !== hand && overlaps(card, hand) && hand.Y < card.Y + card.H / 2)
  return { ...hand, Y: Math.min(hand.Y, ...under.map(({ Y }) => Y)) }
}

/** Moves a card down until it overlaps no other. */
function sink<T extends GridItem>(card: T, others: readonly GridItem[]): T {
  const under = others.find((other) => overlaps(other, card))
  return under ? sink({ ...card, Y: under.Y + under.H }, others) : card
}

/** Moves a card up until another card is in the way. */
function rise<T extends GridItem>(card: T, others: readonly GridItem[]): T {
  const above = others.filter((other) => sharesColumns(other, card) && other.Y + other.H <= card.Y)
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
export function moveByKey<T extends GridItem>(cards: readonly T[], held: string, step: GridStep): T[] {
  const card = cards.find(({ CardID }) => CardID === held)
  const next = card && stepped(card, cards, step)
  return next ? compactGrid(replaced(cards, next), held) : [...cards]
}

const replaced = <T extends GridItem>(cards: readonly T[], next: T): T[] =>
  cards.map((card) => (card.CardID === next.CardID ? next : card))

function stepped<T extends GridItem>(card: T, cards: readonly T[], step: GridStep): T | undefined {
  const { X, Y, W, H } = card
  const beside = cards.filter((one) => one !== card && one.X < X + W && X < one.X + one.W)
  switch (step) {
    case 'left':
      return X > 0 ? { ...card, X: X - 1 } : undefined
    case 'right':
      return X + W < GRID_COLUMNS ? { ...card, X: X + 1 } : undefined
    case 'up': {
      const above = beside.filter((one) => one.Y < Y).toSorted((a, b) => b.Y - a.Y)[0]
      return above && { ...card, Y: above.Y }
    }
    case 'down': {
      const below = beside.filter((one) => one.Y >= Y + H).toSorted((a, b) => a.Y - b.Y)[0]
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
