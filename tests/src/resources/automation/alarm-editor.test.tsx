import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { automations } from '../../../../contract/automation/calls.ts'
import { automation } from '../../../../contract/automation/automation.ts'
import { notificationChannel } from '../../../../contract/notifications/notification-channel.ts'
import { department } from '../../../../contract/people/department.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { user as users } from '../../../../contract/people/user.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import AlarmPage from '../../../../src/resources/automation/alarm-page.tsx'
import AlarmRulePage from '../../../../src/resources/automation/alarm-rule-page.tsx'
import SmartLinkPage from '../../../../src/resources/automation/smart-link-page.tsx'
import { answers, server, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { actingDevices, arriveInActingHome } from '../../support/acting-home.ts'
import { openPages, sentTo } from '../../support/page.tsx'
import { type Answered, nothingElse, rulesAre, smartLink } from './rules.ts'
const alarmRule = (more: Partial<Answered> = {}): Answered => ({
  ...smartLink(),
  AutomationID: 'r1',
  AutomationType: 4,
  AutomationName: '契約容量',
  Conditions: {
    PeripheralUIDs: [{ PeripheralUID: 'home', Field: 'DemandForecast', Status: 80, Logical: '>' }],
    For: 60,
  },
  Actions: [],
  Alarm: { Severity: 'critical' },
  Notify: { To: 'readers' },
  ...more,
})
const open = (address: string) =>
  openPages(
    [
      { path: '/updateAlarm/:HomeID/:automationID?', element: <AlarmRulePage /> },
      { path: '/updateSmartLink/:HomeID/:automationID?', element: <SmartLinkPage /> },
      { path: '/Alarm/:HomeID', element: <AlarmPage /> },
      { path: '/SmartLink/:HomeID', element: <p>the smart links</p> },
    ],
    address,
  )
const save = () => screen.getByRole('button', { name: /儲\s*存/ })
const nameField = () =>
  screen.findByRole('textbox', { name: t('resources:automation.fields.AutomationName') })
const ofFirst = (name: string) => t('automation:rule.edit.ofCondition', { number: 1, name })
const figure = (name: 'upper' | 'lower') =>
  screen.getByRole('spinbutton', { name: ofFirst(t(`automation:rule.alarm.${name}`)) })

async function choose(user: UserEvent, label: string, option: string | RegExp): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: label }))
  const found = (await screen.findAllByText(option)).filter((one) => one.closest('.ant-select-item-option'))
  await user.click(found.at(-1) as HTMLElement)
}
const chooseSubject = (user: UserEvent, name: string) =>
  choose(user, ofFirst(t('automation:rule.alarm.subject')), name)
const created = () => sentTo(automation.operations.create)[0] as Record<string, unknown>

beforeEach(async () => {
  await loadNamespaces(['alarms'])
  await arriveInActingHome()
  nothingElse()
  const site = actingDevices()
  server.use(
    answers(peripheral.operations.list, {
      ...site,
      Peripherals: [
        ...site.Peripherals,
        aPeripheral({ PeripheralUID: 'm', PeripheralType: '514', PeripheralName: '總電表', RoomID: 1 }),
      ],
    }),
    answers(users.operations.list, []),
    answers(department.operations.list, [{ DepartmentID: 'd1', Department: '工務部' }]),
    answers(notificationChannel.operations.list, [
      {
        NotificationChannelID: 'c1',
        ChannelName: '值班群組',
        Kind: 'line',
        Enabled: true,
        Language: 'zh-TW',
        Categories: ['alarm'],
        Least: 'critical',
        HomeIDs: [],
        MonthlyBudget: null,
        Hint: '…1234',
        SentThisMonth: 0,
        LastSentAt: null,
        LastError: null,
        Version: 1,
      },
    ]),
  )
})

describe('the alarm editor', () => {
  it('sets both limits of a meter, and saves an alarm that only notifies', async () => {
    rulesAre()
    server.use(answers(automation.operations.create, alarmRule()))
    const { user } = open('/updateAlarm/h1')
    await user.type(await nameField(), '電壓')
    await chooseSubject(user, '總電表')
    await choose(user, ofFirst(t('automation:rule.alarm.measure')), /^電壓$/)
    await user.type(figure('upper'), '240')
    await user.type(figure('lower'), '200')
    await user.tab()
    expect(
      await screen.findByText('當「總電表」的電壓低於 200 V 或高於 240 V，並持續 1 分鐘，就發出警告'),
    ).toBeTruthy()
    expect(screen.getByText('通知所有有權檢視者；恢復正常 1 分鐘後解除')).toBeTruthy()
    await user.click(save())
    await waitFor(() => expect(sentTo(automation.operations.create)).toHaveLength(1))
    expect(created()).toMatchObject({
      AutomationType: 4,
      Actions: [],
      Conditions: {
        PeripheralUIDs: [{ PeripheralUID: 'm', Field: 'Voltage', Logical: 'outside', Status: [200, 240] }],
        For: 60,
      },
      Alarm: { Severity: 'warning', ClearAfter: 60, NoData: 'keep', Ahead: false, Escalate: [] },
      Notify: { To: 'readers', Text: '' },
    })
  })

  it('rejects a voltage beyond what meters measure, at its field', async () => {
    rulesAre()
    const { user } = open('/updateAlarm/h1')
    await user.type(await nameField(), '電壓')
    await chooseSubject(user, '總電表')
    await choose(user, ofFirst(t('automation:rule.alarm.measure')), /^電壓$/)
    await user.type(figure('upper'), '500')
    await user.tab()
    await user.click(save())
    expect((await screen.findByRole('alert')).textContent).toBe(t('errors:fields.tooBig'))
    expect(sentTo(automation.operations.create)).toEqual([])
  })

  it('notifies people and departments, and escalates until someone acknowledges', async () => {
    rulesAre(alarmRule())
    server.use(answers(automation.operations.update, alarmRule({ Version: 5 })))
    const { user } = open('/updateAlarm/h1/r1')
    await nameField()
    await user.click(screen.getByRole('radio', { name: t('automation:rule.tell.chosen') }))
    const label = t('automation:rule.tell.to')
    await choose(
      user,
      t('automation:rule.tell.of', { label, what: t('automation:rule.tell.departments') }),
      '工務部',
    )
    const add = t('automation:rule.alarm.addStep', { count: 0, most: 3 })
    await user.click(screen.getByRole('button', { name: new RegExp(add.slice(0, 4)) }))
    const step = t('automation:rule.alarm.step', { number: 1 })
    await choose(user, `${step} ${t('automation:rule.alarm.channels')}`, '值班群組')
    await user.click(save())
    await waitFor(() => expect(sentTo(automation.operations.update)).toHaveLength(1))
    expect(sentTo(automation.operations.update)[0]).toMatchObject({
      Notify: { To: { Users: [], Departments: ['d1'] } },
      Alarm: { Severity: 'critical', Escalate: [{ After: 15, To: 'readers', Channels: ['c1'] }] },
    })
  })

  it('sheds loads of the home in order, and no others', async () => {
    rulesAre(alarmRule())
    server.use(answers(automation.operations.update, alarmRule({ Version: 5 })))
    const { user } = open('/updateAlarm/h1/r1')
    await nameField()
    await user.click(screen.getByRole('checkbox', { name: t('automation:rule.shed.on') }))
    await user.click(screen.getByRole('button', { name: /新增負載/ }))
    const picker = within(await screen.findByRole('dialog'))
    await user.click(await picker.findByRole('checkbox', { name: /走廊燈/ }))
    await user.click(picker.getByRole('checkbox', { name: /桌燈/ }))
    await user.click(picker.getByRole('button', { name: t('automation:picker.add', { count: 2 }) }))
    expect(await screen.findByText('1. 走廊燈')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: t('automation:actions.down', { name: '走廊燈' }) }))
    expect(await screen.findByText('1. 桌燈')).toBeTruthy()
    await user.click(save())
    // The load's value is still missing.
    expect(await screen.findAllByText(t('automation:actions.reasons.required'))).not.toEqual([])
    expect(sentTo(automation.operations.update)).toEqual([])
  })

  it('offers no shedding for a meter, and forecasts only sums', async () => {
    rulesAre()
    const { user } = open('/updateAlarm/h1')
    await nameField()
    await chooseSubject(user, '總電表')
    expect(screen.queryByRole('checkbox', { name: t('automation:rule.shed.on') })).toBeNull()
    await user.click(screen.getByText(t('automation:rule.edit.more')))
    expect(screen.queryByRole('checkbox', { name: t('automation:rule.alarm.aheadOn') })).toBeNull()
    await choose(user, ofFirst(t('automation:rule.alarm.measure')), t('automation:rule.fields.DailyKwh'))
    expect(await screen.findByRole('checkbox', { name: t('automation:rule.alarm.aheadOn') })).toBeTruthy()
  })

  it('offers the whole site first, and finds it by its measured quantity', async () => {
    rulesAre()
    const { user } = open('/updateAlarm/h1')
    await nameField()
    const subject = screen.getByRole('combobox', { name: ofFirst(t('automation:rule.alarm.subject')) })
    const shown = () =>
      [...document.querySelectorAll('.ant-select-item-option-content')].map(({ textContent }) => textContent)
    await user.click(subject)
    await waitFor(() => expect(shown()[0]).toBe(t('automation:rule.home')))
    for (const word of ['需量', '契約']) {
      await user.clear(subject)
      await user.type(subject, word)
      await waitFor(() => expect(shown()).toEqual([t('automation:rule.home')]))
    }
  })

  it('shows how often it would have been raised', async () => {
    rulesAre(alarmRule())
    server.use(
      answers(automations.tryAutomation, {
        Runs: Array.from({ length: 14 }, (_, i) => ({ At: i, EndedAt: null })),
        Blocked: {},
        kWh: null,
        Cost: null,
        CoveredDays: 30,
        Uncovered: null,
        Unknown: [],
      }),
    )
    const { user } = open('/updateAlarm/h1/r1')
    await nameField()
    await user.click(
      await screen.findByRole('button', { name: t('automation:rule.try.button', { count: 30 }) }),
    )
    expect(await screen.findByText('過去 30 天會發出 14 次警報')).toBeTruthy()
  })

  it('saves a notify-only alarm without the right to control devices', async () => {
    await arriveInActingHome(
      subUser([
        { FeatureKey: 'power_meter_alarm', OperationList: ['Read', 'Create', 'Update'] },
        { FeatureKey: 'device', OperationList: ['Read'] },
      ]),
    )
    nothingElse()
    rulesAre(alarmRule())
    open('/Alarm/h1')
    expect(await screen.findByText('契約容量')).toBeTruthy()
    expect(await screen.findByText(/預測需量高於 80 kW.*就發出緊急警報/)).toBeTruthy()
    const add = await screen.findByRole('link', { name: new RegExp(t('automation:rule.create.alarm')) })
    expect(add.getAttribute('href')).toBe('/updateAlarm/h1')
    expect(screen.queryByText(t('automation:rule.pause.button'))).toBeNull()
  })
})

describe('the smart link editor', () => {
  it('notifies people of a run, and then needs no actions', async () => {
    rulesAre(smartLink({ Actions: [], Notify: { To: 'readers', Text: '門開了' } }))
    server.use(answers(automation.operations.update, smartLink({ Version: 5 })))
    const { user } = open('/updateSmartLink/h1/s1')
    await user.type(await nameField(), '二')
    expect(screen.getByRole('checkbox', { name: t('automation:rule.tell.ofRun') })).toHaveProperty(
      'checked',
      true,
    )
    await user.click(save())
    await waitFor(() => expect(sentTo(automation.operations.update)).toHaveLength(1))
    expect(sentTo(automation.operations.update)[0]).toMatchObject({
      Actions: [],
      Notify: { To: 'readers', Text: '門開了' },
    })
  })
})
