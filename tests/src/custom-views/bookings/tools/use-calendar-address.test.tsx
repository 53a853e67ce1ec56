import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, it } from 'vitest'
import { parseDay } from '../../../../../contract/time/periods.ts'
import { useCalendarAddress } from '../../../../../src/custom-views/bookings/tools/calendar-tools.tsx'

const TODAY = parseDay('2026-01-05')
const wrapper = ({ children }: { children: ReactNode }) => (
  <MemoryRouter initialEntries={['/ConferenceRoomBooking']}>{children}</MemoryRouter>
)

it('changes one part of the address, keeps the rest, and returns a stable function', () => {
  const { result } = renderHook(
    () => ({ address: useCalendarAddress(TODAY), search: useLocation().search }),
    { wrapper },
  )
  const { change } = result.current.address
  act(() => change({ day: TODAY + 1, people: 8 }))
  expect(result.current.search).toBe('?date=2026-01-06&people=8')
  act(() => change({ booking: 'b1' }))
  expect(result.current.search).toBe('?date=2026-01-06&people=8&booking=b1')
  expect(result.current.address).toMatchObject({ day: TODAY + 1, people: 8, booking: 'b1' })
  act(() => change({ day: TODAY, booking: undefined }))
  expect(result.current.search).toBe('?people=8')
  expect(result.current.address.change).toBe(change)
})
