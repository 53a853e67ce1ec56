import { afterAll, describe, expect, it } from 'vitest'
import { AutomationRule } from '../../../../contract/automation/automation.ts'
import { COMPARISONS, type Comparison } from '../../../../contract/automation/comparison.ts'
import { HOME_MEASURES, METER_SUMS } from '../../../../contract/automation/condition.ts'
import { formatPhrase } from '../../../../src/domain/automation/words/phrase.ts'
import { changeLanguage, loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import {
  PLAIN_STATES,
  type RuleNames,
  type DescribedRule,
  sentenceOf,
} from '../../../../src/resources/automation/words/sentence.ts'

/** All sentence forms of a rule. The files next to this test contain them as displayed, one per line, its details after a bar. */

const LANGUAGES = ['zh-TW', 'en-US'] as const
type Language = (typeof LANGUAGES)[number]

const WORDS = {
  'zh-TW': {
    ...{
      meter: '冰水主機',
      sensor: '大廳',
      lamp: '走廊燈',
      other: '倉庫門',
      field: '溫度',
      relay: '開關 1 ',
    },
    ...{ mode: '模式', cool: '冷氣', on: '開', room: '大會議室', scene: '下班', values: '冷氣，26 °C' },
    days: ['週日', '週一', '週二', '週三', '週四', '週五', '週六'],
    moment: '2026/12/24 08:00',
  },
  'en-US': {
    ...{ meter: 'Chiller', sensor: 'Lobby', lamp: 'Hall lamp', other: 'Store door', field: 'temperature' },
    ...{ relay: 'switch 1', mode: 'mode', cool: 'Cooling', on: 'On', room: 'Board room', scene: 'Goodbye' },
    values: 'Cooling, 26 °C',
    days: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    moment: 'Dec 24, 2026, 08:00',
  },
}
const UNITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(METER_SUMS.map((sum) => [sum, 'kWh'])),
  ...{ DemandRolling: 'kW', DemandForecast: 'kW', DemandShare: '%' },
}

function namesIn(language: Language): RuleNames {
  const words = WORDS[language]
  return {
    actionOf: ({ PeripheralUID: uid = '', SceneID, Values = {} }) => {
      const name = uid === 'lamp' ? words.lamp : uid === 'other' ? words.other : uid
      if (SceneID !== undefined) return { name: words.scene, effect: 'run' }
      if (Values['Level'] !== undefined) return { name, effect: { level: `${String(Values['Level'])} %` } }
      if (Values['Mode'] !== undefined)
        return { name, effect: Values['Switch'] === 1 ? { on: words.values } : { values: words.values } }
      return { name, effect: Values['Switch'] === 1 ? 'on' : 'off' }
    },
    conditionOf: ({ PeripheralUID: uid, Field, Status }) => {
      const name = uid === 'meter' ? words.meter : words.sensor
      const state = PLAIN_STATES.find((one) => one === Field)
      if (state) return { name, field: Field, values: [], shape: 'choice', state }
      if (Field === 'Mode') return { name, field: words.mode, values: [words.cool], shape: 'choice' }
      if (Field === 'Switch1') return { name, field: words.relay, values: [words.on], shape: 'onOff' }
      if (Field === 'Presses') return { name, field: Field, values: [], shape: 'counter' }
      const values = [Status].flat().map((value) => `${value} ${UNITS[Field] ?? '°C'}`)
      return { name, field: words.field, values, shape: 'number' }
    },
    conferenceRoom: () => words.room,
    moment: () => words.moment,
    day: (text) => (language === 'zh-TW' ? text.replaceAll('-', '/') : text),
    weekday: (day) => words.days[day] ?? '',
  }
}

const at = (PeripheralUID: string, Values: object) => ({ PeripheralUID, Values })
const ON = at('lamp', { Switch: 1 })
const OFF = at('lamp', { Switch: 0 })

/** Rule from the user's input. */
const given = (part: object): DescribedRule =>
  AutomationRule.parse({ AutomationName: 'a', Actions: [ON], Catching: 'latest', ...part })
const condition = (Field: string, Logical: Comparison, Status: number | [number, number] = 28) => ({
  PeripheralUID: 'sensor',
  Field,
  Logical,
  Status: Logical === 'between' || Logical === 'outside' ? [20, Array.isArray(Status) ? 28 : Status] : Status,
})
const when = (list: readonly object[], more: object = {}, rest: object = {}) =>
  given({ Conditions: { PeripheralUIDs: list, ...more }, ...rest })
const both = (list: readonly object[]) => [when(list), when(list, { For: 300 })]
const NUMBERS = COMPARISONS.filter((one) => one !== 'changed')
const IS = ['=', '!='] as const
const every = { Weekdays: [0, 1, 2, 3, 4, 5, 6], At: 480 }
const repeating = (more: object) => given({ Schedule: { ...every, ...more } })
const hot = condition('Temperature', '>')
const alarm = (Alarm: object, part: object = {}) =>
  given({
    Conditions: { PeripheralUIDs: [hot] },
    Actions: [],
    ...part,
    Alarm: { Severity: 'critical', ClearAfter: 0, ...Alarm },
  })
const load = { PeripheralUID: 'lamp', Values: { Switch: 0 } }

const FORMS: Readonly<Record<string, readonly DescribedRule[]>> = {
  'plain states': PLAIN_STATES.flatMap((state) =>
    IS.flatMap((logical) => both([condition(state, logical, 1)])),
  ),
  'other states': ['Mode', 'Switch1'].flatMap((field) =>
    IS.flatMap((logical) => both([condition(field, logical, 1)])),
  ),
  counters: [when([condition('Presses', 'changed', 0)])],
  figures: NUMBERS.flatMap((logical) => both([condition('Temperature', logical)])),
  'silence of a device': NUMBERS.flatMap((logical) => [
    ...both([
      {
        ...condition('SilentFor', logical, 120),
        ...(logical === 'between' || logical === 'outside' ? { Status: [120, 3600] } : {}),
      },
    ]),
  ]),
  'sums of a meter': METER_SUMS.flatMap((field) =>
    NUMBERS.flatMap((logical) => both([{ ...condition(field, logical), PeripheralUID: 'meter' }])),
  ),
  'demand of a site': HOME_MEASURES.flatMap((field) =>
    NUMBERS.flatMap((logical) => both([{ ...condition(field, logical), PeripheralUID: 'home' }])),
  ),
  'several conditions': (['AND', 'OR'] as const).flatMap((Logical) =>
    [0, 90].flatMap((For) => [
      when([hot, condition('motion', '=', 1)], { Logical, For }),
      when([hot, condition('SilentFor', '>', 120), condition('DailyKwh', '>=')], { Logical, For }),
      when(
        [condition('SilentFor', '>', 120), { ...condition('SilentFor', '>=', 60), PeripheralUID: 'meter' }],
        { Logical, For },
      ),
    ]),
  ),
  'hours and repetition': [
    when([hot], { Period: [{ Weekdays: every.Weekdays, From: 480, To: 1080 }] }),
    when([hot], {
      Period: [
        { Weekdays: [1, 2, 3, 4, 5], From: 1080, To: 480 },
        { Weekdays: [6, 0], From: 0, To: 720 },
      ],
    }),
    when([hot], {
      Period: [
        { Weekdays: every.Weekdays, From: { Sun: 'sunset', Offset: 0 }, To: { Sun: 'sunrise', Offset: 30 } },
      ],
    }),
    when([hot], { Period: [{ Weekdays: every.Weekdays, From: 480, To: 1080, Days: 'workdays' }] }),
    when([hot], { Period: [{ Weekdays: every.Weekdays, From: 480, To: 1080, Days: 'offPeakDays' }] }),
    when([hot], { Period: [{ Weekdays: [2], From: 480, To: 1080 }] }),
    ...[5, 60, 300].map((RetriggerInterval) => when([hot], { Repeat: true, RetriggerInterval })),
  ],
  'what comes afterwards': [
    when([hot], {}, { EndDuration: 60 }),
    when([hot], {}, { EndDuration: 3600, EndActions: [OFF] }),
    when([hot], {}, { Actions: [OFF], EndDuration: 3600, EndActions: [ON] }),
    when([hot], {}, { EndDuration: 7200, EndActions: [at('other', { Switch: 0 })] }),
    when([hot], {}, { EndDuration: 600, EndActions: [{ SceneID: 's' }] }),
  ],
  actions: [
    [OFF],
    [at('lamp', { Level: 50 })],
    [at('lamp', { Switch: 1, Mode: 1 })],
    [at('lamp', { Mode: 1 })],
    [{ SceneID: 's' }],
    [ON, at('other', { Switch: 1 })],
    [ON, at('other', { Switch: 0 })],
    [ON, at('other', { Switch: 0 }), { SceneID: 's' }],
    [ON, at('other', { Switch: 0 }), { SceneID: 's' }, at('other', { Level: 5 })],
    [ON, at('other', { Switch: 0 }), { SceneID: 's' }, at('other', { Level: 5 }), at('lamp', { Level: 5 })],
    ['A', 'B', 'C', 'D', 'E'].map((uid) => at(uid, { Switch: 1 })),
  ].map((Actions) => when([hot], {}, { Actions })),
  'who is told': [
    when([hot], {}, { Notify: { To: 'readers' } }),
    when([hot], {}, { Actions: [], Notify: { To: 'readers' } }),
    ...[1, 2].map((count) => {
      const Users = Array.from({ length: count }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`)
      return when([hot], {}, { Actions: [], Notify: { To: { Users } } })
    }),
  ],
  schedules: [
    given({}),
    given({ Schedule: { At: 1 } }),
    given({ Schedule: { At: 1, OffAfter: 1 } }),
    ...[{}, { OffAfter: 1 }, { OffAfter: 12 }].map(repeating),
    ...[[1, 2, 3, 4, 5], [0, 6], [1, 3], [2], [1, 2, 3]].map((Weekdays) => repeating({ Weekdays })),
    ...[{ Days: 'workdays' }, { Days: 'offPeakDays' }].map(repeating),
    ...[{ Days: 'workdays' }, { Days: 'offPeakDays' }].map((more) =>
      repeating({ ...more, Weekdays: [1, 3] }),
    ),
    ...(['sunrise', 'sunset'] as const).flatMap((Sun) =>
      [0, -30, 60].map((Offset) => repeating({ At: { Sun, Offset } })),
    ),
    ...[{ Except: ['2026-12-24'] }, { Except: ['2026-12-24', '2026-12-25'] }].map(repeating),
    ...[{ From: '2026-12-01' }, { Through: '2026-12-31' }, { From: '2026-12-01', Through: '2026-12-31' }].map(
      repeating,
    ),
  ],
  bookings: (['before', 'start', 'release', 'noShow'] as const).flatMap((When) =>
    [0, 1, 15].map((Minutes) =>
      given({
        Booking: {
          ConferenceRoomID: 'r',
          When,
          Minutes,
          ...(When === 'noShow' && { Presence: { PeripheralUID: 'sensor', Field: 'MotionState' } }),
        },
      }),
    ),
  ),
  alarms: [
    alarm({}),
    alarm({ Severity: 'warning', ClearAfter: 60 }),
    alarm({}, { Conditions: { PeripheralUIDs: [hot], For: 300 } }),
    alarm(
      {},
      { Conditions: { PeripheralUIDs: [hot, condition('Temperature', '<', 5)], Logical: 'OR', For: 300 } },
    ),
    alarm({}, { Conditions: { PeripheralUIDs: [condition('SilentFor', '>', 120)], For: 180 } }),
    alarm({ Ahead: true, NoData: 'alarm' }, { Conditions: { PeripheralUIDs: [condition('DailyKwh', '>')] } }),
    alarm({
      Escalate: [
        { After: 15, To: 'readers' },
        { After: 60, To: 'readers', Channels: ['c'] },
        { After: 120, To: 'readers', Channels: ['c', 'd'] },
      ],
    }),
    alarm({ Shed: { Loads: [load] } }),
    alarm({ Shed: { Loads: [load, load] } }),
    alarm({}, { Actions: [OFF] }),
  ],
}

describe('sentences of rules', () => {
  afterAll(() => changeLanguage('zh-TW'))

  it.each(LANGUAGES)('have these forms in %s', async (language) => {
    await loadNamespaces(['automation', 'screens'])
    await changeLanguage(language)
    const names = namesIn(language)
    const lines = Object.entries(FORMS).flatMap(([title, rules]) => [
      `# ${title}`,
      ...rules.map((rule) => {
        const { main, notes } = sentenceOf(rule, names)
        return [main, ...(notes === undefined ? [] : [notes])]
          .map((part) => formatPhrase(t, part))
          .join(' | ')
      }),
      '',
    ])
    expect(lines.join('\n')).not.toMatch(/\{\{|undefined|automation:/)
    await expect(`${lines.join('\n').trimEnd()}\n`).toMatchFileSnapshot(`sentence-forms.${language}.txt`)
  })
})
