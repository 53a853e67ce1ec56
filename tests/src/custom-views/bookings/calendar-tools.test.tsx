import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { beforeAll, expect, it } from 'vitest'
import type { ConferenceRoomWithClock } from '../../../../contract/bookings/conference-room.ts'
import { parseDay } from '../../../../contract/time/periods.ts'
import {
  CalendarTools,
  useCalendarAddress,
} from '../../../../src/custom-views/bookings/tools/calendar-tools.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { homesQuery } from '../../../../src/data/homes.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { pagesAt } from '../../../support/pages-at.tsx'

const TODAY = parseDay('2026-01-06')
const rooms = ['玉山', '雪山'].map((ConferenceRoomName, at) => ({
  ConferenceRoomID: `c${at}`,
  ConferenceRoomName,
  Capacity: 8,
  TimeZone: 'Asia/Taipei',
})) as ConferenceRoomWithClock[]

// Lazily loaded parts appear immediately if they have been imported before.
beforeAll(() =>
  Promise.all([
    loadNamespaces(['bookings']),
    import('../../../../src/ui/page/ant-design.tsx'),
    import('../../../../src/ui/inputs/day-field/day-field.tsx'),
    import('../../../../src/custom-views/bookings/tools/room-choice.tsx'),
  ]),
)

function Page() {
  const address = useCalendarAddress(TODAY)
  const room = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === address.room) ?? rooms[0]
  return (
    <>
      <CalendarTools
        address={address}
        phone={false}
        mayBook
        rooms={rooms}
        jump={() => {}}
        room={room}
        today={TODAY}
      />
      <output aria-label="address">{useLocation().search}</output>
    </>
  )
}

function open(search = '') {
  queryClient.setQueryData(homesQuery.queryKey, [])
  const { pages } = pagesAt(
    [{ path: '/ConferenceRoomBooking', element: <Page /> }],
    `/ConferenceRoomBooking${search}`,
  )
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
  const press = (name: string) => user.click(screen.getByRole('button', { name }))
  const user = userEvent.setup()
  return { user, press, address: () => screen.getByLabelText('address').textContent }
}

it('shows the current day before the picker loads, then accepts a typed day', async () => {
  const { user, address } = open()
  expect(screen.getByText('2026-01-06')).toBeTruthy()
  const field = (await screen.findByRole('textbox', { name: '日期' })) as HTMLInputElement
  expect(field.value).toBe('2026-01-06')
  await user.clear(field)
  await user.type(field, '2026-02-03{Enter}')
  await waitFor(() => expect(address()).toBe('?date=2026-02-03'))
})

it('moves by days, in a week by weeks, and back to today', async () => {
  const { press, address } = open()
  await press('往後')
  expect(address()).toBe('?date=2026-01-07')
  await press('今天')
  expect(address()).toBe('')
  await userEvent.click(screen.getByRole('radio', { name: '週' }))
  await press('往前')
  expect(new URLSearchParams(address() ?? '').get('date')).toBe('2025-12-30')
})

it('shows the room of the week before another room can be selected', async () => {
  const { user, address } = open('?view=week&room=c0')
  expect(screen.getByText('玉山（8 人）')).toBeTruthy()
  await user.click(await screen.findByRole('combobox', { name: '會議室' }))
  await user.click(await screen.findByTitle('雪山（8 人）'))
  expect(address()).toBe('?view=week&room=c1')
})

it('filters the rooms while typing, by whole numbers of people only', async () => {
  const { user, address } = open()
  await user.type(screen.getByRole('searchbox', { name: '搜尋會議室或設備' }), '玉')
  await user.type(screen.getByRole('spinbutton', { name: '最少人數' }), '8')
  await waitFor(() => expect(new URLSearchParams(address() ?? '').get('q')).toBe('玉'))
  await user.type(screen.getByRole('spinbutton', { name: '最少人數' }), '.5')
  expect(screen.getByRole('alert').textContent).toBe('請輸入 1 至 10,000 的整數。')
  expect(new URLSearchParams(address() ?? '').get('people')).toBe('8')
})
