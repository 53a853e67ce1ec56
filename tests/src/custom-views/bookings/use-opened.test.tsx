import { renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { BookingWithDetails } from '../../../../contract/bookings/calls.ts'
import { useOpened } from '../../../../src/custom-views/bookings/use-opened.ts'
import { notices } from '../../../../src/data/notices.ts'

const info = vi.spyOn(notices, 'info').mockReturnValue(undefined)
const close = vi.fn<() => void>()
beforeEach(() => vi.clearAllMocks())

const booking = { RecordID: 'r1' } as BookingWithDetails
const other = { RecordID: 'r2' } as BookingWithDetails
const follow = () =>
  renderHook(
    ({ bookings, id }: { bookings?: BookingWithDetails[]; id?: string }) => useOpened(bookings, id, close),
    {
      initialProps: { bookings: [booking, other], id: 'r1' } as {
        bookings?: BookingWithDetails[]
        id?: string
      },
    },
  )

it('says that the booking with open details was cancelled elsewhere, and closes them', () => {
  const { result, rerender } = follow()
  expect(result.current).toBe(booking)
  rerender({ id: 'r1' })
  expect(close).not.toHaveBeenCalled()
  rerender({ bookings: [other], id: 'r1' })
  expect(close).toHaveBeenCalledOnce()
  expect(info).toHaveBeenCalledOnce()
})

it('does not report a booking that is closed or was never shown', () => {
  const { rerender } = follow()
  rerender({ bookings: [booking, other] })
  rerender({ bookings: [other] })
  rerender({ bookings: [other], id: 'r3' })
  expect(close).not.toHaveBeenCalled()
  expect(info).not.toHaveBeenCalled()
})
