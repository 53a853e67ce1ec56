import {
  memo,
  useEffect,
  useMemo,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { toEpoch } from '../../../contract/time/periods.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { workingRange } from './free-slots.ts'
import { periodText, timeText } from './booking-words.ts'
import styles from './bookings.module.css'
import {
  type KeyboardSelection,
  DAY_MINUTES,
  dragged,
  freeRangeAround,
  keysBegin,
  minuteOf,
  nudgeRange,
  STEP_MINUTES,
  type MinuteRange,
  minuteRangeOf,
  percentOf,
  DEFAULT_MINUTES,
} from './grid-geometry.ts'

export interface TrackProps {
  room: ConferenceRoomWithClock
  /** Days since 1970-01-01 in the room's time zone. */
  day: number
  /** Bookings of this room; those of other days are not shown. */
  bookings: readonly BookingWithDetails[]
  axis: 'x' | 'y'
  /** Hours that the grid shows. */
  hours: MinuteRange
  label: string
  /** Whether a drag or Enter may book. */
  mayBook: boolean
  /** Shared by the tracks of one grid. */
  carrier: KeyboardSelection
  book: (room: ConferenceRoomWithClock, period: Period) => void
  open: (booking: BookingWithDetails) => void
  announce: (text: string) => void
}

/** Time that a finger must rest before it drags instead of scrolling, and its maximum movement meanwhile in pixels. */
const [LONG_PRESS_MS, MAX_PRESS_MOVE_PX] = [400, 8]

/** A day of a room with its bookings, in its time zone. Drag, tap or use the keys to book. */
export const Track = memo(function Track(props: TrackProps) {
  const { room, day, bookings, axis, hours, label, mayBook, carrier, book, open, announce } = props
  const t = useT()
  const language = useLanguage()
  const zone = room.TimeZone
  const mark = useRef<HTMLDivElement>(null)
  const selectedRange = useRef<MinuteRange>(undefined)
  const from = useRef<number>(undefined)
  const ground = useRef<HTMLButtonElement>(null)
  /** Pending long press. */
  const longPress = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined)
  /** Whether a long press has dragged: the click that follows it must not book. */
  const hasDragged = useRef(false)
  /** Limits of the drag: the adjacent bookings. */
  const limits = useRef<MinuteRange>(hours)
  const ranges = useMemo(
    () =>
      bookings.flatMap((booking) => {
        const range = minuteRangeOf(booking, day, zone)
        return range ? [{ booking, stretch: range }] : []
      }),
    [bookings, day, zone],
  )
  const place = ({ from: start, to }: MinuteRange) => {
    const [offset, size] = [percentOf(start, hours), percentOf(hours.from + to - start, hours)]
    return axis === 'x' ? { left: offset, width: size } : { top: offset, height: size }
  }

  // A drag styles this one element directly; React renders only when it ends.
  const showRange = (range: MinuteRange | undefined) => {
    selectedRange.current = range
    const { style } = mark.current as HTMLDivElement
    style.display = range ? 'block' : 'none'
    if (range) Object.assign(style, place(range))
  }
  const periodFor = ({ from: start, to }: MinuteRange): Period => ({
    StartTimestamp: toEpoch(day, start, zone),
    EndTimestamp: to === DAY_MINUTES ? toEpoch(day + 1, 0, zone) : toEpoch(day, to, zone),
  })
  const minuteAt = ({ clientX, clientY, currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const share = axis === 'x' ? (clientX - left) / width : (clientY - top) / height
    return hours.from + share * (hours.to - hours.from)
  }

  /** Starts at the minute under the pointer; returns false if that is in the past. */
  const beginDrag = (minute: number): boolean => {
    const now = minuteOf(gatewayNow(), day, zone)
    const freeRange = freeRangeAround(
      minute,
      ranges.map(({ stretch: range }) => range),
      hours,
    )
    if (minute < now - (now % STEP_MINUTES) || freeRange.to <= now) {
      announce(t('bookings:grid.past'))
      return false
    }
    limits.current = { from: Math.max(freeRange.from, now), to: freeRange.to }
    showRange(dragged(minute, minute, limits.current))
    return true
  }
  const finish = () => {
    const range = selectedRange.current
    showRange(undefined)
    // A click without a drag books the default length.
    if (range)
      book(
        room,
        periodFor(range.to - range.from <= STEP_MINUTES ? extendRange(range, limits.current) : range),
      )
  }
  const releaseDrag = () => {
    clearTimeout(longPress.current?.timer)
    longPress.current = undefined
  }
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (!mayBook || event.button !== 0) return
    const { currentTarget, pointerId, clientX, clientY } = event
    const minute = minuteAt(event)
    const drag = () => {
      if (!beginDrag(minute)) return
      from.current = minute
      currentTarget.setPointerCapture(pointerId)
    }
    if (event.pointerType !== 'touch') return drag()
    // A finger scrolls, and books with a tap; after a long press it drags.
    hasDragged.current = false
    const timer = setTimeout(() => {
      hasDragged.current = true
      drag()
    }, LONG_PRESS_MS)
    longPress.current = { timer, x: clientX, y: clientY }
  }
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>) => {
    const { clientX, clientY } = event
    if (from.current !== undefined) showRange(dragged(from.current, minuteAt(event), limits.current))
    else if (
      longPress.current &&
      Math.hypot(clientX - longPress.current.x, clientY - longPress.current.y) > MAX_PRESS_MOVE_PX
    )
      releaseDrag()
  }
  const onPointerUp = () => {
    releaseDrag()
    if (from.current === undefined) return
    from.current = undefined
    finish()
  }
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    const { pointerType } = event.nativeEvent as globalThis.PointerEvent
    if (mayBook && pointerType === 'touch' && !hasDragged.current && beginDrag(minuteAt(event))) finish()
  }
  const cancel = () => {
    releaseDrag()
    from.current = undefined
    showRange(undefined)
  }
  // Prevents scrolling during a touch drag; React's touch listeners are passive and cannot.
  useEffect(() => {
    const element = ground.current as HTMLButtonElement
    const preventScroll = (event: TouchEvent) => from.current !== undefined && event.preventDefault()
    element.addEventListener('touchmove', preventScroll, { passive: false })
    return () => {
      element.removeEventListener('touchmove', preventScroll)
      clearTimeout(longPress.current?.timer)
    }
  }, [])

  const at = (range: MinuteRange) =>
    ranges.find((drawn) => drawn.stretch.from < range.to && range.from < drawn.stretch.to)?.booking
  const moveTo = (range: MinuteRange) => {
    showRange(range)
    const bookingThere = at(range)
    const period = periodText(periodFor(range), zone, language)
    announce(
      bookingThere
        ? t('bookings:grid.takenAt', { period, subject: bookingThere.Subject || t('bookings:private') })
        : t('bookings:grid.freeAt', { period }),
    )
    mark.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  const onFocus = () => {
    const range = carrier.consume()
    if (range) moveTo(range)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const now = selectedRange.current ?? keysBegin(day, zone, gatewayNow(), hours)
    const step = KEYS[axis].along[event.key]
    const trackStep = KEYS[axis].across[event.key]
    if (step !== undefined) {
      event.preventDefault()
      moveTo(nudgeRange(now, selectedRange.current ? step * STEP_MINUTES : 0, event.shiftKey, hours))
    } else if (trackStep !== undefined) {
      event.preventDefault()
      const tracks = [
        ...(event.currentTarget.closest('[data-tracks]')?.querySelectorAll<HTMLElement>('[data-track]') ??
          []),
      ]
      const nextTrack = tracks[tracks.indexOf(event.currentTarget) + trackStep]
      if (!nextTrack) return
      carrier.save(selectedRange.current)
      nextTrack.focus()
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      const bookingThere = at(now)
      const isPast = now.from < minuteOf(gatewayNow(), day, zone)
      if (bookingThere) open(bookingThere)
      else if (isPast) announce(t('bookings:grid.past'))
      else if (mayBook) book(room, periodFor(now))
    } else if (event.key === 'Escape') showRange(undefined)
  }

  return (
    <div className={styles.track} style={closedHours(day, hours)}>
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
        onContextMenu={(event) => longPress.current && event.preventDefault()}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={cancel}
      />
      <Past day={day} axis={axis} hours={hours} zone={zone} />
      {ranges.map(({ booking, stretch: range }) => {
        const title = booking.Hidden ? t('bookings:private') : booking.Subject
        return (
          <button
            key={booking.RecordID}
            type="button"
            tabIndex={-1}
            className={`${styles.block} ${shortnessClass(range)} ${booking.ReleasedAt !== null ? styles.released : ''} ${booking.Hidden ? styles.hidden : ''}`}
            style={place(range)}
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
}, isSameTrack)

/** Lengths of the closed hours at both ends of a day, for its background. */
function closedHours(day: number, hours: MinuteRange): CSSProperties {
  const { from, to } = workingRange(day) ?? { from: hours.to, to: hours.to }
  return {
    '--opens': percentOf(from, hours),
    '--closes': percentOf(hours.from + hours.to - to, hours),
  } as CSSProperties
}

/** Style of a short booking: only the subject, in small type below 45 minutes, on one line below 30. */
const shortnessClass = ({ from, to }: MinuteRange): string =>
  (to - from < 30 ? styles.slim : to - from < 45 ? styles.short : '') ?? ''

/** A changed booking creates a new list for every track; only the affected track renders again. */
function isSameTrack(previous: TrackProps, next: TrackProps): boolean {
  const { bookings: old, ...previousProps } = previous
  const { bookings, ...nextProps } = next
  return (
    old.length === bookings.length &&
    old.every((booking, i) => booking === bookings[i]) &&
    (Object.keys(nextProps) as (keyof typeof nextProps)[]).every(
      (key) => previousProps[key] === nextProps[key],
    )
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

interface PastProps extends Pick<TrackProps, 'day' | 'axis' | 'hours'> {
  zone: string
}

/** Shades the past up to the present time in the room's time zone. */
function Past({ day, axis, hours, zone }: PastProps) {
  const minute = minuteOf(useNow(), day, zone)
  if (minute < hours.from) return null
  const size = percentOf(minute, hours)
  return (
    <div
      className={`${styles.past} ${minute < hours.to ? styles.now : ''}`}
      style={axis === 'x' ? { width: size } : { height: size }}
    />
  )
}

const extendRange = ({ from }: MinuteRange, limits: MinuteRange): MinuteRange => ({
  from,
  to: Math.min(limits.to, from + DEFAULT_MINUTES),
})
