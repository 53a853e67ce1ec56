import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { alarms, type Alarm, maintenances } from '../../../../contract/alarms/calls.ts'
import { attention } from '../../../../contract/attention/calls.ts'
import { deviceEvents } from '../../../../contract/devices/event-calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { peripheral, type DeviceSnapshot } from '../../../../contract/devices/peripheral.ts'
import type { AttentionItem } from '../../../../contract/attention/attention.ts'
import { AttentionPanel } from '../../../../src/custom-views/dashboard/attention/attention-panel.tsx'
import { useLiveAttention } from '../../../../src/custom-views/dashboard/common/attention.ts'
import { useLiveOverview } from '../../../../src/custom-views/dashboard/common/overview.ts'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { statuses } from '../../../../src/data/status-store.ts'
import { connection } from '../../../../src/live/channel.ts'
import { alarmPage, alarmRecord } from '../../../support/alarm-record.ts'
import { anAttention } from '../../../support/an-attention.ts'
import { answers, neverAnswers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'
import { device, hub } from './devices.ts'
const AT = Date.now() - 120_000
const AlarmID = '6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d0'
const NAME = '機房偵煙器'
const alarm = (more: Partial<Alarm> = {}): Alarm =>
  alarmRecord({ AlarmID, SubjectName: NAME, RaisedAt: AT, ReportedAt: AT, ...more })
const says = (SmokeState: number, Timestamp = AT) => ({
  ...{ PeripheralUID: 'smoke', PeripheralType: '756', SmokeState, Timestamp, updateAt: Timestamp },
})
const site = (online: boolean, ...Statuses: DeviceSnapshot['Statuses']): DeviceSnapshot => ({
  Things: [hub('on', online, { SeenAt: AT + 1_000 })],
  Peripherals: [device('smoke', '756', { PeripheralName: NAME })],
  Statuses,
})
const devices = (online: boolean, ...all: DeviceSnapshot['Statuses']) =>
  answers(peripheral.operations.list, site(online, ...all))
const listed = (...Rows: Alarm[]) => answers(alarms.listAlarm, alarmPage(Rows))

const homes = [aHome()]
function LiveData() {
  useLiveOverview(homes)
  useLiveAttention()
  return null
}
const Page = () => (
  <>
    <LiveData />
    <AttentionPanel homes={homes} />
  </>
)
const open = (address = '/') => openPage(<Page />, '/', address)
const row = async () => {
  const found = await screen.findByText(NAME)
  return within(found.closest('li') as HTMLElement)
}
const sentence = () => screen.getByRole('status').textContent

beforeAll(() => loadNamespaces(['dashboard', 'devices', 'screens', 'errors', 'alarms']))
beforeEach(async () => {
  prepareSession()
  statuses.clear()
  connection.state.set('connected')
  // The channel is never started, which a real topic subscription would report at an unpredictable time.
  vi.spyOn(connection, 'want').mockResolvedValue(false)
  await changeLanguage('zh-TW')
  server.use(
    answers(home.operations.list, [aHome()]),
    devices(true, says(3)),
    listed(alarm()),
    answers(maintenances.listMaintenance, []),
    answers(deviceEvents.listLastChange, []),
    answers(attention.listAttention, anAttention({ AsOf: AT })),
  )
})
afterEach(() => {
  connection.state.set('idle')
  vi.restoreAllMocks()
})

describe('the verdict', () => {
  it('is green only if everything is known, nothing needs attention, and the channel is up', async () => {
    server.use(devices(true, says(1)), listed())
    open()
    await waitFor(() => expect(sentence()).toContain('2 個狀態全部已知，目前沒有待處理事項'))
    expect(screen.getByRole('status').dataset['verdict']).toBe('clear')
    act(() => connection.state.set('reconnecting'))
    await waitFor(() => expect(sentence()).toMatch(/截至 \d\d:\d\d/))
    expect(screen.getByRole('status').dataset['verdict']).toBe('old')
    expect(sentence()).not.toContain('目前沒有待處理事項')
  })

  it.each([
    ['is of now while the screen that was just opened connects', 'connecting', 0, false],
    ['says of when it is where the screen is long without its changes', 'connecting', 120_000, true],
    ['says of when it is as soon as connecting has failed', 'error', 0, true],
    ['says of when it is while the channel is lost', 'reconnecting', 0, true],
  ] as const)('%s', async (_, state, age, dated) => {
    connection.state.set(state)
    server.use(
      devices(true, says(1)),
      listed(),
      answers(attention.listAttention, anAttention({ AsOf: Date.now() - age, Known: 2, Watched: 2 })),
    )
    open()
    await waitFor(() => expect(sentence()).toContain('2 個狀態已知，沒有待處理事項'))
    expect(/截至 \d\d:\d\d/.test(sentence() ?? '')).toBe(dated)
    expect(screen.getByRole('status').dataset['verdict']).not.toBe('clear')
  })

  it('counts alarms as the menu does, other items, both by severity, and what is unknown', async () => {
    server.use(devices(false, says(3)))
    open()
    await waitFor(() => expect(sentence()).toContain('1 則警報未知悉，另有 1 項待處理'))
    expect(screen.getByTitle('所有場域：未知悉的警報，以及其他待處理事項')).toBeTruthy()
    expect(screen.getByText('緊急 2')).toBeTruthy()
    expect(screen.getByText('2 個中 2 個狀態不明')).toBeTruthy()
  })

  it("is the gateway's until the devices are loaded, and then follows live reports", async () => {
    const told: AttentionItem = {
      Key: 'hubLost/on',
      Kind: 'hubLost',
      Severity: 'warning',
      ...{ HomeID: 'h1', RoomID: 0, Subject: 'on', Name: '機房閘道器', Since: AT, Stale: null },
      ...{ AlarmID: null, Acknowledged: null, Shelved: null },
    }
    server.use(
      neverAnswers(peripheral.operations.list),
      answers(
        attention.listAttention,
        anAttention({ Verdict: 'attention', Items: [told], Known: 1, Watched: 2, AsOf: AT }),
      ),
    )
    open()
    expect(await screen.findByText('機房閘道器')).toBeTruthy()
    expect(sentence()).toContain('1 項待處理')
    expect(screen.getByRole('link', { name: '查看「機房閘道器」' }).getAttribute('href')).toBe(
      '/DeviceList/h1?kind=Hub&device=on',
    )
  })

  it('names what the person has no right to see', async () => {
    prepareSession(subUser([{ FeatureKey: 'dashboard', OperationList: ['Read'] }]))
    server.use(
      answers(
        attention.listAttention,
        anAttention({ Verdict: 'unknown', Without: ['device', 'electricity'] }),
      ),
    )
    open()
    expect(await screen.findByText('未列入裝置（沒有權限）')).toBeTruthy()
    expect(screen.getByText('未列入用電（沒有權限）')).toBeTruthy()
    expect(sentence()).toContain('目前看不到任何裝置的狀態')
  })

  it('says that the state could not be determined, and retries', async () => {
    server.use(neverAnswers(peripheral.operations.list), rejectCall(attention.listAttention, 'INTERNAL'))
    const { user } = open()
    expect((await screen.findByRole('alert')).textContent).toContain('無法載入待處理事項')
    server.use(answers(attention.listAttention, anAttention({ Verdict: 'unknown', Known: 1, Watched: 2 })))
    await user.click(screen.getByRole('button', { name: '重試' }))
    await waitFor(() => expect(sentence()).toContain('沒有已知的問題，但部分狀態不明'))
  })
})

describe('a row', () => {
  it('can be acknowledged, shows by whom, keeps the alarm, and can be undone', async () => {
    let known: Alarm['Acknowledged'] = null
    server.use(
      answers(alarms.listAlarm, () => alarmPage([alarm({ Acknowledged: known })])),
      answers(alarms.acknowledgeAlarm, () => {
        known = { By: '王小明', At: Date.now(), Comment: null }
        return alarm({ Acknowledged: known })
      }),
      answers(alarms.unacknowledgeAlarm, () => {
        known = null
        return alarm()
      }),
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: `將「${NAME}」的警報標為已知悉` }))
    expect(await (await row()).findByText(/王小明.*已知悉/)).toBeTruthy()
    expect(sentTo(alarms.acknowledgeAlarm)).toEqual([{ HomeID: 'h1', AlarmID }])
    expect(await (await row()).findByText('火警')).toBeTruthy()
    await user.click((await row()).getByRole('button', { name: `取消「${NAME}」警報的已知悉` }))
    expect(await screen.findByRole('button', { name: `將「${NAME}」的警報標為已知悉` })).toBeTruthy()
    expect(sentTo(alarms.unacknowledgeAlarm)).toEqual([{ HomeID: 'h1', AlarmID }])
  })

  it('leads to its page once it is acknowledged: the alarm of a connected device clears by itself', async () => {
    const Acknowledged = { By: '王小明', At: AT, Comment: null }
    server.use(answers(alarms.listAlarm, () => alarmPage([alarm({ Acknowledged })])))
    open()
    const link = await screen.findByRole('link', { name: `查看「${NAME}」` })
    expect(link.getAttribute('href')).toBe('/DeviceList/h1?device=smoke')
    expect((await row()).queryByRole('button')).toBeNull()
  })

  it('keeps a fire behind a lost hub, shows since when its state is unknown, and can be cleared with a reason', async () => {
    let cleared: Alarm['Cleared'] = null
    const Acknowledged = { By: '王小明', At: AT, Comment: null }
    server.use(
      devices(false, says(3)),
      answers(alarms.listAlarm, () => alarmPage([alarm({ Acknowledged, Cleared: cleared })])),
      answers(alarms.clearAlarm, () => {
        cleared = { By: '王小明', At: Date.now(), Reason: '已到現場' }
        return alarm({ Cleared: cleared })
      }),
    )
    const { user } = open()
    expect(await (await row()).findByText(/閘道器 .*\d\d:\d\d 離線，之後狀態不明/)).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: `解除「${NAME}」的警報` }))
    const dialog = within(await screen.findByRole('dialog'))
    const ok = dialog.getByRole('button', { name: /^解\s*除$/ })
    expect(ok).toHaveProperty('disabled', true)
    await user.type(dialog.getByLabelText('解除原因'), '已到現場')
    await user.click(ok)
    await waitFor(() => expect(screen.queryByText(NAME)).toBeNull())
    expect(sentTo(alarms.clearAlarm)).toEqual([{ HomeID: 'h1', AlarmID, Reason: '已到現場' }])
    expect(screen.getByText('2 個中 2 個狀態不明')).toBeTruthy()
  })

  it('offers no actions without the right', async () => {
    prepareSession(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
    server.use(devices(false, says(3)))
    open()
    expect(await (await row()).findByText('火警')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('keeps the alarm of a removed device, with its last name', async () => {
    server.use(answers(peripheral.operations.list, { ...site(true), Peripherals: [] }))
    open()
    expect(await (await row()).findByText('裝置已移除，之後狀態不明')).toBeTruthy()
    expect((await row()).queryByRole('link', { name: NAME })).toBeNull()
  })

  it('appears while the alarms are still loading, and disappears with the report that ends it', async () => {
    server.use(neverAnswers(alarms.listAlarm), neverAnswers(attention.listAttention))
    open()
    expect(await (await row()).findByText('火警')).toBeTruthy()
    act(() => statuses.report(says(1, Date.now())))
    await waitFor(() => expect(screen.queryByText(NAME)).toBeNull())
    expect(screen.getByRole('status').dataset['verdict']).not.toBe('clear')
  })

  it('is shown for the first three, on a phone for the first, and with all=1 for all', async () => {
    const many = Array.from({ length: 9 }, (_, i) =>
      device(`s${i}`, '756', { PeripheralName: `偵煙器 ${i}` }),
    )
    const all = many.map(({ PeripheralUID }) => ({ ...says(3), PeripheralUID }))
    server.use(
      listed(),
      answers(peripheral.operations.list, { ...site(true), Peripherals: many, Statuses: all }),
    )
    const { user, address, back } = open()
    await user.click(await screen.findByRole('link', { name: '顯示全部 9 項' }))
    expect(address()).toBe('?all=1')
    expect(screen.getAllByText(/^偵煙器 \d$/)).toHaveLength(9)
    await act(() => back())
    expect(screen.getAllByText(/^偵煙器 \d$/)).toHaveLength(3)
  })

  it('hides devices in maintenance and shows their number', async () => {
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
    server.use(devices(true, says(5)), listed(), answers(maintenances.listMaintenance, [maintenance]))
    open()
    expect(await screen.findByText('2 個維修中')).toBeTruthy()
    expect(sentence()).toContain('所有裝置都在維修中，目前沒有監看')
    expect(screen.queryByText(NAME)).toBeNull()
    await act(() => changeLanguage('en-US'))
    expect(await screen.findByText('2 in maintenance')).toBeTruthy()
  })

  it('shows that alarms could not be loaded, is not green then, and retries', async () => {
    server.use(devices(true, says(1)), rejectCall(alarms.listAlarm, 'INTERNAL'))
    const { user } = open()
    expect((await screen.findByRole('alert')).textContent).toContain('無法載入警報與維修紀錄')
    server.use(listed())
    await user.click(screen.getByRole('button', { name: '重試' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    await waitFor(() => expect(sentence()).toMatch(/2 個狀態(全部)?已知/))
  })
})
