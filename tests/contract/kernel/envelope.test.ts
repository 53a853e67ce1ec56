import { describe, expect, it } from 'vitest'
import { errorName, ERRORS } from '../../../contract/kernel/errors.ts'
import { fieldErrors } from '../../../contract/kernel/envelope.ts'
import { GivenAutomation } from '../../../contract/automation/automation.ts'
import { room } from '../../../contract/homes/room.ts'
import { user } from '../../../contract/people/user.ts'

it('names every rejected field with a reason', () => {
  const refused = room.operations.create.input.safeParse({ HomeID: 'a/b', RoomName: '', Extra: 1 })
  expect(fieldErrors(refused.error as never)).toEqual({
    HomeID: 'id',
    RoomName: 'required',
    Extra: 'unknown',
  })
})

it('reports a missing field as required and a wrong type as invalid', () => {
  const refused = room.operations.create.input.safeParse({ HomeID: 5 })
  expect(fieldErrors(refused.error as never)).toEqual({ HomeID: 'invalid', RoomName: 'required' })
})

describe('a value with several allowed shapes', () => {
  const refused = (Schedule: object) =>
    fieldErrors(GivenAutomation.pick({ Schedule: true }).safeParse({ Schedule }).error as never)
  const days = Array.from({ length: 101 }, (_, i) => new Date(i * 86_400_000).toISOString().slice(0, 10))

  it.each([
    [{ Weekdays: [], At: 600 }, { 'Schedule.Weekdays': 'required' }],
    [{ Weekdays: [1, 1], At: 600 }, { 'Schedule.Weekdays': 'taken' }],
    [
      { Weekdays: [1], At: 600, From: '2026-02-01', Through: '2026-01-01' },
      { 'Schedule.Through': 'dateOrder' },
    ],
    [{ Weekdays: [1], At: 600, Except: days }, { 'Schedule.Except': 'tooManyRows' }],
    [{ Weekdays: [1], At: 600, From: 5 }, { 'Schedule.From': 'invalid' }],
    [{ Weekdays: [1], At: 1500 }, { 'Schedule.At': 'tooBig' }],
    [{ Weekdays: [1], At: { Sun: 'sunset', Offset: 200 } }, { 'Schedule.At.Offset': 'tooBig' }],
    [{ At: 1, OffAfter: 100 }, { 'Schedule.OffAfter': 'tooBig' }],
  ])('has the errors of the intended shape: %#', (schedule, fields) => {
    expect(refused(schedule)).toEqual(fields)
  })

  it('has the errors of an action in a list that can be a word instead', () => {
    const { error } = GivenAutomation.pick({ EndActions: true }).safeParse({ EndActions: [{ After: 301 }] })
    expect(fieldErrors(error as never)).toMatchObject({ 'EndActions.0.After': 'tooBig' })
  })

  it('is invalid if it matches none of them', () => {
    expect(refused(7 as never)).toEqual({ Schedule: 'invalid' })
  })
})

it('reports paths into lists', () => {
  const refused = user.operations.create.input.safeParse({
    Email: 'a@b.tw',
    password: 'abcde1',
    Permissions: [{ FeatureKey: 'room', OperationList: ['Fly'] }],
  })
  expect(Object.keys(fieldErrors(refused.error as never))).toEqual(['Permissions.0.OperationList.0'])
})

it('finds every error by its code and treats an unknown code as internal', () => {
  for (const [name, { code }] of Object.entries(ERRORS)) expect(errorName(code)).toBe(name)
  expect(errorName(77)).toBe('INTERNAL')
})
