import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { alarms, type Alarm } from '../../../../../contract/procedures/alarms.ts'
import { maintenances } from '../../../../../contract/procedures/maintenance.ts'
import { home } from '../../../../../contract/resources/home.ts'
import { peripheral, type DeviceSnapshot } from '../../../../../contract/resources/peripheral.ts'
import { AlarmsCard } from '../../../../../src/custom-views/dashboard/cards/alarms-card.tsx'
import { useOverview } from '../../../../../src/custom-views/dashboard/use-overview.ts'
import { changeLanguage, loadNamespaces } from '../../../../../src/lib/i18n/i18n.ts'
import { statuses } from '../../../../../src/data/status-store.ts'
import { answers, hangs, refuses, server, subUser } from '../../../../support/msw.ts'
import { aHome, arrive, openPage, sentTo } from '../../../support/page.tsx'
import { device, hub } from '../devices.ts'
import { alarmPage, alarmRecord } from '../../../../support/alarm-record.ts'

vi.setConfig({ testTimeout: 60_000 })

const AT = Date.now() - 120_000
const AlarmID = '6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d0'
const alarm = (more: Partial<Alarm> = {}): Alarm =>
  alarmRecord({ AlarmID, SubjectName: '機房偵煙器', RaisedAt: AT, ReportedAt: AT, ...more })
const fire = { PeripheralUID: 'smoke', PeripheralType: '756', SmokeState: 3, Timestamp: AT, updateAt: AT }
const site = (online: boolean): DeviceSnapshot => ({
  Things: [hub('on', online, { SeenAt: AT + 1_000 })],
  Peripherals: [device('smoke', '756', { PeripheralName: '機房偵煙器' })],
  Statuses: [fire],
})
const listed = (Rows: Alarm[]) => answers(alarms.listAlarm, alarmPage(Rows))

function Page() {
  return <AlarmsCard overview={useOverview([aHome()])} />
}
const open = () => openPage(<Page />, '/', '/')
const row = async () => within(await screen.findByRole('listitem'))
const rows = () =>
  screen.queryAllByRole('listitem').filter(({ textContent }) => textContent?.includes('偵煙器'))

beforeAll(() => loadNamespaces(['dashboard', 'cards', 'devices', 'screens', 'errors']))
beforeEach(async () => {
  arrive()
  statuses.clear()
  await changeLanguage('zh-TW')
  server.use(answers(home.operations.list, [aHome()]), answers(peripheral.operations.list, site(true)))
})

describe('the card of what needs somebody', () => {
  it('takes an acknowledgement, names who knows, and keeps the alarm', async () => {
    let known: Alarm['Acknowledged'] = null
    server.use(
      answers(alarms.listAlarm, () => alarmPage([alarm({ Acknowledged: known })])),
      answers(alarms.acknowledgeAlarm, () => {
        known = { By: '王小明', At: Date.now(), Comment: null }
        return alarm({ Acknowledged: known })
      }),
    )
    const { user } = open()
    const button = await screen.findByRole('button', { name: '已知悉「機房偵煙器」的警報' })
    // What is connected ends its alarm itself.
    expect(screen.queryByRole('button', { name: '解除「機房偵煙器」的警報' })).toBeNull()
    await user.click(button)
    expect(await (await row()).findByText(/王小明.*已知悉/)).toBeTruthy()
    expect(sentTo(alarms.acknowledgeAlarm)).toEqual([{ HomeID: 'h1', AlarmID }])
    expect((await row()).getByText('火警')).toBeTruthy()
    expect((await row()).queryByRole('button')).toBeNull()
    expect(screen.queryByText('沒有需要處理的裝置')).toBeNull()
  })

  it('clears what a lost hub told of last, with a reason, and is not green then', async () => {
    let cleared: Alarm['Cleared'] = null
    server.use(
      answers(peripheral.operations.list, site(false)),
      answers(alarms.listAlarm, () => alarmPage([alarm({ Cleared: cleared })])),
      answers(alarms.clearAlarm, () => {
        cleared = { By: '王小明', At: Date.now(), Reason: '已到現場' }
        return alarm({ Cleared: cleared })
      }),
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: '解除「機房偵煙器」的警報' }))
    const dialog = within(await screen.findByRole('dialog'))
    const ok = dialog.getByRole('button', { name: /^解\s*除$/ })
    expect(ok).toHaveProperty('disabled', true)
    await user.type(dialog.getByLabelText('解除原因'), '已到現場')
    await user.click(ok)
    await waitFor(() => expect(rows()).toEqual([]))
    expect(sentTo(alarms.clearAlarm)).toEqual([{ HomeID: 'h1', AlarmID, Reason: '已到現場' }])
    expect(screen.queryByText('沒有需要處理的裝置')).toBeNull()
    expect(screen.getByText('2 個裝置與閘道器中，2 個狀態不明')).toBeTruthy()
  })

  it('says why an alarm cannot be cleared, and keeps what was typed', async () => {
    server.use(
      answers(peripheral.operations.list, site(false)),
      listed([alarm()]),
      refuses(alarms.clearAlarm, 'CONFLICT', { fields: { AlarmID: 'stillTrue' } }),
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: '解除「機房偵煙器」的警報' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText('解除原因'), '誤報')
    await user.click(dialog.getByRole('button', { name: /^解\s*除$/ }))
    expect((await dialog.findByRole('alert')).textContent).toContain('裝置仍在連線並回報此狀況')
    expect(dialog.getByLabelText('解除原因')).toHaveProperty('value', '誤報')
  })

  it('offers neither to who may only look', async () => {
    arrive(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
    server.use(answers(peripheral.operations.list, site(false)), listed([alarm()]))
    open()
    expect(await (await screen.findAllByText('火警'))[0]).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('keeps the alarm of a device that was removed, by its last name', async () => {
    server.use(
      answers(peripheral.operations.list, { ...site(true), Peripherals: [], Statuses: [] }),
      listed([alarm()]),
    )
    open()
    const one = await row()
    expect(one.getByText('機房偵煙器')).toBeTruthy()
    expect(one.queryByRole('link', { name: '機房偵煙器' })).toBeNull()
    expect(one.getByText('裝置已移除，之後狀態不明')).toBeTruthy()
    expect(one.getByRole('button', { name: '解除「機房偵煙器」的警報' })).toBeTruthy()
  })

  it('is not green while it is not known what is an alarm, says so, and tries again', async () => {
    const calm = { ...fire, SmokeState: 1 }
    server.use(
      answers(peripheral.operations.list, { ...site(true), Statuses: [calm] }),
      refuses(alarms.listAlarm, 'INTERNAL'),
    )
    const { user } = open()
    // Once for the card, and once for the sites that ask when the page is drawn.
    await waitFor(() => expect(sentTo(alarms.listAlarm)).toHaveLength(2), { timeout: 8_000 })
    expect((await screen.findByRole('alert')).textContent).toContain('無法載入警報與維修紀錄')
    expect(screen.queryByText('沒有需要處理的裝置')).toBeNull()
    server.use(listed([]))
    await user.click(screen.getByRole('button', { name: /重\s*試/ }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  it('shows what devices say while the alarms are still being asked for', async () => {
    server.use(hangs(alarms.listAlarm))
    open()
    expect(await (await row()).findByText('火警')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('says how many are in maintenance and leaves out what they say', async () => {
    const maintenance = {
      MaintenanceID: AlarmID,
      HomeID: 'h1',
      Scope: 'hub' as const,
      Subject: 'on',
      Until: Date.now() + 3_600_000,
      Reason: '更換天花板',
      By: '王小明',
      StartedAt: AT,
    }
    server.use(
      answers(peripheral.operations.list, { ...site(true), Statuses: [{ ...fire, SmokeState: 5 }] }),
      answers(maintenances.listMaintenance, [maintenance]),
    )
    open()
    expect(await screen.findByText('2 個維修中')).toBeTruthy()
    expect(screen.queryByRole('listitem')).toBeNull()
    await changeLanguage('en-US')
    expect(await screen.findByText('2 in maintenance')).toBeTruthy()
  })
})
