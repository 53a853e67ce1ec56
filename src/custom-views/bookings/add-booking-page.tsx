import { Card, Form, InputNumber, Space } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { right } from '../../../contract/kernel/permissions.ts'
import { bookings } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE, type Period } from '../../../contract/time/booking.ts'
import { dayOf, formatDay, parseDay } from '../../../contract/time/periods.ts'
import { pathTo } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { spanOf, todayAt, useConferenceRooms } from '../../domain/booking/use-bookings.ts'
import { Page } from '../../ui/page/page.tsx'
import { MissingRight } from '../../ui/page/missing-right.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { useAddress } from '../../ui/page/use-address.ts'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { useWide } from '../../ui/page/use-screen.ts'
import { PlainSegmented } from '../../ui/plain/plain-choice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { BookingForm } from './booking-form.tsx'
import {
  dateOf,
  dayPicked,
  hasSameTimes,
  timesFor,
  type BookingTimes,
  type BookingValues,
} from './booking-values.ts'
import { shortDayText, timeText } from './booking-words.ts'
import { firstSlot, isWorkday, slotsOn, workingPeriod, type RoomSlots } from './free-slots.ts'
import { DEFAULT_MINUTES, usualPeriod } from './grid-geometry.ts'
import { LengthChoice } from './length-choice.tsx'
import { NoRooms } from './no-rooms.tsx'
import { useMeetingRoomWords } from '../../domain/booking/use-meeting-room-words.ts'
import type { NewBooking } from './use-save-booking.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'

/** Selectable durations, in minutes. */
const LENGTHS = [30, 60, 120]
/** Selectable days from today on. */
const DAYS_AHEAD = [0, 1, 2, 3]
/** Rooms that are listed at first. */
const MAX_ROOMS = 4

const BOOK = right('conference_room', 'Create')

/** Page for booking a room: pick a free slot, or fill in the form. */
export default function AddBookingPage() {
  const t = useT()
  const rooms = useConferenceRooms()
  const may = useMay(BOOK.feature, BOOK.operation)
  return (
    <Page title={t('shell:pages.ConferenceRoomAddBooking')} width="paper">
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

interface AddBookingProps {
  rooms: readonly ConferenceRoomWithClock[]
}

/** Days in which the first free slot is searched. */
const LOOKAHEAD_DAYS = 8
/** Initial number of seats. */
const DEFAULT_PEOPLE = 2

/** Loads the first free working hour, of the room and day in the address if it names them. */
function AddBooking({ rooms }: AddBookingProps) {
  const { get } = useAddress()
  const room = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === get('room'))
  const candidates = room ? [room] : rooms.filter(({ Active }) => Active)
  const [now] = useState(useNow())
  const today = todayAt((room ?? rooms[0])?.TimeZone, now)
  const date = parseDay(get('date'))
  const isDayChosen = date >= today
  const zones = [...new Set(rooms.map(({ TimeZone }) => TimeZone))]
  const query = useQuery(
    callQuery(bookings.availableSlots, {
      ...(isDayChosen ? spanOf(zones, date, 1) : spanOf(zones, today, LOOKAHEAD_DAYS)),
      Minutes: DEFAULT_MINUTES,
      Capacity: room ? 1 : DEFAULT_PEOPLE,
    }),
  )
  if (query.isPending) return <ListSkeleton rows={8} />
  const days = isDayChosen
    ? [date]
    : Array.from({ length: LOOKAHEAD_DAYS }, (_, ahead) => today + ahead).filter(isWorkday)
  const slot = firstSlot(days, query.data ?? [], candidates, DEFAULT_MINUTES, now) ?? {
    room,
    period: usualPeriod(days[0] ?? today, (room ?? rooms[0])?.TimeZone ?? DEFAULT_ZONE, now),
  }
  return <SlotAndForm rooms={rooms} slot={slot} />
}

interface Slot {
  room: ConferenceRoomWithClock | undefined
  period: Period
}

/** Free slots and the form; both show the same day. */
function SlotAndForm({ rooms, slot: initialSlot }: AddBookingProps & { slot: Slot }) {
  const navigate = useNavigate()
  const guard = useLeaveGuard()
  const isWide = useWide()
  const [slot] = useState(initialSlot)
  const [form] = Form.useForm<BookingValues>()
  const initial = timesFor(
    slot.room?.ConferenceRoomID,
    slot.period,
    slot.room?.TimeZone ?? rooms[0]?.TimeZone ?? DEFAULT_ZONE,
  )
  const chosen =
    Form.useWatch(
      ({ ConferenceRoomID, date, start, end }: BookingValues) => ({ ConferenceRoomID, date, start, end }),
      form,
    ) ?? initial
  /** Opens the day of a new booking. */
  const leavePage = (booked?: NewBooking) => {
    guard.setDirty(false)
    const zone = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === booked?.ConferenceRoomID)?.TimeZone
    const day = booked && `?date=${formatDay(dayOf(booked.StartTimestamp, zone ?? DEFAULT_ZONE))}`
    void navigate(`${pathTo('ConferenceRoomBooking')}${day ?? ''}`)
  }
  const choose = (room: ConferenceRoomWithClock, period: Period) => {
    form.setFieldsValue(timesFor(room.ConferenceRoomID, period, room.TimeZone))
    // Otherwise the form is above the slots, and may be out of sight.
    if (!isWide) form.scrollToField('start', { block: 'center' })
  }
  const slots = (
    <FreeTime
      key="slots"
      rooms={rooms}
      chosen={chosen}
      setDay={(day) => form.setFieldsValue({ date: dateOf(day) })}
      choose={choose}
    />
  )
  const booking = (
    <Card key="booking">
      <BookingForm
        rooms={rooms}
        {...slot}
        instance={form}
        onDone={leavePage}
        cancel={() => leavePage()}
        onDirty={guard.setDirty}
      />
    </Card>
  )
  return <div className={styles.two}>{isWide ? [slots, booking] : [booking, slots]}</div>
}

interface FreeProps extends AddBookingProps {
  /** Room and times of the form. */
  chosen: BookingTimes
  setDay: (day: number) => void
  choose: (room: ConferenceRoomWithClock, period: Period) => void
}

/** Free slots of the form's day by room, in rooms with enough seats. */
function FreeTime({ rooms, chosen, setDay, choose }: FreeProps) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const today = todayAt(rooms[0]?.TimeZone, now)
  const day = dayPicked(chosen.date)
  const [minutes, setMinutes] = useState<number>(DEFAULT_MINUTES)
  const [people, setPeople] = useState(DEFAULT_PEOPLE)
  const [isAll, setAll] = useState(false)
  const hours = rooms.map(({ TimeZone }) => workingPeriod(day, TimeZone))
  const query = useQuery(
    callQuery(bookings.availableSlots, {
      StartTimestamp: Math.min(...hours.map(({ StartTimestamp }) => StartTimestamp)),
      EndTimestamp: Math.max(...hours.map(({ EndTimestamp }) => EndTimestamp)),
      Minutes: minutes,
      Capacity: people,
    }),
  )
  const slots = slotsOn(day, query.data ?? [], rooms, minutes, now)
  const days = [...new Set([...DAYS_AHEAD.map((ahead) => today + ahead), day])].toSorted((a, b) => a - b)
  return (
    <Card title={t('bookings:free.title')}>
      <div className={page.page}>
        <div className={page.row}>
          <PlainSegmented
            label={t('bookings:date')}
            value={formatDay(day)}
            onChange={(value) => setDay(parseDay(value))}
            options={days.map((value) => ({
              value: formatDay(value),
              label: value === today ? t('bookings:today') : shortDayText(value, language),
            }))}
          />
          <LengthChoice value={minutes} choose={setMinutes} lengths={LENGTHS} />
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
        ) : slots.length === 0 ? (
          <EmptyState message={t('bookings:free.none')} />
        ) : (
          (isAll ? slots : slots.slice(0, MAX_ROOMS)).map((offer) => (
            <Offers
              key={offer.room.ConferenceRoomID}
              {...offer}
              rooms={rooms}
              chosen={chosen}
              choose={choose}
            />
          ))
        )}
        {slots.length > MAX_ROOMS && !isAll && (
          <PlainButton onClick={() => setAll(true)}>
            {t('bookings:free.all', { count: slots.length })}
          </PlainButton>
        )}
      </div>
    </Card>
  )
}

/** Slots of one room. */
function Offers({ rooms, room, periods, chosen, choose }: RoomSlots & Omit<FreeProps, 'setDay'>) {
  const t = useT()
  const language = useLanguage()
  const { optionOf } = useMeetingRoomWords(rooms)
  const id = useId()
  const name = optionOf(room)
  const isChosen = (period: Period) =>
    hasSameTimes(chosen, timesFor(room.ConferenceRoomID, period, room.TimeZone))
  return (
    <section aria-labelledby={id} className={`${page.smallTiles} ${styles.offers}`}>
      <h3 id={id} className={page.wholeRow}>
        {name}
      </h3>
      {periods.map((period) => {
        const from = timeText(period.StartTimestamp, room.TimeZone, language)
        const until = timeText(period.EndTimestamp, room.TimeZone, language)
        return (
          <PlainButton
            key={period.StartTimestamp}
            aria-label={t('bookings:now.span', { from, until })}
            aria-pressed={isChosen(period)}
            onClick={() => choose(room, period)}
          >
            {from}
          </PlainButton>
        )
      })}
    </section>
  )
}
