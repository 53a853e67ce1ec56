import type { CSSProperties } from 'react'
import { inReadingOrder } from '../../../ui/grid/compact.ts'
import type { Card } from '../../../../contract/dashboards/cards.ts'
import { NotNear } from '../common/not-near.tsx'
import { useNear } from '../common/use-near.ts'
import styles from '../common/boards.module.css'
import { CardView, titleOf } from './card-view.tsx'
import type { Drawing } from '../common/drawing.ts'

/** Grid position of a card as CSS variables. */
export const placeOf = ({ X, Y, W, H }: Pick<Card, 'X' | 'Y' | 'W' | 'H'>): CSSProperties =>
  ({ '--x': X + 1, '--y': Y + 1, '--w': W, '--h': H }) as CSSProperties

/** A dashboard in reading mode: twelve columns, one on phones. */
export function BoardGrid({ cards, drawing }: { cards: readonly Card[]; drawing: Drawing }) {
  return (
    <div className={styles.grid}>
      {inReadingOrder(cards).map((card) => (
        <Cell key={card.CardID} card={card} drawing={drawing} />
      ))}
    </div>
  )
}

function Cell({ card, drawing }: { card: Card; drawing: Drawing }) {
  const { near, ref } = useNear()
  return (
    <div ref={ref} className={styles.cell} style={placeOf(card)}>
      <NearCard near={near} card={card} drawing={drawing} />
    </div>
  )
}

/** Loads the card when it is near the viewport. */
export const NearCard = ({ near, card, drawing }: { near: boolean; card: Card; drawing: Drawing }) =>
  near ? <CardView card={card} {...drawing} /> : <NotNear title={titleOf(card)} />
