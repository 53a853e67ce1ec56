import { describe, expect, it } from 'vitest'
import type { AlarmReading } from '../../../../../contract/alarms/calls.ts'
import {
  dependsOnSilentDevice,
  type SubjectStatus,
} from '../../../../../gateway/features/alarms/state/silent-sources.ts'

const heard: SubjectStatus = { isMaintained: false, isAway: false }
const maintained: SubjectStatus = { isMaintained: true, isAway: false }
const away: SubjectStatus = { isMaintained: false, isAway: true }
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
  it.each<['AND' | 'OR', SubjectStatus[], AlarmReading[], boolean]>([
    // No subject is in maintenance.
    ['AND', [heard, heard], [true_, true_], false],
    ['OR', [heard, heard], [unknown, unknown], false],
    // With AND every condition is needed, so one subject in maintenance decides.
    ['AND', [maintained, heard], [true_, true_], true],
    ['AND', [maintained, maintained], [true_, true_], true],
    // With OR another one can make it true.
    ['OR', [maintained, heard], [true_, false_], true],
    ['OR', [maintained, heard], [true_, true_], false],
    ['OR', [maintained, heard], [false_, true_], false],
    ['OR', [maintained, maintained], [true_, true_], true],
    // Raised because no value is known.
    ['OR', [maintained, heard], [unknown, unknown], false],
    ['AND', [away], [unknown], true],
    ['AND', [away, heard], [unknown, unknown], false],
    // Silence behind a disconnected hub is due to the hub; a measured value is not.
    ['AND', [away], [reading(900, 'SilentFor')], true],
    ['AND', [away], [true_], false],
  ])('joined by %s of %j with %j depends on nothing monitored: %s', (logical, subjects, readings, is) => {
    expect(dependsOnSilentDevice(logical, subjects, readings)).toBe(is)
  })
})
