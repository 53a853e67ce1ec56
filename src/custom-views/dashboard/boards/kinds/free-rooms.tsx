import { useQuery } from '@tanstack/react-query'
import { bookings } from '../../../../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../../../../contract/bookings/conference-room.ts'
import { MINUTE } from '../../../../../contract/time/booking.ts'
import { pathTo } from '../../../../navigation/paths.ts'
import { callQuery } from '../../../../data/api.ts'
import { formatWhen } from '../../../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../../../lib/i18n/i18n.ts'
import page from '../../../../ui/page/page.module.css'
import { useNow } from '../../../../ui/page/use-now.ts'
import { QueryCard, CardFrame, Empty } from '../../cards/card-frame.tsx'
import type { CardProps } from './card-props.ts'
import { SiteName } from './of-site.tsx'

/** Step of the queried period, period length, and minimum free time in minutes. */
const UPDATE_INTERVAL_MS = 5 * MINUTE
const LOOKAHEAD_MS = 16 * 60 * MINUTE
const MIN_FREE_MINUTES = 15
/** Tolerance for a gateway clock that is ahead of this browser's. */
const MAX_START_DELAY_MS = 2 * MINUTE

export default function FreeRoomsCard({ card: { HomeID }, title, homes }: CardProps<'freeRooms'>) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const from = Math.floor(now / UPDATE_INTERVAL_MS) * UPDATE_INTERVAL_MS
  const until = from + LOOKAHEAD_MS
  const rooms = useQuery(callQuery(conferenceRoom.operations.list, {}))
  const slots = useQuery(
    callQuery(bookings.availableSlots, {
      StartTimestamp: from,
      EndTimestamp: until,
      Minutes: MIN_FREE_MINUTES,
    }),
  )
  const siteRooms = rooms.data?.filter((room) => HomeID === null || room.HomeID === HomeID) ?? []
  const freeRooms = siteRooms.flatMap((room) => {
    const slot = slots.data?.find(
      (booking) =>
        booking.ConferenceRoomID === room.ConferenceRoomID &&
        booking.StartTimestamp <= now + MAX_START_DELAY_MS,
    )
    return slot && slot.EndTimestamp > now ? [{ room, end: slot.EndTimestamp }] : []
  })
  const query = rooms.data ? slots : rooms
  return (
    <CardFrame
      title={title ?? t('boards:kinds.freeRooms.name')}
      to={pathTo('ConferenceRoomBooking')}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={query.isPending}
    >
      <QueryCard query={{ ...query, isPlaceholderData: false }}>
        {siteRooms.length === 0 ? (
          <Empty why={t('boards:freeRooms.noRooms')} />
        ) : freeRooms.length === 0 ? (
          <Empty why={t('boards:freeRooms.none', { count: siteRooms.length })} />
        ) : (
          <ul className={page.field}>
            {freeRooms.map(({ room, end }) => (
              <li key={room.ConferenceRoomID} className={page.row}>
                <span>{room.ConferenceRoomName}</span>
                <span className={page.small}>
                  {end >= until
                    ? t('boards:freeRooms.allDay')
                    : t('boards:freeRooms.until', { time: formatWhen(end, language, room.TimeZone, 'time') })}
                </span>
                <span className={page.small}>{t('boards:freeRooms.seats', { count: room.Capacity })}</span>
              </li>
            ))}
          </ul>
        )}
      </QueryCard>
    </CardFrame>
  )
}
