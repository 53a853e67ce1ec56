/** Columns of the grid. */
export const GRID_COLUMNS = 12
/** Most rows of a card, and the last row that one may begin in. */
export const MAX_ROWS = 12
export const LAST_ROW = 399
/** With cards no higher than this as many as a board may have always end before the last row. */
const ROWS_THAT_FIT = 9

/** What stands in a grid: columns and rows from 0, and how many it takes. */
export interface GridItem {
  CardID: string
  X: number
  Y: number
  W: number
  H: number
}

const between = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(most, Math.round(Number.isFinite(value) ? value : least)))

/** A card within the grid: its size first, then where it stands. */
function within<T extends GridItem>(card: T, highest: number): T {
  const W = between(card.W, 1, GRID_COLUMNS)
  const H = between(card.H, 1, highest)
  return { ...card, W, H, X: between(card.X, 0, GRID_COLUMNS - W), Y: between(card.Y, 0, LAST_ROW) }
}

const sharesColumns = (a: GridItem, b: GridItem) => a.X < b.X + b.W && b.X < a.X + a.W
const overlaps = (a: GridItem, b: GridItem) => sharesColumns(a, b) && a.Y < b.Y + b.H && b.Y < a.Y + a.H

/** From above, then from the left: the order in which a board is read, and in which a phone shows it. */
export const inReadingOrder = <T extends GridItem>(cards: readonly T[]): T[] =>
  cards.toSorted((a, b) => a.Y - b.Y || a.X - b.X)

/**
 * Puts cards so that none lies over another, all are within the grid, and each stands as high as it can. Pure; a board that is
 * settled stays as it is.
 *
 * held     the card that a hand holds: it takes the place of those whose upper half it lies over, and they make way
 * special  where a board of up to 40 cards would reach below the last row, all cards become lower
 * returns  the cards in the order in which they were given; those that stay are the same objects
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

/** The held card where the highest of those begins whose upper half it lies over. */
function takePlace<T extends GridItem>(hand: T, cards: readonly T[]): T {
  const under = cards.filter((card) => card !== hand && overlaps(card, hand) && hand.Y < card.Y + card.H / 2)
  return { ...hand, Y: Math.min(hand.Y, ...under.map(({ Y }) => Y)) }
}

/** The card as far down as it must be to lie over none of the others. */
function sink<T extends GridItem>(card: T, others: readonly GridItem[]): T {
  const under = others.find((other) => overlaps(other, card))
  return under ? sink({ ...card, Y: under.Y + under.H }, others) : card
}

/** The card as far up as nothing is in its way. */
function rise<T extends GridItem>(card: T, others: readonly GridItem[]): T {
  const above = others.filter((other) => sharesColumns(other, card) && other.Y + other.H <= card.Y)
  return { ...card, Y: Math.max(0, ...above.map(({ Y, H }) => Y + H)) }
}
