import { useCallback, useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { formatDay, parseDay } from '../../../contract/rules/energy/periods.ts'

export interface CalendarAddress {
  /** Days since 1970-01-01. */
  day: number
  view: 'day' | 'week'
  /** The room whose week is shown. */
  room: string | undefined
  search: string
  people: number
  /** The booking whose details are open. */
  booking: string | undefined
  /** Changes part of it. Always the same function. */
  change: (next: Partial<Omit<CalendarAddress, 'change'>>) => void
}

/** What the calendar shows, as it stands in the address: `?date=2026-01-05&view=week&room=…&q=A&people=8&booking=…`. */
export function useCalendarAddress(today: number): CalendarAddress {
  const [params, setParams] = useSearchParams()
  // The router makes a new one for each address, which knows no other.
  const latest = useRef({ setParams, today })
  useLayoutEffect(() => {
    latest.current = { setParams, today }
  })
  const change = useCallback<CalendarAddress['change']>(
    (next) =>
      latest.current.setParams(
        (now) => {
          const all = new URLSearchParams(now)
          const put = (name: string, value: string | undefined) =>
            value ? all.set(name, value) : all.delete(name)
          if (next.day !== undefined)
            put('date', next.day === latest.current.today ? undefined : formatDay(next.day))
          if (next.view) put('view', next.view === 'week' ? 'week' : undefined)
          if (next.room !== undefined) put('room', next.room)
          if (next.search !== undefined) put('q', next.search)
          if (next.people !== undefined) put('people', next.people ? String(next.people) : undefined)
          if ('booking' in next) put('booking', next.booking)
          return all
        },
        // Opening a booking is a step that Back undoes; walking through days is not.
        { replace: !('booking' in next) },
      ),
    [],
  )
  const asked = parseDay(params.get('date') ?? '')
  return {
    day: Number.isInteger(asked) ? asked : today,
    view: params.get('view') === 'week' ? 'week' : 'day',
    room: params.get('room') ?? undefined,
    search: params.get('q') ?? '',
    people: Math.max(0, Math.floor(Number(params.get('people')) || 0)),
    booking: params.get('booking') ?? undefined,
    change,
  }
}
