import type { CSSProperties } from 'react'
import { inReadingOrder } from '../../../ui/grid/compact.ts'
import type { Card } from '../../../../contract/dashboards/cards.ts'
import { NotNear, useNear } from '../common/near.tsx'
import styles from '../common/boards.module.css'
import { CardView, titleOf } from './card-view.tsx'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'

/** Grid position of a card as CSS variables. */
export const placeOf = ({ X, Y, W, H }: Pick<Card, 'X' | 'Y' | 'W' | 'H'>): CSSProperties =>
  ({ '--x': X + 1, '--y': Y + 1, '--w': W, '--h': H }) as CSSProperties

/** A dashboard in reading mode: twelve columns, one on phones. */
export function BoardGrid({ cards, homes }: { cards: readonly Card[]; homes: readonly HomeWithRooms[] }) {
  return (
    <div className={styles.grid}>
      {inReadingOrder(cards).map((card) => (
        <Cell key={card.CardID} card={card} homes={homes} />
      ))}
    </div>
  )
}

function Cell({ card, homes }: { card: Card; homes: readonly HomeWithRooms[] }) {
  const { isNear, ref } = useNear()
  return (
    <div ref={ref} className={styles.cell} style={placeOf(card)}>
      <NearCard isNear={isNear} card={card} homes={homes} />
    </div>
  )
}

/** Loads the card when it is near the viewport. */
export const NearCard = ({
  isNear,
  card,
  homes,
}: {
  isNear: boolean
  card: Card
  homes: readonly HomeWithRooms[]
}) => (isNear ? <CardView card={card} homes={homes} /> : <NotNear title={titleOf(card)} />)
