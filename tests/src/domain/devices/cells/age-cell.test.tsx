import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { AgeCell } from '../../../../../src/domain/devices/cells/live-cells.tsx'
import { deviceRows, type DeviceRow } from '../../../../../src/domain/devices/device-rows.ts'
import { prepareSession } from '../../../support/page.tsx'
import { openRefinePages } from '../../../support/refine-pages.tsx'

const hubRow = (Online: boolean): DeviceRow => {
  const hub = { ThingName: 'hub', DeviceName: 'hub', HomeID: 'h1', RoomID: 0 }
  const [row] = deviceRows({
    Things: [{ ...hub, Online, SeenAt: Date.now() - 600_000 }],
    Peripherals: [],
  })
  return row as DeviceRow
}

beforeEach(() => void prepareSession())

it.each([
  ['an online hub is seen now', true, '現在'],
  ['an offline hub was seen when it went offline', false, '10 分鐘前'],
])('%s', async (_, isOnline, age) => {
  openRefinePages([{ path: '/', element: <AgeCell row={hubRow(isOnline)} /> }], '/')
  expect(await screen.findByText(age)).toBeTruthy()
})
