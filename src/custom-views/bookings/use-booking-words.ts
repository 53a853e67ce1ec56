import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import type { FieldWords } from '../../record-kit/record-conflict.tsx'
import { periodText } from './booking-words.ts'

/** What the form of a booking says, in words. */
export function useBookingWords(rooms: readonly ConferenceRoomWithClock[]): FieldWords<BookingWithDetails> {
  const t = useT()
  const language = useLanguage()
  const place = (booking: BookingWithDetails) => {
    const room = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === booking.ConferenceRoomID)
    const when = periodText(booking, room?.TimeZone ?? DEFAULT_ZONE, language)
    return `${room?.ConferenceRoomName ?? '–'} ${when}`
  }
  return [
    { label: t('bookings:when'), of: place },
    { label: t('bookings:form.subject'), of: ({ Subject }) => Subject },
    { label: t('bookings:form.attendees'), of: ({ Attendees }) => Attendees.join(t('screens:listComma')) },
    { label: t('bookings:form.host'), of: ({ Host }) => Host },
    { label: t('bookings:form.description'), of: ({ Description }) => Description },
    {
      label: t('bookings:form.private'),
      of: ({ Private }) => t(Private ? 'bookings:form.isPrivate' : 'bookings:form.isOpen'),
    },
  ]
}
