import { placeInLayer, type Layer, type RoomPlacement } from '../../domain/room/room-layers.ts'
import type { RoomSummary } from '../../domain/room/room-summary.ts'
import { useNow } from '../../ui/page/use-now.ts'
import type { RoomStore } from './room-store.ts'
import type { RoomBookings } from './use-room-bookings.ts'
import { useRoomWords, type RoomWords } from './use-room-words.ts'
import { useHighestPower, useRoom } from './use-rooms.ts'

export interface ShownRoom {
  store: RoomStore
  RoomID: number
  name: string
  layer: Layer | undefined
  booked: RoomBookings | undefined
  open: (RoomID: number) => void
}

export interface RoomLook {
  room: RoomSummary | undefined
  words: RoomWords
  state: RoomSummary['state']
  /** Color step in the layer; undefined without one. */
  step: Exclude<RoomPlacement, string> | undefined
  /** Whether the layer's value is unknown. */
  isHatched: boolean
}

/** Present appearance of one room. Renders only for changes of its own room. */
export function useRoomLook({
  store,
  RoomID,
  layer,
  booked,
}: Pick<ShownRoom, 'store' | 'RoomID' | 'layer' | 'booked'>): RoomLook {
  const now = useNow()
  const room = useRoom(store, RoomID)
  const highest = useHighestPower(store, layer === 'power')
  const words = useRoomWords()(room, booked, now)
  const place =
    layer === undefined || !room
      ? undefined
      : placeInLayer(layer, room, { highest, bookings: booked && booked.bookings, now })
  return {
    room,
    words,
    state: room?.state ?? 'bare',
    step: typeof place === 'number' ? place : undefined,
    isHatched: layer === undefined ? room?.state === 'unknown' : place === 'unknown',
  }
}
