import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import type { AttentionState } from './use-attention.ts'
import type { HomeOverview } from './use-overview.ts'

/** Page data from which cards are drawn. */
export interface Drawing {
  homes: readonly HomeWithRooms[]
  overview: readonly HomeOverview[]
  morning: AttentionState | undefined
}
