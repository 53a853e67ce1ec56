import type { HistoryPick } from '../../../../../contract/devices/history-calls.ts'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import type { CardKind, CardPlace, ChartSpan } from '../../../../../contract/dashboards/cards.ts'

/** A card that may be incomplete. */
export interface Draft extends CardPlace {
  Kind: CardKind
  HomeID?: string | null
  PeripheralUID?: string
  Field?: string
  Quantities?: HistoryPick[]
  Span?: ChartSpan
  RoomID?: number
  PeripheralUIDs?: string[]
  SceneIDs?: string[]
  Text?: string
}

/** Props of a field whose options belong to one site. */
export interface ChoiceProps {
  home: HomeWithRooms
  draft: Draft
  set: (part: Partial<Draft>) => void
}
