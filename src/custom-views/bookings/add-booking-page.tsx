import { Card, InputNumber, Segmented, Space } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { right } from '../../../contract/kernel/permissions.ts'
import { bookings } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE, MINUTE, type Period } from '../../../contract/time/booking.ts'
import { toEpoch, toWallTime } from '../../../contract/time/periods.ts'
import { pathTo } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { MissingRight } from '../../ui/page/missing-right.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { BookingForm } from './booking-form.tsx'
import { shortDayText, timeText } from './booking-words.ts'
import { NoRooms } from './no-rooms.tsx'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { useConferenceRooms } from '../../domain/booking/use-bookings.ts'

/** Selectable durations, in minutes. */
const LENGTHS = [30, 60, 120]
/** Working hours in the room's time zone in which free slots are offered. */
const [OPENING_HOUR, CLOSING_HOUR] = [8, 19]
const MAX_SLOTS = 12

const BOOK = right('conference_room', 'Create')

/** Page for booking a room: pick a free slot, or fill in the form. */
export default function AddBookingPage() {
  const t = useT()
  const rooms = useConferenceRooms()
  const may = useMay(BOOK.feature, BOOK.operation)
  return (
    <Page title={t('shell:pages.ConferenceRoomAddBooking')}>
      {!may ? (
        <MissingRight right={BOOK} />
      ) : rooms.data ? (
        rooms.data.length === 0 ? (
          <NoRooms />
        ) : (
          <AddBooking rooms={rooms.data} />
        )
      ) : rooms.error ? (
        <LoadFailed error={rooms.error} retry={() => void rooms.refetch()} />
      ) : (
        <ListSkeleton rows={8} />
      )}
    </Page>
  )
}

function AddBooking({ rooms }: { rooms: readonly ConferenceRoomWithClock[] }) {
  const navigate = useNavigate()
  const guard = useLeaveGuard()
  const leavePage = () => {
    guard.setDirty(false)
    void navigate(pathTo('ConferenceRoomBooking'))
  }
  const [slot, setSlot] = useState<{ room: ConferenceRoomWithClock; period: Period }>()
  return (
    <div className={styles.two}>
      <FreeTime rooms={rooms} setSlot={(room, period) => setSlot({ room, period })} />
      <Card>
        <BookingForm rooms={rooms} {...slot} onDone={leavePage} cancel={leavePage} onDirty={guard.setDirty} />
      </Card>
    </div>
  )
}

interface FreeProps {
  rooms: readonly ConferenceRoomWithClock[]
  setSlot: (room: ConferenceRoomWithClock, period: Period) => void
}

/** The next free slots from today on, in rooms with enough seats. */
function FreeTime({ rooms, setSlot }: FreeProps) {
  const t = useT()
  const language = useLanguage()
  const zone = rooms[0]?.TimeZone ?? DEFAULT_ZONE
  const now = useNow()
  const today = toWallTime(now, zone).day
  const [daysAhead, setDaysAhead] = useState(0)
  const [minutes, setMinutes] = useState(60)
  const [people, setPeople] = useState(2)
  const opens = (of: string) => toEpoch(today + daysAhead, OPENING_HOUR * 60, of)
  const closes = (of: string) => toEpoch(today + daysAhead, CLOSING_HOUR * 60, of)
  const zones = [...new Set(rooms.map(({ TimeZone }) => TimeZone))]
  const query = useQuery({
    ...callQuery(bookings.availableSlots, {
      StartTimestamp: Math.min(...zones.map(opens)),
      EndTimestamp: Math.max(...zones.map(closes)),
      Minutes: minutes,
      Capacity: people,
    }),
  })
  const quarter = 15 * MINUTE
  const offers = (query.data ?? [])
    .flatMap((slot) => {
      const room = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === slot.ConferenceRoomID)
      if (!room) return []
      const from = Math.max(slot.StartTimestamp, opens(room.TimeZone), now)
      const StartTimestamp = Math.ceil(from / quarter) * quarter
      const EndTimestamp = StartTimestamp + minutes * MINUTE
      return EndTimestamp <= Math.min(slot.EndTimestamp, closes(room.TimeZone))
        ? [{ room, period: { StartTimestamp, EndTimestamp } }]
        : []
    })
    .toSorted((a, b) => a.period.StartTimestamp - b.period.StartTimestamp)
    .slice(0, MAX_SLOTS)
  return (
    <Card title={t('bookings:free.title')}>
      <div className={`${page.row} ${styles.filters}`}>
        <Segmented
          aria-label={t('bookings:date')}
          value={daysAhead}
          onChange={(value) => setDaysAhead(value)}
          options={[0, 1, 2, 3].map((value) => ({
            value,
            label: value === 0 ? t('bookings:today') : shortDayText(today + value, language),
          }))}
        />
        <Segmented
          aria-label={t('bookings:free.length')}
          value={minutes}
          onChange={(value) => setMinutes(value)}
          options={LENGTHS.map((value) => ({ value, label: t('bookings:minutes', { count: value }) }))}
        />
        <Space.Compact>
          <InputNumber
            min={1}
            max={10_000}
            precision={0}
            value={people}
            aria-label={t('bookings:atLeast')}
            onChange={(value) => setPeople(value ?? 1)}
          />
          <Space.Addon>{t('bookings:free.people')}</Space.Addon>
        </Space.Compact>
      </div>
      {query.error && !query.data ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : !query.data ? (
        <ListSkeleton rows={4} />
      ) : offers.length === 0 ? (
        <EmptyState message={t('bookings:free.none')} />
      ) : (
        <ul className={styles.offers}>
          {offers.map(({ room, period }) => (
            <li key={`${room.ConferenceRoomID} ${period.StartTimestamp}`}>
              <button type="button" onClick={() => setSlot(room, period)} className={styles.entry}>
                <strong>
                  {timeText(period.StartTimestamp, room.TimeZone, language)} –{' '}
                  {timeText(period.EndTimestamp, room.TimeZone, language)}
                </strong>
                <span className={page.hint}>
                  {t('bookings:roomOption', { room: room.ConferenceRoomName, count: room.Capacity })}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
