import type { CardKind, CardOf } from '../../../../../contract/dashboards/cards.ts'
import type { Drawing } from '../drawing.ts'

/**
 * What a card of a dashboard is drawn from. Its home is there and its rights are held. Of a card that is not live the overview is
 * empty and nothing is said of what needs somebody.
 */
export interface CardProps<K extends CardKind> extends Drawing {
  card: CardOf<K>
  /** As the person called it; undefined for the name of its kind. */
  title: string | undefined
}

/** The rows of a card's grid in px, from the first line to the last; as boards.module.css has them. */
export const ROW = 80
export const GAP = 12
export const heightOf = ({ H }: { H: number }): number => H * (ROW + GAP) - GAP
