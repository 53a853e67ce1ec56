import {
  memo,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import type { SeenReservation } from '../../../contract/procedures/reservations.ts'
import type { ConferenceRoomWithClock } from '../../../contract/resources/conference-room.ts'
import { atWall } from '../../../contract/rules/booking-clock.ts'
import { DEFAULT_ZONE, type Period } from '../../../contract/rules/booking.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { useNow } from '../../ui/use-now.ts'
import { dayText, periodText, timeText } from './booking-words.ts'
import styles from './bookings.module.css'
import {
  DAY_MINUTES,
  dragged,
  freeAround,
  minuteOf,
  nudged,
  STEP,
  type Stretch,
  stretchOf,
  USUAL,
} from './grid-geometry.ts'

/** Pixels of an hour in each view, and the hour that stands at the left edge at first. */
const HOUR_WIDTH = { day: 64, week: 16 } as const
const FIRST_HOUR = 8

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  bookings: readonly SeenReservation[]
  /** Days since 1970-01-01 of the first day shown. */
  firstDay: number
  view: 'day' | 'week'
  /** Whether a drag or Enter may book. */
  mayBook: boolean
  book: (room: ConferenceRoomWithClock, period: Period) => void
  open: (booking: SeenReservation) => void
}

const NONE: readonly SeenReservation[] = []

/** A time grid: a line for each room on its own clock, its bookings on it. Drag or use the keys to book. */
export function BookingGrid({ rooms, bookings, firstDay, view, mayBook, book, open }: Props) {
  const t = useT()
  const language = useLanguage()
  const frame = useRef<HTMLDivElement>(null)
  const [said, say] = useState('')
  const days = view === 'week' ? 7 : 1
  const hour = HOUR_WIDTH[view]
  const byRoom = useMemo(() => {
    const lists = new Map<string, SeenReservation[]>()
    for (const booking of bookings) {
      const list = lists.get(booking.ConferenceRoomID)
      if (list) list.push(booking)
      else lists.set(booking.ConferenceRoomID, [booking])
    }
    return lists
  }, [bookings])
  useLayoutEffect(() => {
    if (!frame.current) return
    const day = Math.floor(minuteOf(Date.now(), firstDay, rooms[0]?.TimeZone ?? DEFAULT_ZONE) / DAY_MINUTES)
    const shown = view === 'week' && day > 0 && day < 7 ? day * 24 : 0
    frame.current.scrollLeft = (shown + FIRST_HOUR) * HOUR_WIDTH[view]
    // Walking through days leaves the hours where the person put them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [view])
  const labels = Array.from({ length: days * (view === 'week' ? 1 : 24) }, (_, i) => ({
    left: i * (view === 'week' ? 24 : 1) * hour,
    text: view === 'week' ? dayText(firstDay + i, language) : `${String(i).padStart(2, '0')}:00`,
  }))
  return (
    <>
      <p className={styles.hint} id="grid-help">
        {t(mayBook ? 'bookings:grid.help' : 'bookings:grid.helpReadOnly')}
      </p>
      <div
        ref={frame}
        className={styles.grid}
        style={
          {
            '--hour': `${hour}px`,
            '--tick': `${view === 'week' ? hour * 6 : hour}px`,
            '--days': days,
          } as CSSProperties
        }
      >
        <div className={styles.hours} aria-hidden="true">
          <i className={styles.corner} />
          {labels.map(({ left, text }) => (
            <span key={left} style={{ left }}>
              {text}
            </span>
          ))}
        </div>
        {rooms.map((room) => (
          <RoomLine
            key={room.ConferenceRoomID}
            room={room}
            bookings={byRoom.get(room.ConferenceRoomID) ?? NONE}
            firstDay={firstDay}
            days={days}
            hour={hour}
            mayBook={mayBook && room.Active}
            book={book}
            open={open}
            say={say}
          />
        ))}
      </div>
      <div className={styles.said} role="status">
        {said}
      </div>
    </>
  )
}

interface LineProps extends Omit<Props, 'rooms' | 'view'> {
  room: ConferenceRoomWithClock
  days: number
  hour: number
  say: (text: string) => void
}

const RoomLine = memo(function RoomLine(props: LineProps) {
  const { room, bookings, firstDay, days, hour, mayBook, book, open, say } = props
  const t = useT()
  const language = useLanguage()
  const zone = room.TimeZone
  const mark = useRef<HTMLDivElement>(null)
  const marked = useRef<Stretch>(undefined)
  const from = useRef<number>(undefined)
  /** How far the drag may go: to the bookings on either side. */
  const limits = useRef<Stretch>({ from: 0, to: days * DAY_MINUTES })
  const place = ({ from: start, to }: Stretch) => ({
    left: (start / 60) * hour,
    width: Math.max(2, ((to - start) / 60) * hour),
  })

  // A drag moves this one element by itself: nothing is drawn again until it ends.
  const show = (stretch: Stretch | undefined) => {
    marked.current = stretch
    const { style } = mark.current as HTMLDivElement
    style.display = stretch ? 'block' : 'none'
    if (!stretch) return
    const { left, width } = place(stretch)
    style.transform = `translateX(${left}px)`
    style.width = `${width}px`
  }
  const periodFor = ({ from: start, to }: Stretch): Period => ({
    StartTimestamp: atWall(firstDay + Math.floor(start / DAY_MINUTES), start % DAY_MINUTES, zone),
    EndTimestamp: atWall(firstDay + Math.floor(to / DAY_MINUTES), to % DAY_MINUTES, zone),
  })
  const busy = bookings.flatMap((booking) => stretchOf(booking, firstDay, days, zone) ?? [])
  const minuteAt = (event: PointerEvent<HTMLButtonElement>) =>
    ((event.clientX - event.currentTarget.getBoundingClientRect().left) / hour) * 60

  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    // A finger scrolls; it books with a tap on the room or in the list of a phone.
    if (!mayBook || event.button !== 0 || event.pointerType === 'touch') return
    from.current = minuteAt(event)
    limits.current = freeAround(from.current, busy, days)
    event.currentTarget.setPointerCapture(event.pointerId)
    show(dragged(from.current, from.current, limits.current))
  }
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>) => {
    if (from.current !== undefined) show(dragged(from.current, minuteAt(event), limits.current))
  }
  const onPointerUp = () => {
    if (from.current === undefined) return
    from.current = undefined
    const stretch = marked.current
    show(undefined)
    // A click alone means the usual length.
    if (stretch)
      book(room, periodFor(stretch.to - stretch.from <= STEP ? longer(stretch, limits.current) : stretch))
  }
  const cancel = () => {
    from.current = undefined
    show(undefined)
  }

  const at = (stretch: Stretch) =>
    bookings.find((booking) => {
      const there = stretchOf(booking, firstDay, days, zone)
      return there && there.from < stretch.to && stretch.from < there.to
    })
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const now = marked.current ?? startOf(firstDay, days, zone)
    const move = { ArrowLeft: -STEP, ArrowRight: STEP, PageUp: -DAY_MINUTES, PageDown: DAY_MINUTES }[
      event.key
    ]
    if (move !== undefined) {
      event.preventDefault()
      const next = nudged(now, marked.current ? move : 0, event.shiftKey, days)
      show(next)
      const there = at(next)
      const period = periodText(periodFor(next), zone, language)
      say(
        there
          ? t('bookings:grid.takenAt', { period, subject: there.Subject || t('bookings:private') })
          : t('bookings:grid.freeAt', { period }),
      )
      mark.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      const line = event.currentTarget.closest(`.${styles.line}`)
      const other = event.key === 'ArrowUp' ? line?.previousElementSibling : line?.nextElementSibling
      other?.querySelector<HTMLElement>('[data-track]')?.focus()
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      const there = at(now)
      if (there) open(there)
      else if (mayBook) book(room, periodFor(now))
    } else if (event.key === 'Escape') show(undefined)
  }

  return (
    <div className={styles.line}>
      <div className={styles.room}>
        <strong title={room.ConferenceRoomName}>{room.ConferenceRoomName}</strong>
        <small>
          {t('bookings:people', { count: room.Capacity })}
          {!room.Active && ` · ${t('bookings:closed')}`}
        </small>
      </div>
      <div className={styles.track}>
        <button
          type="button"
          className={styles.ground}
          data-track=""
          aria-label={t('bookings:grid.line', { room: room.ConferenceRoomName, count: bookings.length })}
          aria-describedby="grid-help"
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={cancel}
          onKeyDown={onKeyDown}
          onBlur={cancel}
        />
        {bookings.map((booking) => {
          const stretch = stretchOf(booking, firstDay, days, zone)
          if (!stretch) return null
          const title = booking.Hidden ? t('bookings:private') : booking.Subject
          const label = `${title}, ${periodText(booking, zone, language)}`
          return (
            <button
              key={booking.RecordID}
              type="button"
              tabIndex={-1}
              className={`${styles.block} ${booking.ReleasedAt !== null ? styles.released : ''} ${booking.Hidden ? styles.hidden : ''}`}
              style={place(stretch)}
              title={label}
              onClick={() => open(booking)}
            >
              <span>{title}</span>
              <small>{timeText(booking.StartTimestamp, zone, language)}</small>
            </button>
          )
        })}
        <NowLine firstDay={firstDay} days={days} hour={hour} zone={zone} />
        <div ref={mark} className={styles.mark} />
      </div>
    </div>
  )
})

/** Where it is now on the room's clock. */
function NowLine({
  firstDay,
  days,
  hour,
  zone,
}: Pick<LineProps, 'firstDay' | 'days' | 'hour'> & { zone: string }) {
  const minute = minuteOf(useNow(), firstDay, zone)
  if (minute < 0 || minute >= days * DAY_MINUTES) return null
  return <div className={styles.now} style={{ left: (minute / 60) * hour }} />
}

const longer = ({ from }: Stretch, limits: Stretch): Stretch => ({
  from,
  to: Math.min(limits.to, from + USUAL),
})

/** Where the keys begin: at the next step from now where now is shown, else at nine. */
function startOf(firstDay: number, days: number, zone: string): Stretch {
  const now = minuteOf(Date.now(), firstDay, zone)
  const shown = now >= 0 && now < days * DAY_MINUTES - USUAL
  const from = shown ? Math.ceil(now / STEP) * STEP : 9 * 60
  return { from, to: from + USUAL }
}
