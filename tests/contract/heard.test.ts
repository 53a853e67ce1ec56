import { describe, expect, it } from 'vitest'
import type { AlarmReading } from '../../contract/alarms/calls.ts'
import {
  dependsOnSilentDevice,
  type HeardSubject,
} from '../../gateway/features/alarms/state/silent-subjects.ts'

const heard: HeardSubject = { isMaintained: false, isAway: false }
const maintained: HeardSubject = { isMaintained: true, isAway: false }
const away: HeardSubject = { isMaintained: false, isAway: true }
const reading = (Value: number | null, Field = 'Power'): AlarmReading => ({
  Field,
  Logical: '>',
  Limit: 10,
  Value,
  Peak: null,
  CrossesAt: null,
})
const [true_, false_, unknown] = [reading(12), reading(5), reading(null)]

describe('the alarm of a rule', () => {
  it.each<['AND' | 'OR', HeardSubject[], AlarmReading[], boolean]>([
    // Nobody works on anything.
    ['AND', [heard, heard], [true_, true_], false],
    ['OR', [heard, heard], [unknown, unknown], false],
    // By AND it is true by none without each.
    ['AND', [maintained, heard], [true_, true_], true],
    ['AND', [maintained, maintained], [true_, true_], true],
    // By OR another one may make it true.
    ['OR', [maintained, heard], [true_, false_], true],
    ['OR', [maintained, heard], [true_, true_], false],
    ['OR', [maintained, heard], [false_, true_], false],
    ['OR', [maintained, maintained], [true_, true_], true],
    // Raised because nothing is known.
    ['OR', [maintained, heard], [unknown, unknown], false],
    ['AND', [away], [unknown], true],
    ['AND', [away, heard], [unknown, unknown], false],
    // Silence behind a lost hub is the hub's, what was measured is not.
    ['AND', [away], [reading(900, 'SilentFor')], true],
    ['AND', [away], [true_], false],
  ])('joined by %s of %j with %j depends on nothing monitored: %s', (logical, subjects, readings, is) => {
    expect(dependsOnSilentDevice(logical, subjects, readings)).toBe(is)
  })
})
