import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { bookings } from '../../../../contract/bookings/calls.ts'
import QuickBooking from '../../../../src/custom-views/bookings/quick-booking.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { aConferenceRoom } from '../../../support/a-conference-room.ts'
import { Asking } from '../../../support/asking.tsx'
import { rejectCall, server } from '../../../support/msw.ts'
import { prepareSession, sentTo } from '../../support/page.tsx'

const at = (time: string) => Date.parse(`2026-01-06T${time}+08:00`)
const room = aConferenceRoom()

/** Input of a booking with a chosen time, when another button is pressed. */
async function bookedAt(pressed: string, chosen: string) {
  prepareSession()
  await loadNamespaces(['bookings'])
  vi.spyOn(Date, 'now').mockReturnValue(at(pressed))
  server.use(rejectCall(bookings.add, 'CONFLICT'))
  const period = { StartTimestamp: at(chosen), EndTimestamp: at('11:00:00') }
  render(
    <QueryClientProvider client={queryClient}>
      <Asking>
        <QuickBooking room={room} period={period} close={() => {}} />
      </Asking>
    </QueryClientProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: /^預 ?約$/ }))
  await screen.findByRole('alert')
  vi.restoreAllMocks()
  const [sent] = sentTo(bookings.add) as { StartTimestamp: number; EndTimestamp: number }[]
  return [sent?.StartTimestamp, sent?.EndTimestamp]
}

it('books from now until the selected end if the selected start has passed', async () => {
  expect(await bookedAt('10:02:30', '10:00:00')).toEqual([at('10:02:00'), at('11:00:00')])
})

it('does not book a time that would be over on arrival', async () => {
  expect(await bookedAt('10:00:59', '10:00:00')).toEqual([at('10:01:00'), at('11:00:00')])
})

it('books a future time as selected', async () => {
  expect(await bookedAt('10:02:30', '10:30:00')).toEqual([at('10:30:00'), at('11:00:00')])
})
