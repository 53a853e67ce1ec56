import { QueryClientProvider } from '@tanstack/react-query'
import { act, configure, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/procedures/personal.ts'
import { home as homeResource, type HomeWithRooms } from '../../../../contract/resources/home.ts'
import { peripheral, type DeviceSnapshot } from '../../../../contract/resources/peripheral.ts'
import Dashboard from '../../../../src/custom-views/dashboard/dashboard.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { statuses } from '../../../../src/data/status-store.ts'
import { me } from '../../../../src/data/session.ts'
import { answers, hangs, heard, owner, refuses, server, signInAs, subUser } from '../../../support/msw.ts'
import { device, hub } from './devices.ts'

// What comes after the first picture has tests of its own.
vi.mock('../../../../src/custom-views/dashboard/cards/card.tsx', () => ({ default: () => null }))

// The first call of all fetches Amplify, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 60_000 })

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
  const router = createMemoryRouter([{ path: '*', element: <Dashboard /> }], {
    initialEntries: ['/Dashboard'],
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}
const card = (name: string) => screen.findByRole('article', { name })

beforeAll(() => loadNamespaces(['dashboard']))
beforeEach(async () => {
  await changeLanguage('zh-TW')
  queryClient.clear()
  statuses.clear()
  heard.length = 0
  signInAs(owner)
  me.set(owner)
  server.use(answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG))
})

describe('the dashboard', () => {
  it('shows each home with its power, how many meters report, and what is on or open', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    const one = within(await card('總部'))
    expect(await one.findByText('12.34')).toBeTruthy()
    expect(one.getByText('1 / 2 個主電表回報中')).toBeTruthy()
    expect(one.getByRole('link', { name: /燈光開啟\s*1 \/ 1/ })).toBeTruthy()
    expect(one.getByRole('link', { name: /門開啟\s*0 \/ 1/ })).toBeTruthy()
    expect(one.queryByText('偵測到移動')).toBeNull()
  })

  it('adds the homes up for the company, power by the display rule', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    const company = within(await screen.findByRole('region', { name: '全公司' }))
    expect(await company.findByText('112')).toBeTruthy()
    expect(company.getByText('2 / 3 個主電表回報中')).toBeTruthy()
    expect(company.queryByRole('link')).toBeNull()
  })

  it('leads from every figure of a home to the device list of that kind', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    const one = within(await card('總部'))
    await one.findByText('12.34')
    const targets = one.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(targets).toEqual([
      '/DeviceList/h1',
      '/DeviceList/h1?kind=ClampMeter',
      '/DeviceList/h1?kind=Hub',
      '/DeviceList/h1',
      '/DeviceList/h1?kind=LightSwitch',
      '/DeviceList/h1?kind=Door',
      '/DeviceList/h1?kind=Hub&device=off',
    ])
    expect(one.getByRole('link', { name: '閘道器 off' })).toBeTruthy()
  })

  it('moves with the reports that come in', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    const one = within(await card('總部'))
    await one.findByText('12.34')
    act(() => statuses.report(status('m2', '514', { Power: 660 })))
    expect(await one.findByText('13.00')).toBeTruthy()
    expect(one.getByText('2 / 2 個主電表回報中')).toBeTruthy()
  })

  it('shows the shape of what is loading', async () => {
    server.use(twoHomes, hangs(list))
    open()
    expect((await card('總部')).getAttribute('aria-busy')).toBe('true')
  })

  it('keeps the other homes when one cannot be loaded, does not pass their sum off as the whole, and tries again', async () => {
    server.use(twoHomes, answers(list, both))
    server.use(refuses(list, 'INTERNAL'))
    queryClient.setQueryData([list.path, { HomeID: 'h2' }], factory())
    for (const one of factory().Statuses) statuses.report(one)
    const user = open()
    const failed = within(await card('總部'))
    expect(await failed.findByText('無法載入此場域的裝置')).toBeTruthy()
    expect(within(await card('工廠')).getByText('100')).toBeTruthy()
    expect(await screen.findByText('1 / 2 個場域已計入')).toBeTruthy()
    server.use(answers(list, both))
    await user.click(failed.getByRole('button', { name: '重試' }))
    expect(await failed.findByText('12.34')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('1 / 2 個場域已計入')).toBeNull())
  })

  it('shows no sum when no home could be loaded', async () => {
    server.use(twoHomes, refuses(list, 'INTERNAL'))
    open()
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2))
    expect(screen.queryByRole('region', { name: '全公司' })).toBeNull()
  })

  it('shows homes and rooms to who may not read devices, asks for nothing else and says so', async () => {
    me.set(subUser([{ FeatureKey: 'dashboard', OperationList: ['Read'] }]))
    server.use(twoHomes)
    open()
    const one = within(await card('總部'))
    expect(one.getByText('1 個房間')).toBeTruthy()
    expect(screen.getByText(/沒有檢視裝置的權限/)).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
    const own = personal.getPersonalConfig.path
    expect(heard.map(({ path }) => path).filter((path) => path !== own)).toEqual([
      homeResource.operations.list.path,
    ])
  })

  it('offers the first home to who may add one, and names who to ask to others', async () => {
    server.use(answers(homeResource.operations.list, []))
    open()
    expect((await screen.findByRole('link', { name: '新增場域' })).getAttribute('href')).toBe('/CreateHome')
    act(() => me.set(subUser([{ FeatureKey: 'dashboard', OperationList: ['Read'] }])))
    expect(await screen.findByText('請有場域管理權限的同事建立第一個場域。')).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('says that the homes could not be loaded, and loads them on another try', async () => {
    server.use(refuses(homeResource.operations.list, 'INTERNAL'))
    const user = open()
    expect(await screen.findByText('無法載入場域')).toBeTruthy()
    server.use(twoHomes, answers(list, both))
    await user.click(screen.getByRole('button', { name: '重試' }))
    expect(await card('工廠')).toBeTruthy()
  })

  it('speaks English as soon as that is chosen', async () => {
    server.use(twoHomes, answers(list, both))
    open()
    await screen.findByText('1 / 2 個主電表回報中')
    await act(() => changeLanguage('en-US'))
    expect(screen.getByText('1 of 2 main meters reporting')).toBeTruthy()
  })
})
