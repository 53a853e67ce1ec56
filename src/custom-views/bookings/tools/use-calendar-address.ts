import { useCallback, useLayoutEffect, useRef } from 'react'
import { formatDay, parseDay } from '../../../../contract/time/periods.ts'
import { oneOf, putParam, useAddressParams } from '../../../ui/page/use-address.ts'

/** Views: rooms free now (phones only), a day of all rooms, a week of one room. */
export const CALENDAR_VIEWS = ['free', 'day', 'week'] as const
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
