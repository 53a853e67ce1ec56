import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ConditionTrace } from '../../../../contract/automation/run-calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { virtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import RunDrawer from '../../../../src/domain/automation/runs/run-drawer.tsx'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { openPages } from '../../../support/device-screens.tsx'
import { answers, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aRun, arriveInActingHome, runsAre } from '../../support/acting-home.ts'
const device = (PeripheralUID: string, PeripheralType: string, PeripheralName: string) =>
  aPeripheral({ HomeID: 'h1', PeripheralUID, PeripheralType, PeripheralName, RoomID: 1 })

const seen = (
  PeripheralUID: string,
  Field: string,
  Value: number | null,
  Needed?: ConditionTrace['Needed'],
): ConditionTrace => ({
  PeripheralUID,
  Field,
  Value,
  At: null,
  Verdict: Value === null ? null : true,
  ...(Needed && { Needed }),
})

/** One condition of each kind, as in a trace. */
const TRACE = [
  seen('light', 'Switch', 1, { Logical: '=', Status: 1 }),
  seen('light', 'Online', 0),
  seen('light', 'SilentFor', 3600),
  seen('floor', 'ThermostatTable.3.Temperature', 21.5, { Logical: 'between', Status: [20, 24] }),
  seen('meter', 'DailyKwh', 12.25, { Logical: '>', Status: 10, Clear: 8 }),
  seen('virtual-tenants', 'HourlyKwh', 3),
  seen('home', 'DemandShare', 91),
  seen('home', 'DemandForecast', null),
]

beforeEach(async () => {
  await arriveInActingHome()
  await act(() => changeLanguage('zh-TW'))
  server.use(
    answers(peripheral.operations.list, {
      Things: [],
      Peripherals: [
        device('light', '516', '走廊燈'),
        device('floor', '525', '地暖'),
        device('meter', '518', '總表'),
      ],
      Statuses: [],
    }),
    answers(virtualMeter.operations.list, [
      {
        HomeID: 'h1',
        VirtualMeterID: 'virtual-tenants',
        VirtualMeterName: '租戶',
        Terms: [{ PeripheralUID: 'meter', Factor: 1 }],
        Version: 1,
      },
    ]),
  )
  runsAre(aRun({ SceneID: null, AutomationID: 'a', Cause: 'condition', Conditions: TRACE }))
})

async function conditionsSaid(name: string): Promise<(string | null)[]> {
  openPages({ '/': <RunDrawer title="x" HomeID="h1" runId="r1" close={() => {}} /> }, '/')
  const section = await screen.findByRole('region', { name })
  await within(section).findByText(/租戶/)
  return within(section)
    .getAllByRole('listitem')
    .map((line) => [...line.children].map(({ textContent }) => textContent).join(' | '))
}

describe('the conditions of a run', () => {
  it('are shown in the words of the editor: presence, silence, zones, sums and the site', async () => {
    expect(await conditionsSaid('條件')).toEqual([
      '走廊燈：開關 | 成立 | 開 | 須為「開」',
      '走廊燈：連線狀態 | 成立 | 離線',
      '走廊燈：未回報時間 | 成立 | 1 小時',
      '地暖：分區 3．溫度 | 成立 | 21.5 °C | 須介於 20 °C 與 24 °C 之間',
      '總表：今日用電量 | 成立 | 12.25 kWh | 須高於 10 kWh',
      '租戶：本小時用電量 | 成立 | 3 kWh',
      '整個場域：契約容量占比 | 成立 | 91%',
      '整個場域：預測需量 | 未知 | 未知',
    ])
  })

  it('are shown in English as well', async () => {
    await act(() => changeLanguage('en-US'))
    await loadNamespaces(['automation'])
    expect(await conditionsSaid('Conditions')).toEqual([
      '走廊燈: Switch | True | On | needed: On',
      '走廊燈: Connection | True | Offline',
      '走廊燈: Time without a report | True | 1 hour',
      '地暖: Zone 3, Temperature | True | 21.5 °C | needed: between 20 °C and 24 °C',
      '總表: Energy today | True | 12.25 kWh | needed: above 10 kWh',
      '租戶: Energy this hour | True | 3 kWh',
      'The site as a whole: Share of the contract capacity | True | 91%',
      'The site as a whole: Forecast demand | Unknown | Unknown',
    ])
  })
})
