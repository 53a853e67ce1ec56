import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { automations } from '../../../../contract/automation/calls.ts'
import { automation } from '../../../../contract/automation/automation.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import { callKey, queryClient } from '../../../../src/data/api.ts'
import { t } from '../../../../src/lib/i18n/i18n.ts'
import { prefilledRuleUrl } from '../../../../src/domain/automation/prefill.ts'
import SchedulePage from '../../../../src/resources/automation/schedule-page.tsx'
import SmartLinkPage from '../../../../src/resources/automation/smart-link-page.tsx'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { arriveInActingHome } from '../../support/acting-home.ts'
import { openPages, sentTo } from '../../support/page.tsx'
import { type Answered, nothingElse, rulesAre, schedule, smartLink } from './rules.ts'
const open = (address: string) =>
  openPages(
    [
      { path: '/updateSchedule/:HomeID/:automationID?', element: <SchedulePage /> },
      { path: '/updateSmartLink/:HomeID/:automationID?', element: <SmartLinkPage /> },
      { path: '/ScheduleListing/:HomeID', element: <p>the schedules</p> },
      { path: '/SmartLink/:HomeID', element: <p>the smart links</p> },
    ],
    address,
  )
const save = () => screen.getByRole('button', { name: /儲\s*存/ })
const nameField = () =>
  screen.findByRole('textbox', { name: t('resources:automation.fields.AutomationName') })

/** Selects an option by its label. */
async function choose(user: UserEvent, label: string, option: string | RegExp): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: label }))
  const found = (await screen.findAllByText(option)).filter((one) => one.closest('.ant-select-item-option'))
  await user.click(found.at(-1) as HTMLElement)
}
/** Adds an action that switches the corridor's light. */
async function addLight(user: UserEvent, value: 0 | 1): Promise<void> {
  await user.click(screen.getByRole('button', { name: new RegExp(t('automation:actions.add')) }))
  const picker = within(await screen.findByRole('dialog'))
  await user.click(await picker.findByRole('checkbox', { name: /走廊燈/ }))
  await user.click(picker.getByRole('button', { name: new RegExp(t('automation:picker.add', { count: 1 })) }))
  const actions = within(screen.getByRole('region', { name: t('automation:actions.title') }))
  await user.click(await actions.findByText(t(value === 1 ? 'devices:state.on' : 'devices:state.off')))
}
/** Header of the settings that are folded. */
const more = () => screen.getByText(t('automation:rule.edit.more'))
const isMoreOpen = () => more().closest('details')?.open
const ofCondition = (number: number, name: 'device' | 'field' | 'comparison' | 'value') =>
  t('automation:rule.edit.ofCondition', { number, name: t(`automation:rule.edit.${name}`) })

const jade = {
  ConferenceRoomID: 'c1',
  ConferenceRoomName: '玉山',
  Capacity: 8,
  HomeID: 'h1',
  RoomID: 1,
  Equipment: '',
  Active: true,
  ReleaseAfter: 0,
  Version: 1,
  TimeZone: 'Asia/Taipei',
}

beforeEach(async () => {
  await arriveInActingHome()
  nothingElse()
})

describe('the schedule editor', () => {
  it('shows what is missing at each field', async () => {
    rulesAre()
    const { user } = open('/updateSchedule/h1')
    await nameField()
    await user.click(save())
    const faults = () => screen.getAllByRole('alert').map(({ textContent }) => textContent)
    await waitFor(() =>
      expect(faults()).toEqual([
        t('errors:fields.name'),
        t('automation:rule.needs.time'),
        t('automation:actions.reasons.required'),
      ]),
    )
    expect(sentTo(automation.operations.create)).toEqual([])
  })

  it('prefills a new schedule from a suggestion, and saves only on request', async () => {
    rulesAre()
    server.use(
      answers(conferenceRoom.operations.list, [jade]),
      answers(automation.operations.create, schedule()),
    )
    const { user } = open(
      prefilledRuleUrl('h1', {
        AutomationName: '玉山關燈',
        Booking: { ConferenceRoomID: 'c1', When: 'release', Minutes: 0 },
        Actions: [{ PeripheralUID: 'a', Values: { Switch: 0 }, After: 0, IfOffline: 'fail' }],
      }),
    )
    expect(((await nameField()) as HTMLInputElement).value).toBe('玉山關燈')
    expect(await screen.findByText('玉山')).toBeTruthy()
    expect(sentTo(automation.operations.create)).toEqual([])
    await waitFor(async () => {
      await user.click(save())
      expect(sentTo(automation.operations.create)).toHaveLength(1)
    })
    expect(sentTo(automation.operations.create)[0]).toMatchObject({
      AutomationType: 1,
      Booking: { ConferenceRoomID: 'c1', When: 'release', Minutes: 0 },
      Actions: [{ PeripheralUID: 'a', Values: { Switch: 0 } }],
    })
  })

  it('creates a schedule that follows the bookings of a meeting room', async () => {
    server.use(
      answers(conferenceRoom.operations.list, [jade]),
      answers(automation.operations.create, schedule({ Schedule: undefined })),
    )
    const { user } = open('/updateSchedule/h1')
    await user.type(await nameField(), '開會前開燈')
    await user.click(screen.getByRole('radio', { name: t('automation:rule.edit.triggers.booking') }))
    await choose(user, t('automation:rule.edit.room'), '玉山')
    await choose(
      user,
      t('automation:rule.edit.bookingMoment'),
      t('automation:rule.edit.bookingMoments.release'),
    )
    await addLight(user, 1)
    await user.click(save())
    await waitFor(() => expect(sentTo(automation.operations.create)).toHaveLength(1))
    expect(sentTo(automation.operations.create)[0]).toMatchObject({
      AutomationType: 1,
      Booking: { ConferenceRoomID: 'c1', When: 'release' },
      Actions: [{ PeripheralUID: 'a', Values: { Switch: 1 } }],
    })
  })

  it('stops an ordered run after a failure only if selected', async () => {
    rulesAre(schedule())
    server.use(answers(automation.operations.update, schedule({ Version: 5 })))
    const { user } = open('/updateSchedule/h1/a1')
    await nameField()
    const stops = () => screen.queryByRole('checkbox', { name: t('automation:actions.stopOnFailure') })
    expect(stops()).toBeNull()
    await user.click(screen.getByRole('radio', { name: t('automation:scene.orders.inOrder') }))
    await user.click(stops() as HTMLElement)
    await user.click(save())
    await waitFor(() => expect(sentTo(automation.operations.update)).toHaveLength(1))
    expect(sentTo(automation.operations.update)[0]).toMatchObject({ Order: 'inOrder', StopOnFailure: true })
  })

  it('edits a schedule and returns to the list', async () => {
    rulesAre(schedule())
    server.use(answers(automation.operations.update, schedule({ Version: 5 })))
    const { user, path } = open('/updateSchedule/h1/a1')
    await user.type(await nameField(), '（夏）')
    await choose(user, t('automation:rule.edit.offAfter'), t('automation:rule.hours', { count: 2 }))
    await user.click(save())
    await waitFor(() => expect(path()).toBe('/ScheduleListing/h1'))
    const [sent] = sentTo(automation.operations.update) as Record<string, unknown>[]
    expect(sent).toMatchObject({
      AutomationType: 1,
      AutomationID: 'a1',
      AutomationName: '上班開燈（夏）',
      Version: 4,
      Schedule: { Weekdays: [1, 2, 3, 4, 5], At: 480, Days: 'workdays', OffAfter: 2 },
      Booking: null,
    })
    expect(sent).not.toHaveProperty('NewType')
  })

  it('turns a single schedule into a repeating one without asking for its type', async () => {
    const At = Date.now() + 86_400_000
    rulesAre(schedule({ AutomationType: 2, Schedule: { At } }))
    server.use(answers(automation.operations.update, schedule()))
    const { user } = open('/updateSchedule/h1/a1')
    await nameField()
    await user.click(screen.getByRole('radio', { name: t('automation:rule.edit.triggers.repeating') }))
    await choose(
      user,
      t('automation:rule.edit.momentKind', { label: t('automation:rule.edit.time') }),
      t('automation:rule.edit.moments.sunset'),
    )
    await user.click(save())
    await waitFor(() => expect(sentTo(automation.operations.update)).toHaveLength(1))
    expect(sentTo(automation.operations.update)[0]).toMatchObject({
      AutomationType: 2,
      NewType: 1,
      Schedule: { Weekdays: [1, 2, 3, 4, 5], At: { Sun: 'sunset', Offset: 0 } },
    })
  })

  it('says that it uses the sun of Taipei if the home has no position', async () => {
    rulesAre(schedule({ Schedule: { Weekdays: [1], At: { Sun: 'sunrise', Offset: -30 } } }))
    open('/updateSchedule/h1/a1')
    expect(await screen.findByText(t('automation:rule.edit.noPlace'))).toBeTruthy()
  })

  it('shows the next runs, skipped days crossed out, and warnings', async () => {
    rulesAre(schedule())
    server.use(
      answers(automations.checkAutomation, {
        Findings: [{ Kind: 'neverHeard', PeripheralUID: 'a', Other: null, At: null }],
        NextRuns: [
          { At: Date.UTC(2026, 0, 1, 0), Struck: true },
          { At: Date.UTC(2026, 0, 2, 0), Struck: false },
        ],
      }),
    )
    open('/updateSchedule/h1/a1')
    const next = await screen.findByRole('region', { name: t('automation:rule.nextRuns') })
    expect(next.querySelector('del')?.textContent).toMatch(/1\/1.*08:00/)
    expect(next.querySelector('time')?.textContent).toMatch(/1\/2.*08:00/)
    expect(
      await screen.findByText(
        t('automation:rule.findings.neverHeard', { device: '走廊燈', other: '', at: '' }),
      ),
    ).toBeTruthy()
  })

  it('shows no next runs if the gateway cannot compute them', async () => {
    rulesAre(schedule())
    open('/updateSchedule/h1/a1')
    await waitFor(() => expect(sentTo(automations.checkAutomation)).toHaveLength(1))
    expect(screen.queryByRole('region', { name: t('automation:rule.nextRuns') })).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is read-only without the right to control', async () => {
    await arriveInActingHome(
      subUser([
        { FeatureKey: 'schedule', OperationList: ['Read', 'Update'] },
        { FeatureKey: 'device', OperationList: ['Read'] },
      ]),
    )
    rulesAre(schedule())
    open('/updateSchedule/h1/a1')
    expect(await nameField()).toHaveProperty('disabled', true)
    expect(save()).toHaveProperty('disabled', true)
  })

  it('says that it does not exist', async () => {
    rulesAre()
    open('/updateSchedule/h1/a1')
    expect(await screen.findByText(t('automation:rule.notFound.schedule'))).toBeTruthy()
  })
})

describe('the smart link editor', () => {
  it('derives the type from the devices, and compares only their common values', async () => {
    rulesAre(smartLink())
    server.use(answers(automation.operations.update, smartLink({ AutomationType: 5 })))
    const { user } = open('/updateSmartLink/h1/s1')
    await nameField()
    await user.click(
      screen.getByRole('button', {
        name: new RegExp(t('automation:rule.edit.addCondition', { count: 1, most: 8 }).replace(/[()]/g, '.')),
      }),
    )
    await choose(user, ofCondition(2, 'device'), '調光燈')
    await choose(user, ofCondition(2, 'field'), '亮度')
    await choose(user, ofCondition(2, 'comparison'), t('automation:rule.edit.comparisons.atLeast'))
    await user.type(screen.getByRole('spinbutton', { name: ofCondition(2, 'value') }), '40')
    await user.click(screen.getByRole('radio', { name: t('automation:rule.edit.joins.OR') }))
    await user.click(save())
    await waitFor(() => expect(sentTo(automation.operations.update)).toHaveLength(1))
    expect(sentTo(automation.operations.update)[0]).toMatchObject({
      AutomationType: 3,
      NewType: 5,
      Conditions: {
        Logical: 'OR',
        PeripheralUIDs: [
          { PeripheralUID: 'b', Field: 'Switch', Logical: '=', Status: 1 },
          { PeripheralUID: 'd', Field: 'Brightness', Logical: '>=', Status: 40 },
        ],
      },
    })
  })

  it('shows that its window spans midnight if it ends before it begins', async () => {
    const window = { Weekdays: [0, 1, 2, 3, 4, 5, 6], From: 1320, To: 360, Days: 'all' as const }
    const { Conditions } = smartLink()
    rulesAre(smartLink({ Conditions: { ...Conditions!, Period: [window] } }))
    open('/updateSmartLink/h1/s1')
    await nameField()
    expect(await screen.findByText(t('automation:rule.edit.overMidnight'))).toBeTruthy()
    expect(await screen.findByText(/只在以下時段：22:00 – 隔天 06:00/)).toBeTruthy()
  })

  it('offers the trigger frequencies and end durations of the specification', async () => {
    rulesAre(smartLink())
    const { user } = open('/updateSmartLink/h1/s1')
    await nameField()
    await user.click(more())
    await choose(user, t('automation:rule.edit.retrigger'), t('automation:rule.minutes', { count: 5 }))
    await choose(user, t('automation:rule.edit.endDuration'), t('automation:rule.minutes', { count: 10 }))
    expect(await screen.findByText(/條件不再成立 10 分鐘後恢復原狀/)).toBeTruthy()
    expect(screen.getByRole('radio', { name: t('automation:rule.edit.endKinds.actions') })).toBeTruthy()
  })

  it('shows the rule in words above its fields while it is edited', async () => {
    rulesAre()
    const { user } = open('/updateSmartLink/h1')
    await nameField()
    const sentence = await screen.findByText('當…，就…')
    await choose(user, ofCondition(1, 'device'), '調光燈')
    await choose(user, ofCondition(1, 'field'), '亮度')
    await choose(user, ofCondition(1, 'comparison'), t('automation:rule.edit.comparisons.above'))
    await waitFor(() => expect(sentence.textContent).toBe('當「調光燈」的亮度高於 …，就…'))
    await user.type(screen.getByRole('spinbutton', { name: ofCondition(1, 'value') }), '40')
    await addLight(user, 1)
    await waitFor(() => expect(sentence.textContent).toBe('當「調光燈」的亮度高於 40%，就開啟走廊燈'))
    const before = sentence.compareDocumentPosition(await nameField())
    expect(before & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  it('folds what is at its default, and opens it for an error', async () => {
    rulesAre(smartLink())
    const { user } = open('/updateSmartLink/h1/s1')
    await user.type(await nameField(), '2')
    expect(isMoreOpen()).toBe(false)
    server.use(
      rejectCall(automation.operations.update, 'INVALID', {
        fields: { 'Conditions.RetriggerInterval': 'tooSmall' },
      }),
    )
    await user.click(save())
    await waitFor(() => expect(isMoreOpen()).toBe(true))
    expect((await screen.findByRole('alert')).textContent).toBe(t('errors:fields.tooSmall'))
  })

  it('opens what differs from its default', async () => {
    const { Conditions } = smartLink()
    rulesAre(smartLink({ Conditions: { ...Conditions!, RetriggerInterval: 300 } }))
    open('/updateSmartLink/h1/s1')
    await nameField()
    expect(isMoreOpen()).toBe(true)
  })

  it("shows the gateway's rejection at its field", async () => {
    rulesAre(smartLink())
    server.use(
      rejectCall(automation.operations.update, 'INVALID', {
        fields: { 'Conditions.PeripheralUIDs.0.Field': 'noSuchField' },
      }),
    )
    const { user } = open('/updateSmartLink/h1/s1')
    await user.type(await nameField(), '2')
    await user.click(save())
    expect((await screen.findByRole('alert')).textContent).toBe(t('errors:fields.noSuchField'))
  })

  it('saves two rules that may trigger each other only after confirmation', async () => {
    rulesAre(smartLink())
    server.use(rejectCall(automation.operations.update, 'INVALID', { fields: { Actions: 'loop' } }))
    const { user } = open('/updateSmartLink/h1/s1')
    await user.type(await nameField(), '2')
    await user.click(save())
    const anyway = await screen.findByRole('button', { name: t('automation:rule.loop.ok') })
    server.use(answers(automation.operations.update, smartLink()))
    await user.click(anyway)
    await waitFor(() => expect(sentTo(automation.operations.update)).toHaveLength(2))
    expect(sentTo(automation.operations.update)).toMatchObject([{ AcceptLoop: false }, { AcceptLoop: true }])
  })

  it('shows how often it would have run', async () => {
    rulesAre(smartLink())
    server.use(
      answers(automations.tryAutomation, {
        Runs: [
          { At: 1, EndedAt: 2 },
          { At: 3, EndedAt: null },
        ],
        Blocked: { tooSoon: 3 },
        kWh: 1.25,
        Cost: 4,
        CoveredDays: 12,
        Uncovered: null,
        Unknown: [],
      }),
    )
    const { user } = open('/updateSmartLink/h1/s1')
    await user.click(
      await screen.findByRole('button', { name: t('automation:rule.try.button', { count: 30 }) }),
    )
    expect(
      await screen.findByText(new RegExp(t('automation:rule.try.runs', { count: 2, days: 30 }))),
    ).toBeTruthy()
  })

  it.each(['bookings', 'noHistory', 'notHeard'] as const)(
    'says why no day was tested: %s',
    async (Uncovered) => {
      rulesAre(smartLink())
      const nothing = { Runs: [], Blocked: {}, kWh: null, Cost: null, CoveredDays: 0, Unknown: [] }
      server.use(answers(automations.tryAutomation, { ...nothing, Uncovered }))
      const { user } = open('/updateSmartLink/h1/s1')
      await user.click(
        await screen.findByRole('button', { name: t('automation:rule.try.button', { count: 30 }) }),
      )
      expect(await screen.findByText(t(`automation:rule.try.uncovered.${Uncovered}`))).toBeTruthy()
      expect(screen.queryByText(/會執行 0 次/)).toBeNull()
    },
  )

  it('shows what someone else has saved meanwhile, and keeps typed values', async () => {
    const now: { rule: Answered } = { rule: smartLink() }
    server.use(
      answers(automation.operations.list, (body) =>
        (body as { AutomationType: number }).AutomationType === 3 ? [now.rule] : [],
      ),
    )
    const { user } = open('/updateSmartLink/h1/s1')
    await user.type(await nameField(), ' mine')
    now.rule = smartLink({ AutomationName: 'theirs', Version: 9 })
    await act(() =>
      queryClient.refetchQueries({
        queryKey: callKey(automation.operations.list, { HomeID: 'h1', AutomationType: 3 }),
      }),
    )
    const conflict = await screen.findByRole('alert')
    expect(within(conflict).getByText('theirs')).toBeTruthy()
    expect(await nameField()).toHaveProperty('value', '桌燈連動 mine')
    await user.click(within(conflict).getByRole('button', { name: t('screens:conflict.take') }))
    expect(await nameField()).toHaveProperty('value', 'theirs')
  })

  it('asks for confirmation before unsaved input is lost', async () => {
    rulesAre(smartLink())
    const { user, path } = open('/updateSmartLink/h1/s1')
    await user.type(await nameField(), '2')
    await user.click(screen.getByRole('button', { name: /取\s*消/ }))
    expect(await screen.findAllByText(t('shell:unsaved.title'))).not.toEqual([])
    expect(path()).toBe('/updateSmartLink/h1/s1')
  })
})
