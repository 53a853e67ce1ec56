import PlusOutlined from '@ant-design/icons-svg/es/asn/PlusOutlined.js'
import { useEffect, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE, type Period } from '../../../contract/time/booking.ts'
import { formatDay, mondayOf } from '../../../contract/time/periods.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { onQueriesSettled } from '../../data/on-settled.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { Icon } from '../../ui/plain/icon.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { ButtonLink, PlainButton } from '../../ui/plain/plain-button.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { usePhone } from '../../ui/page/use-screen.ts'
import { Agenda } from './agenda.tsx'
import { spanOf, todayAt, useBookings, useConferenceRooms } from '../../domain/booking/use-bookings.ts'
import { BookingExport } from './booking-export.tsx'
import { BookingGrid } from './booking-grid.tsx'
import { dayText } from './booking-words.ts'
import page from '../../ui/page/page.module.css'
import { usualPeriod } from './grid-geometry.ts'
import { FreeNow, FreeOnDay } from './free-rooms.tsx'
import { NoRooms } from './no-rooms.tsx'
import { useBookedDays } from './tools/booked-days.ts'
import { CalendarTools, Walk, useCalendarAddress, type CalendarAddress } from './tools/calendar-tools.tsx'
import { useOpened } from './use-opened.ts'
import { WeekAgenda, WeekGrid } from './week-views.tsx'
import { foldText } from '../../../contract/kernel/text.ts'

const BookingDetails = lazyPart(() => import('./booking-details.tsx'), { isOverlay: true })
const BookingDialog = lazyPart(() => import('./booking-dialog.tsx'), { isOverlay: true })

/** Calendar: a day of all rooms or a week of one on a time grid; a list on phones. */
export default function BookingPage() {
  const t = useT()
  const rooms = useConferenceRooms()
  useEffect(() => onQueriesSettled(() => void BookingDialog.preload()), [])
  if (rooms.data && rooms.data.length > 0) return <Calendar rooms={rooms.data} />
  return (
    <Page title={t('shell:pages.ConferenceRoomBooking')}>
      {rooms.data ? (
        <NoRooms />
      ) : rooms.error ? (
        <LoadFailed error={rooms.error} retry={() => void rooms.refetch()} />
      ) : (
        <ListSkeleton rows={10} />
      )}
    </Page>
  )
}

/** Room and day of the calendar, for the address of the form; a day that has passed is left out. */
const placeOf = ({ view, room, day }: Pick<CalendarAddress, 'view' | 'room' | 'day'>, today: number) =>
  new URLSearchParams({
    ...(view === 'week' && room !== undefined && { room }),
    ...(view === 'day' && day > today && { date: formatDay(day) }),
  })

const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

function Calendar({ rooms }: { rooms: readonly ConferenceRoomWithClock[] }) {
  const t = useT()
  const language = useLanguage()
  const phone = usePhone()
  const mayBook = useMay('conference_room', 'Create')
  const [address] = useSearchParams()
  const room = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === address.get('room')) ?? rooms[0]
  // Days are in the room's time zone, not the browser's.
  const now = useNow()
  const today = todayAt(room?.TimeZone, now)
  const calendarAddress = useCalendarAddress(today, phone)
  const { day, view, free, search, people, booking: opened, change } = calendarAddress
  const week = view === 'week'
  const days = week ? 7 : 1
  const firstDay = week ? mondayOf(day) : day
  const filteredBookings = useMemo(() => {
    const word = foldText(search.trim())
    return rooms.filter(
      (booking) =>
        booking.Capacity >= people &&
        foldText(`${booking.ConferenceRoomName} ${booking.Equipment}`).includes(word),
    )
  }, [rooms, search, people])
  const zones = [...new Set((week && room ? [room] : rooms).map(({ TimeZone }) => TimeZone))]
  const query = useBookings({
    ...spanOf(zones, firstDay, days),
    ...(week && room && { ConferenceRoomID: room.ConferenceRoomID }),
  })
  const [requested, setRequested] = useState<{
    room?: ConferenceRoomWithClock | undefined
    period: Period
  }>()
  const actions = useMemo(
    () => ({
      book: (at: ConferenceRoomWithClock, period: Period) => setRequested({ room: at, period }),
      open: (booking: BookingWithDetails) => change({ booking: booking.RecordID }),
      showWeek: (of: ConferenceRoomWithClock) => change({ view: 'week', room: of.ConferenceRoomID }),
    }),
    [change],
  )
  const detail = useOpened(query.isPlaceholderData ? undefined : query.data, opened, () =>
    change({ booking: undefined }),
  )
  const goTo = useBookedDays(
    week && room ? [room] : filteredBookings,
    [firstDay, firstDay + days - 1],
    (next) => change({ day: next }),
  )
  const jump = (direction: 'previous' | 'next') => void goTo.run(direction)
  const bookOn = (startTimestamp: number, at?: ConferenceRoomWithClock) =>
    setRequested({
      room: at,
      period: usualPeriod(startTimestamp, (at ?? room)?.TimeZone ?? DEFAULT_ZONE, now),
    })

  const calendar = () => {
    if (view === 'free')
      return <FreeNow rooms={rooms} mayBook={mayBook} toDay={() => change({ view: 'day' })} />
    if (query.error && !query.data)
      return <LoadFailed error={query.error} retry={() => void query.refetch()} />
    // Bookings of the previous day would be wrong in a list; a grid keeps its frame and hides them.
    if (!query.data || (phone && query.isPlaceholderData)) return <ListSkeleton rows={10} />
    const canBook = mayBook && !query.isPlaceholderData
    if (week && room)
      return phone ? (
        <WeekAgenda
          room={room}
          bookings={query.data}
          firstDay={firstDay}
          mayBook={canBook}
          bookOn={(startTimestamp) => bookOn(startTimestamp, room)}
          open={actions.open}
        />
      ) : (
        <WeekGrid
          key={room.ConferenceRoomID}
          room={room}
          bookings={query.data}
          firstDay={firstDay}
          mayBook={canBook}
          book={actions.book}
          open={actions.open}
        />
      )
    if (filteredBookings.length === 0)
      return (
        <EmptyState
          message={t('bookings:noRoomMatches')}
          next={
            <PlainButton onClick={() => change({ search: '', people: 0 })}>
              {t('screens:list.clearFilters')}
            </PlainButton>
          }
        />
      )
    if (phone && free)
      return (
        <FreeOnDay
          rooms={filteredBookings}
          bookings={query.data}
          day={day}
          book={canBook ? (at, period) => setRequested({ room: at, period }) : undefined}
        />
      )
    return phone ? (
      <Agenda
        rooms={filteredBookings}
        bookings={query.data}
        day={day}
        open={actions.open}
        empty={t('bookings:nothingOnDay')}
        next={
          <div className={page.actions}>
            <PlainButton onClick={() => jump('next')}>{t('bookings:nextBooked')}</PlainButton>
            {canBook && (
              <PlainButton main onClick={() => bookOn(day)}>
                <Icon of={PlusOutlined} />
                {t('shell:pages.ConferenceRoomAddBooking')}
              </PlainButton>
            )}
          </div>
        }
      />
    ) : (
      <BookingGrid rooms={filteredBookings} bookings={query.data} day={day} mayBook={canBook} {...actions} />
    )
  }

  return (
    <Page
      title={t('shell:pages.ConferenceRoomBooking')}
      actions={
        <>
          <BookingExport
            name={week && room ? room.ConferenceRoomName : t('shell:pages.ConferenceRoomBooking')}
            bookings={query.isPlaceholderData ? undefined : query.data}
            rooms={week && room ? [room] : filteredBookings}
          />
          <Link to={pathTo('ConferenceRoomMyBooking')} className={page.touch}>
            {t('shell:pages.ConferenceRoomMyBooking')}
          </Link>
          {mayBook && (
            <ButtonLink main to={`${pathTo('ConferenceRoomAddBooking')}?${placeOf(calendarAddress, today)}`}>
              <Icon of={PlusOutlined} /> {t('shell:pages.ConferenceRoomAddBooking')}
            </ButtonLink>
          )}
        </>
      }
    >
      {/* Room or day as text for print, which shows no fields. */}
      {view !== 'free' && (
        <p className={`${page.note} ${page.onPaper}`}>
          {week ? room?.ConferenceRoomName : dayText(day, language)}
        </p>
      )}
      <CalendarTools
        address={calendarAddress}
        phone={phone}
        mayBook={mayBook}
        rooms={rooms}
        jump={jump}
        room={room}
        today={today}
      />
      {zones.some((zone) => zone !== OWN_ZONE) && (
        <p className={page.hint}>{t('bookings:form.zone', { zone: zones.join(t('screens:listComma')) })}</p>
      )}
      {calendar()}
      {phone && view !== 'free' && (
        <Walk address={calendarAddress} zone={room?.TimeZone ?? DEFAULT_ZONE} today={today} />
      )}
      {requested && <BookingDialog rooms={rooms} {...requested} close={() => setRequested(undefined)} />}
      {detail && (
        <BookingDetails booking={detail} rooms={rooms} close={() => change({ booking: undefined })} />
      )}
    </Page>
  )
}
