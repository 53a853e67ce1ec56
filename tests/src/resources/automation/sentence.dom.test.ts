import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AutomationRule } from '../../../../contract/automation/automation.ts'
import { changeLanguage, loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { formatPhrase } from '../../../../src/domain/automation/words/phrase.ts'
import {
  PLAIN_STATES,
  sentenceOf,
  type RuleNames,
  type DescribedRule,
} from '../../../../src/resources/automation/words/sentence.ts'
import { describeDraft } from '../../../../src/resources/automation/words/describe-draft.ts'
import { draftOf, ruleOf } from '../../../../src/resources/automation/rules/draft.ts'

const WEEKDAYS = ['日', '一', '二', '三', '四', '五', '六']
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Names as they are; devices and fields are shown by their UID and key. */
const namesIn = (language: 'zh-TW' | 'en-US'): RuleNames => ({
  actionOf: ({ PeripheralUID = '', SceneID, Values }) =>
    SceneID !== undefined
      ? { name: SceneID, effect: 'run' }
      : Values?.['Switch'] === undefined
        ? { name: PeripheralUID, effect: { values: '50 %' } }
        : { name: PeripheralUID, effect: Values['Switch'] === 1 ? 'on' : 'off' },
  conditionOf: ({ PeripheralUID, Field, Status }) => ({
    name: PeripheralUID,
    field: Field,
    values: [Status].flat().map((value) => `${value} °C`),
    state: PLAIN_STATES.find((state) => state === Field),
  }),
  conferenceRoom: (id) => id,
  moment: () => '2026/12/24 08:00',
  day: (text) => text,
  weekday: (day) => (language === 'zh-TW' ? `週${WEEKDAYS[day]}` : (DAYS[day] ?? '')),
})

/** Sentence and details of a rule as one text, the details after a bar. */
const textOf = (given: DescribedRule, names: RuleNames): string => {
  const { main, notes } = sentenceOf(given, names)
  return [main, ...(notes === undefined ? [] : [notes])].map((part) => formatPhrase(t, part)).join(' | ')
}

const on = (PeripheralUID: string) => ({
  PeripheralUID,
  Values: { Switch: 1 },
  After: 0,
  IfOffline: 'fail' as const,
})
const off = (uid: string) => ({ ...on(uid), Values: { Switch: 0 } })
const rule = (more: Partial<DescribedRule>): DescribedRule => ({
  Actions: [on('大廳燈')],
  EndDuration: 0,
  EndActions: 'restore',
  ...more,
})
const repeating = (more: object = {}): DescribedRule['Schedule'] => ({
  Weekdays: [1, 2, 3, 4, 5],
  At: 480,
  Days: 'all',
  Except: [],
  From: null,
  Through: null,
  OffAfter: 0,
  ...more,
})
const conditions = (more: object = {}): NonNullable<AutomationRule['Conditions']> => ({
  PeripheralUIDs: [{ PeripheralUID: '大廳', Field: '溫度', Status: 28, Logical: '>' }],
  Logical: 'AND',
  RetriggerInterval: 60,
  Repeat: false,
  For: 0,
  Period: [],
  ...more,
})

describe.each(['zh-TW', 'en-US'] as const)('a rule in one sentence of %s', (language) => {
  beforeAll(async () => {
    await loadNamespaces(['automation', 'screens'])
    await changeLanguage(language)
  })
  afterAll(() => changeLanguage('zh-TW'))

  it.each<[string, DescribedRule, string, string]>([
    [
      'when a schedule comes again and when it switches off',
      rule({ Schedule: repeating({ Days: 'workdays', OffAfter: 12 }) }),
      '平日 08:00 開啟大廳燈，12 小時後關閉 | 國定假日不執行',
      'On workdays at 08:00, turn 大廳燈 on, and off again 12 hours later | not on public holidays',
    ],
    [
      'one hour as one',
      rule({ Schedule: repeating({ Weekdays: [0, 1, 2, 3, 4, 5, 6], OffAfter: 1 }) }),
      '每天 08:00 開啟大廳燈，1 小時後關閉',
      'Every day at 08:00, turn 大廳燈 on, and off again 1 hour later',
    ],
    [
      'days in as few words as people do',
      rule({ Schedule: repeating({ Weekdays: [6, 0] }) }),
      '週末 08:00 開啟大廳燈',
      'On weekends at 08:00, turn 大廳燈 on',
    ],
    [
      'a working week of days',
      rule({ Schedule: repeating() }),
      '週一到週五 08:00 開啟大廳燈',
      'Mon to Fri at 08:00, turn 大廳燈 on',
    ],
    [
      'days one by one',
      rule({ Schedule: repeating({ Weekdays: [1, 3] }) }),
      '每週一和週三 08:00 開啟大廳燈',
      'On Mon and Wed at 08:00, turn 大廳燈 on',
    ],
    [
      'the sun, the exceptions and the days between',
      rule({
        Schedule: repeating({
          At: { Sun: 'sunset', Offset: -30 },
          Except: ['2026-12-24'],
          From: '2026-12-01',
        }),
      }),
      '週一到週五日落前 30 分鐘開啟大廳燈 | 另有 1 天不執行；自 2026-12-01 起',
      'Mon to Fri 30 minutes before sunset, turn 大廳燈 on | except on 1 day; from 2026-12-01 on',
    ],
    [
      'a single moment',
      rule({ Schedule: { At: 1, OffAfter: 0 } }),
      '2026/12/24 08:00 開啟大廳燈，只執行一次',
      'Once, on 2026/12/24 08:00, turn 大廳燈 on',
    ],
    [
      'the booking of a meeting room',
      rule({ Booking: { ConferenceRoomID: '會議室', When: 'before', Minutes: 15 } }),
      '「會議室」的預約開始前 15 分鐘開啟大廳燈',
      '15 minutes before a booking of 會議室 begins, turn 大廳燈 on',
    ],
    [
      'what must be so, how long, and what comes afterwards',
      rule({ Conditions: conditions({ For: 300 }), EndDuration: 600 }),
      '當「大廳」的溫度高於 28 °C，並持續 5 分鐘，就開啟大廳燈，條件不再成立 10 分鐘後恢復原狀',
      'When the 溫度 of 大廳 has been above 28 °C for 5 minutes, turn 大廳燈 on; 10 minutes after the condition ends, set everything back',
    ],
    [
      'several conditions, and when they count',
      rule({
        Conditions: conditions({
          Logical: 'OR',
          PeripheralUIDs: [
            { PeripheralUID: '大廳', Field: '溫度', Status: [20, 28], Logical: 'outside' },
            { PeripheralUID: '門', Field: '按鍵', Status: 0, Logical: 'changed' },
          ],
          Period: [{ Weekdays: [1, 2, 3, 4, 5], From: 1080, To: 480, Days: 'all' }],
          Repeat: true,
        }),
      }),
      '當「大廳」的溫度低於 20 °C 或高於 28 °C，或「門」的按鍵有變動，就開啟大廳燈 | 只在以下時段：週一到週五 18:00 – 隔天 08:00；條件成立期間每分鐘再執行一次',
      'When the 溫度 of 大廳 is below 20 °C or above 28 °C or the 按鍵 of 門 changes, turn 大廳燈 on | only Mon to Fri from 18:00 to 08:00 the next day; again every minute while the conditions are true',
    ],
    [
      'names what is switched the same way together, and says how much more there is',
      rule({ Schedule: repeating(), Actions: [on('甲'), off('乙'), on('丙')] }),
      '週一到週五 08:00 開啟甲和丙，並關閉乙',
      'Mon to Fri at 08:00, turn 甲 and 丙 on, and turn 乙 off',
    ],
    [
      'names what is switched the same way together, a few of many',
      rule({ Schedule: repeating(), Actions: ['甲', '乙', '丙', '丁', '戊'].map(on) }),
      '週一到週五 08:00 開啟甲、乙、丙和另外 2 項',
      'Mon to Fri at 08:00, turn 甲, 乙, 丙 and 2 more on',
    ],
    [
      'other actions at the end',
      rule({
        Conditions: conditions(),
        EndDuration: 3600,
        EndActions: [{ SceneID: '下班', After: 0, IfOffline: 'fail' }],
      }),
      '當「大廳」的溫度高於 28 °C，就開啟大廳燈，條件不再成立 1 小時後執行情境「下班」',
      'When the 溫度 of 大廳 is above 28 °C, turn 大廳燈 on; 1 hour after the condition ends, run the scene 下班',
    ],
    [
      'states in plain words, and what is switched back without its name',
      rule({
        Conditions: conditions({
          PeripheralUIDs: [{ PeripheralUID: '車道', Field: 'motion', Status: 1, Logical: '=' }],
        }),
        EndDuration: 300,
        EndActions: [off('大廳燈')],
      }),
      '當車道偵測到有人移動，就開啟大廳燈，條件不再成立 5 分鐘後關閉',
      'When 車道 detects motion, turn 大廳燈 on; 5 minutes after the condition ends, turn it off',
    ],
    [
      'by name what is switched at the end and was not before',
      rule({ Conditions: conditions(), EndDuration: 600, EndActions: [off('走廊燈')] }),
      '當「大廳」的溫度高於 28 °C，就開啟大廳燈，條件不再成立 10 分鐘後關閉走廊燈',
      'When the 溫度 of 大廳 is above 28 °C, turn 大廳燈 on; 10 minutes after the condition ends, turn 走廊燈 off',
    ],
    [
      'a state that is not to be in plain words as well',
      rule({
        Conditions: conditions({
          PeripheralUIDs: [{ PeripheralUID: '車道', Field: 'motion', Status: 1, Logical: '!=' }],
        }),
      }),
      '當車道沒有偵測到移動，就開啟大廳燈',
      'When 車道 detects no motion, turn 大廳燈 on',
    ],
  ])('says %s', (_what, given, zh, en) =>
    expect(textOf(given, namesIn(language))).toBe(language === 'zh-TW' ? zh : en),
  )
})

describe('a rule in the editor', () => {
  const stored = {
    AutomationName: 'a',
    Description: '',
    Enabled: true,
    Actions: [on('a')],
    Order: 'together' as const,
    StopOnFailure: false,
    EndDuration: 600 as const,
    EndActions: 'restore' as const,
    Catching: 'latest' as const,
    Grace: 900,
    Conditions: conditions({
      PeripheralUIDs: [
        { PeripheralUID: 'a', Field: 'Temperature', Status: [1, 2], Logical: 'between' },
        { PeripheralUID: 'b', Field: 'Temperature', Status: 3, Logical: '>', Clear: 2 },
      ],
    }),
  }

  it('is unchanged without edits', () => expect(ruleOf(draftOf(stored), 'smartLink')).toEqual(stored))

  it('keeps a schedule of each kind', () => {
    const { Conditions: _c, ...schedule } = { ...stored, EndDuration: 0 as const }
    const of = (part: object) => ({ ...schedule, ...part })
    for (const part of [
      { Schedule: repeating({ OffAfter: 3, Except: ['2026-01-01'] }) },
      { Schedule: { At: 5, OffAfter: 1 } },
      { Booking: { ConferenceRoomID: 'r', When: 'before', Minutes: 5 } },
    ])
      expect(ruleOf(draftOf(of(part) as unknown as typeof stored), 'schedule')).toEqual(of(part))
  })
})

describe('the sentence of an alarm', () => {
  const alarm = (more: object = {}): NonNullable<AutomationRule['Alarm']> => ({
    Severity: 'critical',
    ClearAfter: 60,
    NoData: 'keep',
    Ahead: false,
    Escalate: [],
    ...more,
  })
  const of = (language: 'zh-TW' | 'en-US', more: Partial<DescribedRule> = {}) =>
    textOf(
      rule({ Actions: [], Conditions: conditions({ For: 60 }), Alarm: alarm(), ...more }),
      namesIn(language),
    )

  it('states its trigger, recipients and end', async () => {
    await changeLanguage('zh-TW')
    expect(of('zh-TW')).toBe(
      '當「大廳」的溫度高於 28 °C，並持續 1 分鐘，就發出緊急警報 | 通知所有有權檢視者；恢復正常 1 分鐘後解除',
    )
    await changeLanguage('en-US')
    expect(of('en-US')).toMatch(
      /for 1 minute, raise a critical alarm \| notify everyone with access; cleared once/,
    )
  })

  it('states its other actions, escalation and shedding', async () => {
    await changeLanguage('zh-TW')
    const load = { PeripheralUID: '冷氣', Values: { Switch: 0 }, Kw: null, MinOff: 600, MaxOff: 3600 }
    const said = of('zh-TW', {
      Actions: [off('大廳燈')],
      Notify: { To: { Users: ['u'], Departments: ['d'] }, Text: '' },
      Alarm: alarm({
        ClearAfter: 0,
        Ahead: true,
        Escalate: [{ After: 15, To: 'readers' }],
        Shed: { Loads: [load, load], AllowBilledPeak: false },
      }),
    })
    expect(said).toBe(
      '當「大廳」的溫度高於 28 °C，並持續 1 分鐘，就發出緊急警報，並關閉大廳燈 | 通知 2 個指定對象；預測會超過時也提早通知；15 分鐘內未標為已知悉時，通知所有有權檢視者；超過前依序卸除 2 個負載',
    )
  })

  it('leaves blank what the draft does not say yet', async () => {
    await changeLanguage('zh-TW')
    const draftText = (kind: 'schedule' | 'smartLink' | 'alarm') =>
      textOf(describeDraft(draftOf(undefined, kind), kind), namesIn('zh-TW'))
    expect(draftText('schedule')).toBe('週一到週五 … …')
    expect(draftText('smartLink')).toBe('當…，就…')
    expect(draftText('alarm')).toBe(
      '當…，並持續 1 分鐘，就發出警告 | 通知所有有權檢視者；恢復正常 1 分鐘後解除',
    )
  })

  it('of another notify-only rule states its recipients', async () => {
    await changeLanguage('zh-TW')
    expect(of('zh-TW', { Alarm: undefined, Notify: { To: 'readers', Text: '' } })).toBe(
      '當「大廳」的溫度高於 28 °C，並持續 1 分鐘，就通知所有有權檢視者',
    )
  })
})
