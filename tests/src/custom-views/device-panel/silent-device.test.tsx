import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { ota } from '../../../../contract/devices/ota-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { home as homeResource } from '../../../../contract/homes/home.ts'
import { peripheral, peripheralCalls } from '../../../../contract/devices/peripheral.ts'
import { DevicePanel } from '../../../../src/custom-views/device-panel/device-panel.tsx'
import { DeviceSettings } from '../../../../src/custom-views/device-panel/device-settings.tsx'
import { devicesQuery } from '../../../../src/data/homes.ts'
import { statuses } from '../../../../src/data/status-store.ts'
import { aHome, beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { sentTo } from '../../support/page.tsx'
const home = aHome('h1', '總部', { 0: '預設房間' })
const hub = { ThingName: 'hub', DeviceName: '閘道器', HomeID: 'h1', RoomID: 0, Online: true, SeenAt: 1 }
const smoke = aPeripheral({ PeripheralUID: 'smoke', PeripheralType: '756', PeripheralName: '偵煙器' })
const ignore = () => {}

beforeEach(async () => {
  await beginAs()
  server.use(
    answers(homeResource.operations.list, [home]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(ota.getAllOta, { Firmwares: [], Devices: [], Jobs: [] }),
    answers(peripheral.operations.list, { Things: [hub], Peripherals: [smoke], Statuses: [] }),
    answers(peripheralCalls.updateAdvance, smoke),
  )
})

const reported = (ago: number) =>
  statuses.report({
    PeripheralUID: 'smoke',
    PeripheralType: '756',
    SmokeState: 1,
    Timestamp: Date.now() - ago,
    updateAt: Date.now() - ago,
  })

function Panel() {
  const found = useQuery(devicesQuery('h1')).data?.Peripherals[0]
  return found ? <DevicePanel device={found} hub={hub} removed={ignore} onDirty={ignore} /> : null
}

it('shows since when a device is silent, and not as reporting', async () => {
  reported(26 * 3_600_000)
  openPages({ '/': <Panel /> }, '/')
  expect(await screen.findByText('失聯')).toBeTruthy()
  expect(screen.getByText(/^自 .+ 起失聯$/)).toBeTruthy()
  expect(screen.queryByText('回報正常')).toBeNull()
})

it('shows the same device as reporting while its last report is recent enough', async () => {
  reported(24 * 3_600_000)
  openPages({ '/': <Panel /> }, '/')
  expect(await screen.findByText('回報正常')).toBeTruthy()
  expect(screen.queryByText(/失聯$/)).toBeNull()
})

it('edits the minutes of silence of a sensor, and shows the default of its kind', async () => {
  const { user } = openPages(
    { '/': <DeviceSettings device={smoke} rooms={home.RoomList} onDirty={ignore} /> },
    '/',
  )
  const field = await screen.findByLabelText<HTMLInputElement>(/失聯判定時間/)
  expect(field.placeholder).toBe('25 小時（依裝置種類）')
  await user.type(field, '90')
  await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
  await waitFor(() =>
    expect(sentTo(peripheralCalls.updateAdvance)).toEqual([
      { HomeID: 'h1', PeripheralUID: 'smoke', SilentAfter: 90, Seen: { SilentAfter: null } },
    ]),
  )
})

it('offers no minutes of silence for a meter, which has an update frequency', async () => {
  const meter = aPeripheral({ PeripheralUID: 'm', PeripheralType: '514' })
  openPages({ '/': <DeviceSettings device={meter} rooms={home.RoomList} onDirty={ignore} /> }, '/')
  expect(await screen.findByLabelText(/更新頻率/)).toBeTruthy()
  expect(screen.queryByLabelText(/失聯判定時間/)).toBeNull()
})
