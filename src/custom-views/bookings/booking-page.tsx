import { LeftOutlined, PlusOutlined, RightOutlined } from '@ant-design/icons'
import { Button, DatePicker, Input, InputNumber, Segmented } from 'antd'
import dayjs from 'dayjs'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { SeenReservation } from '../../../contract/procedures/reservations.ts'
import type { ConferenceRoomWithClock } from '../../../contract/resources/conference-room.ts'
import { DEFAULT_ZONE, type Period } from '../../../contract/rules/booking.ts'
import { dateOf, onWall } from '../../../contract/rules/booking-clock.ts'
import { startOfDay } from '../../../contract/rules/periods.ts'
import { pathTo } from '../../paths.ts'
import { useT } from '../../providers/i18n.ts'
import { useMay } from '../../providers/session.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/crud/states.tsx'
import { useNow } from '../../ui/use-now.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { Agenda } from './agenda.tsx'
import { BookingDetails } from './booking-details.tsx'
import { BookingDialog } from './booking-dialog.tsx'
import { BookingGrid } from './booking-grid.tsx'
import { dayPicked } from './booking-values.ts'
import styles from './bookings.module.css'
import { useBookings, useConferenceRooms } from './use-bookings.ts'
import { useCalendarAddress } from './use-calendar-address.ts'

/** Bookings of all rooms: a day or a week on a time grid, a list on a phone. */
export default function BookingPage() {
  const t = useT()
  const rooms = useConferenceRooms()
  return (
    <section className={styles.page}>
      {rooms.data ? (
        rooms.data.length === 0 ? (
          <NoRooms />
        ) : (
          <Calendar rooms={rooms.data} />
        )
      ) : rooms.error ? (
        <LoadFailed error={rooms.error} retry={() => void rooms.refetch()} />
      ) : (
        <>
          <h1>{t('shell:pages.ConferenceRoomBooking')}</h1>
          <ListSkeleton rows={10} />
        </>
      )}
    </section>
  )
}

function NoRooms() {
  const t = useT()
  return (
    <>
      <h1>{t('shell:pages.ConferenceRoomBooking')}</h1>
      <Nothing
        why={t('bookings:noRooms')}
        next={<Link to={pathTo('ConferenceRoomListing')}>{t('bookings:toRooms')}</Link>}
      />
    </>
  )
}

function Calendar({ rooms }: { rooms: readonly ConferenceRoomWithClock[] }) {
  const t = useT()
  const phone = usePhone()
  const mayBook = useMay('conference_room', 'Create')
  const zones = [...new Set(rooms.map(({ TimeZone }) => TimeZone))]
  const today = onWall(useNow(), zones[0] ?? DEFAULT_ZONE).day
  const { day, view, search, people, booking: opened, change } = useCalendarAddress(today)
  const days = view === 'week' ? 7 : 1
  // Weeks begin on Monday; 1970-01-01 was a Thursday.
  const firstDay = view === 'week' ? day - ((((day + 3) % 7) + 7) % 7) : day
  const span: Period = {
    StartTimestamp: Math.min(...zones.map((zone) => startOfDay(firstDay, zone))),
    EndTimestamp: Math.max(...zones.map((zone) => startOfDay(firstDay + days, zone))),
  }
  const query = useBookings(span)
  const [wanted, setWanted] = useState<{ room?: ConferenceRoomWithClock; period?: Period }>()
  const shown = useMemo(() => {
    const word = search.trim().toLowerCase()
    return rooms.filter(
      (room) =>
        room.Capacity >= people &&
        `${room.ConferenceRoomName} ${room.Equipment}`.toLowerCase().includes(word),
    )
  }, [rooms, search, people])
  const actions = useMemo(
    () => ({
      book: (room: ConferenceRoomWithClock, period: Period) => setWanted({ room, period }),
      open: (booking: SeenReservation) => change({ booking: booking.RecordID }),
    }),
    [change],
  )
  const detail = query.data?.find(({ RecordID }) => RecordID === opened)
  const step = (by: number) => change({ day: day + by * days })

  return (
    <>
      <header className={styles.header}>
        <h1>{t('shell:pages.ConferenceRoomBooking')}</h1>
        <div className={styles.tools}>
          <Link to={pathTo('ConferenceRoomMyBooking')}>{t('shell:pages.ConferenceRoomMyBooking')}</Link>
          {mayBook && (
            <Link to={pathTo('ConferenceRoomAddBooking')} className={styles.primary}>
              <PlusOutlined /> {t('shell:pages.ConferenceRoomAddBooking')}
            </Link>
          )}
        </div>
      </header>
      <div className={styles.filters}>
        <Button icon={<LeftOutlined />} aria-label={t('bookings:earlier')} onClick={() => step(-1)} />
        <DatePicker
          value={dayjs(dateOf(day))}
          allowClear={false}
          aria-label={t('bookings:date')}
          onChange={(date) => date && change({ day: dayPicked(date) })}
        />
        <Button icon={<RightOutlined />} aria-label={t('bookings:later')} onClick={() => step(1)} />
        <Button onClick={() => change({ day: today })} disabled={day === today}>
          {t('bookings:today')}
        </Button>
        <Segmented
          value={view}
          aria-label={t('bookings:view')}
          options={[
            { value: 'day', label: t('bookings:day') },
            { value: 'week', label: t('bookings:week') },
          ]}
          onChange={(value) => change({ view: value as 'day' | 'week' })}
        />
        <Input.Search
          allowClear
          className={styles.search}
          value={search}
          placeholder={t('bookings:searchRoom')}
          aria-label={t('bookings:searchRoom')}
          onChange={(event) => change({ search: event.target.value })}
        />
        <InputNumber
          min={1}
          max={10_000}
          precision={0}
          value={people || null}
          className={styles.people}
          placeholder={t('bookings:atLeast')}
          aria-label={t('bookings:atLeast')}
          onChange={(value) => change({ people: value ?? 0 })}
        />
      </div>
      {!query.data ? (
        query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={10} />
        )
      ) : shown.length === 0 ? (
        <Nothing
          why={t('bookings:noRoomMatches')}
          next={
            <Button onClick={() => change({ search: '', people: 0 })}>
              {t('screens:list.clearFilters')}
            </Button>
          }
        />
      ) : phone ? (
        <Agenda
          rooms={shown}
          bookings={query.data}
          open={actions.open}
          empty={t('bookings:nothingBooked')}
          {...(mayBook && {
            next: <Button onClick={() => setWanted({})}>{t('shell:pages.ConferenceRoomAddBooking')}</Button>,
          })}
        />
      ) : (
        <BookingGrid
          rooms={shown}
          bookings={query.data}
          firstDay={firstDay}
          view={view}
          mayBook={mayBook}
          {...actions}
        />
      )}
      {wanted && <BookingDialog rooms={rooms} {...wanted} close={() => setWanted(undefined)} />}
      {detail && (
        <BookingDetails booking={detail} rooms={rooms} close={() => change({ booking: undefined })} />
      )}
    </>
  )
}
