import { describe, expect, it } from 'vitest'
import { AutomationRule } from '../../../contract/automation/automation.ts'
import { ruleProblems } from '../../../contract/automation/rule-problems.ts'

const TYPES: Record<string, string> = { meter: '522', air: '753', motion: '754', light: '516' }
const device = (uid: string) =>
  uid.startsWith('virtual-')
    ? { PeripheralUID: uid }
    : TYPES[uid]
      ? { PeripheralUID: uid, type: TYPES[uid] }
      : undefined

const HOT = { PeripheralUID: 'air', Field: 'Temperature', Logical: '>', Status: 50 }
const DAILY = { PeripheralUID: 'meter', Field: 'DailyKwh', Logical: '>=', Status: 100 }
const FORECAST = { PeripheralUID: 'home', Field: 'DemandForecast', Logical: '>', Status: 300 }
const LOADS = [{ PeripheralUID: 'light', Values: { Switch: 0 } }]

interface Given {
  list?: object[]
  conditions?: object
  alarm?: object
  more?: object
  slowestMainMeter?: number | null
}

/** Problems of an alarm rule, as `path reason`. */
function problems({ list = [HOT], conditions = {}, alarm = {}, more = {}, ...context }: Given = {}) {
  const rule = AutomationRule.parse({
    AutomationName: 'a',
    Catching: 'latest',
    Conditions: { PeripheralUIDs: list, ...conditions },
    Actions: [],
    Alarm: { Severity: 'warning', ...alarm },
    ...more,
  })
  const setBy = ({ PeripheralUID = '', Values = {} }) => [{ PeripheralUID, Values }]
  return ruleProblems({ ...rule, AutomationType: 4 }, { subject: device, setBy, ...context }).map(
    ({ path, reason }) => `${path.join('.')} ${reason}`,
  )
}
const at = 'Conditions.PeripheralUIDs.0'

describe('an alarm', () => {
  it.each([
    ['of one device that does nothing', {}],
    ['of several', { list: [HOT, DAILY] }],
    ['of a sum of a virtual meter', { list: [{ ...DAILY, PeripheralUID: 'virtual-1' }] }],
    ['of the demand of the home', { list: [FORECAST] }],
    ['of a silence', { list: [{ ...HOT, Field: 'SilentFor', Status: 600 }] }],
    ['that acts', { more: { Actions: [{ PeripheralUID: 'light', Values: { Switch: 1 } }] } }],
  ] as const)('%s is valid', (_, given) => expect(problems(given as Given)).toEqual([]))

  it('has a severity, and no end actions, time or repetition', () => {
    expect(problems({ more: { Alarm: undefined } })).toEqual(['Alarm required'])
    expect(problems({ more: { Conditions: undefined } })).toEqual(['Conditions required'])
    expect(problems({ conditions: { Repeat: true } })).toEqual(['Conditions.Repeat invalid'])
    expect(problems({ more: { EndDuration: 60 } })).toEqual(['EndDuration invalid'])
    expect(problems({ more: { Schedule: { Weekdays: [1], At: 480 } } })).toEqual(['Schedule invalid'])
  })

  it('is based on measured values', () => {
    const moved = { PeripheralUID: 'motion', Field: 'MotionState', Logical: '=', Status: 1 }
    expect(problems({ list: [moved] })).toEqual([`${at}.Field notMeasured`])
    expect(problems({ list: [{ ...HOT, PeripheralUID: 'gone' }] })).toEqual([`${at}.PeripheralUID notFound`])
    expect(problems({ list: [{ ...HOT, Field: 'HourlyKwh' }] })).toEqual([`${at}.Field noSuchField`])
  })

  it.each([
    ['Voltage1', '>', 89.99, 'tooSmall'],
    ['Voltage1', '>', 400.01, 'tooBig'],
    ['Voltage1', 'outside', [90, 400], undefined],
    ['Voltage', 'outside', [80, 240], 'tooSmall'],
    ['AvgElectricCurrent', '>', -0.01, 'tooSmall'],
    ['Current2', '>', 655_350.01, 'tooBig'],
    ['Current2', '>', 655_350, undefined],
    ['Power', '>', 1_000_000, undefined],
  ])('on %s %s %j is limited to possible values', (Field, Logical, Status, reason) => {
    const list = [{ PeripheralUID: 'meter', Field, Logical, Status }]
    expect(problems({ list })).toEqual(reason ? [`${at}.Status ${reason}`] : [])
  })

  it('predicts one sum that rises to its limit', () => {
    const ahead = (list: object[]) => problems({ list, alarm: { Ahead: true } })
    expect(ahead([DAILY])).toEqual([])
    for (const list of [[HOT], [DAILY, HOT], [{ ...DAILY, Logical: '<' }], [FORECAST]])
      expect(ahead(list)).toEqual(['Alarm.Ahead invalid'])
  })

  it('escalates in ascending order', () => {
    const steps = (...after: number[]) =>
      problems({ alarm: { Escalate: after.map((After) => ({ After, To: 'readers' })) } })
    expect(steps(5, 10, 30)).toEqual([])
    expect(steps(5, 5, 4)).toEqual(['Alarm.Escalate.1.After invalid', 'Alarm.Escalate.2.After invalid'])
  })
})

describe('shedding', () => {
  const shed = (list: object[], Loads: object[] = LOADS, slowestMainMeter?: number | null) =>
    problems({
      list,
      alarm: { Shed: { Loads } },
      ...(slowestMainMeter !== undefined && { slowestMainMeter }),
    })

  it('is based on the predicted demand of a home only', () => {
    expect(shed([FORECAST])).toEqual([])
    expect(shed([{ ...FORECAST, Field: 'DemandShare', Status: 90 }])).toEqual([])
    for (const list of [
      [HOT],
      [FORECAST, HOT],
      [{ ...FORECAST, Field: 'DemandRolling' }],
      [{ ...FORECAST, Logical: '<' }],
    ])
      expect(shed(list)).toEqual(['Alarm.Shed invalid'])
  })

  it('is rejected without main meters, or if they report less than once a minute', () => {
    expect(shed([FORECAST], LOADS, 60)).toEqual([])
    expect(shed([FORECAST], LOADS, 61)).toEqual(['Alarm.Shed meterTooSlow'])
    expect(shed([FORECAST], LOADS, null)).toEqual(['Alarm.Shed meterTooSlow'])
  })

  it('sets no field of a device twice', () => {
    const other = { PeripheralUID: 'light', Values: { Switch2: 0 } }
    expect(shed([FORECAST], [...LOADS, other])).toEqual([])
    expect(shed([FORECAST], [...LOADS, other, ...LOADS])).toEqual(['Alarm.Shed.Loads.2.Values taken'])
  })
})
