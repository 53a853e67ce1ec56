import { expect, it } from 'vitest'
import { errorName, ERRORS } from '../../contract/kernel/errors.ts'
import { fieldErrors } from '../../contract/kernel/envelope.ts'
import { room } from '../../contract/resources/room.ts'
import { user } from '../../contract/resources/user.ts'

it('names every refused field with a reason', () => {
  const refused = room.operations.create.input.safeParse({ HomeID: 'a/b', RoomName: '', Extra: 1 })
  expect(fieldErrors(refused.error as never)).toEqual({
    HomeID: 'id',
    RoomName: 'required',
    Extra: 'unknown',
  })
})

it('calls a missing field required and a wrong type invalid', () => {
  const refused = room.operations.create.input.safeParse({ HomeID: 5 })
  expect(fieldErrors(refused.error as never)).toEqual({ HomeID: 'invalid', RoomName: 'required' })
})

it('points into lists', () => {
  const refused = user.operations.create.input.safeParse({
    Email: 'a@b.tw',
    password: 'abcde1',
    Permissions: [{ FeatureKey: 'room', OperationList: ['Fly'] }],
  })
  expect(Object.keys(fieldErrors(refused.error as never))).toEqual(['Permissions.0.OperationList.0'])
})

it('finds every error by its code and treats an unknown code as a fault', () => {
  for (const [name, { code }] of Object.entries(ERRORS)) expect(errorName(code)).toBe(name)
  expect(errorName(77)).toBe('INTERNAL')
})
