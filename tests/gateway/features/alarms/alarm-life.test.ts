import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AlarmState } from '../../../../contract/rules/device/alarm-states.ts'
import { stepOf, type OpenAlarm } from '../../../../gateway/features/alarms/alarm-life.ts'

const severity = fc.constantFrom('critical', 'warning')
const values = fc.dictionary(
  fc.constantFrom('SmokeState', 'TankFull', 'Filter'),
  fc.integer({ min: 1, max: 5 }),
  {
    minKeys: 1,
  },
)
const open: fc.Arbitrary<OpenAlarm> = fc.record({ severity, values, acknowledged: fc.boolean() })
const state: fc.Arbitrary<AlarmState> = fc.record({
  Severity: severity,
  Values: values,
  isFire: fc.boolean(),
})
const some = <T>(what: fc.Arbitrary<T>) => fc.option(what, { nil: undefined })

it('ends an alarm by a report only when that says that nothing is wrong, or something worse', () => {
  fc.assert(
    fc.property(open, some(fc.nat(9)), some(state), fc.nat(9), (alarm, settled, says, at) => {
      const allowed = says ? ['none', 'update', ...(alarm.acknowledged ? ['replace'] : [])] : ['clear']
      expect(allowed).toContain(stepOf(alarm, settled, says, at))
    }),
  )
})

it('raises whatever is wrong, unless a person has cleared this very report', () => {
  fc.assert(
    fc.property(some(fc.nat(9)), state, fc.nat(9), (settled, says, at) => {
      expect(stepOf(undefined, settled, says, at)).toBe(
        settled !== undefined && at <= settled ? 'none' : 'raise',
      )
    }),
  )
})

it('does nothing when the same is said again', () => {
  fc.assert(
    fc.property(state, fc.boolean(), fc.nat(9), (says, acknowledged, at) => {
      const alarm = { severity: says.Severity, values: says.Values, acknowledged }
      expect(stepOf(alarm, undefined, says, at)).toBe('none')
    }),
  )
  expect(stepOf(undefined, undefined, undefined, 1)).toBe('none')
})
