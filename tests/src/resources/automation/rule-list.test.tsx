import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { automations } from '../../../../contract/automation/calls.ts'
import { group } from '../../../../contract/automation/group.ts'
import { automation } from '../../../../contract/automation/automation.ts'
import { runs } from '../../../../contract/automation/run-calls.ts'
import { t } from '../../../../src/lib/i18n/i18n.ts'
import ScheduleListPage from '../../../../src/resources/automation/schedule-list-page.tsx'
import SmartLinkListPage from '../../../../src/resources/automation/smart-link-list-page.tsx'
import { answers, server, subUser } from '../../../support/msw.ts'
import {
  actingDevices,
  aRun,
  arriveInActingHome,
  collectNotices,
  lights,
  runsAre,
  aLastRun,
} from '../../support/acting-home.ts'
import { openPages, sentTo } from '../../support/page.tsx'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { type Answered, nothingElse, rulesAre, schedule, smartLink } from './rules.ts'
import { openRowMenu, pressInRowMenu } from '../../../support/row-menu.ts'
const open = (address: string) =>
  openPages(
    [
      { path: '/ScheduleListing/:HomeID', element: <ScheduleListPage /> },
      { path: '/SmartLink/:HomeID', element: <SmartLinkListPage /> },
      { path: '/updateSchedule/:HomeID/:automationID?', element: <p>the editor</p> },
    ],
    address,
  )
const button = (key: 'takeOverOf', name: string) =>
  screen.findByRole('button', { name: t(`automation:rule.${key}`, { name }) })

beforeEach(async () => {
  await arriveInActingHome()
  nothingElse()
})

describe('the list of schedules', () => {
  it('describes each in one sentence, repeating and single ones in one list', async () => {
    rulesAre(
      schedule(),
      schedule({
        AutomationID: 'a2',
        AutomationType: 2,
        AutomationName: '停電',
        Schedule: { At: Date.UTC(2030, 0, 1) },
        Actions: [{ SceneID: 's1' }],
      }),
    )
    open('/ScheduleListing/h1')
    expect(await screen.findByText('平日 08:00 開啟走廊燈，12 小時後關閉')).toBeTruthy()
    expect(screen.getByText('國定假日不執行')).toBeTruthy()
    expect(await screen.findByText(/執行情境「下班」，只執行一次/)).toBeTruthy()
  })

  it('lets a person without the right to control only disable a rule', async () => {
    await arriveInActingHome(subUser([{ FeatureKey: 'schedule', OperationList: ['Read', 'Update'] }]))
    rulesAre(
      schedule({ AutomationName: '關', Enabled: false }),
      schedule({ AutomationID: 'a2', AutomationName: '開', Enabled: true }),
    )
    open('/ScheduleListing/h1')
    const toggle = (name: string) =>
      screen.findByRole('switch', { name: t('automation:rule.switchOf', { name }) })
    expect(await toggle('關')).toHaveProperty('disabled', true)
    expect((await toggle('關')).title).toBe(t('automation:rule.switchNeedsControl'))
    expect(await toggle('開')).toHaveProperty('disabled', false)
  })

  it('shows broken rules first, with the fault and its time', async () => {
    rulesAre(
      schedule({ AutomationName: '一' }),
      schedule({
        AutomationID: 'a2',
        AutomationName: '二',
        State: 'broken',
        Problem: { Reason: 'sceneGone', Subject: 'gone', Since: 1, Until: null },
      }),
    )
    open('/ScheduleListing/h1')
    const wrong = t('automation:rule.problems.sceneGone', { name: t('automation:rule.something') })
    expect(await screen.findByText(new RegExp(wrong))).toBeTruthy()
    const names = screen.getAllByText(/^[一二]$/).map(({ textContent }) => textContent)
    expect(names).toEqual(['二', '一'])
  })

  it('lets a person take over a rule without an owner', async () => {
    const suspended: Answered = schedule({
      State: 'suspended',
      Problem: { Reason: 'ownerGone', Subject: null, Since: 1, Until: null },
    })
    rulesAre(suspended)
    server.use(answers(automations.takeOverAutomation, schedule()))
    const { user } = open('/ScheduleListing/h1')
    await user.click(await button('takeOverOf', '上班開燈'))
    expect(sentTo(automations.takeOverAutomation)).toEqual([{ AutomationType: 1, AutomationID: 'a1' }])
  })

  it('disables a rule, and runs it now', async () => {
    const told = collectNotices()
    rulesAre(schedule())
    server.use(
      answers(automations.setAutomationEnabled, schedule({ Enabled: false })),
      answers(automations.runAutomation, { RunID: 'r1', Actions: 1 }),
    )
    const { user } = open('/ScheduleListing/h1')
    await user.click(await screen.findByRole('switch'))
    expect(sentTo(automations.setAutomationEnabled)).toEqual([
      { AutomationType: 1, AutomationID: 'a1', Enabled: false },
    ])
    await pressInRowMenu(user, '上班開燈', t('automation:rule.runOf', { name: '上班開燈' }))
    await waitFor(() => expect(told()).toContain(t('automation:rule.begun', { name: '上班開燈', count: 1 })))
  })

  it('asks for confirmation before a run that may start a machine', async () => {
    const devices = actingDevices()
    const contact = aPeripheral({
      PeripheralUID: 'dry',
      PeripheralType: '517',
      PeripheralName: '鐵捲門',
      RoomID: 1,
    })
    server.use(
      answers(peripheral.operations.list, { ...devices, Peripherals: [...devices.Peripherals, contact] }),
      answers(automations.runAutomation, { RunID: 'r1', Actions: 1 }),
    )
    rulesAre(schedule({ Actions: [{ PeripheralUID: 'dry', Values: { Switch: 1 } }] }))
    const { user } = open('/ScheduleListing/h1')
    await pressInRowMenu(user, '上班開燈', t('automation:rule.runOf', { name: '上班開燈' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText(/鐵捲門/)).toBeTruthy()
    expect(sentTo(automations.runAutomation)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: t('automation:rule.runOk') }))
    await waitFor(() => expect(sentTo(automations.runAutomation)).toHaveLength(1))
  })

  it('opens its runs', async () => {
    const LastRun = aLastRun({ State: 'partly', Devices: 3, Confirmed: 2, Failed: 1, Failure: 'noAnswer' })
    rulesAre(schedule({ LastRunAt: LastRun.At, LastResult: 'partly', LastRun }))
    runsAre(aRun({ SceneID: null, AutomationID: 'a1', Cause: 'schedule', By: null }))
    const { user } = open('/ScheduleListing/h1')
    expect(await screen.findByText(t('automation:run.outcome.some', { confirmed: 2, count: 3 }))).toBeTruthy()
    expect(screen.getByText(t('errors:command.noAnswer'))).toBeTruthy()
    await pressInRowMenu(user, '上班開燈', t('automation:run.show', { name: '上班開燈' }))
    const drawer = await screen.findByRole('dialog')
    expect(await within(drawer).findByText(t('automation:run.causes.schedule'))).toBeTruthy()
    expect(sentTo(runs.listAutomationRun)).toContainEqual({ HomeID: 'h1', AutomationID: 'a1', Limit: 50 })
  })

  it.each([
    ['the devices of a run that succeeded', { Devices: 3, Confirmed: 3 }, /^✓ 3 個裝置 \d 分鐘前$/],
    ['a run without devices as done', { Devices: 0, Confirmed: 0 }, /^已完成 \d 分鐘前$/],
    [
      'the reason of a failure',
      { State: 'failed', Confirmed: 0, Failed: 1, Failure: 'hubOffline' },
      /^失敗 閘道器離線，指令未送出 \d 分鐘前$/,
    ],
    [
      'why it was not allowed',
      { State: 'refused', Reason: 'noRight', Devices: 0, Confirmed: 0 },
      /^權限不足 負責人已沒有控制裝置的權限 \d 分鐘前$/,
    ],
    ['a run in progress', { State: 'running', Confirmed: 0 }, /^執行中 \d 分鐘前$/],
  ] as const)('shows %s', async (_what, outcome, text) => {
    const LastRun = aLastRun({ At: Date.now() - 150_000, ...outcome })
    rulesAre(schedule({ LastRunAt: LastRun.At, LastResult: LastRun.State, LastRun }))
    open('/ScheduleListing/h1')
    await screen.findByText('上班開燈')
    const cells = [...document.querySelectorAll('[class*=outcome]')].map(({ textContent }) =>
      textContent.replace(/\s+/g, ' ').trim(),
    )
    expect(cells).toEqual([expect.stringMatching(text)])
  })

  it('shows a run of unknown outcome as unknown, and why it was skipped since', async () => {
    rulesAre(
      schedule({
        LastRunAt: Date.now() - 7_200_000,
        LastResult: 'done',
        LastSkip: { At: Date.now() - 150_000, Reason: 'unknown' },
      }),
    )
    open('/ScheduleListing/h1')
    expect(await screen.findByText(t('automation:run.outcome.unknown'))).toBeTruthy()
    expect(screen.getByText(/^\d 分鐘前未執行：裝置狀態不明，無法判斷條件$/)).toBeTruthy()
    expect(screen.queryByText(/✓/)).toBeNull()
  })

  it('is filtered by room, device, state and words, all from the address', async () => {
    rulesAre(
      schedule(),
      schedule({
        AutomationID: 'a2',
        AutomationName: '關桌燈',
        Actions: [{ PeripheralUID: 'b', Values: { Switch: 0 } }],
      }),
    )
    const page = open('/ScheduleListing/h1?device=b')
    expect(await screen.findByText('關桌燈')).toBeTruthy()
    expect(screen.queryByText('上班開燈')).toBeNull()
    await page.go('/ScheduleListing/h1?q=走廊')
    expect(await screen.findByText('上班開燈')).toBeTruthy()
    expect(screen.queryByText('關桌燈')).toBeNull()
    await page.go('/ScheduleListing/h1?state=broken')
    expect(await screen.findByText(t('lists:page.noMatch'))).toBeTruthy()
    await page.go('/ScheduleListing/h1?room=1')
    expect(await screen.findByText('上班開燈')).toBeTruthy()
  })

  it('deletes a rule after confirmation', async () => {
    rulesAre(schedule())
    server.use(answers(automation.operations.remove, { AutomationType: 1, AutomationID: 'a1' }))
    const { user } = open('/ScheduleListing/h1')
    await pressInRowMenu(user, '上班開燈', t('screens:list.remove', { name: '上班開燈' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: /刪\s*除/ }))
    await waitFor(() =>
      expect(sentTo(automation.operations.remove)).toEqual([{ AutomationType: 1, AutomationID: 'a1' }]),
    )
  })

  it('copies a rule as disabled, and opens the copy', async () => {
    rulesAre(schedule())
    server.use(answers(automation.operations.create, schedule({ AutomationID: 'a9' })))
    const { user, path } = open('/ScheduleListing/h1')
    await pressInRowMenu(user, '上班開燈', t('automation:copy.of', { name: '上班開燈' }))
    await user.click(await screen.findByRole('button', { name: t('automation:copy.ok') }))
    expect(await screen.findByText('the editor')).toBeTruthy()
    expect(path()).toBe('/updateSchedule/h1/a9')
    expect(sentTo(automation.operations.create)[0]).toMatchObject({
      HomeID: 'h1',
      AutomationType: 1,
      AutomationName: '上班開燈 副本',
      Enabled: false,
      Schedule: { Weekdays: [1, 2, 3, 4, 5], At: 480 },
    })
  })

  it('copies a rule to another home with matching devices there', async () => {
    rulesAre(
      schedule({
        Actions: [
          { PeripheralUID: 'a', Values: { Switch: 1 } },
          { PeripheralUID: 'b', Values: { Switch: 1 } },
          { GroupID: 'g1', Values: { Switch: 1 } },
          { RoomID: 1, Only: 'lights', Values: { On: 1 } },
        ],
      }),
    )
    const there = (PeripheralUID: string, PeripheralName: string) =>
      aPeripheral({ PeripheralUID, PeripheralName, PeripheralType: '516', HomeID: 'h2' })
    server.use(
      answers(peripheral.operations.list, (body) =>
        (body as { HomeID: string }).HomeID === 'h2'
          ? { ...actingDevices(), Peripherals: [there('x', '走廊燈'), there('y', '門燈')] }
          : actingDevices(),
      ),
      answers(group.operations.list, (body) =>
        (body as { HomeID: string }).HomeID === 'h2' ? [lights({ HomeID: 'h2', GroupID: 'g2' })] : [lights()],
      ),
      answers(automation.operations.create, schedule({ HomeID: 'h2', AutomationID: 'a9' })),
    )
    const told = collectNotices()
    const { user, path } = open('/ScheduleListing/h1')
    await pressInRowMenu(user, '上班開燈', t('automation:copy.of', { name: '上班開燈' }))
    await user.click(await screen.findByRole('combobox', { name: t('automation:copy.to') }))
    await user.click((await screen.findAllByText('工廠')).at(-1) as HTMLElement)
    await user.click(
      await screen.findByRole('combobox', { name: t('automation:copy.standsFor', { name: '桌燈' }) }),
    )
    await user.click((await screen.findAllByText('門燈')).at(-1) as HTMLElement)
    await user.click(screen.getByRole('button', { name: t('automation:copy.ok') }))
    await waitFor(() => expect(path()).toBe('/updateSchedule/h2/a9'))
    // A device of the same name is matched automatically; the other home has no such room.
    expect(sentTo(automation.operations.create)[0]).toMatchObject({
      HomeID: 'h2',
      Enabled: false,
      Actions: [{ PeripheralUID: 'x' }, { PeripheralUID: 'y' }, { GroupID: 'g2' }],
    })
    expect(told()).toContain(t('automation:rule.copyLeftOut', { count: 1 }))
  })

  it('offers no action that would be rejected', async () => {
    await arriveInActingHome(
      subUser([
        { FeatureKey: 'schedule', OperationList: ['Read', 'Create', 'Delete'] },
        { FeatureKey: 'device', OperationList: ['Read'] },
      ]),
    )
    rulesAre(schedule())
    const { user } = open('/ScheduleListing/h1')
    expect(await screen.findByText('上班開燈')).toBeTruthy()
    await openRowMenu(user, '上班開燈')
    const names = [...screen.getAllByRole('button'), ...(await screen.findAllByRole('menuitem'))].map(
      (one) => one.getAttribute('aria-label') ?? one.textContent,
    )
    expect(screen.queryByRole('switch')).toBeNull()
    expect(names).toContain(t('screens:list.remove', { name: '上班開燈' }))
    for (const refused of [
      t('automation:rule.create.schedule'),
      t('automation:rule.runOf', { name: '上班開燈' }),
      t('automation:copy.of', { name: '上班開燈' }),
      t('automation:rule.pause.button'),
    ])
      expect(names).not.toContain(refused)
  })
})

describe('the list of smart links', () => {
  it('does not show a device as removed if the person may not see it', async () => {
    await arriveInActingHome(subUser([{ FeatureKey: 'smart_link', OperationList: ['Read'] }]))
    rulesAre(smartLink())
    open('/SmartLink/h1')
    expect(await screen.findByText(new RegExp(t('automation:rule.someDevice')))).toBeTruthy()
    expect(screen.queryByText(new RegExp(t('automation:rule.goneDevice')))).toBeNull()
  })

  it('lists those of one device and of several', async () => {
    rulesAre(
      smartLink(),
      smartLink({
        AutomationID: 's2',
        AutomationType: 5,
        AutomationName: '兩個條件',
        Conditions: {
          Logical: 'OR',
          PeripheralUIDs: [
            { PeripheralUID: 'a', Field: 'Switch', Status: 0, Logical: '=' },
            { PeripheralUID: 'd', Field: 'Brightness', Status: 50, Logical: '>' },
          ],
        },
      }),
    )
    open('/SmartLink/h1')
    expect(await screen.findByText('當桌燈開啟，並持續 5 分鐘，就開啟走廊燈')).toBeTruthy()
    expect(await screen.findByText('當走廊燈關閉，或「調光燈」的亮度高於 50%，就開啟走廊燈')).toBeTruthy()
  })

  it('shows that all rules of a home are paused, and resumes them', async () => {
    rulesAre(smartLink())
    server.use(
      answers(automations.getAutomationPause, {
        HomeID: 'h1',
        Until: null,
        Reason: '消防演習',
        By: '林經理',
        At: 1,
      }),
      answers(automations.resumeAutomation, { HomeID: 'h1' }),
    )
    const { user } = open('/SmartLink/h1')
    expect(await screen.findByText(/消防演習.*林經理/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: t('automation:rule.pause.resume') }))
    await waitFor(() => expect(sentTo(automations.resumeAutomation)).toEqual([{ HomeID: 'h1' }]))
  })

  it('says that a rule can never fire, and why', async () => {
    const rule = smartLink()
    rulesAre(rule)
    server.use(
      answers(automations.listBlockedAutomation, (body) =>
        (body as { AutomationType: number }).AutomationType === 3
          ? [{ AutomationID: rule.AutomationID, Kind: 'noContract' as const, PeripheralUID: 'home' }]
          : [],
      ),
    )
    open('/SmartLink/h1')
    const reason = t('automation:rule.cannotFire.reasons.noContract', { device: '' })
    expect(await screen.findByText(t('automation:rule.cannotFire.said', { reason }))).toBeTruthy()
    expect(screen.queryByText(t('automation:rule.states.ready'))).toBeNull()
  })

  it('pauses all rules of a home with a reason', async () => {
    rulesAre(smartLink())
    server.use(
      answers(automations.pauseAutomation, {
        HomeID: 'h1',
        Until: null,
        Reason: '演習',
        By: '林經理',
        At: 1,
      }),
    )
    const { user } = open('/SmartLink/h1')
    await user.click(
      await screen.findByRole('button', { name: new RegExp(`${t('automation:rule.pause.button')}$`) }),
    )
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByText(t('automation:rule.pause.untilResumed')))
    await user.type(within(dialog).getByLabelText(t('automation:rule.pause.reason')), '演習')
    await user.click(within(dialog).getByRole('button', { name: /^暫\s*停$/ }))
    await waitFor(() =>
      expect(sentTo(automations.pauseAutomation)).toEqual([{ HomeID: 'h1', Until: null, Reason: '演習' }]),
    )
  })

  it('prints every rule of the home by room, with its owner', async () => {
    rulesAre(smartLink(), schedule())
    const print = vi.spyOn(window, 'print').mockImplementation(() => {})
    const { user } = open('/SmartLink/h1')
    await user.click(
      await screen.findByRole('button', { name: new RegExp(`${t('automation:rule.print.button')}$`) }),
    )
    await waitFor(() => expect(print).toHaveBeenCalledOnce())
    const paper = screen.getByRole('region', { name: t('automation:rule.print.title', { home: '總部' }) })
    expect(within(paper).getByText('走廊')).toBeTruthy()
    expect(within(paper).getByText(/平日 08:00 開啟走廊燈/)).toBeTruthy()
    expect(within(paper).getAllByText(t('automation:rule.print.owner', { name: '林經理' }))).toHaveLength(2)
    print.mockRestore()
  })
})
