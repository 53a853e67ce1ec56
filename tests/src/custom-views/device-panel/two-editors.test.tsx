import { act, screen, waitFor, within } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'
import { ota } from '../../../../contract/devices/ota-calls.ts'
import {
  peripheral,
  peripheralCalls,
  type AnsweredPeripheral,
} from '../../../../contract/devices/peripheral.ts'
import { thing, type ThingWithState } from '../../../../contract/devices/thing.ts'
import { home as homeResource } from '../../../../contract/homes/home.ts'
import LightHouseSettings from '../../../../src/domain/devices/control/light-house-settings.tsx'
import { DeviceSettings } from '../../../../src/custom-views/device-panel/device-settings.tsx'
import { HubPanel } from '../../../../src/custom-views/device-panel/hub-panel.tsx'
import { ThresholdForm } from '../../../../src/custom-views/device-panel/threshold-form.tsx'
import { cacheInvalidation } from '../../../../src/data/api.ts'
import { devicesQuery } from '../../../../src/data/homes.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { aHome, beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, rejectCall, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { sentTo } from '../../support/page.tsx'
const home = aHome('h1', '總部', { 0: '預設房間', 2: '機房' })
const hub: ThingWithState = {
  ThingName: 'hub',
  DeviceName: '一樓閘道器',
  HomeID: 'h1',
  RoomID: 0,
  Online: true,
  SeenAt: 1,
}
const meter = aPeripheral({ PeripheralUID: 'meter', PeripheralType: '513', PeripheralName: '冷氣電表' })
const tower = aPeripheral({ PeripheralUID: 'tower', PeripheralType: '515', AbnormalBlinkRate: 120 })

/** Sets the hubs and devices that the gateway returns. */
const holds = (Things: ThingWithState[], Peripherals: AnsweredPeripheral[]) =>
  server.use(answers(peripheral.operations.list, { Things, Peripherals, Statuses: [] }))
/** Delivers a change that another user saved to this screen. */
const hear = async (Things: ThingWithState[], Peripherals: AnsweredPeripheral[]) => {
  holds(Things, Peripherals)
  await act(() => cacheInvalidation.invalidate([{ entity: 'peripheral' }]))
}

beforeEach(async () => {
  await beginAs()
  await loadNamespaces(['lightHouse', 'ota'])
  server.use(
    answers(homeResource.operations.list, [home]),
    answers(ota.getAllOta, { Firmwares: [], Devices: [], Jobs: [] }),
    answers(thing.operations.update, hub),
    answers(peripheral.operations.update, meter),
    answers(peripheralCalls.updateAdvance, meter),
  )
})

const ignore = () => {}

function Hub() {
  const found = useQuery(devicesQuery('h1')).data?.Things[0]
  return found ? <HubPanel hub={found} removed={ignore} /> : null
}
function Device() {
  const found = useQuery(devicesQuery('h1')).data?.Peripherals[0]
  if (!found) return null
  if (found.PeripheralType === '515') return <LightHouseSettings device={found} onDirty={ignore} />
  return (
    <>
      <DeviceSettings device={found} rooms={home.RoomList} onDirty={ignore} />
      <ThresholdForm device={found} onDirty={ignore} />
    </>
  )
}

const TOLD = '其他人剛修改過這筆資料'
const input = async (label: string) => (await screen.findByLabelText(label)) as HTMLInputElement
const told = async () => (await screen.findByText(TOLD)).closest('[role=alert]') as HTMLElement
type User = ReturnType<typeof openPages>['user']
const write = async (user: User, label: string, text: string) => {
  await user.clear(await input(label))
  await user.type(await input(label), text)
}

describe('the form of a hub', () => {
  it('sends only changed fields and keeps a room that someone else selected', async () => {
    holds([hub], [])
    const { user } = openPages({ '/': <Hub /> }, '/')
    await write(user, '閘道器名稱', '二樓閘道器')
    await hear([{ ...hub, RoomID: 2 }], [])
    expect(await screen.findByText('機房')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() =>
      expect(sentTo(thing.operations.update)).toEqual([
        {
          HomeID: 'h1',
          ThingName: 'hub',
          DeviceName: '二樓閘道器',
          Seen: { DeviceName: '一樓閘道器' },
        },
      ]),
    )
  })

  it('shows a name that someone else saved first', async () => {
    holds([hub], [])
    const { user } = openPages({ '/': <Hub /> }, '/')
    await write(user, '閘道器名稱', '二樓閘道器')
    server.use(rejectCall(thing.operations.update, 'CONFLICT', { fields: { DeviceName: 'changed' } }))
    holds([{ ...hub, DeviceName: '三樓閘道器' }], [])
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    await waitFor(async () => expect((await told()).textContent).toContain('一樓閘道器三樓閘道器'))
    await user.click(within(await told()).getByText('採用對方的內容'))
    await waitFor(async () => expect((await input('閘道器名稱')).value).toBe('三樓閘道器'))
    expect(screen.queryByText(TOLD)).toBeNull()
  })
})

describe('the settings of a device', () => {
  it('follow a name that someone else saves, and never send the old one with another setting', async () => {
    holds([], [meter])
    const { user } = openPages({ '/': <Device /> }, '/')
    await hear([], [{ ...meter, PeripheralName: '主機電表' }])
    await waitFor(async () => expect((await input('裝置名稱')).value).toBe('主機電表'))
    const voltage = screen.getByPlaceholderText('220')
    await user.type(voltage, '110')
    await user.click(screen.getByRole('button', { name: /^儲\s*存$/ }))
    await waitFor(() =>
      expect(sentTo(peripheralCalls.updateAdvance)).toEqual([
        { HomeID: 'h1', PeripheralUID: 'meter', Voltage: 110, Seen: { Voltage: null } },
      ]),
    )
    expect(sentTo(peripheral.operations.update)).toEqual([])
  })

  it('ask which of two conflicting names to keep', async () => {
    holds([], [meter])
    const { user } = openPages({ '/': <Device /> }, '/')
    await write(user, '裝置名稱', '空調電表')
    await hear([], [{ ...meter, PeripheralName: '主機電表' }])
    expect((await told()).textContent).toContain('裝置名稱冷氣電表主機電表')
    await user.click(within(await told()).getByText(/保留我的內容/))
    await user.click(screen.getByRole('button', { name: /^儲\s*存$/ }))
    await waitFor(() =>
      expect(sentTo(peripheral.operations.update)).toEqual([
        {
          HomeID: 'h1',
          PeripheralUID: 'meter',
          PeripheralName: '空調電表',
          Seen: { PeripheralName: '主機電表' },
        },
      ]),
    )
  })

  it('say that someone else has set the limits in the meantime', async () => {
    holds([], [meter])
    const { user } = openPages({ '/': <Device /> }, '/')
    const limits = { CurrentLower: 0, CurrentUpper: 10, VoltageLower: 100, VoltageUpper: 240 }
    await user.type(await input('電流上限'), '20')
    await hear([], [{ ...meter, WarningThreshold: limits }])
    expect((await told()).textContent).toContain('電流上限–10 A')
    await user.click(within(await told()).getByText('採用對方的內容'))
    await waitFor(async () => expect((await input('電壓上限')).value).toBe('240'))
  })

  it('send only changed fields of a signal tower', async () => {
    holds([], [tower])
    const { user } = openPages({ '/': <Device /> }, '/')
    await user.type(await input('亮燈門檻'), '60')
    await user.tab()
    await hear([], [{ ...tower, AbnormalBlinkRate: 90 }])
    await waitFor(async () => expect((await input('異常閃爍頻率')).value).toBe('90'))
    await user.click(screen.getByRole('button', { name: '儲存三色燈設定' }))
    await waitFor(() =>
      expect(sentTo(peripheralCalls.updateAdvance)).toEqual([
        {
          HomeID: 'h1',
          PeripheralUID: 'tower',
          LightHouseThreshold: 60,
          Seen: { LightHouseThreshold: null },
        },
      ]),
    )
  })
})
