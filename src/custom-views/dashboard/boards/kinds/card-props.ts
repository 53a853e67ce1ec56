import type { CardKind, CardOf } from '../../../../../contract/dashboards/cards.ts'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'

/** Props of a dashboard card. Its home exists and the user has its rights. */
export interface CardProps<K extends CardKind> {
  card: CardOf<K>
  homes: readonly HomeWithRooms[]
  /** Title that the person gave; undefined for the name of its kind. */
  title: string | undefined
}

/** Height of a grid row in px, excluding the gap; equals that in boards.module.css. */
export const ROW = 80
export const GAP = 12
export const heightOf = ({ H }: { H: number }): number => H * (ROW + GAP) - GAP
