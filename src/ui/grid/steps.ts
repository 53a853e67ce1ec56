import { GRID_COLUMNS, MAX_ROWS, compactGrid, type GridItem } from './compact.ts'

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
