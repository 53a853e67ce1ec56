import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'

/** What the list says of a meeting room. */
export function useRoomColumns(): readonly ListTableColumn<ConferenceRoomWithClock>[] {
  const t = useT()
  const homes = useHomes()
  return [
    { key: 'ConferenceRoomName', title: t('bookings:rooms.name'), width: 200 },
    { key: 'Capacity', title: t('bookings:rooms.capacity'), text: ({ Capacity }) => Capacity },
    {
      key: 'HomeID',
      title: t('bookings:rooms.home'),
      text: ({ HomeID }) =>
        homes?.find((home) => home.HomeID === HomeID)?.HomeName ?? t('bookings:rooms.noHome'),
    },
    { key: 'Equipment', title: t('bookings:rooms.equipment'), width: 200 },
    {
      key: 'Active',
      title: t('bookings:rooms.state'),
      text: ({ Active }) => t(Active ? 'bookings:rooms.open' : 'bookings:closed'),
    },
  ]
}
