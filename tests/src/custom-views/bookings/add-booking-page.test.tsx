import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { people } from '../../../../contract/people/calls.ts'
import { bookings } from '../../../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { dayOf, formatDay, formatMinute, toWallTime } from '../../../../contract/time/periods.ts'
import { home } from '../../../../contract/homes/home.ts'
import AddBookingPage from '../../../../src/custom-views/bookings/add-booking-page.tsx'
import { firstSlot, isWorkday } from '../../../../src/custom-views/bookings/free-slots.ts'
import { gatewayNow } from '../../../../src/lib/gateway-clock.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { aConferenceRoom } from '../../../support/a-conference-room.ts'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { prepareSession, openPage } from '../../support/page.tsx'

beforeEach(() => loadNamespaces(['bookings']))

const open = () => openPage(<AddBookingPage />, '*', '/')

it('names the missing right to book and who can grant it', async () => {
  const viewer = subUser([{ FeatureKey: 'conference_room', OperationList: ['Read'] }])
  prepareSession(viewer)
  server.use(
    answers(home.operations.list, []),
    answers(conferenceRoom.operations.list, []),
    answers(people.listGrantors, [{ Name: '示範擁有者' }]),
  )
  open()
  expect(await screen.findByText(/您缺少「會議室」的「新增」權限/)).toBeTruthy()
  expect(await screen.findByText('可以授權的人：示範擁有者')).toBeTruthy()
})

const room = aConferenceRoom()
const { ConferenceRoomID } = room

/** The room is free on every day. */
function prepareFreeRoom() {
  prepareSession()
  server.use(
    answers(home.operations.list, []),
    answers(conferenceRoom.operations.list, [room]),
    answers(bookings.availableSlots, (body) => {
      const { StartTimestamp, EndTimestamp } = body as { StartTimestamp: number; EndTimestamp: number }
      return [{ ConferenceRoomID, StartTimestamp, EndTimestamp }]
    }),
  )
}
const input = (label: string) => screen.getByLabelText(label, { selector: 'input' }) as HTMLInputElement
const valueOf = (label: string) => input(label).value
const days = () =>
  within(screen.getByRole('radiogroup', { name: '日期' })).getAllByRole<HTMLInputElement>('radio')

it('keeps entered values when another free time is selected', async () => {
  prepareFreeRoom()
  const { user } = open()
  const subject = (await screen.findByLabelText('主題')) as HTMLInputElement
  await user.type(subject, '預算會議')
  // Tomorrow, from eight on.
  await user.click(days()[1] as HTMLElement)
  await user.click(await screen.findByRole('button', { name: /^08:00 – 09:00/ }))
  await waitFor(() => expect(valueOf('開始')).toBe('08:00'))
  expect(valueOf('主題')).toBe('預算會議')
})

it('proposes the next free working hour and selects its day and time among the free slots', async () => {
  prepareFreeRoom()
  open()
  await screen.findByLabelText('主題')
  const zone = room.TimeZone
  const period = { StartTimestamp: gatewayNow(), EndTimestamp: gatewayNow() + 30 * 86_400_000 }
  const workdays = Array.from({ length: 8 }, (_, ahead) => dayOf(gatewayNow(), zone) + ahead).filter(
    isWorkday,
  )
  const expected = firstSlot(workdays, [{ ConferenceRoomID, ...period }], [room], 60, gatewayNow())?.period
  const { day, minute } = toWallTime(expected?.StartTimestamp ?? 0, zone)
  expect(valueOf('日期')).toBe(formatDay(day))
  expect(valueOf('開始')).toBe(formatMinute(minute))
  expect(await screen.findByRole('button', { pressed: true })).toHaveProperty(
    'textContent',
    formatMinute(minute),
  )
})

it('shows the same day in the free slots and in the form', async () => {
  prepareFreeRoom()
  const { user } = open()
  await screen.findByLabelText('主題')
  const today = dayOf(gatewayNow(), room.TimeZone)
  await user.click(days()[3] as HTMLElement)
  await waitFor(() => expect(valueOf('日期')).toBe(formatDay(today + 3)))
  await user.click(input('日期'))
  await user.click((await screen.findAllByTitle(formatDay(today + 2)))[0] as HTMLElement)
  await waitFor(() => expect(days()[2]?.checked).toBe(true))
})

it('opens the room and day of the address', async () => {
  prepareFreeRoom()
  const day = dayOf(gatewayNow(), room.TimeZone) + 40
  openPage(<AddBookingPage />, '*', `/?room=${ConferenceRoomID}&date=${formatDay(day)}`)
  await screen.findByLabelText('主題')
  expect(valueOf('日期')).toBe(formatDay(day))
  expect(valueOf('開始')).toBe('08:00')
})

it('folds host, description, privacy and repetition, and opens them for an error', async () => {
  prepareFreeRoom()
  server.use(rejectCall(bookings.add, 'INVALID', { fields: { Host: 'tooLong' } }))
  const { user } = open()
  const more = (await screen.findByText('更多')).closest('details') as HTMLDetailsElement
  for (const label of ['主持人', '說明', '私人預約', '重複'])
    expect(more.contains(screen.getByLabelText(new RegExp(`^${label}`)))).toBe(true)
  expect(more.open).toBe(false)
  await user.type(screen.getByLabelText('主題'), '預算會議')
  await user.click(screen.getByRole('button', { name: /^預\s*約$/ }))
  await waitFor(() => expect(more.open).toBe(true))
})
