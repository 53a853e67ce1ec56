import { Blob as NodeBlob } from 'node:buffer'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { HistoryStatus } from '../../../../contract/energy/meter-data-calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { home } from '../../../../contract/homes/home.ts'
import { MeterExport } from '../../../../src/custom-views/meters/meter-export.tsx'
import { meterRows } from '../../../../src/custom-views/meters/common/use-meters.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aHome, prepareSession, ZONE } from '../../support/page.tsx'

const HOUR = 3_600_000
const NAMES: Readonly<Record<string, string>> = { a: '總表', b: '空調', c: '新表' }

const statusOf = (PeripheralUID: string, age: number | null): HistoryStatus => ({
  PeripheralUID,
  HomeID: 'h1',
  LastUpdateTimestamp: age === null ? null : Date.now() - age,
  HourlyKwh: null,
  DailyKwh: age === null ? null : 1.5,
  MonthlyKwh: age === null ? null : 20,
  AccumulatePower: age === null ? null : 1234,
  AvgElectricCurrent: null,
  Power: null,
  PowerMeterUpdateFrequency: 900,
  IsCurrent: age !== null && age < 900_000,
})

let saved: Promise<string> | undefined
beforeAll(() => loadNamespaces(['devices', 'energy', 'meters', 'lists', 'shell']))
beforeEach(() => {
  prepareSession()
  saved = undefined
  vi.stubGlobal('Blob', NodeBlob)
  URL.createObjectURL = (blob) => {
    saved = (blob as Blob).text()
    return 'blob:x'
  }
  URL.revokeObjectURL = () => {}
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  server.use(
    answers(home.operations.list, [aHome()]),
    answers(peripheral.operations.list, {
      Things: [],
      Peripherals: Object.keys(NAMES).map((PeripheralUID) =>
        aPeripheral({ PeripheralUID, PeripheralType: '514' }),
      ),
      Statuses: [],
    }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it("writes the freshness of each meter's last reading in the file", async () => {
  const statuses = [statusOf('a', 60_000), statusOf('b', 5 * HOUR), statusOf('c', null)]
  const rows = meterRows(
    statuses.map(({ PeripheralUID }) => ({ PeripheralUID, ParentMeter: null })),
    statuses,
  )
  render(
    <QueryClientProvider client={queryClient}>
      <MeterExport
        place={{
          homeId: 'h1',
          zone: ZONE,
          meters: new Map(),
          virtual: new Map(),
          tree: new Map(),
          nameOf: (id) => NAMES[id] ?? id,
        }}
        rows={rows}
        byId={new Map(statuses.map((one) => [one.PeripheralUID, one]))}
      />
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
  await user.click(await screen.findByRole('menuitem', { name: /^CSV$/ }))
  await waitFor(() => expect(saved).toBeDefined())
  const [head = '', ...lines] = (await saved)?.trim().split('\r\n') ?? []
  const place = head.split(',').indexOf('最後讀數的狀態')
  expect(lines.map((line) => [line.split(',')[0], line.split(',')[place]])).toEqual([
    ['總表', '回報正常'],
    ['空調', '資料未更新'],
    ['新表', '尚無資料'],
  ])
})
