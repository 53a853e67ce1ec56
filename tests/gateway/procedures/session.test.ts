import { afterAll, beforeAll, expect, it } from 'vitest'
import { ERRORS } from '../../../contract/kernel/errors.ts'
import { PASSWORD, type Caller, startWorld, type World } from '../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const change = (caller: Caller, PreviousPassword: string, ProposedPassword: string) =>
  caller.post(
    '/ChangePassword',
    { PreviousPassword, ProposedPassword },
    { 'x-access-token': caller.accessToken },
  )

it('changes the password, leaves an audit row without it, and says when the old one was wrong', async () => {
  const person = await world.createUser(root)
  const wrong = await change(person, 'not this 1', 'new-passw0rd')
  expect(wrong.status).toMatchObject({
    code: ERRORS.INVALID.code,
    fields: { PreviousPassword: 'wrongPassword' },
  })
  expect((await change(person, PASSWORD, 'new-passw0rd')).status.code).toBe(0)
  expect((await world.signIn(person.email, 'new-passw0rd')).cognitoId).toBe(person.cognitoId)
  const { rows } = await world.db.pool.query("select input from audit_log where path = '/ChangePassword'")
  expect(rows).toEqual([{ input: { PreviousPassword: '***', ProposedPassword: '***' } }])
})

it('lets more people change their passwords at once than there are database connections', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => world.createUser(root)))
  const answers = await Promise.all(people.map((person) => change(person, PASSWORD, 'new-passw0rd')))
  expect(answers.map(({ status }) => status.code)).toEqual(people.map(() => 0))
})
