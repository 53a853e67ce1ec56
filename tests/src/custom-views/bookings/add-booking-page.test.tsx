import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { people } from '../../../../contract/people/calls.ts'
import { bookings } from '../../../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { home } from '../../../../contract/homes/home.ts'
import AddBookingPage from '../../../../src/custom-views/bookings/add-booking-page.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { aConferenceRoom } from '../../../support/a-conference-room.ts'
import { answers, server, subUser } from '../../../support/msw.ts'
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

it('keeps entered values when another free time is selected', async () => {
  prepareSession()
  const room = aConferenceRoom()
  server.use(
    answers(home.operations.list, []),
    answers(conferenceRoom.operations.list, [room]),
    // The room is free on every day.
    answers(bookings.availableSlots, (body) => {
      const { StartTimestamp, EndTimestamp } = body as { StartTimestamp: number; EndTimestamp: number }
      return [{ ConferenceRoomID: room.ConferenceRoomID, StartTimestamp, EndTimestamp }]
    }),
  )
  const { user } = open()
  const subject = (await screen.findByLabelText('主題')) as HTMLInputElement
  await user.type(subject, '預算會議')
  // Tomorrow, from eight on.
  const days = screen.getByRole('radiogroup', { name: '日期' })
  await user.click(days.querySelectorAll('label')[1] as HTMLElement)
  await user.click(await screen.findByRole('button', { name: /^08:00 – 09:00/ }))
  await waitFor(() => expect((screen.getByLabelText('開始') as HTMLInputElement).value).toBe('08:00'))
  expect((screen.getByLabelText('主題') as HTMLInputElement).value).toBe('預算會議')
})
