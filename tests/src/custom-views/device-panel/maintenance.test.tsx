import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { maintenances, type Maintenance } from '../../../../contract/alarms/calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { MaintenanceSection } from '../../../../src/custom-views/device-panel/maintenance-section.tsx'
import { StateCell } from '../../../../src/domain/devices/cells/live-cells.tsx'
import { DevicesInMaintenance } from '../../../../src/domain/devices/maintenance-tag.tsx'
import { deviceRows } from '../../../../src/domain/devices/device-rows.ts'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'
import { device, hub } from '../dashboard/devices.ts'
const UNTIL = Date.now() + 3_600_000
const maintenance = (more: Partial<Maintenance> = {}): Maintenance => ({
  MaintenanceID: '6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d0',
  HomeID: 'h1',
  Scope: 'device',
  Subject: 'shock',
  Until: UNTIL,
  Reason: '更換天花板',
  By: '王小明',
  StartedAt: UNTIL - 7_200_000,
  ...more,
})
const open = (uid: string | null = 'shock') =>
  openPage(<MaintenanceSection homeId="h1" thingName="on" peripheralUid={uid} />, '/', '/')

beforeAll(() => loadNamespaces(['devices', 'screens', 'errors', 'lists']))
beforeEach(async () => {
  prepareSession()
  await changeLanguage('zh-TW')
  server.use(answers(home.operations.list, [aHome()]))
})

describe('the device panel', () => {
  it('begins maintenance with an end and a reason, and ends it', async () => {
    let list: Maintenance[] = []
    server.use(
      answers(maintenances.listMaintenance, () => list),
      answers(maintenances.startMaintenance, () => {
        list = [maintenance()]
        return maintenance()
      }),
      answers(maintenances.endMaintenance, () => {
        list = []
        return { HomeID: 'h1', MaintenanceID: maintenance().MaintenanceID }
      }),
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: '開始維修' }))
    const dialog = within(await screen.findByRole('dialog'))
    const ok = dialog.getByRole('button', { name: /開\s*始$/ })
    expect(ok).toHaveProperty('disabled', true)
    await user.type(dialog.getByLabelText('原因'), '更換天花板')
    await user.click(ok)
    expect(await screen.findByText('此裝置維修中')).toBeTruthy()
    expect(screen.getByText(/原因：更換天花板（王小明）/)).toBeTruthy()
    const [sent] = sentTo(maintenances.startMaintenance) as Maintenance[]
    expect(sent).toMatchObject({ HomeID: 'h1', Scope: 'device', Subject: 'shock', Reason: '更換天花板' })
    expect(sent?.Until).toBeGreaterThan(Date.now() + 3 * 3_600_000)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: '結束維修' }))
    expect(await screen.findByRole('button', { name: '開始維修' })).toBeTruthy()
    expect(sentTo(maintenances.endMaintenance)).toEqual([
      { HomeID: 'h1', MaintenanceID: maintenance().MaintenanceID },
    ])
  })

  it('offers maintenance of its hub and site, and shows an existing one', async () => {
    server.use(rejectCall(maintenances.startMaintenance, 'CONFLICT', { fields: { Subject: 'taken' } }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: '開始維修' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('radio', { name: '整個閘道器' }))
    await user.type(dialog.getByLabelText('原因'), '檢修')
    await user.click(dialog.getByRole('button', { name: /開\s*始$/ }))
    expect(await dialog.findByText('此對象已在維修中')).toBeTruthy()
    expect(sentTo(maintenances.startMaintenance)).toMatchObject([{ Scope: 'hub', Subject: 'on' }])
  })

  it('shows the maintenance of the site on a hub', async () => {
    server.use(answers(maintenances.listMaintenance, [maintenance({ Scope: 'home', Subject: 'h1' })]))
    open(null)
    expect(await screen.findByText('整個場域維修中')).toBeTruthy()
  })

  it('shows maintenance without actions to a person who may only read', async () => {
    prepareSession(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
    server.use(answers(maintenances.listMaintenance, [maintenance()]))
    open()
    expect(await screen.findByText('此裝置維修中')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('a row of the device list', () => {
  it.each([
    ['device', 'shock', ['維修中', null]],
    ['hub', 'on', ['維修中', '維修中']],
  ] as const)(
    'shows that its %s is in maintenance, until when, why and by whom',
    (Scope, Subject, expected) => {
      const rows = deviceRows({
        Things: [hub('on', true)],
        Peripherals: [device('shock', '757')],
      })
      const rowOf = (id: string) => rows.find((row) => row.id === id)
      const cell = (id: string) => {
        const row = rowOf(id)
        return row && <div data-testid={id}>{<StateCell row={row} />}</div>
      }
      openPage(
        <DevicesInMaintenance value={[maintenance({ Scope, Subject })]}>
          {cell('shock')}
          {cell('on')}
        </DevicesInMaintenance>,
        '/',
        '/',
      )
      const tags = ['shock', 'on'].map((id) => within(screen.getByTestId(id)).queryByText('維修中'))
      expect(tags.map((tag) => tag?.textContent ?? null)).toEqual(expected)
      expect(tags[0]?.closest('[title]')?.getAttribute('title')).toContain('更換天花板（王小明）')
    },
  )
})
