import { LazyRulesWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import { pathTo } from '../../navigation/paths.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { BelowRoom } from './below-room.tsx'
import { askToCancel, hasBookings } from './remove-room.tsx'
import { useRoomColumns } from './use-room-columns.ts'
import { useRoomFields } from './use-room-fields.tsx'

/** The company's meeting rooms (§2). */
export default defineRecord({
  resource: 'conferenceRoom',
  words: () => ({
    list: t('shell:pages.ConferenceRoomListing'),
    create: t('bookings:rooms.add'),
    empty: t('bookings:noRooms'),
  }),
  columns: useRoomColumns,
  drawing: 'booking',
  form: {
    as: 'modal',
    fields: useRoomFields,
    initial: { Capacity: 6, HomeID: null, RoomID: null, Equipment: '', Active: true, ReleaseAfter: 0 },
    toInput: (values) => ({
      ...values,
      HomeID: values['HomeID'] ?? null,
      RoomID: values['RoomID'] ?? null,
    }),
    Below: BelowRoom,
  },
  open: ({ ConferenceRoomID }) =>
    `${pathTo('ConferenceRoomBooking')}?view=week&room=${encodeURIComponent(ConferenceRoomID)}`,
  remove: {
    consequence: () => t('bookings:rooms.consequence'),
    ofMany: () => t('bookings:rooms.consequence'),
    breaks: (rooms) => (
      <LazyRulesWarning
        named={{ ConferenceRoomIDs: rooms.map(({ ConferenceRoomID }) => ConferenceRoomID) }}
      />
    ),
    refused: askToCancel,
    // Cancelling bookings is a question of its own: a room with some stays when many go at once.
    staysBecause: (room, error) =>
      hasBookings(error) ? () => t('bookings:rooms.hasBookings', { room }) : undefined,
  },
  many: 'remove',
  views: 'conferenceRoom',
  exports: { needs: { feature: 'conference_room', operation: 'Export' } },
})
