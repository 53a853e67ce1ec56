import type { ConferenceRoomWithClock } from '../../../contract/resources/conference-room.ts'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FieldWords } from '../../record-kit/record-conflict.tsx'

/** What the form of a meeting room says, in words. */
export function useRoomWords(): FieldWords<ConferenceRoomWithClock> {
  const t = useT()
  const homes = useHomes()
  return [
    { label: t('bookings:rooms.name'), of: (room) => room.ConferenceRoomName },
    { label: t('bookings:rooms.capacity'), of: (room) => String(room.Capacity) },
    {
      label: t('bookings:rooms.home'),
      of: (room) =>
        homes?.find(({ HomeID }) => HomeID === room.HomeID)?.HomeName ?? t('bookings:rooms.noHome'),
    },
    { label: t('bookings:rooms.equipment'), of: (room) => room.Equipment },
    { label: t('bookings:rooms.releaseAfter'), of: (room) => String(room.ReleaseAfter) },
    {
      label: t('bookings:rooms.state'),
      of: (room) => t(room.Active ? 'bookings:rooms.open' : 'bookings:closed'),
    },
  ]
}
