import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type FC } from 'react'
import { bookings, type BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { MINUTE, type Period, freePeriods } from '../../../contract/time/booking.ts'
import { callQuery } from '../../data/api.ts'
import { onQueriesSettled } from '../../data/on-settled.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { PlainSegmented } from '../../ui/plain/plain-choice.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import { timeText } from './booking-words.ts'
import styles from './bookings.module.css'
import { LengthChoice } from './length-choice.tsx'
import { workingPeriod } from './free-slots.ts'
import { useMeetingRoomWords } from '../../domain/booking/use-meeting-room-words.ts'

const QuickBooking = lazyPart(() => import('./quick-booking.tsx'), { isOverlay: true })

/** Selectable starts from now and durations, in minutes. */
const START_OFFSETS_MINUTES = [0, 30, 60] as const
const LENGTHS = [30, 60, 90] as const
/** Hours to look ahead. */
const LOOKAHEAD_HOURS = 16
const STEP = 5 * MINUTE
/** Tolerance for a gateway clock that is ahead of this browser's. */
const MAX_START_DELAY_MS = 2 * MINUTE

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  mayBook: boolean
  toDay: () => void
}

/** Rooms that are free now or soon, and until when; a tap books one. */
export const FreeNow: FC<Props> = ({ rooms, mayBook, toDay }) => {
  const t = useT()
  const { siteOf } = useMeetingRoomWords(rooms)
  const language = useLanguage()
  const now = useNow()
  const [startMinute, setStartMinute] = useState<number>(START_OFFSETS_MINUTES[0])
  const [minutes, setMinutes] = useState<number>(LENGTHS[0])
  const [requested, setRequested] = useState<{ room: ConferenceRoomWithClock; period: Period }>()
  useEffect(() => onQueriesSettled(() => void QuickBooking.preload()), [])
  const requestedFrom = Math.floor(now / STEP) * STEP
  const until = requestedFrom + LOOKAHEAD_HOURS * 60 * MINUTE
  const query = useQuery(
    callQuery(bookings.availableSlots, {
      StartTimestamp: requestedFrom,
      EndTimestamp: until,
      Minutes: LENGTHS[0],
    }),
  )
  const start =
    startMinute === 0
      ? Math.floor(now / MINUTE) * MINUTE
      : Math.ceil((now + startMinute * MINUTE) / STEP) * STEP
  const freeRooms = (query.data ?? []).flatMap((slot) => {
    const room = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === slot.ConferenceRoomID)
    if (!room || slot.StartTimestamp > start + MAX_START_DELAY_MS) return []
    const StartTimestamp = Math.max(start, slot.StartTimestamp)
    const EndTimestamp = StartTimestamp + minutes * MINUTE
    return EndTimestamp <= slot.EndTimestamp
      ? [{ room, period: { StartTimestamp, EndTimestamp }, end: slot.EndTimestamp }]
      : []
  })
  return (
    <>
      <div className={page.field}>
        <PlainSegmented
          block
          label={t('bookings:now.begins')}
          value={String(startMinute)}
          onChange={(value) => setStartMinute(Number(value))}
          options={START_OFFSETS_MINUTES.map((value) => ({
            value: String(value),
            label: value === 0 ? t('bookings:now.now') : t('bookings:now.in', { count: value }),
          }))}
        />
        <LengthChoice block value={minutes} choose={setMinutes} lengths={LENGTHS} />
      </div>
      {query.error && !query.data ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : !query.data ? (
        <ListSkeleton rows={6} />
      ) : freeRooms.length === 0 ? (
        <EmptyState
          message={t('bookings:now.none')}
          next={<PlainButton onClick={toDay}>{t('bookings:now.toDay')}</PlainButton>}
        />
      ) : (
        <ul className={`${page.tightStack} ${styles.agenda}`} aria-label={t('bookings:now.rooms')}>
          {freeRooms.map(({ room, period, end }) => (
            <li key={room.ConferenceRoomID}>
              <button
                type="button"
                disabled={!mayBook}
                className={styles.entry}
                onClick={() => setRequested({ room, period })}
              >
                <strong>{room.ConferenceRoomName}</strong>
                <span>
                  {end >= until
                    ? t('bookings:now.restOfDay')
                    : t('bookings:now.until', { time: timeText(end, room.TimeZone, language) })}
                </span>
                <span className={page.hint}>
                  {[siteOf(room), t('bookings:people', { count: room.Capacity })].filter(Boolean).join(' · ')}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {requested && <QuickBooking {...requested} close={() => setRequested(undefined)} />}
    </>
  )
}

/** Minimum length of a slot, and maximum initial length of its booking, in minutes. */
const MIN_FREE_MINUTES = 30
const DEFAULT_DURATION_MINUTES = 60

interface FreeOnDayProps {
  rooms: readonly ConferenceRoomWithClock[]
  bookings: readonly BookingWithDetails[]
  day: number
  /** Undefined without the right to book, and until all bookings are loaded. */
  book: ((room: ConferenceRoomWithClock, period: Period) => void) | undefined
}

/** Free slots of all rooms on a day, by start. */
export const FreeOnDay: FC<FreeOnDayProps> = ({ rooms, bookings, day, book }) => {
  const t = useT()
  const { optionOf } = useMeetingRoomWords(rooms)
  const language = useLanguage()
  const now = useNow()
  const freeRooms = rooms
    .filter(({ Active }) => Active)
    .flatMap((room) => {
      const hours = workingPeriod(day, room.TimeZone)
      const StartTimestamp = Math.max(hours.StartTimestamp, nextFullFiveMinutes(now))
      const { EndTimestamp } = hours
      if (EndTimestamp <= StartTimestamp) return []
      const busy = bookings.filter(({ ConferenceRoomID }) => ConferenceRoomID === room.ConferenceRoomID)
      return freePeriods(busy, { StartTimestamp, EndTimestamp }, MIN_FREE_MINUTES).map((period) => ({
        room,
        period,
      }))
    })
    .toSorted((a, b) => a.period.StartTimestamp - b.period.StartTimestamp)
  if (freeRooms.length === 0) return <EmptyState message={t('bookings:now.noneOnDay')} />
  return (
    <ul className={`${page.tightStack} ${styles.agenda}`}>
      {freeRooms.map(({ room, period: { StartTimestamp, EndTimestamp } }) => (
        <li key={`${room.ConferenceRoomID} ${StartTimestamp}`}>
          <button
            type="button"
            disabled={!book}
            className={styles.entry}
            onClick={() =>
              book?.(room, {
                StartTimestamp,
                EndTimestamp: Math.min(EndTimestamp, StartTimestamp + DEFAULT_DURATION_MINUTES * MINUTE),
              })
            }
          >
            <strong>
              {t('bookings:now.span', {
                from: timeText(StartTimestamp, room.TimeZone, language),
                until: timeText(EndTimestamp, room.TimeZone, language),
              })}
            </strong>
            <span className={page.hint}>{optionOf(room)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Rounds up to five minutes. */
const nextFullFiveMinutes = (now: number): number => Math.ceil(now / (5 * MINUTE)) * 5 * MINUTE
