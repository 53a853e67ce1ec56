import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { type Cause, type HeldRule, type Run, runs } from '../../../../contract/automation/run-calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import UsersWarning from '../../../../src/domain/automation/parts/users-warning.tsx'
import DeviceWhy from '../../../../src/domain/automation/why/device-why.tsx'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { gatewayNow } from '../../../../src/lib/gateway-clock.ts'
import { aHome, beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
const DAY = 86_400_000
/** 08:00 today in Taipei. */
const eight = () => Math.floor((gatewayNow() + 8 * 3_600_000) / DAY) * DAY

const run = (more: Partial<Run>): Run => ({
  RunID: 'run-1',
  HomeID: 'h1',
  AutomationID: null,
  SceneID: null,
  Name: null,
  Cause: 'person',
  By: null,
  State: 'done',
  Reason: null,
  PlannedAt: null,
  BeganAt: 1,
  EndedAt: 2,
  Conditions: [],
  Actions: [],
  UndoUntil: null,
  ...more,
})
const cause = (more: Partial<Cause> = {}): Cause => ({
  At: eight(),
  Values: { Switch: 1 },
  Kind: 'command',
  By: null,
  Run: null,
  ...more,
})
const users = [
  { Kind: 'group', HomeID: 'h1', ID: 'g', Name: '走廊', AutomationType: null, Role: 'member' },
  { Kind: 'automation', HomeID: 'h1', ID: 'a', Name: '上班', AutomationType: 1, Role: 'action' },
  { Kind: 'automation', HomeID: 'h1', ID: 'a', Name: '上班', AutomationType: 1, Role: 'condition' },
] as const

beforeEach(async () => {
  await beginAs()
  await loadNamespaces(['automation'])
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(home.operations.list, [aHome('h1', '總部', { 0: '大廳' })]),
    answers(runs.listUsedBy, { Rows: [], Hidden: 0 }),
  )
})

function open(
  Causes: readonly Cause[],
  Next: readonly object[] = [],
  why: { Held?: HeldRule[]; Nearly?: Run[] } = {},
) {
  server.use(
    answers(runs.explainDevice, { Causes: [...Causes], Next: Next as never, Held: [], Nearly: [], ...why }),
  )
  const device = aPeripheral({ HomeID: 'h1', PeripheralUID: 'one', PeripheralType: '516' })
  return openPages({ '/': <DeviceWhy device={device} /> }, '/')
}
const section = () => screen.findByRole('region', { name: /目前狀態的原因|Why this state?/ })
const lines = async () => {
  const items = await within(await section()).findAllByRole('listitem')
  return items.map((item) => item.firstChild?.textContent)
}

describe("the cause of a device's state", () => {
  it('is shown as a sentence: by a user, by an automation, or at the device itself', async () => {
    open([
      cause({ Kind: 'device', Values: { Switch: 0 } }),
      cause({ Run: run({ AutomationID: 'a', Cause: 'schedule', Name: '上班' }) }),
      cause({ Run: run({ AutomationID: 'b', Cause: 'condition', Name: '有人' }) }),
      cause({ Run: run({ AutomationID: 'b', Cause: 'end', Name: '有人' }), Values: { Switch: 0 } }),
      cause({ By: '值班人員' }),
      cause({ By: '值班人員', Run: run({ SceneID: 's', Name: '開會' }) }),
      cause(),
    ])
    fireEvent.click(await screen.findByRole('button', { name: '較早的 3 筆' }))
    await waitFor(async () =>
      expect(await lines()).toEqual([
        '今天 08:00 在裝置上直接關閉。',
        '今天 08:00 由排程「上班」開啟。',
        '今天 08:00 由智慧連動「有人」開啟。',
        '今天 08:00 由「有人」結束時關閉。',
        '今天 08:00 由 值班人員 開啟。',
        '今天 08:00 由 值班人員 執行情境「開會」開啟。',
        '今天 08:00 由自動化開啟。',
      ]),
    )
  })

  it('is shown in English, with values for anything but a single switch', async () => {
    await act(() => changeLanguage('en-US'))
    await loadNamespaces(['automation'])
    open([cause({ Kind: 'device' }), cause({ By: 'Ada', At: eight() - DAY })])
    await waitFor(async () =>
      expect(await lines()).toEqual([
        'today 08:00: switched on at the device itself.',
        'yesterday 08:00: switched on by Ada.',
      ]),
    )
  })

  it('opens the run behind a command', async () => {
    const behind = run({ AutomationID: 'a', Cause: 'schedule', Name: '上班' })
    server.use(answers(runs.listAutomationRun, { Rows: [behind], Total: 1, NextCursor: null } as never))
    const { user } = open([cause({ Run: behind })])
    await user.click(await screen.findByRole('button', { name: '查看「上班」的執行紀錄' }))
    expect(await screen.findByRole('dialog')).toBeDefined()
  })

  it('says that the cause is unknown, and what sets it next', async () => {
    const next = (AutomationType: number, AutomationName: string, At: number | null, Switch: number) => ({
      AutomationID: `id-${AutomationType}`,
      AutomationType,
      AutomationName,
      At,
      Values: { Switch },
    })
    open([], [next(1, '下班', eight() + DAY, 0), next(3, '有人', null, 1)])
    expect(await screen.findByText('沒有最近的變更紀錄。')).toBeDefined()
    const link = await screen.findByRole('link', { name: '明天 08:00 排程「下班」將關閉。' })
    expect(link.getAttribute('href')).toBe('/updateSchedule/h1/id-1')
    expect(screen.getByRole('link', { name: '條件成立時，智慧連動「有人」將開啟。' })).toBeDefined()
  })

  it('names each user of the device once, with the number of hidden ones', async () => {
    server.use(answers(runs.listUsedBy, { Rows: [...users], Hidden: 2 }))
    open([])
    const used = within(await screen.findByRole('region', { name: '使用此項目的設定' }))
    expect(used.getAllByRole('link').map((one) => one.getAttribute('href'))).toEqual([
      '/updateGroup/h1/g',
      '/updateSchedule/h1/a',
    ])
    expect(used.getAllByRole('listitem')).toHaveLength(3)
  })
})

const held = (more: Partial<HeldRule>): HeldRule => ({
  AutomationID: 'a',
  AutomationType: 1,
  AutomationName: '上班',
  State: 'disabled',
  Reason: null,
  Subject: null,
  Since: null,
  Until: null,
  ...more,
})
const nearly = (more: Partial<Run>): Run =>
  run({ AutomationID: 'b', Name: '有人', Cause: 'condition', State: 'skipped', BeganAt: eight(), ...more })
const whyNot = async (name: string) =>
  within(await screen.findByRole('region', { name }))
    .getAllByRole('listitem')
    .map((item) => item.firstChild?.textContent)

describe('the reasons why automations did not run', () => {
  const motion = { PeripheralUID: 'motion', Field: 'MotionState', Value: null, At: null, Verdict: null }
  const why = {
    Held: [
      held({}),
      held({ AutomationID: 'b', State: 'suspended', Reason: 'ownerGone', Since: eight() }),
      held({ AutomationID: 'c', State: 'broken', Reason: 'deviceGone', Subject: 'old', Since: eight() }),
      held({
        AutomationID: 'd',
        AutomationType: 3,
        State: 'paused',
        Reason: 'tooOften',
        Until: eight() + DAY,
      }),
      held({ AutomationID: 'e', AutomationType: 4, State: 'homePaused', Since: eight() }),
      held({ AutomationID: 'f', AutomationType: 5, State: 'homePaused', Until: eight() + DAY }),
    ],
    Nearly: [
      nearly({ RunID: 'r1', Reason: 'tooSoon' }),
      nearly({ RunID: 'r2', Reason: 'tooSoon', BeganAt: eight() - DAY }),
      nearly({ RunID: 'r3', Reason: 'outsidePeriod' }),
      nearly({ RunID: 'r4', Reason: 'unknown', Conditions: [motion] }),
      nearly({ RunID: 'r5', Reason: 'noRight' }),
      nearly({ RunID: 'r6', AutomationID: 'a', Name: '上班', State: 'missed', PlannedAt: eight() - DAY }),
    ],
  }
  beforeEach(() =>
    server.use(
      answers(peripheral.operations.list, {
        Things: [],
        Peripherals: [
          aPeripheral({
            HomeID: 'h1',
            PeripheralUID: 'motion',
            PeripheralType: '516',
            PeripheralName: '走廊感測',
          }),
        ],
        Statuses: [],
      }),
    ),
  )

  it('are sentences for each rule, with repetitions once', async () => {
    open([], [], why)
    await screen.findByText(/走廊感測/)
    expect(await whyNot('未執行的原因')).toEqual([
      '排程「上班」已停用。',
      '排程「上班」自 今天 08:00 起暫停，因為負責人的帳號已刪除，尚未有人接手。',
      '排程「上班」自 今天 08:00 起無法執行，因為裝置「old」已不存在。',
      '智慧連動「上班」暫停到 明天 08:00，因為執行過於頻繁。',
      '警報「上班」暫停中：此場域的自動化自 今天 08:00 起全部暫停，直到有人恢復。',
      '智慧連動「上班」暫停中：此場域的自動化全部暫停到 明天 08:00。',
      '今天 08:00「有人」沒有執行，因為距離上次執行太近。（另有 1 次）',
      '今天 08:00「有人」沒有執行，因為不在它的生效時段。',
      '今天 08:00「有人」沒有執行，因為「走廊感測」的狀態不明。',
      '今天 08:00「有人」沒有執行，因為負責人已沒有控制裝置的權限。',
      '昨天 08:00「上班」錯過了執行時間，因為當時系統停機。',
    ])
    expect(screen.getByRole('link', { name: '排程「上班」已停用。' }).getAttribute('href')).toBe(
      '/updateSchedule/h1/a',
    )
  })

  it('are shown in English, and open the skipped run', async () => {
    await act(() => changeLanguage('en-US'))
    await loadNamespaces(['automation'])
    const { user } = open([], [], { Held: why.Held.slice(1, 2), Nearly: why.Nearly.slice(3, 4) })
    await screen.findByText(/走廊感測/)
    expect(await whyNot('Why it did not run')).toEqual([
      'The schedule “上班” has been suspended since today 08:00, because its owner was deleted.',
      'today 08:00: “有人” did not run, because the state of “走廊感測” was unknown.',
    ])
    server.use(answers(runs.listAutomationRun, { Rows: why.Nearly.slice(3, 4), Total: 1, NextCursor: null }))
    await user.click(screen.getByRole('button', { name: 'Runs of 有人' }))
    expect(await within(await screen.findByRole('dialog')).findAllByText('Unknown')).toHaveLength(2)
  })

  it('are empty without a skipped run, and not requested for a device without automations', async () => {
    const next = {
      AutomationID: 'a',
      AutomationType: 1,
      AutomationName: '下班',
      At: eight(),
      Values: { Switch: 0 },
    }
    open([cause()], [next])
    expect(await screen.findByText('最近 7 天沒有應執行而未執行的自動化。')).toBeDefined()
    cleanup()
    open([cause()])
    await section()
    await waitFor(() => expect(screen.queryByRole('region', { name: '未執行的原因' })).toBeNull())
  })
})

describe('confirmation before a device or room is removed', () => {
  it('names what refers to it', async () => {
    server.use(answers(runs.listUsedBy, { Rows: [...users], Hidden: 0 }))
    openPages(
      { '/': <UsersWarning kind="device" of={[{ HomeID: 'h1', Subject: 'device', ID: 'one' }]} /> },
      '/',
    )
    expect(await screen.findByText(/下列項目使用此裝置/)).toBeDefined()
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      expect.stringContaining('走廊'),
      expect.stringContaining('上班'),
    ])
  })
})
