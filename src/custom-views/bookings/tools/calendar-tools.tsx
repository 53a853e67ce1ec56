import { formatWhole } from '../../../../contract/kernel/numbers.ts'
import DownOutlined from '@ant-design/icons-svg/es/asn/DownOutlined.js'
import DoubleLeftOutlined from '@ant-design/icons-svg/es/asn/DoubleLeftOutlined.js'
import DoubleRightOutlined from '@ant-design/icons-svg/es/asn/DoubleRightOutlined.js'
import LeftOutlined from '@ant-design/icons-svg/es/asn/LeftOutlined.js'
import QuestionOutlined from '@ant-design/icons-svg/es/asn/QuestionOutlined.js'
import RightOutlined from '@ant-design/icons-svg/es/asn/RightOutlined.js'
import { useCallback, type FC, useLayoutEffect, useRef } from 'react'
import type { ConferenceRoomWithClock } from '../../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE } from '../../../../contract/time/booking.ts'
import { formatDay, parseDay } from '../../../../contract/time/periods.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { ReadOnlyField } from '../../../ui/plain/read-only-field.tsx'
import { LazyDayField } from '../../../ui/inputs/day-field/lazy-day-field.tsx'
import { PlainSegmented } from '../../../ui/plain/plain-choice.tsx'
import { PlainNumber } from '../../../ui/inputs/plain-number.tsx'
import { SearchBox } from '../../../ui/inputs/search-box.tsx'
import { Icon } from '../../../ui/plain/icon.tsx'
import { lazyPart } from '../../../ui/page/lazy.tsx'
import page from '../../../ui/page/page.module.css'
import { PlainButton } from '../../../ui/plain/plain-button.tsx'
import styles from './calendar-tools.module.css'
import { oneOf, putParam, useAddressParams } from '../../../ui/page/use-address.ts'
import { useMeetingRoomWords } from '../../../domain/booking/use-meeting-room-words.ts'

/** Views: rooms free now (phones only), a day of all rooms, a week of one room. */
const CALENDAR_VIEWS = ['free', 'day', 'week'] as const
export type CalendarView = (typeof CALENDAR_VIEWS)[number]

export interface CalendarAddress {
  /** Days since 1970-01-01. */
  day: number
  view: CalendarView
  room: string | undefined
  /** Whether a day on a phone lists free slots instead of bookings. */
  free: boolean
  search: string
  people: number
  booking: string | undefined
  /** Changes some of the parameters. Has a stable identity. */
  change: (next: Partial<Omit<CalendarAddress, 'change'>>) => void
}

/**
 * State of the calendar in the address: `?date=2026-01-05&view=week&room=…&q=A&people=8&booking=…`.
 *
 * phone  adds the view of rooms free now, as the default
 */
export function useCalendarAddress(today: number, phone = false): CalendarAddress {
  const { params, change: edit } = useAddressParams()
  // A link with a date or a booking opens the day.
  const first = phone && !params.has('date') && !params.has('booking') ? 'free' : 'day'
  const latest = useRef({ today, first })
  useLayoutEffect(() => {
    latest.current = { today, first }
  })
  const change = useCallback<CalendarAddress['change']>(
    (next) =>
      edit(
        (all) => {
          if (next.day !== undefined)
            putParam(all, 'date', next.day === latest.current.today ? undefined : formatDay(next.day))
          if (next.view) putParam(all, 'view', next.view === latest.current.first ? undefined : next.view)
          if (next.room !== undefined) putParam(all, 'room', next.room)
          if (next.free !== undefined) putParam(all, 'show', next.free ? 'free' : undefined)
          if (next.search !== undefined) putParam(all, 'q', next.search)
          if (next.people !== undefined)
            putParam(all, 'people', next.people ? String(next.people) : undefined)
          if ('booking' in next) putParam(all, 'booking', next.booking)
        },
        'search' in next || 'people' in next ? 'typing' : 'choice',
      ),
    [edit],
  )
  const requestedDay = parseDay(params.get('date') ?? '')
  const view = oneOf(CALENDAR_VIEWS, params.get('view') ?? '') ?? first
  return {
    day: Number.isInteger(requestedDay) ? requestedDay : today,
    view: view === 'free' && !phone ? 'day' : view,
    room: params.get('room') ?? undefined,
    free: params.get('show') === 'free',
    search: params.get('q') ?? '',
    people: Math.max(0, Math.floor(Number(params.get('people')) || 0)),
    booking: params.get('booking') ?? undefined,
    change,
  }
}

const RoomChoice = lazyPart(() => import('./room-choice.tsx'), {
  fallback: ({ options, room }) => (
    <ReadOnlyField text={options.find(({ value }) => value === room)?.label ?? ''} icon={DownOutlined} />
  ),
})

/** Maximum capacity to filter by. */
const MAX_CAPACITY = 10_000

interface Props {
  address: CalendarAddress
  phone: boolean
  /** Whether a free time of the grid can be booked. */
  mayBook: boolean
  rooms: readonly ConferenceRoomWithClock[]
  /** Goes to the nearest booked day. */
  jump: (direction: 'previous' | 'next') => void
  /** Room whose week is shown, and whose time zone determines the days. */
  room: ConferenceRoomWithClock | undefined
  /** In the room's time zone, days since 1970-01-01. */
  today: number
}

/** Controls of the calendar: day, view and rooms. On a phone, those of the day are below the list. */
export const CalendarTools: FC<Props> = ({ address, phone, mayBook, rooms, jump, room, today }) => {
  const t = useT()
  const { optionOf } = useMeetingRoomWords(rooms)
  const { view, free, change } = address
  return (
    <div className={`${page.row} ${styles.tools}`}>
      {!phone && <Walk address={address} zone={room?.TimeZone ?? DEFAULT_ZONE} today={today} jump={jump} />}
      <PlainSegmented
        value={view}
        label={t('bookings:view')}
        options={CALENDAR_VIEWS.filter((option) => phone || option !== 'free').map((value) => ({
          value,
          label: t(`bookings:${value === 'free' ? 'now.title' : value}`),
        }))}
        onChange={(value) => change({ view: value })}
      />
      {phone && view === 'day' && (
        <PlainSegmented
          value={free ? 'free' : 'booked'}
          label={t('bookings:now.which')}
          options={[
            { value: 'free', label: t('bookings:now.free') },
            { value: 'booked', label: t('bookings:now.booked') },
          ]}
          onChange={(value) => change({ free: value === 'free' })}
        />
      )}
      {view === 'week' ? (
        <span className={styles.room}>
          <RoomChoice
            room={room?.ConferenceRoomID ?? ''}
            choose={(id) => change({ room: id })}
            options={rooms.map((candidate) => ({
              value: candidate.ConferenceRoomID,
              label: optionOf(candidate),
            }))}
          />
        </span>
      ) : (
        view === 'day' && <RoomFilters address={address} />
      )}
      {!phone && <GridHelp mayBook={mayBook} />}
    </div>
  )
}

/** Button that shows how to use the grid by mouse, finger and keyboard; the grid refers to the text. */
function GridHelp({ mayBook }: { mayBook: boolean }) {
  const t = useT()
  return (
    <>
      <PlainButton square bare aria-label={t('bookings:grid.howTo')} popoverTarget="grid-help">
        <Icon of={QuestionOutlined} />
      </PlainButton>
      <p id="grid-help" popover="auto" className={styles.help}>
        {t(mayBook ? 'bookings:grid.help' : 'bookings:grid.helpReadOnly')}
      </p>
    </>
  )
}

interface WalkProps {
  address: CalendarAddress
  zone: string
  today: number
  jump?: Props['jump']
}

/** Navigation to the previous or next day or week, the nearest booked one, a chosen date, or today. */
export function Walk({ address, zone, today, jump }: WalkProps) {
  const t = useT()
  const { day, view, change } = address
  const days = view === 'week' ? 7 : 1
  return (
    <div className={styles.walk}>
      {jump && (
        <PlainButton square aria-label={t('bookings:previousBooked')} onClick={() => jump('previous')}>
          <Icon of={DoubleLeftOutlined} />
        </PlainButton>
      )}
      <PlainButton square aria-label={t('bookings:earlier')} onClick={() => change({ day: day - days })}>
        <Icon of={LeftOutlined} />
      </PlainButton>
      <span className={styles.date}>
        <LazyDayField
          value={formatDay(day)}
          zone={zone}
          label={t('bookings:date')}
          change={(next) => change({ day: parseDay(next) })}
        />
      </span>
      <PlainButton square aria-label={t('bookings:later')} onClick={() => change({ day: day + days })}>
        <Icon of={RightOutlined} />
      </PlainButton>
      {jump && (
        <PlainButton square aria-label={t('bookings:nextBooked')} onClick={() => jump('next')}>
          <Icon of={DoubleRightOutlined} />
        </PlainButton>
      )}
      <PlainButton onClick={() => change({ day: today })} disabled={day === today}>
        {t('bookings:today')}
      </PlainButton>
    </div>
  )
}

function RoomFilters({ address: { search, people, change } }: { address: CalendarAddress }) {
  const t = useT()
  const find = useCallback((text: string) => change({ search: text }), [change])
  return (
    <>
      {/* Filters the loaded rooms, so nothing needs debouncing. */}
      <SearchBox
        value={search}
        label={t('bookings:searchRoom')}
        search={find}
        pause={0}
        className={styles.search}
      />
      <PlainNumber
        min={1}
        max={MAX_CAPACITY}
        value={people || undefined}
        label={t('bookings:atLeast')}
        fault={t('bookings:atLeastFault', { most: formatWhole(MAX_CAPACITY) })}
        onChange={(value) => change({ people: value ?? 0 })}
      />
    </>
  )
}
