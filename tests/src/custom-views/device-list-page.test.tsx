import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../contract/people/personal-calls.ts'
import {
  type AnsweredPeripheral,
  type DeviceSnapshot,
  type Peripheral,
  peripheral,
} from '../../../contract/devices/peripheral.ts'
import { home } from '../../../contract/homes/home.ts'
// Lazily loaded parts of the list, imported here without delay.
import '../../../src/custom-views/device-list/more-tools.tsx'
import '../../../src/ui/inputs/choice-filter.tsx'
import '../../../src/ui/page/ant-design.tsx'
import DeviceListPage from '../../../src/custom-views/device-list/device-list-page.tsx'
import { FIRST_CONNECT_TIMEOUT_MS } from '../../../src/live/reach.ts'
import { statuses } from '../../../src/data/status-store.ts'
import { me } from '../../../src/data/session.ts'
import { aHome, beginAs, openPages } from '../../support/device-screens.tsx'
import { answers, server, subUser } from '../../support/msw.ts'
import { aPeripheral } from '../../support/peripheral.ts'
import { onPhone } from '../../support/on-phone.ts'
import { PATIENT } from '../../support/patient.ts'
const device = (
  PeripheralUID: string,
  PeripheralName: string,
  PeripheralType: string,
  more: Partial<Peripheral> = {},
): AnsweredPeripheral => aPeripheral({ PeripheralUID, PeripheralType, PeripheralName, ...more })
const status = (PeripheralUID: string, PeripheralType: string, Timestamp: number, values: object) => ({
  PeripheralUID,
  PeripheralType,
  Timestamp,
  updateAt: Timestamp,
  ...values,
})
const hub = (ThingName: string, Online: boolean) => ({
  ThingName,
  DeviceName: ThingName,
  HomeID: 'h1',
  RoomID: 0,
  Online,
  SeenAt: 1,
})

function snapshot(): DeviceSnapshot {
  const now = Date.now()
  return {
    Things: [hub('hub', true), hub('dead', false)],
    Peripherals: [
      device('light', '走廊燈', '534', { RoomID: 2 }),
      device('locked', '鎖定的燈', '516', { ControlMode: 2 }),
      device('meter', '總電表', '514'),
      device('late', '舊電表', '514'),
      device('new', '新門', '755'),
      device('stopped', '沒電的門', '755'),
      device('gone', '離線門', '755', { ThingName: 'dead' }),
      device('appliance', '會議室', '527'),
      device('outputs', '輸出入', '526'),
      device('han', '隱藏模組', '523'),
    ],
    Statuses: [
      status('light', '534', now, { Switch1: 1, Switch2: 0 }),
      status('locked', '516', now, { Switch: 1 }),
      status('meter', '514', now, { Power: 12_345, AccumulatePower: 7 }),
      status('appliance', '527', now, { TaiSEIAType: 4, Switch: 1 }),
      status('outputs', '526', now, { Switch1: 1, Switch2: 0, Switch3: 1, Power: 812, AccumulatePower: 9 }),
      status('stopped', '755', now - 26 * 3_600_000, { DoorState: 1 }),
      status('late', '514', now - 3_660_000, { Power: 500, AccumulatePower: 8 }),
    ],
  }
}

const LIST = <DeviceListPage />
const open = (address = '/DeviceList/h1') =>
  openPages(
    {
      '/DeviceList/:HomeID': LIST,
      '/RoomDevice/:HomeID/:RoomID': LIST,
      '/DeviceCategory/:HomeID/:Category': LIST,
    },
    address,
  )

const cardOf = async (name: string) =>
  (await screen.findByRole('link', { name })).closest('li') as HTMLElement

beforeEach(async () => {
  await beginAs()
  localStorage.setItem('deviceList.layout', 'cards')
  server.use(
    answers(home.operations.list, [aHome('h1', '總部', { 0: '預設房間', 2: '走廊' })]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(peripheral.operations.list, () => snapshot()),
  )
})

describe('device list', () => {
  it('shows the appliance that a device reports, and finds the device by it', async () => {
    open('/DeviceList/h1?q=除濕機')
    const card = await cardOf('會議室')
    expect(within(card).getByText('除濕機')).toBeTruthy()
    expect(screen.queryByRole('link', { name: '走廊燈' })).toBeNull()
  })

  it('keeps every character of fast typing, and stores the search in the address', async () => {
    const { user, history } = open()
    await screen.findByRole('link', { name: '走廊燈' })
    const box = screen.getByRole<HTMLInputElement>('searchbox')
    await user.type(box, '走廊 light')
    expect(box.value).toBe('走廊 light')
    await waitFor(() => expect(new URLSearchParams(history.location.search).get('q')).toBe('走廊 light'))
    await waitFor(() => expect(screen.queryByRole('link', { name: '總電表' })).toBeNull())
  })

  it('shows only the power next to several relays', async () => {
    open('/DeviceList/h1?q=輸出入')
    const card = await cardOf('輸出入')
    expect(within(card).getAllByRole('switch')).toHaveLength(3)
    expect(card.textContent).toContain('0.812')
    expect(card.textContent).not.toContain('kWh')
  })

  it('counts kinds without Han modules and filters by one, also in the address', async () => {
    onPhone()
    const { user, history } = open()
    expect((await screen.findByRole('button', { name: /^全部/ })).textContent).toBe('全部 11')
    await user.click(screen.getByRole('button', { name: /篩選/ }))
    await user.click(await screen.findByRole('combobox', { name: '依種類篩選' }))
    await user.click(
      await screen.findByText('電燈開關（2）', { selector: '.ant-select-item-option-content' }),
    )
    expect(screen.queryByRole('link', { name: '總電表' })).toBeNull()
    expect(screen.getByRole('link', { name: '走廊燈' })).toBeTruthy()
    expect(history.location.search).toBe('?kind=LightSwitch')
  })

  it('counts states and filters by one; Back undoes it', async () => {
    const { user, history } = open()
    const offline = await screen.findByRole('button', { name: '離線 2' })
    expect(offline.getAttribute('aria-pressed')).toBe('false')
    await user.click(offline)
    expect(screen.queryByRole('link', { name: '走廊燈' })).toBeNull()
    expect(screen.getByRole('link', { name: '離線門' })).toBeTruthy()
    expect(history.location.search).toBe('?state=offline')
    await act(() => history.go(-1))
    expect(await screen.findByRole('link', { name: '走廊燈' })).toBeTruthy()
    expect(history.location.search).toBe('')
  })

  it('sorts by power, and re-sorts by current values only on request', async () => {
    onPhone()
    const { user } = open('/DeviceList/h1?watts=100..&sort=-power')
    await cardOf('總電表')
    const names = () => screen.getAllByRole('link').map((link) => link.textContent)
    await waitFor(() => expect(names().slice(0, 2)).toEqual(['總電表', '輸出入']))
    act(() => statuses.report(status('outputs', '526', Date.now() + 5, { Power: 20_000 })))
    const again = await screen.findByRole('button', { name: /順序已改變，重新排列/ })
    expect(names().slice(0, 2)).toEqual(['總電表', '輸出入'])
    await user.click(again)
    expect(names().slice(0, 2)).toEqual(['輸出入', '總電表'])
    expect(screen.queryByRole('button', { name: /順序已改變，重新排列/ })).toBeNull()
  })

  it('restores its state from the address', async () => {
    open('/DeviceList/h1?q=電表&kind=ClampMeter')
    expect(await screen.findByRole('link', { name: '總電表' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: '走廊燈' })).toBeNull()
  })

  it('shows one room on the room route', async () => {
    open('/RoomDevice/h1/2')
    expect(await screen.findByRole('heading', { name: '走廊' })).toBeTruthy()
    expect(await screen.findByRole('link', { name: '走廊燈' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: '總電表' })).toBeNull()
  })

  it('shows power in kW by the rule of the specification', async () => {
    open()
    expect((await cardOf('總電表')).textContent).toContain('12.35kW')
  })

  it('distinguishes offline from no data yet', async () => {
    open('/DeviceList/h1?q=門')
    expect((await cardOf('離線門')).textContent).toContain('離線')
    expect((await cardOf('新門')).textContent).toContain('尚無資料')
  })

  it('shows the age of a value, and that it is stale', async () => {
    open('/DeviceList/h1?q=舊電表')
    expect((await cardOf('舊電表')).textContent).toContain('1 小時前 · 資料未更新')
  })

  it('shows the last value of a silent sensor as stale, with the time since the last report', async () => {
    open()
    const card = await cardOf('沒電的門')
    expect(card.textContent).toMatch(/\d+\/\d+（.）\d\d:\d\d · 失聯/)
    expect(card.querySelector('time')?.title).toMatch(/^自 .+ 起失聯$/)
    expect(card.querySelector('[class*=stale]')?.textContent).toContain('關')
  })

  it('hides the switches of a device in control mode 2 and still shows its state', async () => {
    open()
    const card = await cardOf('鎖定的燈')
    expect(within(card).queryByRole('switch')).toBeNull()
    expect(card.textContent).toContain('開')
  })

  it('shows no switch without the right to control', async () => {
    me.set(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
    open()
    await cardOf('走廊燈')
    expect(screen.queryByRole('switch')).toBeNull()
  })

  it('moves a switch only after the device reports it', async () => {
    const { user } = open()
    const [, second] = within(await cardOf('走廊燈')).getAllByRole('switch') as [HTMLElement, HTMLElement]
    expect(second.getAttribute('aria-checked')).toBe('false')
    await user.click(second)
    expect(second.getAttribute('aria-checked')).toBe('false')
    act(() => statuses.report(status('light', '534', Date.now() + 1, { Switch1: 1, Switch2: 1 })))
    await vi.waitFor(() => expect(second.getAttribute('aria-checked')).toBe('true'), PATIENT)
  })

  it('says that a command was not sent while the channel is down, and offers a retry', async () => {
    const { user } = open()
    const card = await cardOf('走廊燈')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    await user.click(within(card).getAllByRole('switch')[0] as HTMLElement)
    await act(() => vi.advanceTimersByTimeAsync(FIRST_CONNECT_TIMEOUT_MS))
    expect(await within(card).findByRole('button', { name: /失敗/ })).toBeTruthy()
  })

  it('shows the results for devices moved out of the listed room, and undoes the move', async () => {
    let RoomID = 2
    server.use(
      answers(peripheral.operations.list, () => {
        const { Peripherals, ...rest } = snapshot()
        const moved = Peripherals.map((one) => (one.PeripheralUID === 'light' ? { ...one, RoomID } : one))
        return { ...rest, Peripherals: moved }
      }),
      answers(peripheral.operations.update, (body) => {
        RoomID = (body as Pick<Peripheral, 'RoomID'>).RoomID
        return device('light', '走廊燈', '534', { RoomID })
      }),
    )
    const { user } = open('/RoomDevice/h1/2')
    await user.click(await screen.findByRole('checkbox', { name: '選取「走廊燈」' }))
    const bar = within(await screen.findByRole('toolbar', { name: '批次操作' }))
    await user.click(await bar.findByRole('button', { name: /移到房間/ }))
    await user.click(await screen.findByRole('combobox', { name: '移到房間' }))
    await user.click(await screen.findByText('預設房間', { selector: '.ant-select-item-option-content' }))
    await user.click(screen.getByText(/^移\s*動$/))
    expect(await screen.findByText('1 / 1，失敗 0')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: '選取「走廊燈」' })).toBeNull())
    expect(screen.getByText('1 / 1，失敗 0')).toBeTruthy()
    await user.click(screen.getByText(/^復\s*原$/))
    await waitFor(() => expect(RoomID).toBe(2))
    await user.click(screen.getByText(/^關\s*閉$/, { selector: '.ant-btn-primary span' }))
    await waitFor(() => expect(screen.queryByRole('toolbar', { name: '批次操作' })).toBeNull())
    expect(await screen.findByRole('checkbox', { name: '選取「走廊燈」' })).toBeTruthy()
  })

  it('keeps the order of rows when values change', async () => {
    open()
    await cardOf('走廊燈')
    const names = () => screen.getAllByRole('link').map((link) => link.textContent)
    const before = names()
    act(() => {
      statuses.report(status('meter', '514', Date.now() + 5, { Power: 1 }))
      statuses.report(status('late', '514', Date.now() + 5, { Power: 99_999 }))
    })
    await vi.waitFor(async () => expect((await cardOf('舊電表')).textContent).toContain('100kW'), PATIENT)
    expect(names()).toEqual(before)
  })
})
