import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import { bookings } from '../../../../contract/bookings/calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { home } from '../../../../contract/homes/home.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { prefillIn } from '../../../../src/domain/automation/prefill.ts'
import conferenceRooms from '../../../../src/resources/conference-room/record.tsx'
import { answers, server, subUser } from '../../../support/msw.ts'
import { aHome, prepareSession, sentTo } from '../../support/page.tsx'
import { openRefinePages } from '../../support/refine-pages.tsx'
import { pressInRowMenu } from '../../../support/row-menu.ts'
const inRoom = (RoomID: number, RoomName: string) => ({
  HomeID: 'h1',
  RoomID,
  RoomName,
  PeripheralList: [],
  ThingNameList: [],
})
const jade = {
  ConferenceRoomID: 'c1',
  ConferenceRoomName: '玉山',
  Capacity: 8,
  HomeID: 'h1' as string | null,
  RoomID: 2 as number | null,
  Equipment: '',
  Active: true,
  ReleaseAfter: 0,
  Version: 1,
  TimeZone: 'Asia/Taipei',
}

async function open(room: Partial<typeof jade> = {}, permissions?: Permission[]) {
  prepareSession(permissions && subUser(permissions))
  const stored = { ...jade, ...room }
  server.use(
    answers(conferenceRoom.operations.list, [stored]),
    answers(conferenceRoom.operations.update, stored),
  )
  const page = openRefinePages(
    [
      { path: '/rooms', element: <conferenceRooms.List /> },
      { path: '*', element: <h1>elsewhere</h1> },
    ],
    '/rooms',
  )
  await pressInRowMenu(userEvent.setup(), '玉山', '編輯「玉山」')
  return { page, dialog: within(await screen.findByRole('dialog')) }
}

const choose = async (dialog: ReturnType<typeof within>, label: string, option: string) => {
  fireEvent.mouseDown(dialog.getByLabelText(new RegExp(label), { selector: 'input' }))
  fireEvent.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }))
}
const save = (dialog: ReturnType<typeof within>) => fireEvent.click(dialog.getByText(/^儲\s*存$/))

beforeEach(async () => {
  await loadNamespaces(['bookings'])
  server.use(
    answers(home.operations.list, [
      aHome({ RoomList: [inRoom(1, '大廳'), inRoom(2, '三樓會議室')] }),
      aHome({ HomeID: 'h2', HomeName: '分部' }),
    ]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(bookings.listLinks, []),
  )
})

describe('the meeting room form', () => {
  it('offers the rooms of its site, and sends the selected one', async () => {
    const { dialog } = await open()
    await dialog.findByText('三樓會議室')
    await choose(dialog, '場域內的房間', '大廳')
    save(dialog)
    await waitFor(() => expect(sentTo(conferenceRoom.operations.update)).toHaveLength(1))
    expect(sentTo(conferenceRoom.operations.update)[0]).toMatchObject({ RoomID: 1 })
  })

  it('clears the room when the site changes', async () => {
    const { dialog } = await open()
    await choose(dialog, '^場域(?!內)', '分部')
    save(dialog)
    await waitFor(() => expect(sentTo(conferenceRoom.operations.update)).toHaveLength(1))
    expect(sentTo(conferenceRoom.operations.update)[0]).toMatchObject({ HomeID: 'h2', RoomID: null })
  })
})

describe('below a meeting room', () => {
  it('offers a schedule that lets its lights and climate follow its bookings', async () => {
    const { dialog } = await open()
    const asked = (name: string) => {
      const { pathname, search } = new URL(dialog.getByRole<HTMLAnchorElement>('link', { name }).href)
      return { pathname, prefill: prefillIn(new URLSearchParams(search)) }
    }
    expect(asked('每次預約開始前 15 分鐘開啟空調')).toMatchObject({
      pathname: '/updateSchedule/h1',
      prefill: {
        AutomationName: '玉山 預約前開空調',
        Booking: { ConferenceRoomID: 'c1', When: 'before', Minutes: 15 },
        Actions: [{ RoomID: 2, Only: 'climate', Values: { On: 1 } }],
      },
    })
    expect(asked('會議室釋出時關燈')).toMatchObject({
      prefill: {
        Booking: { ConferenceRoomID: 'c1', When: 'release', Minutes: 0 },
        Actions: [{ RoomID: 2, Only: 'lights', Values: { On: 0 } }],
      },
    })
  })

  it('says that it must be a room of a site first', async () => {
    const { dialog } = await open({ RoomID: null })
    expect(dialog.getByText(/請先指定會議室對應場域內的哪個房間/)).toBeTruthy()
    expect(dialog.queryByText('會議室釋出時關燈')).toBeNull()
  })

  it('offers nothing without the right to add a schedule', async () => {
    const { dialog } = await open({}, [
      { FeatureKey: 'conference_room', OperationList: ['Read', 'Update'] },
      { FeatureKey: 'device_control', OperationList: ['Control'] },
    ])
    expect(dialog.queryByText('依預約自動執行')).toBeNull()
  })
})

describe('the schedule draft in an address', () => {
  it('is ignored if it is not a schedule', () => {
    for (const text of ['', 'x', '{}', '{"AutomationName":"a","Booking":{},"Actions":[]}'])
      expect(prefillIn(new URLSearchParams({ prefill: text }))).toBeUndefined()
    expect(prefillIn(new URLSearchParams())).toBeUndefined()
  })
})
