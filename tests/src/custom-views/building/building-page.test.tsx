import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { personal, DEFAULT_PERSONAL_CONFIG } from '../../../../contract/people/personal-calls.ts'
import { bookings, type BookingWithDetails } from '../../../../contract/bookings/calls.ts'
import { runs as runCalls, type Run } from '../../../../contract/automation/run-calls.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { floor, type Floor } from '../../../../contract/homes/floor.ts'
import { home } from '../../../../contract/homes/home.ts'
import { peripheral, type DeviceSnapshot, type Peripheral } from '../../../../contract/devices/peripheral.ts'
import { scene } from '../../../../contract/automation/scene.ts'
import BuildingPage from '../../../../src/custom-views/building/building-page.tsx'
import { statuses } from '../../../../src/data/status-store.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { connection } from '../../../../src/live/channel.ts'
import { runs } from '../../../../src/live/runs.ts'
import { aHome, beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, requests, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'

const light = (PeripheralUID: string, PeripheralName: string, more: Partial<Peripheral> = {}) =>
  aPeripheral({ PeripheralUID, PeripheralType: '516', PeripheralName, RoomID: 2, ...more })
const said = (PeripheralUID: string, PeripheralType: string, values: object, Timestamp = Date.now()) => ({
  PeripheralUID,
  PeripheralType,
  Timestamp,
  updateAt: Timestamp,
  ...values,
})
const snapshot = (): DeviceSnapshot => ({
  Things: [{ ThingName: 'hub', DeviceName: 'hub', HomeID: 'h1', RoomID: 0, Online: true, SeenAt: 1 }],
  Peripherals: [light('lamp', '走廊燈'), light('pantry', '茶水間燈'), light('mute', '啞燈', { RoomID: 3 })],
  Statuses: [said('lamp', '516', { Switch: 1 }), said('pantry', '516', { Switch: 0 })],
})

const room = {
  ConferenceRoomID: 'c1',
  ConferenceRoomName: '大會議室',
  Capacity: 8,
  HomeID: 'h1',
  RoomID: 2,
  Equipment: '',
  Active: true,
  ReleaseAfter: 0,
  Version: 1,
  TimeZone: 'Asia/Taipei',
}

const open = (address = '/Building/h1') => openPages({ '/Building/:HomeID': <BuildingPage /> }, address)
const tile = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}`) })
const sent = (path: string) => requests.filter((one) => one.path === path).map(({ body }) => body)

beforeEach(async () => {
  await beginAs()
  await loadNamespaces(['building', 'automation', 'bookings', 'devices', 'screens'])
  server.use(
    answers(home.operations.list, [aHome('h1', '總部', { 0: '預設房間', 2: '走廊', 3: '暗房' })]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(peripheral.operations.list, () => snapshot()),
    answers(conferenceRoom.operations.list, [room]),
    answers(bookings.getByStartTimestamp, [] as BookingWithDetails[]),
    answers(floor.operations.list, []),
    answers(scene.operations.list, []),
    answers(runCalls.listAutomationRun, { Rows: [], NextCursor: null, Total: 0 }),
  )
})

it('shows the known state of each room, and unknown as unknown', async () => {
  open()
  const known = await tile('走廊')
  expect(known.textContent).toContain('1/2 開')
  expect(known.textContent).toContain('正常')
  const dark = await tile('暗房')
  expect(dark.textContent).toContain('狀態不明')
  expect(dark.dataset['hatched']).toBe('true')
})

it('updates on a report of the same room', async () => {
  open()
  const known = await tile('走廊')
  act(() => statuses.report(said('pantry', '516', { Switch: 1 }, Date.now() + 1000)))
  await waitFor(() => expect(known.textContent).toContain('2/2 開'))
})

it('colors rooms by the layer in the address, with the value as text', async () => {
  const { user, history } = open('/Building/h1?layer=light')
  const known = await tile('走廊')
  expect(known.dataset['step']).toBe('3')
  expect((await tile('暗房')).dataset['hatched']).toBe('true')
  await user.selectOptions(screen.getByRole('combobox', { name: '顯示' }), '顯示：預約')
  expect(history.location.search).toBe('?layer=booking')
  await waitFor(async () => expect((await tile('走廊')).dataset['step']).toBe('1'))
})

it('turns off all lights of a room in one request and offers undo once it is confirmed', async () => {
  const publish = vi.spyOn(connection, 'publish').mockResolvedValue(undefined)
  act(() => connection.state.set('connected'))
  onTestFinished(() => void vi.restoreAllMocks())
  const { user } = open()
  await user.click(await tile('走廊'))
  await user.click(await screen.findByRole('button', { name: '走廊的燈全部關' }))
  await waitFor(() =>
    expect(publish.mock.calls.filter(([topic]) => topic.endsWith('control/request'))).toHaveLength(1),
  )
  const [, request] = publish.mock.calls.find(([topic]) => topic.endsWith('control/request')) as [
    string,
    { RequestID: string },
  ]
  expect(request).toMatchObject({ RoomID: 2, Only: 'lights', Values: { On: 0 } })
  const { RequestID: RunID } = request
  const action = (PeripheralUID: string, State: 'confirmed' | 'timedOut') => ({
    PeripheralUID,
    Values: { Switch: 0 },
    State,
    Reason: State === 'timedOut' ? ('noAnswer' as const) : null,
  })
  const run: Run = {
    RunID,
    HomeID: 'h1',
    AutomationID: null,
    SceneID: null,
    Name: null,
    Cause: 'person',
    By: '擁有者',
    State: 'partly',
    Reason: null,
    PlannedAt: null,
    BeganAt: Date.now(),
    EndedAt: Date.now(),
    Conditions: [],
    Actions: [action('lamp', 'confirmed'), action('pantry', 'timedOut')],
    UndoUntil: Date.now() + 600_000,
  }
  server.use(
    answers(runCalls.listAutomationRun, { Rows: [run], NextCursor: null, Total: 1 }),
    answers(runCalls.undoScene, { RunID: 'undone', Actions: 1, Left: 0 }),
  )
  const { cacheInvalidation: oldAnswers } = await import('../../../../src/data/api.ts')
  act(() => {
    runs.handleRun({
      RunID,
      State: 'partly',
      Actions: { total: 2, confirmed: 1, failed: 1 },
      Reason: null,
    } as never)
    void oldAnswers.invalidate([{ entity: 'run', record: { HomeID: 'h1' } }])
  })
  expect(await screen.findByText('已送出 2 · 已確認 1 · 未完成 1：茶水間燈（裝置沒有回應）')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /復原$/ }))
  await waitFor(() => expect(sent(runCalls.undoScene.path)).toMatchObject([{ HomeID: 'h1', RunID }]))
})

it("names the day of a room's next booking if it is not today", async () => {
  const DAY = 86_400_000
  // Taiwan has UTC+8 all year.
  const midnight = Math.ceil((Date.now() + 8 * 3_600_000) / DAY) * DAY - 8 * 3_600_000
  const booking: BookingWithDetails = {
    RecordID: '22222222-2222-4222-8222-000000000001',
    ConferenceRoomID: 'c1',
    StartTimestamp: midnight + 60_000,
    EndTimestamp: midnight + 3_600_000,
    Subject: '交班',
    Description: '',
    Host: '',
    Attendees: [],
    Private: false,
    SeriesID: null,
    Sequence: 0,
    BookedBy: null,
    BookedByEmail: '',
    CheckedInAt: null,
    ReleasedAt: null,
    Hidden: false,
  }
  server.use(answers(bookings.getByStartTimestamp, [booking]))
  open('/Building/h1?layer=booking')
  await waitFor(async () => expect((await tile('走廊')).textContent).toMatch(/\d+\/\d+（.）00:01 交班/))
})

it('books a free room for half an hour from the current minute', async () => {
  server.use(answers(bookings.add, []))
  const { user } = open('/Building/h1?room=2')
  await user.click(await screen.findByRole('button', { name: '立即預約大會議室 30 分鐘' }))
  await waitFor(() => expect(sent(bookings.add.path)).toHaveLength(1))
  const [booked] = sent(bookings.add.path) as [{ StartTimestamp: number; EndTimestamp: number }]
  expect(booked.StartTimestamp % 60_000).toBe(0)
  expect(booked.EndTimestamp - booked.StartTimestamp).toBe(30 * 60_000)
})

it('shows the state of a room without control, and why it is not controllable', async () => {
  await beginAs(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
  open('/Building/h1?room=2')
  const drawer = await screen.findByRole('dialog')
  expect(within(drawer).getByText('您沒有控制裝置的權限')).toBeTruthy()
  expect(within(drawer).queryByRole('button', { name: '走廊的燈全部關' })).toBeNull()
})

it('says that the rooms could not be loaded, and retries', async () => {
  server.use(rejectCall(peripheral.operations.list, 'INVALID'))
  open()
  expect(await screen.findByRole('button', { name: /重\s*試/ })).toBeTruthy()
})

const plan = { Url: '/images/large.webp', SmallUrl: '/images/small.webp', Width: 3000, Height: 1500 }
const aFloor = (
  FloorID: number,
  FloorName: string,
  Shapes: Floor['Shapes'],
  Plan: Floor['Plan'] = plan,
): Floor => ({
  HomeID: 'h1',
  FloorID,
  FloorName,
  Order: FloorID,
  Plan,
  Shapes,
  Version: 1,
})
const hall = {
  RoomID: 2,
  Points: [
    [0, 0],
    [5000, 0],
    [5000, 8000],
    [0, 8000],
  ] satisfies [number, number][],
}

it('draws a floor as its plan with the room states, and lists rooms without a floor', async () => {
  server.use(answers(floor.operations.list, [aFloor(1, '1F', [hall]), aFloor(2, '2F', [], null)]))
  const { user, history } = open()
  const drawn = await screen.findByRole('img', { name: '1F 的平面圖' })
  expect(drawn.getAttribute('srcset')).toBe('/images/small.webp 1024w, /images/large.webp 3000w')
  const rooms = screen.getByRole('group', { name: '1F 的房間' })
  const known = within(rooms).getByRole('button', { name: '走廊 · 正常 · 燈光 1/2 開' })
  expect(known.dataset['state']).toBe('well')
  expect(known.textContent).toContain('✓')
  expect(
    within(screen.getByRole('region', { name: '尚未放到任何樓層的房間' })).getAllByRole('button'),
  ).toHaveLength(1)
  act(() => statuses.report(said('pantry', '516', { Switch: 1 }, Date.now() + 1000)))
  await within(rooms).findByRole('button', { name: /2\/2 開/ })
  known.focus()
  await user.keyboard('{Enter}')
  expect(history.location.search).toBe('?room=2')
  expect(await screen.findByRole('dialog')).toBeTruthy()
})

it('colors rooms on a plan by the layer, hatches unknown rooms and shows the value', async () => {
  const dark = { RoomID: 3, At: [8000, 5000] as [number, number] }
  server.use(answers(floor.operations.list, [aFloor(1, '1F', [hall, dark])]))
  open('/Building/h1?layer=light')
  const rooms = await screen.findByRole('group', { name: '1F 的房間' })
  const lit = within(rooms).getByRole('button', { name: /^走廊/ })
  expect(lit.dataset['step']).toBe('3')
  expect(lit.textContent).toContain('1/2 開')
  const unknown = screen.getByRole('button', { name: '暗房 · 狀態不明 · 未知' })
  expect(unknown.dataset['hatched']).toBe('true')
  expect(unknown.textContent).toContain('?')
})

it('opens on the floor with most to do, stays there, and lists its rooms with the most urgent first', async () => {
  server.use(
    answers(home.operations.list, [aHome('h1', '總部', { 0: '預設房間', 2: '走廊', 3: '暗房', 4: '倉庫' })]),
    answers(peripheral.operations.list, () => ({
      ...snapshot(),
      Peripherals: [...snapshot().Peripherals, light('store', '倉庫燈', { RoomID: 4 })],
      Statuses: [...snapshot().Statuses, said('store', '516', { Switch: 0 })],
    })),
    answers(floor.operations.list, [
      aFloor(1, '1F', [hall]),
      aFloor(2, '2F', [
        { ...hall, RoomID: 4 },
        { RoomID: 3, At: [8000, 5000] },
      ]),
    ]),
  )
  const { user, history } = open()
  const list = await screen.findByRole('region', { name: '2F 的房間' })
  expect(
    within(list)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['暗房狀態不明', '倉庫正常'])
  act(() => statuses.report(said('mute', '516', { Switch: 1 }, Date.now() + 1000)))
  await waitFor(() => expect(list.textContent).not.toContain('狀態不明'))
  expect(screen.getByRole('region', { name: '2F 的房間' })).toBe(list)
  await user.click(within(list).getByRole('button', { name: /^倉庫/ }))
  expect(history.location.search).toBe('?room=4')
})

it('opens on the floor of the room that a link opens', async () => {
  const dark = { RoomID: 3, At: [8000, 5000] as [number, number] }
  server.use(answers(floor.operations.list, [aFloor(1, '1F', [hall]), aFloor(2, '2F', [dark])]))
  open('/Building/h1?room=2')
  expect(await screen.findByRole('dialog', { name: '走廊' })).toBeTruthy()
  expect(screen.getByText('1F').closest('button')?.ariaPressed).toBe('true')
})

it('switches floors by the address and shows what needs attention on each', async () => {
  const dark = { RoomID: 3, At: [8000, 5000] as [number, number] }
  server.use(answers(floor.operations.list, [aFloor(1, '1F', [hall]), aFloor(2, '2F', [dark], null)]))
  const { user, history } = open('/Building/h1?floor=nothing')
  await screen.findByRole('img', { name: '1F 的平面圖' })
  await user.click(screen.getByRole('button', { name: '狀態不明 2F' }))
  expect(history.location.search).toBe('?floor=2')
  expect(await screen.findByText('這個樓層還沒有平面圖，房間以方塊顯示。')).toBeTruthy()
  expect((await tile('暗房')).dataset['hatched']).toBe('true')
  expect(screen.queryByRole('button', { name: /^走廊/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: '所有房間' }))
  expect(await tile('走廊')).toBeTruthy()
  expect(screen.queryByRole('img', { name: '1F 的平面圖' })).toBeNull()
})

it('shows every room as a tile if floors cannot be loaded, and retries', async () => {
  server.use(rejectCall(floor.operations.list, 'INVALID'))
  const { user } = open()
  expect(await tile('走廊')).toBeTruthy()
  expect(await screen.findByText('無法載入樓層，暫時以方塊顯示所有房間。')).toBeTruthy()
  server.use(answers(floor.operations.list, [aFloor(1, '1F', [hall])]))
  await user.click(screen.getByRole('button', { name: /重\s*試/ }))
  expect(await screen.findByRole('img', { name: '1F 的平面圖' })).toBeTruthy()
})

it('does not request floors without the right to read rooms', async () => {
  await beginAs(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
  open()
  expect(await tile('走廊')).toBeTruthy()
  expect(sent(floor.operations.list.path)).toEqual([])
  expect(screen.queryByRole('button', { name: '新增樓層' })).toBeNull()
})
