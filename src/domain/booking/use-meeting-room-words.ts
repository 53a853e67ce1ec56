import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Names of conference rooms, with their site if they are in more than one. */
export function useMeetingRoomWords(rooms: readonly ConferenceRoomWithClock[]) {
  const t = useT()
  const homes = useHomes()
  const hasSites = new Set(rooms.map(({ HomeID }) => HomeID)).size > 1
  /** Name of a room's site; undefined if all rooms are in one, or the room is in none. */
  const siteOf = ({ HomeID: id }: ConferenceRoomWithClock): string | undefined =>
    hasSites && id !== null ? homes?.find(({ HomeID }) => HomeID === id)?.HomeName : undefined
  /** Name, site and capacity, for a select. */
  const optionOf = (room: ConferenceRoomWithClock): string => {
    const site = siteOf(room)
    const words = { room: room.ConferenceRoomName, count: room.Capacity }
    return site === undefined
      ? t('bookings:roomOption', words)
      : t('bookings:roomOptionAt', { ...words, site })
  }
  return { siteOf, optionOf }
}
