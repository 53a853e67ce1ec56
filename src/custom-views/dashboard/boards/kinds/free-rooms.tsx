import { useQuery } from '@tanstack/react-query'
import { bookings } from '../../../../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../../../../contract/bookings/conference-room.ts'
import { MINUTE } from '../../../../../contract/time/booking.ts'
import { pathTo } from '../../../../navigation/paths.ts'
import { callQuery } from '../../../../data/api.ts'
import { formatWhen } from '../../../../lib/format-when.ts'
import { useLanguage, useT } from '../../../../lib/i18n/i18n.ts'
import page from '../../../../ui/page/page.module.css'
import { useNow } from '../../../../ui/page/use-now.ts'
import { QueryCard, CardFrame, Empty } from '../../cards/card-frame.tsx'
import cards from '../../cards/cards.module.css'
import type { CardProps } from './card-props.ts'
import { SiteName } from './of-site.tsx'

/** Step of the queried period, period length, and minimum free time in minutes. */
const PACE = 5 * MINUTE
const AHEAD = 16 * 60 * MINUTE
const LEAST = 15
/** Tolerance for a gateway clock that is ahead of this browser's. */
const SLACK = 2 * MINUTE

export default function FreeRoomsCard({ card: { HomeID }, title, homes }: CardProps<'freeRooms'>) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const from = Math.floor(now / PACE) * PACE
  const until = from + AHEAD
  const rooms = useQuery(callQuery(conferenceRoom.operations.list, {}))
  const slots = useQuery(
    callQuery(bookings.availableSlots, { StartTimestamp: from, EndTimestamp: until, Minutes: LEAST }),
  )
  const own = rooms.data?.filter((room) => HomeID === null || room.HomeID === HomeID) ?? []
  const free = own.flatMap((room) => {
    const slot = slots.data?.find(
      (one) => one.ConferenceRoomID === room.ConferenceRoomID && one.StartTimestamp <= now + SLACK,
    )
    return slot && slot.EndTimestamp > now ? [{ room, end: slot.EndTimestamp }] : []
  })
  const asked = rooms.data ? slots : rooms
  return (
    <CardFrame
      title={title ?? t('boards:kinds.freeRooms.name')}
      to={pathTo('ConferenceRoomBooking')}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={asked.isPending}
    >
      <QueryCard query={{ ...asked, isPlaceholderData: false }}>
        {own.length === 0 ? (
          <Empty why={t('boards:freeRooms.noRooms')} />
        ) : free.length === 0 ? (
          <Empty why={t('boards:freeRooms.none', { count: own.length })} />
        ) : (
          <ul className={cards.lines}>
            {free.map(({ room, end }) => (
              <li key={room.ConferenceRoomID}>
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
