import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { runs } from '../../../../contract/automation/run-calls.ts'
import { sheddings, type Shedding } from '../../../../contract/automation/shedding-calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { GuardTab } from '../../../../src/custom-views/guard/guard-tab.tsx'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { answers, server } from '../../../support/msw.ts'
import { actingDevices, arriveInActingHome } from '../../support/acting-home.ts'
import { openPages, sentTo } from '../../support/page.tsx'
const SHED_AT = Date.parse('2026-11-24T04:48:05+08:00')
const BACK_AT = SHED_AT + 17 * 60_000
const shedding = (more: Partial<Shedding> = {}): Shedding => ({
  SheddingID: '6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d1',
  HomeID: 'h1',
  AutomationID: 'r1',
  AutomationName: '先停充電樁',
  PeripheralUID: 'a',
  GroupID: null,
  State: 'givenBack',
  Kw: 20.8,
  ShedAt: SHED_AT,
  ConfirmedAt: SHED_AT + 1_400,
  GivenBackAt: BACK_AT,
  RunID: '7b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d1',
  GivenBackRunID: '7b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d2',
  Forecast: 86.8,
  Target: 50,
  ...more,
})
type AvoidedPeaks = ResultsOf<typeof sheddings.getAvoidedPeaks>['Avoided']
const listed = (Rows: Shedding[], Avoided: AvoidedPeaks = []) =>
  server.use(
    answers(sheddings.listShedding, { Rows, NextCursor: null, Total: Rows.length }),
    answers(sheddings.getGuards, {
      Guards: [
        {
          AutomationID: 'r1',
          AutomationName: '先停充電樁',
          State: 'watching',
          Forecast: 31,
          Target: 50,
          At: BACK_AT,
        },
      ],
    }),
    answers(sheddings.getAvoidedPeaks, { Avoided }),
  )
const peak = (Cost: number | null) => ({
  From: '2026-11-01',
  Band: 'offPeak',
  Peak: 48,
  PeakWithout: 71,
  Cost,
})
const open = () => openPages([{ path: '/Alarm/:HomeID', element: <GuardTab HomeID="h1" /> }], '/Alarm/h1')

describe('the contract guard of a home', () => {
  beforeEach(async () => {
    await loadNamespaces(['alarms', 'automation'])
    await arriveInActingHome()
    server.use(answers(peripheral.operations.list, actingDevices()))
  })

  it('shows for each load when it was shed, confirmed and restored', async () => {
    listed([shedding()])
    open()
    const row = within((await screen.findByText('走廊燈')).closest('[role="row"]') as HTMLElement)
    expect(row.getByText(t('alarms:guard.loadStates.givenBack'))).toBeTruthy()
    expect(row.getByText(t('alarms:guard.seconds', { count: 1 }))).toBeTruthy()
    expect(row.getByText(/4:48/)).toBeTruthy()
    expect(row.getByText(/5:05/)).toBeTruthy()
  })

  it('shows that a load is not confirmed and not restored yet', async () => {
    listed([shedding({ State: 'sent', ConfirmedAt: null, GivenBackAt: null, GivenBackRunID: null })])
    open()
    await screen.findByText(t('alarms:guard.loadStates.sent'))
    expect(screen.getAllByText(t('alarms:guard.notYet'))).toHaveLength(2)
  })

  it('links to the run that shed a load', async () => {
    listed([shedding()])
    server.use(answers(runs.listAutomationRun, { Rows: [], Total: 0, NextCursor: null }))
    const { user } = open()
    await user.click(
      await screen.findByRole('button', { name: t('automation:run.show', { name: '走廊燈' }) }),
    )
    await screen.findByText(t('automation:run.gone'))
    expect(JSON.stringify(sentTo(runs.listAutomationRun))).toContain(shedding().RunID)
  })

  it('shows the avoided excess, and none if the contract covers the peak anyway', async () => {
    listed([shedding()], [peak(1234), { ...peak(0), From: '2026-10-01' }])
    open()
    expect(await screen.findByText(/2026\/11\/1 .*NT\$ 1,200/)).toBeTruthy()
    expect(screen.queryByText(/2026\/10\/1/)).toBeNull()
  })
})
