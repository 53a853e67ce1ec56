import { render, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { OldValues } from '../../../../src/custom-views/modbus/modbus-page.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { statuses } from '../../../../src/data/status-store.ts'
import { beginAs } from '../../../support/device-screens.tsx'
import { aPeripheral } from '../../../support/peripheral.ts'

const device = aPeripheral({ PeripheralUID: 'm', PeripheralType: '758', PowerMeterUpdateFrequency: 900 })
const hub = (Online: boolean) => ({
  ThingName: 'hub',
  DeviceName: '閘道器',
  HomeID: 'h1',
  RoomID: 0,
  Online,
  SeenAt: 1,
})

function open(minutes: number, online: boolean) {
  // Not exact to the ms: a page's time stands still while it is rendered.
  const Timestamp = Date.now() - minutes * 60_000 - 1_000
  statuses.report({ PeripheralUID: 'm', PeripheralType: '758', Timestamp, updateAt: Timestamp })
  render(<OldValues device={device} hub={hub(online)} />)
}

beforeEach(async () => {
  await beginAs()
  await loadNamespaces(['modbus'])
})

it('says that values are stale because the hub is offline', () => {
  open(180, false)
  expect(screen.getByText('閘道器離線')).toBeTruthy()
  expect(screen.getByText('以下數值為 3 小時前讀取，可能與現場不同。')).toBeTruthy()
})

it('says that a device has not been read for longer than its interval', () => {
  open(60, true)
  expect(screen.getByText('資料未更新')).toBeTruthy()
})

it('shows no notice for current values', () => {
  open(1, true)
  expect(screen.queryByRole('alert')).toBeNull()
})
