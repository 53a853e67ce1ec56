import {
  memo,
  useEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { toEpoch } from '../../../contract/time/wall-time.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { periodText, timeText } from './booking-words.ts'
import styles from './bookings.module.css'
import type { KeyboardSelection } from './keyboard-selection.ts'
import {
  DAY_MINUTES,
  dragged,
  freeAround,
  keysBegin,
  minuteOf,
  nudged,
  STEP_MINUTES,
  type MinuteRange,
  minuteRangeOf,
  DEFAULT_MINUTES,
} from './grid-geometry.ts'

export interface TrackProps {
  room: ConferenceRoomWithClock
  /** Days since 1970-01-01 in the room's time zone. */
  day: number
  /** Bookings of this room; those of other days are not shown. */
  bookings: readonly BookingWithDetails[]
  axis: 'x' | 'y'
  hour: number
  label: string
  /** Whether a drag or Enter may book. */
  mayBook: boolean
  /** Shared by the tracks of one grid. */
  carrier: KeyboardSelection
  book: (room: ConferenceRoomWithClock, period: Period) => void
  open: (booking: BookingWithDetails) => void
  say: (text: string) => void
}

/** Time that a finger must rest before it drags instead of scrolling, and its maximum movement meanwhile in pixels. */
const [HOLD_MS, STRAY] = [400, 8]

/** A day of a room with its bookings, in its time zone. Drag, tap or use the keys to book. */
export const Track = memo(function Track(props: TrackProps) {
  const { room, day, bookings, axis, hour, label, mayBook, carrier, book, open, say } = props
  const t = useT()
  const language = useLanguage()
  const zone = room.TimeZone
  const mark = useRef<HTMLDivElement>(null)
  const marked = useRef<MinuteRange>(undefined)
  const from = useRef<number>(undefined)
  const ground = useRef<HTMLButtonElement>(null)
  /** Pending long press. */
  const hold = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined)
  /** Whether a long press has dragged: the click that follows it must not book. */
  const held = useRef(false)
  /** Limits of the drag: the adjacent bookings. */
  const limits = useRef<MinuteRange>({ from: 0, to: DAY_MINUTES })
  const shown = useMemo(
    () =>
      bookings.flatMap((booking) => {
        const stretch = minuteRangeOf(booking, day, zone)
        return stretch ? [{ booking, stretch }] : []
      }),
    [bookings, day, zone],
  )
  const pixels = (minutes: number) => (minutes / 60) * hour
  const place = ({ from: start, to }: MinuteRange) => {
    const [begin, size] = [pixels(start), Math.max(2, pixels(to - start))]
    return axis === 'x' ? { left: begin, width: size } : { top: begin, height: size }
  }

  // A drag styles this one element directly; React renders only when it ends.
  const show = (stretch: MinuteRange | undefined) => {
    marked.current = stretch
    const { style } = mark.current as HTMLDivElement
    style.display = stretch ? 'block' : 'none'
    if (!stretch) return
    style.transform = `translate${axis.toUpperCase()}(${pixels(stretch.from)}px)`
    style[axis === 'x' ? 'width' : 'height'] = `${pixels(stretch.to - stretch.from)}px`
  }
  const periodFor = ({ from: start, to }: MinuteRange): Period => ({
    StartTimestamp: toEpoch(day, start, zone),
    EndTimestamp: to === DAY_MINUTES ? toEpoch(day + 1, 0, zone) : toEpoch(day, to, zone),
  })
  const minuteAt = ({ clientX, clientY, currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    return ((axis === 'x' ? clientX - left : clientY - top) / hour) * 60
  }

  /** Starts at the minute under the pointer; returns false if that is in the past. */
  const begin = (minute: number): boolean => {
    const now = minuteOf(gatewayNow(), day, zone)
    const free = freeAround(
      minute,
      shown.map(({ stretch }) => stretch),
    )
    if (minute < now - (now % STEP_MINUTES) || free.to <= now) {
      say(t('bookings:grid.past'))
      return false
    }
    limits.current = { from: Math.max(free.from, now), to: free.to }
    show(dragged(minute, minute, limits.current))
    return true
  }
  const finish = () => {
    const stretch = marked.current
    show(undefined)
    // A click without a drag books the default length.
    if (stretch)
      book(
        room,
        periodFor(stretch.to - stretch.from <= STEP_MINUTES ? longer(stretch, limits.current) : stretch),
      )
  }
  const letGo = () => {
    clearTimeout(hold.current?.timer)
    hold.current = undefined
  }
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (!mayBook || event.button !== 0) return
    const { currentTarget, pointerId, clientX, clientY } = event
    const minute = minuteAt(event)
    const drag = () => {
      if (!begin(minute)) return
      from.current = minute
      currentTarget.setPointerCapture(pointerId)
    }
    if (event.pointerType !== 'touch') return drag()
    // A finger scrolls, and books with a tap; after a long press it drags.
    held.current = false
    const timer = setTimeout(() => {
      held.current = true
      drag()
    }, HOLD_MS)
    hold.current = { timer, x: clientX, y: clientY }
  }
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>) => {
    const { clientX, clientY } = event
    if (from.current !== undefined) show(dragged(from.current, minuteAt(event), limits.current))
    else if (hold.current && Math.hypot(clientX - hold.current.x, clientY - hold.current.y) > STRAY) letGo()
  }
  const onPointerUp = () => {
    letGo()
    if (from.current === undefined) return
    from.current = undefined
    finish()
  }
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    const { pointerType } = event.nativeEvent as globalThis.PointerEvent
    if (mayBook && pointerType === 'touch' && !held.current && begin(minuteAt(event))) finish()
  }
  const cancel = () => {
    letGo()
    from.current = undefined
    show(undefined)
  }
  // Prevents scrolling during a touch drag; React's touch listeners are passive and cannot.
  useEffect(() => {
    const own = ground.current as HTMLButtonElement
    const stay = (event: TouchEvent) => from.current !== undefined && event.preventDefault()
    own.addEventListener('touchmove', stay, { passive: false })
    return () => {
      own.removeEventListener('touchmove', stay)
      clearTimeout(hold.current?.timer)
    }
  }, [])

  const at = (stretch: MinuteRange) =>
    shown.find((there) => there.stretch.from < stretch.to && stretch.from < there.stretch.to)?.booking
  const put = (stretch: MinuteRange) => {
    show(stretch)
    const there = at(stretch)
    const period = periodText(periodFor(stretch), zone, language)
    say(
      there
        ? t('bookings:grid.takenAt', { period, subject: there.Subject || t('bookings:private') })
        : t('bookings:grid.freeAt', { period }),
    )
    mark.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  const onFocus = () => {
    const stretch = carrier.take()
    if (stretch) put(stretch)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const now = marked.current ?? keysBegin(day, zone, gatewayNow())
    const along = KEYS[axis].along[event.key]
    const across = KEYS[axis].across[event.key]
    if (along !== undefined) {
      event.preventDefault()
      put(nudged(now, marked.current ? along * STEP_MINUTES : 0, event.shiftKey))
    } else if (across !== undefined) {
      event.preventDefault()
      const tracks = [
        ...(event.currentTarget.closest('[data-tracks]')?.querySelectorAll<HTMLElement>('[data-track]') ??
          []),
      ]
      const other = tracks[tracks.indexOf(event.currentTarget) + across]
      if (!other) return
      carrier.leave(marked.current)
      other.focus()
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      const there = at(now)
      const over = now.from < minuteOf(gatewayNow(), day, zone)
      if (there) open(there)
      else if (over) say(t('bookings:grid.past'))
      else if (mayBook) book(room, periodFor(now))
    } else if (event.key === 'Escape') show(undefined)
  }

  return (
    <div className={styles.track}>
      <button
        ref={ground}
        type="button"
        className={styles.ground}
        data-track=""
        aria-label={label}
        aria-describedby="grid-help"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={cancel}
        onContextMenu={(event) => hold.current && event.preventDefault()}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={cancel}
      />
      <Past day={day} axis={axis} hour={hour} zone={zone} />
      {shown.map(({ booking, stretch }) => {
        const title = booking.Hidden ? t('bookings:private') : booking.Subject
        return (
          <button
            key={booking.RecordID}
            type="button"
            tabIndex={-1}
            className={`${styles.block} ${shortness(stretch)} ${booking.ReleasedAt !== null ? styles.released : ''} ${booking.Hidden ? styles.hidden : ''}`}
            style={place(stretch)}
            title={`${title}, ${periodText(booking, zone, language)}`}
            onClick={() => open(booking)}
          >
            <span>{title}</span>
            <small>{timeText(booking.StartTimestamp, zone, language)}</small>
          </button>
        )
      })}
      <div ref={mark} className={styles.mark} />
    </div>
  )
}, same)

/** Style of a short booking: only the subject, in small type below 45 minutes, on one line below 30. */
const shortness = ({ from, to }: MinuteRange): string =>
  (to - from < 30 ? styles.slim : to - from < 45 ? styles.short : '') ?? ''

/** A changed booking creates a new list for every track; only the affected track renders again. */
function same(before: TrackProps, after: TrackProps): boolean {
  const { bookings: old, ...was } = before
  const { bookings, ...is } = after
  return (
    old.length === bookings.length &&
    old.every((booking, i) => booking === bookings[i]) &&
    (Object.keys(is) as (keyof typeof is)[]).every((key) => was[key] === is[key])
  )
}

/** Steps of the arrow keys: along the hours, and across to the next track. */
const KEYS: Record<
  TrackProps['axis'],
  { along: Record<string, number | undefined>; across: Record<string, number | undefined> }
> = {
  x: { along: { ArrowLeft: -1, ArrowRight: 1 }, across: { ArrowUp: -1, ArrowDown: 1 } },
  y: { along: { ArrowUp: -1, ArrowDown: 1 }, across: { ArrowLeft: -1, ArrowRight: 1 } },
}

interface PastProps extends Pick<TrackProps, 'day' | 'axis' | 'hour'> {
  zone: string
}

/** Shades the past up to the present time in the room's time zone. */
function Past({ day, axis, hour, zone }: PastProps) {
  const minute = minuteOf(useNow(), day, zone)
  if (minute < 0) return null
  const size = (Math.min(minute, DAY_MINUTES) / 60) * hour
  return (
    <div
      className={`${styles.past} ${minute < DAY_MINUTES ? styles.now : ''}`}
      style={axis === 'x' ? { width: size } : { height: size }}
    />
  )
}

const longer = ({ from }: MinuteRange, limits: MinuteRange): MinuteRange => ({
  from,
  to: Math.min(limits.to, from + DEFAULT_MINUTES),
})
