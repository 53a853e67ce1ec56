import type { FC } from 'react'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { freePeriods, MINUTE, type Period } from '../../../contract/time/booking.ts'
import { toEpoch } from '../../../contract/time/periods.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import { timeText } from './booking-words.ts'
import styles from './bookings.module.css'

/** Working hours in the room's time zone in which free slots are listed. */
const [OPENS, CLOSES] = [8, 19]
/** Minimum length of a slot, and maximum initial length of its booking, in minutes. */
const MIN_FREE_MINUTES = 30
const USUAL = 60

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  bookings: readonly BookingWithDetails[]
  day: number
  /** Undefined without the right to book, and until all bookings are loaded. */
  book: ((room: ConferenceRoomWithClock, period: Period) => void) | undefined
}

/** Free slots of all rooms on a day, by start. */
export const FreeOnDay: FC<Props> = ({ rooms, bookings, day, book }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const free = rooms
    .filter(({ Active }) => Active)
    .flatMap((room) => {
      const StartTimestamp = Math.max(toEpoch(day, OPENS * 60, room.TimeZone), nextFullFiveMinutes(now))
      const EndTimestamp = toEpoch(day, CLOSES * 60, room.TimeZone)
      if (EndTimestamp <= StartTimestamp) return []
      const busy = bookings.filter(({ ConferenceRoomID }) => ConferenceRoomID === room.ConferenceRoomID)
      return freePeriods(busy, { StartTimestamp, EndTimestamp }, MIN_FREE_MINUTES).map((period) => ({
        room,
        period,
      }))
    })
    .toSorted((a, b) => a.period.StartTimestamp - b.period.StartTimestamp)
  if (free.length === 0) return <EmptyState why={t('bookings:now.noneOnDay')} />
  return (
    <ul className={styles.agenda}>
      {free.map(({ room, period: { StartTimestamp, EndTimestamp } }) => (
        <li key={`${room.ConferenceRoomID} ${StartTimestamp}`}>
          <button
            type="button"
            disabled={!book}
            className={styles.entry}
            onClick={() =>
              book?.(room, {
                StartTimestamp,
                EndTimestamp: Math.min(EndTimestamp, StartTimestamp + USUAL * MINUTE),
              })
            }
          >
            <strong>
              {t('bookings:now.span', {
                from: timeText(StartTimestamp, room.TimeZone, language),
                until: timeText(EndTimestamp, room.TimeZone, language),
              })}
            </strong>
            <span className={page.hint}>
              {t('bookings:roomOption', { room: room.ConferenceRoomName, count: room.Capacity })}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Rounds up to five minutes. */
const nextFullFiveMinutes = (now: number): number => Math.ceil(now / (5 * MINUTE)) * 5 * MINUTE
