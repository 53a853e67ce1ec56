import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

it('gives screens that connect in the same millisecond credentials of their own', async () => {
  const all = await Promise.all([1, 2, 3].map(() => root.post('/ConnectRealtime')))
  expect(new Set(all.map(({ results }) => results.ClientID)).size).toBe(3)
})

it('gives nobody credentials whose sign-in ends in that moment', async () => {
  const person = await world.createUser(root, [])
  const other = await world.signIn(person.email, person.password)
  const { credentials } = world.broker
  const disconnect = vi.spyOn(world.broker, 'disconnect')
  vi.spyOn(world.broker, 'credentials').mockImplementationOnce(async (...asked) => {
    await world.cognito('RevokeToken', { ClientId: 'test-client', Token: person.refreshToken })
    return credentials(...asked)
  })
  const answer = await person.post('/ConnectRealtime')
  expect(answer).toMatchObject({ http: 401, status: { code: 4 } })
  expect(answer.results).toBeUndefined()
  expect(disconnect).toHaveBeenCalledWith({
    cognitoId: person.cognitoId,
    sessions: [decodeJwt(person.token)['origin_jti']],
  })
  vi.restoreAllMocks()
  expect((await other.post('/ConnectRealtime')).status.code).toBe(0)
})

it.each([{ Permissions: [] }, { enabled: false }])(
  'gives nobody credentials with rights that end in that moment: %j',
  async (change) => {
    const person = await world.createUser(root, [rights('device', 'Read')])
    const { credentials } = world.broker
    const disconnect = vi.spyOn(world.broker, 'disconnect')
    vi.spyOn(world.broker, 'credentials').mockImplementationOnce(async (...asked) => {
      await root.post('/UpdateUserInfo', { Email: person.email, ...change })
      await vi.waitFor(() => expect(disconnect).toHaveBeenCalled(), 10_000)
      disconnect.mockClear()
      return credentials(...asked)
    })
    const answer = await person.post('/ConnectRealtime')
    expect(answer).toMatchObject({ http: 503, status: { code: 8 } })
    expect(answer.results).toBeUndefined()
    expect(disconnect).toHaveBeenCalledWith({ cognitoId: person.cognitoId })
    vi.restoreAllMocks()
  },
)
