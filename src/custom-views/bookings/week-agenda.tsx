import PlusOutlined from '@ant-design/icons-svg/es/asn/PlusOutlined.js'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { toWallTime } from '../../../contract/time/periods.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../../ui/plain/icon.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { AgendaList } from './agenda.tsx'
import { dayText } from './booking-words.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { minuteRangeOf } from './grid-geometry.ts'

interface Props {
  room: ConferenceRoomWithClock
  bookings: readonly BookingWithDetails[]
  /** Monday of the week, days since 1970-01-01. */
  firstDay: number
  mayBook: boolean
  bookOn: (day: number) => void
  open: (booking: BookingWithDetails) => void
}

/** A week of one room on a phone, day by day, including days without bookings. */
export function WeekAgenda({ room, bookings, firstDay, mayBook, bookOn, open }: Props) {
  const t = useT()
  const language = useLanguage()
  const today = toWallTime(useNow(), room.TimeZone).day
  return (
    <div className={styles.agendaWeek}>
      {Array.from({ length: 7 }, (_, i) => firstDay + i).map((day) => {
        const dayBookings = bookings.filter((booking) => minuteRangeOf(booking, day, room.TimeZone))
        const name = dayText(day, language)
        return (
          <section key={day} aria-label={name}>
            <header>
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
              <AgendaList rooms={[room]} bookings={dayBookings} open={open} />
            ) : (
              <p className={page.hint}>{t('bookings:nothingOnDay')}</p>
            )}
          </section>
        )
      })}
    </div>
  )
}
