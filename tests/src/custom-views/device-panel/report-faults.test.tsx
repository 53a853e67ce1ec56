import { screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reportFaults, type ReportFault } from '../../../../contract/setup/calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { ReportFaults } from '../../../../src/custom-views/device-panel/report-faults.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { answers, rejectCall, server } from '../../../support/msw.ts'
import { aHome, prepareSession, openPage } from '../../support/page.tsx'

const Since = Date.parse('2026-01-05T00:00:00Z')
const aFault = (changes: Partial<ReportFault>): ReportFault => ({
  ...{ PeripheralUID: 'air', Message: 'status', Field: 'Temperature', Reason: 'value', Came: '-127' },
  ...{ Count: 34, Since, LastAt: Since + 3_600_000, EndedAt: null },
  ...changes,
})
const air = aPeripheral({ PeripheralUID: 'air', PeripheralType: '753', PeripheralName: '機房' })
const clock = aFault({ PeripheralUID: null, Field: 'Timestamp', Reason: 'clockAhead', Came: '480000' })

beforeAll(() => loadNamespaces(['devices', 'screens']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(home.operations.list, [aHome()]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
  )
})
const open = (faults: ReportFault[], ofDevice = true) => {
  server.use(answers(reportFaults.listReportFault, faults))
  openPage(
    <ReportFaults homeId="h1" thingName="hub-1" {...(ofDevice ? { device: air } : { devices: [air] })} />,
    '/',
    '/',
  )
}

describe('faulty reports', () => {
  it('are listed for a device: field, received value, count and since when', async () => {
    open([aFault({}), aFault({ PeripheralUID: 'other', Field: 'Humidity' }), clock])
    expect(await screen.findByRole('heading', { name: '無法採用的回報值' })).toBeTruthy()
    const [field, offset, ...more] = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(field).toMatch(/^溫度 「-127」不是有效的值。.*共 34 次/)
    expect(offset).toMatch(/閘道器的時鐘 快了 8 分鐘/)
    expect(more).toEqual([])
  })

  it('are listed for a hub with the names of its devices and messages', async () => {
    const ended = aFault({ Field: 'PM25', EndedAt: Since + 7_200_000 })
    const whole = aFault({
      PeripheralUID: null,
      Message: 'meter',
      Field: '',
      Reason: 'malformed',
      Came: null,
    })
    open([clock, whole, ended], false)
    const lines = await screen.findAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/閘道器的時鐘 快了 8 分鐘/),
      expect.stringMatching(/^電表讀數 無法解讀/),
      expect.stringMatching(/^機房 · .*起恢復正常/),
    ])
    expect(within(screen.getByRole('alert')).getByText(/有 2 個數值/)).toBeTruthy()
  })

  it('are hidden if there are none, but not if loading failed', async () => {
    server.use(rejectCall(reportFaults.listReportFault, 'INTERNAL'))
    openPage(<ReportFaults homeId="h1" thingName="hub-1" device={air} />, '/', '/')
    expect(await screen.findByRole('alert')).toBeTruthy()
  })
})
