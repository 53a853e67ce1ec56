import { COLUMNS, MOST_ROWS, settle, type Placed } from './settle.ts'

/** What a key does to the card that is held. */
export type Step = 'left' | 'right' | 'up' | 'down' | 'narrower' | 'wider' | 'lower' | 'higher'

/** The step of a key: arrows move, with Shift they size; undefined for every other key. */
export function stepOf({ key, shiftKey }: { key: string; shiftKey: boolean }): Step | undefined {
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
 * A settled board after one step of the card that is held. Up and down it changes places with the next card in its columns; a step
 * out of the grid, or past the last card, changes nothing.
 */
export function takeStep<T extends Placed>(cards: readonly T[], held: string, step: Step): T[] {
  const card = cards.find(({ CardID }) => CardID === held)
  const next = card && stepped(card, cards, step)
  return next ? settle(replaced(cards, next), held) : [...cards]
}

const replaced = <T extends Placed>(cards: readonly T[], next: T): T[] =>
  cards.map((card) => (card.CardID === next.CardID ? next : card))

function stepped<T extends Placed>(card: T, cards: readonly T[], step: Step): T | undefined {
  const { X, Y, W, H } = card
  const beside = cards.filter((one) => one !== card && one.X < X + W && X < one.X + one.W)
  switch (step) {
    case 'left':
      return X > 0 ? { ...card, X: X - 1 } : undefined
    case 'right':
      return X + W < COLUMNS ? { ...card, X: X + 1 } : undefined
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
      return X + W < COLUMNS ? { ...card, W: W + 1 } : undefined
    case 'lower':
      return H > 1 ? { ...card, H: H - 1 } : undefined
    case 'higher':
      return H < MOST_ROWS ? { ...card, H: H + 1 } : undefined
  }
}
