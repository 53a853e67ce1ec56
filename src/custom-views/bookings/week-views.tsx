import PlusOutlined from '@ant-design/icons-svg/es/asn/PlusOutlined.js'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { formatMinute, toWallTime } from '../../../contract/time/periods.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { dayText } from './booking-words.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { GridFrame, hourMarks, useHours } from './booking-grid.tsx'
import { minuteRangeOf } from './grid-geometry.ts'
import { Track } from './track.tsx'
import { Icon } from '../../ui/plain/icon.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { AgendaList } from './agenda.tsx'

interface Props {
  room: ConferenceRoomWithClock
  bookings: readonly BookingWithDetails[]
  /** Monday of the week, days since 1970-01-01. */
  firstDay: number
  mayBook: boolean
  book: (room: ConferenceRoomWithClock, period: Period) => void
  open: (booking: BookingWithDetails) => void
}

/** A week of one room in its time zone: a column per day. */
export function WeekGrid({ room, bookings, firstDay, mayBook, book, open }: Props) {
  const t = useT()
  const language = useLanguage()
  const today = toWallTime(useNow(), room.TimeZone).day
  const days = Array.from({ length: 7 }, (_, i) => firstDay + i)
  const hours = useHours(
    bookings.flatMap((booking) => days.flatMap((day) => minuteRangeOf(booking, day, room.TimeZone) ?? [])),
  )
  return (
    <GridFrame hours={hours} className={styles.week}>
      {({ carrier, announce }) => (
        <>
          <div className={styles.days} aria-hidden="true">
            <i className={styles.corner} />
            {days.map((day) => (
              <span key={day} className={day === today ? styles.today : ''}>
                {dayText(day, language)}
              </span>
            ))}
          </div>
          <div className={styles.columns}>
            <div className={styles.clock} aria-hidden="true">
              {/* The first one is at the edge. */}
              {hourMarks(hours)
                .slice(1)
                .map(({ minute, at }) => (
                  <span key={minute} style={{ top: at }}>
                    {formatMinute(minute)}
                  </span>
                ))}
            </div>
            {days.map((day) => (
              <Track
                key={day}
                room={room}
                day={day}
                bookings={bookings}
                axis="y"
                hours={hours}
                label={t('bookings:grid.column', {
                  day: dayText(day, language),
                  count: bookings.filter((booking) => minuteRangeOf(booking, day, room.TimeZone)).length,
                })}
                mayBook={mayBook && room.Active}
                carrier={carrier}
                book={book}
                open={open}
                announce={announce}
              />
            ))}
          </div>
        </>
      )}
    </GridFrame>
  )
}

interface WeekAgendaProps {
  room: ConferenceRoomWithClock
  bookings: readonly BookingWithDetails[]
  /** Monday of the week, days since 1970-01-01. */
  firstDay: number
  mayBook: boolean
  bookOn: (day: number) => void
  open: (booking: BookingWithDetails) => void
}

/** A week of one room on a phone, day by day, including days without bookings. */
export function WeekAgenda({ room, bookings, firstDay, mayBook, bookOn, open }: WeekAgendaProps) {
  const t = useT()
  const language = useLanguage()
  const today = toWallTime(useNow(), room.TimeZone).day
  return (
    <div className={page.stack}>
      {Array.from({ length: 7 }, (_, i) => firstDay + i).map((day) => {
        const dayBookings = bookings.filter((booking) => minuteRangeOf(booking, day, room.TimeZone))
        const name = dayText(day, language)
        return (
          <section key={day} aria-label={name}>
            <header className={page.spread}>
              <h2 className={day === today ? styles.today : ''}>{name}</h2>
              {mayBook && room.Active && day >= today && (
                <PlainButton
                  square
                  bare
                  aria-label={t('bookings:bookOn', { day: name })}
                  onClick={() => bookOn(day)}
                >
                  <Icon of={PlusOutlined} />
                </PlainButton>
              )}
            </header>
            {dayBookings.length > 0 ? (
              <AgendaList rooms={[room]} bookings={dayBookings} day={day} open={open} />
            ) : (
              <p className={page.hint}>{t('bookings:nothingOnDay')}</p>
            )}
          </section>
        )
      })}
    </div>
  )
}
