import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import type { AttentionState } from '../use-attention.ts'
import type { HomeOverview } from '../use-overview.ts'

/** What the page knows, from which cards are drawn. */
export interface Drawing {
  homes: readonly HomeWithRooms[]
  overview: readonly HomeOverview[]
  /** Undefined while it is not known. */
  morning: AttentionState | undefined
}
