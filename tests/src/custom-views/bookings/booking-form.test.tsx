import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { bookings, type BookingWithDetails } from '../../../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { home } from '../../../../contract/homes/home.ts'
import MyBookingsPage from '../../../../src/custom-views/bookings/my-bookings-page.tsx'
import { cacheInvalidation } from '../../../../src/data/api.ts'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { notices } from '../../../../src/data/notices.ts'
import { aConferenceRoom } from '../../../support/a-conference-room.ts'
import { answers, owner, rejectCall, server } from '../../../support/msw.ts'
import { prepareSession, openPage, sentTo } from '../../support/page.tsx'
const ROOM = '11111111-1111-4111-8111-111111111111'
const HOUR = 3_600_000
/** Ten in the morning of tomorrow, in Taipei. */
const TEN = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR + 26 * HOUR
const room = aConferenceRoom({ ConferenceRoomID: ROOM })
const booking: BookingWithDetails = {
  RecordID: '22222222-2222-4222-8222-000000000001',
  ConferenceRoomID: ROOM,
  StartTimestamp: TEN,
  EndTimestamp: TEN + HOUR,
  Subject: '週會',
  Description: '',
  Host: '林主任',
  Attendees: [owner.Email],
  Private: false,
  SeriesID: null,
  Sequence: 0,
  BookedBy: owner.CognitoId,
  BookedByEmail: owner.Email,
  CheckedInAt: null,
  ReleasedAt: null,
  Hidden: false,
}
const { RecordID } = booking
const series = { ...booking, SeriesID: '33333333-3333-4333-8333-000000000001' }

/** Sets the booking that the gateway returns. */
const holds = (now: BookingWithDetails) => server.use(answers(bookings.getByEmail, [now]))
/** Delivers a change that another user saved to this screen. */
const hear = (now: BookingWithDetails) => {
  holds(now)
  void cacheInvalidation.invalidate([{ entity: 'conferenceRoom' }])
}

beforeEach(async () => {
  await changeLanguage('zh-TW')
  await loadNamespaces(['bookings'])
  prepareSession()
  server.use(
    answers(home.operations.list, []),
    answers(conferenceRoom.operations.list, [room]),
    answers(bookings.listLinks, []),
    answers(bookings.update, [booking]),
  )
})

async function edit(now: BookingWithDetails) {
  holds(now)
  const { user } = openPage(<MyBookingsPage />, '*', `/ConferenceRoomMyBooking?booking=${RecordID}`)
  await user.click(await screen.findByRole('button', { name: '編輯預約' }))
  await screen.findByLabelText('主題')
  return user
}
/** Spaces before the mark of optional fields are ignored. */
const input = (label: string) =>
  screen.getByLabelText(label, { normalizer: (text) => text.replace(/\s/g, '') }) as HTMLInputElement
const write = async (user: Awaited<ReturnType<typeof edit>>, label: string, text: string) => {
  await user.clear(input(label))
  await user.type(input(label), text)
}
const saveButton = () => screen.getByText(/^儲\s*存$/).closest('button') as HTMLButtonElement
const SAID = '其他人剛修改過這筆資料'
const told = async () => (await screen.findByText(SAID)).closest('[role=alert]') as HTMLElement

it('sends only changed fields with the values from when the form was opened', async () => {
  const user = await edit(booking)
  await write(user, '主題', '月會')
  await user.click(saveButton())
  await waitFor(() =>
    expect(sentTo(bookings.update)).toEqual([
      { RecordID, Scope: 'one', Subject: '月會', Seen: { Subject: '週會' } },
    ]),
  )
})

it('shows a concurrent change of the same field and can adopt it', async () => {
  const user = await edit(booking)
  await write(user, '主題', '月會')
  server.use(rejectCall(bookings.update, 'CONFLICT', { fields: { Subject: 'changed' } }))
  holds({ ...booking, Subject: '年會', Sequence: 1 })
  await user.click(saveButton())
  await waitFor(async () => expect((await told()).textContent).toContain('主題週會年會'))
  expect(input('主題').value).toBe('月會')
  expect(saveButton().disabled).toBe(true)
  await user.click(within(await told()).getByText('採用對方的內容'))
  await waitFor(() => expect(screen.queryByText(SAID)).toBeNull())
  expect(input('主題').value).toBe('年會')
})

it('overwrites a concurrent change only after confirmation', async () => {
  const user = await edit(booking)
  await write(user, '主題', '月會')
  hear({ ...booking, Subject: '年會', Sequence: 1 })
  await user.click(within(await told()).getByText(/保留我的內容/))
  await waitFor(() => expect(screen.queryByText(SAID)).toBeNull())
  await user.click(saveButton())
  await waitFor(() =>
    expect(sentTo(bookings.update)).toEqual([
      { RecordID, Scope: 'one', Subject: '月會', Seen: { Subject: '年會' } },
    ]),
  )
})

it('adopts fields that only the other person changed, and never sends the old value', async () => {
  const user = await edit(booking)
  await write(user, '主題', '月會')
  hear({ ...booking, Host: '陳主任', StartTimestamp: TEN + HOUR, EndTimestamp: TEN + 2 * HOUR, Sequence: 1 })
  await waitFor(() => expect(input('主持人（選填）').value).toBe('陳主任'))
  await waitFor(() => expect(input('開始').value).toBe('11:00'))
  expect(input('主題').value).toBe('月會')
  expect(screen.queryByText(SAID)).toBeNull()
  await user.click(saveButton())
  await waitFor(() =>
    expect(sentTo(bookings.update)).toEqual([
      { RecordID, Scope: 'one', Subject: '月會', Seen: { Subject: '週會' } },
    ]),
  )
})

it('says that other bookings of a series were changed, if the edit affects several', async () => {
  const user = await edit(series)
  await write(user, '主題', '月會')
  const words = '其他人剛修改過這個系列的預約；儲存後，您改過的欄位會套用到所選範圍的每一次。'
  hear({ ...series, Sequence: 1 })
  await waitFor(() => expect(sentTo(bookings.getByEmail)).toHaveLength(2))
  expect(screen.queryByText(words)).toBeNull()
  await user.click(screen.getByRole('radio', { name: '全部' }))
  expect(await screen.findByText(words)).toBeTruthy()
  await user.click(saveButton())
  await waitFor(() =>
    expect(sentTo(bookings.update)).toEqual([
      {
        RecordID,
        Scope: 'all',
        Subject: '月會',
        Seen: { Subject: '週會', SeriesID: series.SeriesID, Sequence: 1 },
      },
    ]),
  )
})

it('counts upcoming bookings before cancelling part of a series, and the cancelled ones after', async () => {
  holds(series)
  server.use(
    answers(bookings.getByStartTimestamp, [
      series,
      { ...series, RecordID: '22222222-2222-4222-8222-000000000002' },
      booking,
    ]),
    answers(bookings.remove, [{ RecordID }, { RecordID: '22222222-2222-4222-8222-000000000002' }]),
  )
  const said = vi.spyOn(notices, 'success').mockReturnValue(undefined)
  const { user } = openPage(<MyBookingsPage />, '*', `/ConferenceRoomMyBooking?booking=${RecordID}`)
  await user.click(await screen.findByRole('button', { name: '取消預約' }))
  expect(await screen.findByText('這個系列在接下來 62 天內還有 2 次。')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: '全部' }))
  await user.click(screen.getAllByRole('button', { name: '取消預約' }).at(-1) as HTMLElement)
  await waitFor(() => expect(said.mock.calls.map(([words]) => words())).toEqual(['已取消 2 個預約']))
  expect(sentTo(bookings.remove)).toEqual([{ RecordID, Scope: 'all' }])
})
