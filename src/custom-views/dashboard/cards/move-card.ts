import type { Arrangement, CardName } from '../arrangement.ts'

/**
 * Moves a card past the next one before (-1) or after (1) it that is offered; cards that are not offered keep their neighbours.
 * At either end nothing moves.
 */
export function moveCard(
  { order, hidden }: Arrangement,
  card: CardName,
  by: 1 | -1,
  offered: readonly CardName[],
): Arrangement {
  const seen = order.filter((name) => offered.includes(name))
  const other = seen[seen.indexOf(card) + by]
  if (other === undefined) return { order, hidden }
  const others = order.filter((name) => name !== card)
  const place = others.indexOf(other) + (by === 1 ? 1 : 0)
  return { order: others.toSpliced(place, 0, card), hidden }
}

/** Shows a card, or hides it. */
export const showCard = ({ order, hidden }: Arrangement, card: CardName, shown: boolean): Arrangement => ({
  order,
  hidden: shown ? hidden.filter((name) => name !== card) : [...hidden, card],
})
