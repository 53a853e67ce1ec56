import type { CardKind, CardOf } from '../../../../../contract/dashboards/cards.ts'
import type { Drawing } from '../../common/drawing.ts'

/**
 * Props of a dashboard card. Its home exists and the user has its rights. For a card that is not live, `overview` is empty and `morning`
 * undefined.
 */
export interface CardProps<K extends CardKind> extends Drawing {
  card: CardOf<K>
  /** Title that the person gave; undefined for the name of its kind. */
  title: string | undefined
}

/** Height of a grid row in px, excluding the gap; equals that in boards.module.css. */
export const ROW = 80
export const GAP = 12
export const heightOf = ({ H }: { H: number }): number => H * (ROW + GAP) - GAP
