import type { FC } from 'react'
import type { BookingWithDetails } from '../../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../../contract/bookings/conference-room.ts'
import { freePeriods, MINUTE, type Period } from '../../../../contract/time/booking.ts'
import { toEpoch } from '../../../../contract/time/wall-time.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { EmptyState } from '../../../ui/page/states.tsx'
import page from '../../../ui/page/page.module.css'
import { timeText } from '../booking-words.ts'
import styles from '../bookings.module.css'

/** Working hours on the room's wall, in which free time is listed. */
const [OPENS, CLOSES] = [8, 19]
/** What is shorter nobody meets in, in minutes; and what a tap books at first, at most. */
const SHORTEST = 30
const USUAL = 60

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  bookings: readonly BookingWithDetails[]
  /** Days since 1970-01-01. */
  day: number
  /** Undefined for who may not book, and until all bookings are known. */
  book: ((room: ConferenceRoomWithClock, period: Period) => void) | undefined
}

/** The times of a day in which rooms are free, by start. */
export const FreeOnDay: FC<Props> = ({ rooms, bookings, day, book }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const free = rooms
    .filter(({ Active }) => Active)
    .flatMap((room) => {
      const StartTimestamp = Math.max(toEpoch(day, OPENS * 60, room.TimeZone), soon(now))
      const EndTimestamp = toEpoch(day, CLOSES * 60, room.TimeZone)
      if (EndTimestamp <= StartTimestamp) return []
      const busy = bookings.filter(({ ConferenceRoomID }) => ConferenceRoomID === room.ConferenceRoomID)
      return freePeriods(busy, { StartTimestamp, EndTimestamp }, SHORTEST).map((period) => ({ room, period }))
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

/** The next five minutes that have not begun. */
const soon = (now: number): number => Math.ceil(now / (5 * MINUTE)) * 5 * MINUTE
