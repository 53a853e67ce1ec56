import { describe, expect, it } from 'vitest'
import { deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import { hasStatusField } from './support.ts'
import { AutomationRule } from '../../../contract/automation/automation.ts'
import { type GivenRule, ruleProblems } from '../../../contract/automation/rule-problems.ts'
import { comparisonsOf, fieldsOfSubject, subjectField } from '../../../contract/automation/subject-fields.ts'

const TYPES: Record<string, string> = { light: '516', motion: '754', button: '903', meter: '522', air: '753' }
const device = (uid: string) => (TYPES[uid] ? { PeripheralUID: uid, type: TYPES[uid] } : undefined)

const ON = { PeripheralUID: 'light', Values: { Switch: 1 } }
const NOW = Date.parse('2026-05-11T00:00Z')
const moved = { PeripheralUID: 'motion', Field: 'MotionState', Logical: '=', Status: 1 }
const warm = { PeripheralUID: 'air', Field: 'Temperature', Logical: '>', Status: 28 }
const pressed = { PeripheralUID: 'button', Field: 'Presses', Logical: 'changed' }

/** Problems of a rule of a type, as `path reason`. */
function problems(AutomationType: GivenRule['AutomationType'], given: object, context = {}) {
  const rule = AutomationRule.parse({ AutomationName: 'a', Catching: 'latest', Actions: [ON], ...given })
  return ruleProblems({ ...rule, AutomationType }, { now: NOW, subject: device, ...context }).map(
    ({ path, reason }) => `${path.join('.')} ${reason}`,
  )
}
const asking = (list: object[], given = {}) => ({ Conditions: { PeripheralUIDs: list, ...given } })

const REPEATING = { Weekdays: [1], At: 480 }
const BOOKING = { ConferenceRoomID: 'room', When: 'start' }

describe('the parts of an automation', () => {
  it.each([
    ['a schedule that comes again', 1, { Schedule: REPEATING }],
    ['one by bookings', 1, { Booking: BOOKING }],
    ['a schedule that runs once', 2, { Schedule: { At: NOW + 1 } }],
    ['a smart link', 3, asking([moved, moved])],
    ['a smart link of several devices', 5, asking([moved, warm])],
  ] as const)('of %s are valid', (_, type, given) => expect(problems(type, given)).toEqual([]))

  it('that its type does not support are rejected', () => {
    expect(problems(1, {})).toEqual(['Schedule required'])
    expect(problems(1, { Schedule: { At: NOW + 1 } })).toEqual(['Schedule invalid'])
    expect(problems(1, { Schedule: REPEATING, ...asking([moved]) })).toEqual(['Conditions invalid'])
    expect(problems(2, { Schedule: REPEATING })).toEqual(['Schedule invalid'])
    expect(problems(3, { Schedule: REPEATING, ...asking([moved]) })).toEqual(['Schedule invalid'])
    expect(problems(3, {})).toEqual(['Conditions required'])
    expect(problems(3, { ...asking([moved]), Alarm: { Severity: 'warning' } })).toEqual(['Alarm invalid'])
  })

  it('require an action or a notification', () => {
    const idle = { Schedule: REPEATING, Actions: [] }
    expect(problems(1, idle)).toEqual(['Actions required'])
    expect(problems(1, { ...idle, Notify: undefined })).toEqual(['Actions required'])
    expect(problems(1, { ...idle, Notify: {} })).toEqual([])
  })

  it('are a schedule or bookings, never both', () => {
    expect(problems(1, { Schedule: REPEATING, Booking: BOOKING })).toEqual(['Booking invalid'])
    expect(problems(2, { Booking: BOOKING })).toEqual(['Booking invalid'])
  })

  it('are conditions of one device for type 3 and of several for type 5', () => {
    expect(problems(3, asking([moved, warm]))).toEqual(['Conditions.PeripheralUIDs invalid'])
    expect(problems(5, asking([moved, moved]))).toEqual(['Conditions.PeripheralUIDs invalid'])
  })

  it('of a single schedule are in the future, unless past ones may stay', () => {
    const past = { Schedule: { At: NOW } }
    expect(problems(2, past)).toEqual(['Schedule.At pastTime'])
    expect(problems(2, past, { now: undefined })).toEqual([])
  })

  it('include end actions only for smart links, with a duration', () => {
    expect(problems(1, { Schedule: REPEATING, EndDuration: 60 })).toEqual(['EndDuration invalid'])
    expect(problems(1, { Schedule: REPEATING, EndActions: [ON] })).toEqual(['EndActions invalid'])
    expect(problems(3, { ...asking([moved]), EndActions: [ON] })).toEqual(['EndDuration required'])
    expect(problems(3, { ...asking([moved]), EndActions: [ON], EndDuration: 60 })).toEqual([])
  })
})

describe('a condition', () => {
  const one = (condition: object) => problems(3, asking([condition]))
  const at = 'Conditions.PeripheralUIDs.0'

  it('requires an existing device and a field of it', () => {
    expect(one({ ...moved, PeripheralUID: 'gone' })).toEqual([`${at}.PeripheralUID notFound`])
    expect(one({ ...moved, Field: 'Switch' })).toEqual([`${at}.Field noSuchField`])
    expect(one({ ...moved, PeripheralUID: 'home', Field: 'DemandShare', Logical: '>' })).toEqual([])
  })

  it('compares a state with a possible value', () => {
    expect(one({ ...moved, Logical: '>' })).toEqual([`${at}.Logical invalid`])
    expect(one({ ...moved, Status: 77 })).toEqual([`${at}.Status invalid`])
    expect(one({ PeripheralUID: 'light', Field: 'Switch', Logical: '=', Status: 2 })).toEqual([
      `${at}.Status invalid`,
    ])
    expect(one({ ...warm, Logical: 'between', Status: [20, 26] })).toEqual([])
  })

  it('on a counter uses its changes, which cannot hold or repeat', () => {
    expect(one(pressed)).toEqual([])
    expect(one({ ...pressed, Logical: '>' })).toEqual([`${at}.Logical invalid`])
    expect(one({ ...warm, Logical: 'changed' })).toEqual([`${at}.Logical invalid`])
    expect(problems(3, asking([pressed], { For: 10, Repeat: true }))).toEqual([
      'Conditions.For invalid',
      'Conditions.Repeat invalid',
    ])
    expect(problems(3, asking([pressed, pressed]))).toEqual(['Conditions.Logical invalid'])
    expect(problems(5, asking([pressed, warm], { Logical: 'OR', For: 10 }))).toEqual([])
  })
})

describe('actions', () => {
  const setBy = (action: {
    PeripheralUID?: string | undefined
    Values?: Record<string, unknown> | undefined
  }) =>
    action.PeripheralUID === undefined
      ? [{ PeripheralUID: 'light', Values: { Switch: 0 } }]
      : [{ PeripheralUID: action.PeripheralUID, Values: action.Values ?? {} }]
  const of = (Actions: object[]) => problems(1, { Schedule: REPEATING, Actions }, { setBy })

  it('set one field of one device once, directly or by a group, room or scene', () => {
    expect(of([ON, ON])).toEqual(['Actions.1.Values taken'])
    expect(of([ON, { SceneID: 'a' }])).toEqual(['Actions.1.SceneID taken'])
    expect(of([ON, { PeripheralUID: 'light', Values: { Brightness: 5 } }])).toEqual([])
  })

  it('can set different zones of one thermostat', () => {
    const zone = (NodeID: number) => ({
      PeripheralUID: 'zones',
      Values: { ThermostatTable: [{ NodeID, TargetTemperature: 22 }] },
    })
    expect(of([zone(1), zone(2)])).toEqual([])
    expect(of([zone(1), zone(1)])).toEqual(['Actions.1.Values taken'])
  })

  it('run one scene once, whatever it contains', () => {
    expect(problems(1, { Schedule: REPEATING, Actions: [{ SceneID: 'a' }, { SceneID: 'a' }] })).toEqual([
      'Actions.1.SceneID taken',
    ])
  })

  it('at the end are validated separately', () => {
    const both = { ...asking([moved]), EndDuration: 60, EndActions: [ON, ON] }
    expect(problems(3, both, { setBy })).toEqual(['EndActions.1.Values taken'])
  })
})

describe('the fields available to conditions', () => {
  const names = (type: string, status?: Record<string, unknown>) =>
    fieldsOfSubject({ PeripheralUID: 'AA', type, status }).map(({ field }) => field)

  it.each(deviceTypes.map(({ type }) => [type]))(
    'of type %s are fields of its status and those of every device',
    (type) => {
      for (const found of fieldsOfSubject({ PeripheralUID: 'AA', type })) {
        expect(hasStatusField(type, found.field)).toBe(true)
        expect(subjectField({ PeripheralUID: 'AA', type }, found.field)).toEqual(found)
        expect(comparisonsOf(found.shape).length).toBeGreaterThan(0)
        expect((found.choices?.length ?? 0) > 1).toBe(found.shape === 'choice')
      }
      expect(new Set(names(type)).size).toBe(names(type).length)
    },
  )

  it('of a meter have their units and sums', () => {
    const units = Object.fromEntries(
      fieldsOfSubject({ PeripheralUID: 'AA', type: '513' }).map(({ field, unit }) => [field, unit]),
    )
    expect(units).toMatchObject({ Power: 'W', AvgElectricCurrent: 'A', DailyKwh: 'kWh', SilentFor: 's' })
  })

  it('of a thermostat are those of its reported zones, and any zone is accepted', () => {
    expect(names('525', { ThermostatTable: [{ NodeID: 3 }] }).slice(0, 3)).toEqual([
      'ThermostatTable.3.Switch',
      'ThermostatTable.3.Temperature',
      'ThermostatTable.3.TargetTemperature',
    ])
    const thermostat = { PeripheralUID: 'AA', type: '525' }
    expect(subjectField(thermostat, 'ThermostatTable.7.Temperature')).toMatchObject({
      unit: '°C',
      shape: 'number',
    })
    for (const path of [
      'ThermostatTable.7.NodeID',
      'ThermostatTable.x.Switch',
      'ThermostatTable.256.Switch',
      'ThermostatTable',
    ])
      expect(subjectField(thermostat, path)).toBeUndefined()
    expect(subjectField({ PeripheralUID: 'AA', type: '516' }, 'ThermostatTable.7.Switch')).toBeUndefined()
  })

  it('of a Modbus device are the keys of its table, in its units', () => {
    const modbus = { PeripheralUID: 'AA', type: '530', modbusKeys: { flow: 'm³/h' } }
    expect(subjectField(modbus, 'ModbusValues.flow')).toEqual({
      field: 'ModbusValues.flow',
      shape: 'number',
      unit: 'm³/h',
    })
    expect(subjectField(modbus, 'ModbusValues.constructor')).toBeUndefined()
  })

  it('of a plain sensor use the unit that it reports', () => {
    const sensor = { PeripheralUID: 'AA', type: '905', status: { Unit: 'ppm' } }
    expect(subjectField(sensor, 'Value')?.unit).toBe('ppm')
  })

  it('of a virtual meter are its sums, of the home its demand, of an unknown type none', () => {
    const fields = (PeripheralUID: string) => fieldsOfSubject({ PeripheralUID }).map(({ field }) => field)
    expect(fields('virtual-a')).toEqual(['HourlyKwh', 'DailyKwh', 'MonthlyKwh'])
    expect(fields('home')).toEqual(['DemandRolling', 'DemandForecast', 'DemandShare'])
    expect(names('999')).toEqual([])
  })

  it('of a camera, which reports nothing, exclude silence', () => {
    expect(names('760')).toContain('SilentFor')
    const camera = deviceTypes.find(({ kind }) => kind === 'ipCamera')!
    expect(names(camera.type)).not.toContain('SilentFor')
  })
})
