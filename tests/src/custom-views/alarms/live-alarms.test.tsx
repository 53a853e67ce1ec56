import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type AlarmReadingOverTime,
  alarms,
  type Alarm,
  maintenances,
} from '../../../../contract/alarms/calls.ts'
import { attention } from '../../../../contract/attention/calls.ts'
import type { AttentionItem } from '../../../../contract/attention/attention-item.ts'
import { automation } from '../../../../contract/automation/automation.ts'
import { virtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { automations } from '../../../../contract/automation/calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { statuses } from '../../../../src/data/status-store.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { alarmEvents } from '../../../../src/live/notifications.ts'
import * as sound from '../../../../src/custom-views/alarms/live-alarms.tsx'
import AlarmPage from '../../../../src/resources/automation/alarm-page.tsx'
import { onPhone } from '../../../support/on-phone.ts'
import { anAttention } from '../../../support/an-attention.ts'
import { alarmRecord } from '../../../support/alarm-record.ts'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { actingDevices, arriveInActingHome, collectNotices } from '../../support/acting-home.ts'
import { openPages, sentTo } from '../../support/page.tsx'
import { pressInRowMenu } from '../../../support/row-menu.ts'
const NOW = Date.now()
const ids = [1, 2, 3].map((n) => `6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d${n}`)
const id = (n: number) => ids[n - 1] as string
const fire = (more: Partial<Alarm> = {}) =>
  alarmRecord({
    AlarmID: id(1),
    PeripheralUID: 'smoke',
    SubjectName: '機房偵煙器',
    RaisedAt: NOW - 120_000,
    ReportedAt: NOW - 60_000,
    ...more,
  })
/** Reading of a demand that raised an alarm at 91.5 kW. */
const forecast = (more: Partial<AlarmReadingOverTime>): AlarmReadingOverTime => ({
  ...{ Field: 'DemandForecast', Logical: '>', Limit: 80, Value: 91.5, Peak: 95, CrossesAt: null },
  ...{ Raised: 91.5, At: NOW - 60_000 },
  ...more,
})
const load = (more: Partial<Alarm> = {}) =>
  alarmRecord({
    AlarmID: id(2),
    Kind: 'rule',
    Source: 'rule:r1',
    AutomationID: 'r1',
    AutomationName: '契約容量',
    PeripheralUID: null,
    PeripheralType: null,
    SubjectName: null,
    Severity: 'warning',
    Values: {},
    Readings: [forecast({})],
    RaisedAt: NOW - 600_000,
    ReportedAt: NOW - 600_000,
    ...more,
  })
const listed = (...rows: Alarm[]) =>
  server.use(
    answers(alarms.listAlarm, (body) => {
      const { AlarmID, State } = body as { AlarmID?: string; State?: string }
      const Rows = rows.filter((one) => AlarmID === undefined || one.AlarmID === AlarmID)
      return {
        Rows: State === 'cleared' ? [] : Rows,
        NextCursor: null,
        Total: Rows.length,
        Counts: { critical: 1, warning: 1, unacknowledged: 2, shelved: 0 },
      }
    }),
  )
const site = (Online: boolean) => {
  const { Things, Peripherals, Statuses } = actingDevices()
  return {
    Things: Things.map((hub) => (hub.ThingName === 'dead' ? { ...hub, Online } : { ...hub, Online: true })),
    Peripherals: [
      ...Peripherals.filter(({ PeripheralUID }) => PeripheralUID !== 'c'),
      aPeripheral({
        PeripheralUID: 'smoke',
        PeripheralType: '756',
        PeripheralName: '機房偵煙器',
        ThingName: 'dead',
      }),
    ],
    Statuses,
  }
}
const open = (address: string) => openPages([{ path: '/Alarm/:HomeID', element: <AlarmPage /> }], address)
const live = (more = '') => open(`/Alarm/h1?tab=live${more}`)
const named = (key: 'acknowledgeOf' | 'clearOf', name: string) => t(`alarms:acts.${key}`, { name })
const act = (key: 'acknowledgeOf' | 'unacknowledgeOf' | 'shelveOf' | 'unshelveOf', name: string) =>
  screen.findByRole('button', { name: t(`alarms:acts.${key}`, { name }) })

/** Hub of another site that is lost. */
const waiting: AttentionItem = {
  Kind: 'hubLost',
  Key: 'hubLost:hub2',
  HomeID: 'h2',
  RoomID: 0,
  Severity: 'critical',
  Name: '工廠閘道器',
  Subject: 'hub2',
  Since: NOW,
  Stale: null,
  AlarmID: alarmRecord().AlarmID,
  Acknowledged: null,
  Shelved: null,
}

beforeEach(async () => {
  await loadNamespaces(['alarms'])
  await arriveInActingHome()
  statuses.clear()
  localStorage.removeItem('alarmSound')
  sound.soundsAlarms.set(false)
  server.use(
    answers(peripheral.operations.list, site(true)),
    answers(automation.operations.list, []),
    answers(maintenances.listMaintenance, []),
    answers(virtualMeter.operations.list, []),
    answers(conferenceRoom.operations.list, []),
    rejectCall(automations.checkAutomation, 'UNAVAILABLE'),
  )
  listed(fire(), load())
})

describe('the live alarm list', () => {
  it('shows the worst value of a reading that is back within its limit', async () => {
    listed(load({ Readings: [forecast({ Value: 78 })] }))
    live()
    expect(await screen.findByText('預測需量曾達 95.00 kW（界線 80 kW），最近為 78.00 kW')).toBeTruthy()
  })

  it("shows the value when raised and the latest value with its time, in the dashboard's unit", async () => {
    const power = { Field: 'Power', Limit: 50_000, Raised: 52_000, Peak: 55_125 }
    listed(
      load({ Readings: [forecast({ ...power, Value: 55_125 })] }),
      fire({
        ...{ Kind: 'breach', Source: 'breach:smoke', Values: {} },
        Readings: [forecast({ ...power, Value: null, Field: 'Power2' })],
      }),
    )
    live()
    expect(
      await screen.findByText(/^發生時.*52\.00 kW，高於上限 50 kW；最近 55\.13 kW（.*\d\d:\d\d）$/),
    ).toBeTruthy()
    expect(await screen.findByText(/^發生時.*52\.00 kW，高於上限 50 kW；目前沒有資料$/)).toBeTruthy()
  })

  it("shows each alarm's cause with value and limit, and links to its device", async () => {
    live()
    expect(await screen.findByText('預測需量 91.50 kW，高於上限 80 kW')).toBeTruthy()
    expect(await screen.findByText('火警')).toBeTruthy()
    const link = await screen.findByRole('link', { name: '機房偵煙器' })
    expect(link.getAttribute('href')).toBe('/DeviceList/h1?device=smoke')
    expect(sentTo(alarms.listAlarm)).toContainEqual({ HomeID: 'h1', State: 'open', Search: '' })
  })

  it('shows age and state before the cause on a phone, whose end may be cut off', async () => {
    onPhone()
    live()
    const cause = await screen.findByText('火警')
    const row = cause.closest('li')?.textContent ?? ''
    expect(row.indexOf('2 分鐘前')).toBeGreaterThan(0)
    expect(row.indexOf('2 分鐘前')).toBeLessThan(row.indexOf('火警'))
    expect(row.indexOf(t('alarms:states.unacknowledged'))).toBeLessThan(row.indexOf('火警'))
  })

  it('withdraws an acknowledgement from the menu of its row', async () => {
    const Acknowledged = { By: '王小明', At: NOW - 60_000, Comment: null }
    listed(fire({ Acknowledged }))
    server.use(answers(alarms.unacknowledgeAlarm, fire()))
    const { user } = live()
    await pressInRowMenu(user, '機房偵煙器', t('alarms:acts.unacknowledgeOf', { name: '機房偵煙器' }))
    await waitFor(() =>
      expect(sentTo(alarms.unacknowledgeAlarm)).toEqual([{ HomeID: 'h1', AlarmID: fire().AlarmID }]),
    )
  })

  it('lets an acknowledgement be undone in its row for some seconds', async () => {
    server.use(answers(alarms.acknowledgeAlarm, fire()), answers(alarms.unacknowledgeAlarm, fire()))
    const { user } = live()
    const button = await act('acknowledgeOf', '機房偵煙器')
    listed(fire({ Acknowledged: { By: '王小明', At: NOW, Comment: null } }))
    await user.click(button)
    await user.click(await act('unacknowledgeOf', '機房偵煙器'))
    await waitFor(() =>
      expect(sentTo(alarms.unacknowledgeAlarm)).toEqual([{ HomeID: 'h1', AlarmID: fire().AlarmID }]),
    )
  })

  it('takes its filters from the address and sends them to the gateway', async () => {
    const page = live('&state=unacknowledged&severity=critical&kind=state&since=7&q=機房')
    await screen.findByText('火警')
    const asked = sentTo(alarms.listAlarm).find((one) => (one as { Kind?: string }).Kind === 'state')
    expect(asked).toMatchObject({
      HomeID: 'h1',
      State: 'unacknowledged',
      Severity: 'critical',
      Search: '機房',
    })
    expect((asked as { Since: number }).Since).toBeLessThan(NOW - 6 * 86_400_000)
    await page.user.click(await screen.findByRole('button', { name: /擱置$/, pressed: false }))
    await waitFor(() => expect(page.address()).toContain('state=shelved'))
  })

  it('acknowledges an alarm with one click and says so', async () => {
    const told = collectNotices()
    server.use(answers(alarms.acknowledgeAlarm, fire()))
    const { user } = live()
    await user.click(await act('acknowledgeOf', '機房偵煙器'))
    await waitFor(() => expect(told()).toContain(t('alarms:acts.acknowledged', { name: '機房偵煙器' })))
    expect(sentTo(alarms.acknowledgeAlarm)).toEqual([{ HomeID: 'h1', AlarmID: id(1) }])
  })

  it('shelves an alarm for a time and requires a reason', async () => {
    server.use(answers(alarms.shelveAlarm, load()))
    const { user } = live()
    await pressInRowMenu(user, '契約容量', t('alarms:acts.shelveOf', { name: '契約容量' }))
    const dialog = within(await screen.findByRole('dialog'))
    const ok = dialog.getByRole('button', { name: /^擱\s*置$/ })
    expect(ok).toHaveProperty('disabled', true)
    await user.click(dialog.getByRole('radio', { name: '4 小時' }))
    await user.type(dialog.getByLabelText('原因'), '試車')
    await user.click(ok)
    await waitFor(() => expect(sentTo(alarms.shelveAlarm)).toHaveLength(1))
    const [sent] = sentTo(alarms.shelveAlarm) as { Until: number; Reason: string }[]
    expect(sent?.Reason).toBe('試車')
    expect(Math.abs((sent?.Until ?? 0) - Date.now() - 4 * 3_600_000)).toBeLessThan(60_000)
  })

  it('acknowledges several alarms and shows each result', async () => {
    server.use(
      answers(alarms.acknowledgeAlarm, (body) => {
        if ((body as { AlarmID: string }).AlarmID === id(1)) return fire()
        throw new Error('gone')
      }),
    )
    const { user } = live()
    await user.click(await screen.findByRole('checkbox', { name: t('lists:choose', { name: '機房偵煙器' }) }))
    const bar = within(await screen.findByRole('toolbar'))
    await user.click(bar.getByRole('button', { name: t('alarms:acts.acknowledgeMany', { count: 1 }) }))
    const results = within(await screen.findByRole('dialog'))
    expect(await results.findByText('機房偵煙器')).toBeTruthy()
    expect(await results.findByText(t('lists:results.done'))).toBeTruthy()
    expect(sentTo(alarms.acknowledgeAlarm)).toEqual([{ HomeID: 'h1', AlarmID: id(1) }])
  })

  it('offers no actions without the right, and no rule alarm actions with device control alone', async () => {
    await arriveInActingHome(
      subUser([
        { FeatureKey: 'device', OperationList: ['Read'] },
        { FeatureKey: 'power_meter_alarm', OperationList: ['Read'] },
        { FeatureKey: 'device_control', OperationList: ['Control'] },
      ]),
    )
    live()
    expect(await act('acknowledgeOf', '機房偵煙器')).toBeTruthy()
    expect(
      screen.queryByRole('button', { name: t('alarms:acts.acknowledgeOf', { name: '契約容量' }) }),
    ).toBeNull()
  })

  it('shows device alarms without settings to a person who may only read devices', async () => {
    await arriveInActingHome(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
    server.use(answers(attention.listAttention, anAttention({ Items: [waiting] })))
    const page = open('/Alarm/h1')
    expect(await screen.findByText('火警')).toBeTruthy()
    expect(await screen.findByRole('link', { name: '工廠 1 則' })).toBeTruthy()
    expect(screen.queryByRole('tab', { name: t('alarms:tabs.rules') })).toBeNull()
    expect(page.address()).toBe('')
  })

  it('opens the rules without a waiting alarm, keeps the tab in the address, and links to alarms of other sites', async () => {
    server.use(answers(attention.listAttention, anAttention({ Items: [waiting] })))
    const page = open('/Alarm/h1')
    await waitFor(() => expect(page.address()).toBe('?tab=rules'))
    await page.user.click(await screen.findByRole('tab', { name: t('alarms:tabs.live') }))
    const link = await screen.findByRole('link', { name: '工廠 1 則' })
    expect(link.getAttribute('href')).toBe('/Alarm/h2?tab=live')
  })

  it('is not green while the channel is down, even without an open alarm', async () => {
    listed()
    live()
    expect(await screen.findByText(/沒有進行中的警報，但/)).toBeTruthy()
    expect(screen.queryByText(t('alarms:empty.none'))).toBeNull()
  })

  it('shows why loading failed', async () => {
    server.use(rejectCall(alarms.listAlarm, 'NOT_FOUND'))
    live()
    expect(await screen.findByText(t('screens:loadFailed'))).toBeTruthy()
  })

  it('sounds for a new critical alarm of the home once enabled, and remembers the choice', async () => {
    const tone = vi.spyOn(AudioContextDouble.prototype, 'createOscillator')
    vi.stubGlobal('AudioContext', AudioContextDouble)
    const raise = (more: object) =>
      alarmEvents.emit({
        AlarmID: id(1),
        HomeID: 'h1',
        Severity: 'critical',
        News: 'raised',
        Timestamp: NOW,
        ...more,
      })
    const { user } = live()
    const toggle = await screen.findByRole('switch', { name: t('alarms:sound.label') })
    raise({})
    expect(tone).not.toHaveBeenCalled()
    await user.click(toggle)
    const before = tone.mock.calls.length
    expect(before).toBeGreaterThan(0)
    raise({ Severity: 'warning' })
    raise({ News: 'acknowledged' })
    raise({ HomeID: 'h2' })
    expect(tone.mock.calls.length).toBe(before)
    raise({})
    expect(tone.mock.calls.length).toBeGreaterThan(before)
    expect(localStorage.getItem('alarmSound')).toBe('on')
  })
})

describe('the alarm drawer', () => {
  const drawer = async () => within(await screen.findByRole('dialog'))

  it('shows the history, the worst reading and the cause, and that smoke detection is no certified fire system', async () => {
    listed(
      fire({
        Count: 3,
        Acknowledged: { By: '王小明', At: NOW - 50_000, Comment: '去看了' },
        Withdrawn: [
          {
            Act: 'shelved',
            By: '陳小姐',
            At: NOW - 48_000,
            Text: '試車',
            WithdrawnBy: '林經理',
            WithdrawnAt: NOW - 45_000,
          },
        ],
        Comments: [{ By: '林經理', At: NOW - 40_000, Text: '<b>誤報</b>' }],
      }),
    )
    live(`&alarm=${id(1)}`)
    const shown = await drawer()
    expect(await shown.findByText(t('alarms:life.acknowledged', { person: '王小明' }))).toBeTruthy()
    expect(shown.getByText('去看了')).toBeTruthy()
    expect(shown.getByText('陳小姐擱置')).toBeTruthy()
    expect(shown.getByText('試車')).toBeTruthy()
    expect(shown.getByText('林經理取消擱置')).toBeTruthy()
    expect(shown.getByText('<b>誤報</b>')).toBeTruthy()
    expect(shown.getByText(t('alarms:life.again', { count: 2 }))).toBeTruthy()
    expect(shown.getByText('本系統不是消防法規認可的火警系統。')).toBeTruthy()
    expect(shown.getByText(t('alarms:why.state', { name: '' }))).toBeTruthy()
  })

  it('acknowledges with the written note, and adds comments', async () => {
    server.use(answers(alarms.acknowledgeAlarm, load()), answers(alarms.commentAlarm, load()))
    const { user } = live(`&alarm=${id(2)}`)
    const shown = await drawer()
    const field = await shown.findByRole('textbox', { name: t('alarms:acts.commentOptional') })
    await user.type(field, '已通知電工')
    await user.click(shown.getByRole('button', { name: t('alarms:acts.commentOf', { name: '契約容量' }) }))
    await waitFor(() =>
      expect(sentTo(alarms.commentAlarm)).toEqual([{ HomeID: 'h1', AlarmID: id(2), Text: '已通知電工' }]),
    )
    await waitFor(() => expect(field).toHaveProperty('value', ''))
    await user.type(field, '看過了')
    await user.click(shown.getByRole('button', { name: named('acknowledgeOf', '契約容量') }))
    await waitFor(() =>
      expect(sentTo(alarms.acknowledgeAlarm)).toEqual([{ HomeID: 'h1', AlarmID: id(2), Comment: '看過了' }]),
    )
    expect(shown.getByText('最差 95.00 kW')).toBeTruthy()
  })

  it('offers no "clear" for an alarm whose source can still report', async () => {
    live(`&alarm=${id(1)}`)
    const shown = await drawer()
    await shown.findByRole('button', { name: named('acknowledgeOf', '機房偵煙器') })
    expect(shown.queryByRole('button', { name: named('clearOf', '機房偵煙器') })).toBeNull()
  })

  it('clears the last alarm of a lost hub with a reason', async () => {
    listed(fire({ SourceLost: true }))
    server.use(answers(alarms.clearAlarm, fire()))
    const { user } = live(`&alarm=${id(1)}`)
    await user.click(await (await drawer()).findByRole('button', { name: named('clearOf', '機房偵煙器') }))
    await user.type(await screen.findByLabelText('解除原因'), '已到現場')
    await user.click(screen.getByRole('button', { name: /^解\s*除$/ }))
    await waitFor(() =>
      expect(sentTo(alarms.clearAlarm)).toEqual([{ HomeID: 'h1', AlarmID: id(1), Reason: '已到現場' }]),
    )
  })

  it('says that an alarm no longer exists, and closes with the address', async () => {
    const page = live('&alarm=6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d9')
    const shown = await drawer()
    expect(await shown.findByText(t('alarms:drawer.gone'))).toBeTruthy()
    await page.user.click(shown.getByRole('button', { name: t('screens:close') }))
    await waitFor(() => expect(page.address()).toBe('?tab=live'))
  })
})

class AudioContextDouble {
  state = 'running'
  currentTime = 0
  destination = {}
  createOscillator() {
    return { frequency: { value: 0 }, connect: (to: unknown) => to, start() {}, stop() {} }
  }
  createGain() {
    const gain = { setValueAtTime() {}, linearRampToValueAtTime() {} }
    return { gain, connect: (to: unknown) => to }
  }
}
