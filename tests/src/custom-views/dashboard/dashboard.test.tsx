import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { alarms, maintenances } from '../../../../contract/alarms/calls.ts'
import { attention } from '../../../../contract/attention/calls.ts'
import { deviceEvents } from '../../../../contract/devices/event-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { dashboard } from '../../../../contract/dashboards/dashboard.ts'
import { home as homeResource, type HomeWithRooms } from '../../../../contract/homes/home.ts'
import { peripheral, type DeviceSnapshot } from '../../../../contract/devices/peripheral.ts'
import Dashboard from '../../../../src/custom-views/dashboard/dashboard.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { statuses } from '../../../../src/data/status-store.ts'
import { me } from '../../../../src/data/session.ts'
import { alarmPage } from '../../../support/alarm-record.ts'
import { anAttention } from '../../../support/an-attention.ts'
import {
  answers,
  neverAnswers,
  requests,
  owner,
  rejectCall,
  server,
  signInAs,
  subUser,
} from '../../../support/msw.ts'
import { device, hub } from './devices.ts'
import { pagesAt } from '../../../support/pages-at.tsx'
import { PATIENT } from '../../../support/patient.ts'

// Content after the first paint has tests of its own.
vi.mock('../../../../src/custom-views/dashboard/cards/card.tsx', () => ({ default: () => null }))
vi.mock('../../../../src/custom-views/dashboard/kpi-row.tsx', () => ({ default: () => null }))
vi.mock('../../../../src/custom-views/dashboard/cards/power-card.tsx', () => ({ default: () => null }))
vi.mock('../../../../src/custom-views/dashboard/cards/saving-card.tsx', () => ({ default: () => null }))
vi.mock('../../../../src/custom-views/dashboard/tiles/tile-energy.tsx', () => ({ default: () => null }))
/** Renders of the power of each site, by its value in W. */
const renders = vi.hoisted(() => new Map<number | null, number>())
vi.mock(import('../../../../src/custom-views/dashboard/common/partial-power.tsx'), async (original) => {
  const { PartialPower } = await original()
  return {
    PartialPower: (props) => {
      renders.set(props.watts, (renders.get(props.watts) ?? 0) + 1)
      return PartialPower(props)
    },
  }
})
vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe() {}
    disconnect() {}
  },
)

const { list } = peripheral.operations
const home = (HomeID: string, HomeName: string): HomeWithRooms => ({
  HomeID,
  HomeName,
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [{ HomeID, RoomID: 0, RoomName: '預設房間', PeripheralList: [], ThingNameList: [] }],
})
const status = (PeripheralUID: string, PeripheralType: string, values: Record<string, unknown>) => ({
  PeripheralUID,
  PeripheralType,
  Timestamp: Date.now(),
  updateAt: Date.now(),
  ...values,
})

const office = (): DeviceSnapshot => ({
  Things: [hub('on', true), hub('off', false)],
  Peripherals: [device('m1', '514'), device('m2', '514'), device('light', '516'), device('door', '755')],
  Statuses: [
    status('m1', '514', { Power: 12_340 }),
    status('light', '516', { Switch: 1 }),
    status('door', '755', { DoorState: 1 }),
  ],
})
const factory = (): DeviceSnapshot => ({
  Things: [hub('plant', true, { HomeID: 'h2' })],
  Peripherals: [device('m9', '514', { HomeID: 'h2', ThingName: 'plant' })],
  Statuses: [status('m9', '514', { Power: 100_000 })],
})
const both = (body: unknown) => ((body as { HomeID: string }).HomeID === 'h1' ? office() : factory())
const twoHomes = answers(homeResource.operations.list, [home('h1', '總部'), home('h2', '工廠')])

function open() {
  const { pages } = pagesAt([{ path: '*', element: <Dashboard /> }], '/Dashboard')
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
  return userEvent.setup()
}
const card = (name: string) => screen.findByRole('article', { name })

beforeAll(() => loadNamespaces(['dashboard']))
beforeEach(async () => {
  await changeLanguage('zh-TW')
  queryClient.clear()
  statuses.clear()
  requests.length = 0
  signInAs(owner)
  me.set(owner)
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(attention.listAttention, anAttention({ Verdict: 'unknown' })),
    answers(deviceEvents.listLastChange, []),
    answers(dashboard.operations.list, []),
  )
})

describe('the dashboard', () => {
  it('shows each home with its power, reporting meters, and what is on or open', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    const one = within(await card('總部'))
    expect(await one.findByText('12.34')).toBeTruthy()
    expect(one.getByText('1 / 2 個主電表回報中')).toBeTruthy()
    expect(one.getByText('燈光開啟').closest('dt')?.nextElementSibling?.textContent).toBe('1 / 1')
    expect(one.getByText('門開啟').nextElementSibling?.textContent).toBe('0 / 1')
    expect(one.queryByText('使用中')).toBeNull()
  })

  it('renders only the tiles whose figures changed when readings arrive', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    await within(await card('總部')).findByText('12.34')
    await within(await card('工廠')).findByText('100')
    const report = (watts: number) => act(async () => statuses.report(status('m1', '514', { Power: watts })))
    await report(13_000)
    expect(await within(await card('總部')).findByText('13.00')).toBeTruthy()
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0), PATIENT)
    renders.clear()
    // A report without another figure renders nothing.
    await report(13_000)
    await report(14_000)
    expect(await within(await card('總部')).findByText('14.00')).toBeTruthy()
    expect([...renders]).toEqual([[14_000, 1]])
  })

  it('links each tile to the devices of its home, and its lights to those that are on', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    const one = within(await card('總部'))
    await one.findByText('12.34')
    expect(one.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/DeviceList/h1',
      '/DeviceList/h1?kind=LightSwitch&state=on',
    ])
  })

  it('shows on each tile the number of problems and unknowns', async () => {
    const lost = {
      ...office(),
      Things: [hub('on', true), hub('off', false, { SeenAt: Date.now() - 120_000 })],
    }
    server.use(
      twoHomes,
      answers(list, (body) => ((body as { HomeID: string }).HomeID === 'h1' ? lost : factory())),
      answers(alarms.listAlarm, alarmPage([])),
      answers(maintenances.listMaintenance, []),
    )
    open()
    expect(await within(await card('總部')).findByText('1 項')).toBeTruthy()
    expect(within(await card('工廠')).queryByText(/件$/)).toBeNull()
  })

  it('shows the rooms of a company with one site', async () => {
    const one = home('h1', '總部')
    const RoomList = [
      { HomeID: 'h1', RoomID: 0, RoomName: '預設房間', PeripheralList: [], ThingNameList: [] },
      { HomeID: 'h1', RoomID: 2, RoomName: '會議室', PeripheralList: [], ThingNameList: [] },
      { HomeID: 'h1', RoomID: 3, RoomName: '空房間', PeripheralList: [], ThingNameList: [] },
    ]
    const devices = office()
    const Peripherals = devices.Peripherals.map((each) =>
      each.PeripheralUID === 'light' ? { ...each, RoomID: 2 } : each,
    )
    server.use(
      answers(homeResource.operations.list, [{ ...one, RoomList }]),
      answers(list, { ...devices, Peripherals }),
    )
    open()
    const room = within(await card('會議室'))
    expect(room.getByText('燈光開啟').closest('dt')?.nextElementSibling?.textContent).toBe('1 / 1')
    expect(room.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/RoomDevice/h1/2',
      '/DeviceList/h1?kind=LightSwitch&state=on&room=2',
    ])
    expect(screen.queryByRole('article', { name: '空房間' })).toBeNull()
  })

  it('updates on incoming reports', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    const one = within(await card('總部'))
    await one.findByText('12.34')
    act(() => statuses.report(status('m2', '514', { Power: 660 })))
    expect(await one.findByText('13.00')).toBeTruthy()
    expect(one.queryByText(/個主電表回報中/)).toBeNull()
  })

  it('shows placeholders while it loads', async () => {
    server.use(twoHomes, neverAnswers(list))
    open()
    expect((await card('總部')).getAttribute('aria-busy')).toBe('true')
  })

  it('names every card before it is loaded', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    await card('總部')
    const names = [
      '用電功率',
      '每月可節省（估計）',
      '今天與本月',
      '今天與昨天逐時用電',
      '本月用電排行',
      '本月各用途用電',
      '閘道器',
    ]
    for (const name of names) expect(screen.getByRole('heading', { name })).toBeTruthy()
  })

  it('keeps the other homes if one cannot be loaded, and retries', async () => {
    server.use(twoHomes, answers(list, both))
    server.use(rejectCall(list, 'INTERNAL'))
    queryClient.setQueryData([list.path, { HomeID: 'h2' }], factory())
    for (const one of factory().Statuses) statuses.report(one)
    const user = open()
    const failed = within(await card('總部'))
    expect(await failed.findByText('無法載入此場域的裝置')).toBeTruthy()
    expect(within(await card('工廠')).getByText('100')).toBeTruthy()
    server.use(answers(list, both))
    await user.click(failed.getByRole('button', { name: '重試' }))
    expect(await failed.findByText('12.34')).toBeTruthy()
  })

  it('shows homes and rooms without the right to read devices, sends no other call, and says so', async () => {
    me.set(subUser([{ FeatureKey: 'dashboard', OperationList: ['Read'] }]))
    server.use(twoHomes)
    open()
    const one = within(await card('總部'))
    expect(one.getByText('1 個房間')).toBeTruthy()
    expect(screen.getByText(/沒有檢視裝置的權限/)).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
    const own = personal.getPersonalConfig.path
    expect(
      requests
        .map(({ path }) => path)
        .filter((path) => path !== own)
        .toSorted(),
    ).toEqual([attention.listAttention.path, homeResource.operations.list.path])
  })

  it('offers to add the first home, or names who can', async () => {
    server.use(answers(homeResource.operations.list, []))
    open()
    expect((await screen.findByRole('link', { name: '新增場域' })).getAttribute('href')).toBe('/CreateHome')
    act(() => me.set(subUser([{ FeatureKey: 'dashboard', OperationList: ['Read'] }])))
    expect(await screen.findByText('請有場域管理權限的同事建立第一個場域。')).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('says that the homes could not be loaded, and loads them on a retry', async () => {
    server.use(rejectCall(homeResource.operations.list, 'INTERNAL'))
    const user = open()
    expect(await screen.findByText('無法載入場域')).toBeTruthy()
    server.use(twoHomes, answers(list, both))
    await user.click(screen.getByRole('button', { name: '重試' }))
    expect(await card('工廠')).toBeTruthy()
  })

  it('switches to English at once', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    await screen.findByText('1 / 2 個主電表回報中')
    await act(() => changeLanguage('en-US'))
    expect(screen.getByText('1 of 2 main meters reporting')).toBeTruthy()
  })
})
