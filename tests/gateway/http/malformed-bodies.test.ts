import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  DISCONNECTED_AFTER,
  SLOWED_AFTER,
  SLOWED_INTERVAL_MS,
} from '../../../gateway/lib/payloads/malformed-senders.ts'
import { API_KEY, type Caller, startWorld, type World } from '../../support/world.ts'

let world: World
let root: Caller
beforeEach(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterEach(() => world.close())

const MEGABYTE = '['.repeat(1_048_000)

const send = (url: string, payload: string, token?: string) =>
  world.gateway.http.inject({
    method: 'POST',
    url,
    payload,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  })
const malformed = () => send('/ListHome', MEGABYTE, root.token)
const settle = () => new Promise(setImmediate)

describe('a body without authentication', () => {
  it.each(['/ListHome', '/ForgotPassword', '/Nothing', '/room-door/unknown'])(
    'is not parsed at %s',
    async (url) => {
      const parse = vi.spyOn(JSON, 'parse')
      const answer = await send(url, MEGABYTE)
      expect(parse.mock.calls.filter(([text]) => text.length > 1_000)).toEqual([])
      parse.mockRestore()
      expect([401, 404]).toContain(answer.statusCode)
    },
  )

  it('is not parsed at the user pool if it is deeply nested', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const answer = await world.gateway.http.inject({
      method: 'POST',
      url: '/cognito',
      payload: '['.repeat(60_000),
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
      },
    })
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
    expect(answer.json()).toMatchObject({ __type: 'SerializationException' })
  })
})

it('is rejected unparsed if it has too many levels, values or fields', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  const answers = [
    await malformed(),
    await send('/ListHome', `[${'0,'.repeat(100_000)}0]`, root.token),
    await send('/ListHome', `{${'"a":0,'.repeat(30_000)}"a":0}`, root.token),
  ]
  expect(parse.mock.calls.filter(([text]) => text.length > 1_000)).toEqual([])
  parse.mockRestore()
  expect(answers.map((answer) => answer.json().status)).toMatchObject([
    { code: 1, error: expect.stringContaining('levels') },
    { code: 1, error: expect.stringContaining('values') },
    { code: 1, error: expect.stringContaining('fields') },
  ])
})

/** Lets a call run as far as it can, twice if it waits for a second pass. */
async function afterItsTurn<T>(call: Promise<T>): Promise<T> {
  const settled = call.then(() => true)
  const waited = async () => {
    for (let i = 0; i < 100; i++) await settle()
    return false
  }
  if (!(await Promise.race([settled, waited()]))) world.clock.advance(SLOWED_INTERVAL_MS)
  return call
}

it('throttles a person who sends malformed bodies, finally disconnects them, and spares others', async () => {
  const other = await world.createUser(root, [])
  for (let i = 0; i < SLOWED_AFTER; i++) expect((await malformed()).statusCode).toBe(400)

  const before = world.clock.now()
  expect(await afterItsTurn(root.post('/ListHome'))).toMatchObject({ http: 200 })
  expect(world.clock.now() - before).toBe(SLOWED_INTERVAL_MS)

  let last = await afterItsTurn(malformed())
  // Some failures expire as time passes.
  for (let i = 0; i < 2 * DISCONNECTED_AFTER && last.statusCode === 400; i++)
    last = await afterItsTurn(malformed())
  expect(last.statusCode).toBe(429)
  expect(last.headers).toMatchObject({ connection: 'close', 'retry-after': '1' })
  expect(await other.post('/ListPermissions')).toMatchObject({ status: { code: 0 } })
})

it('lets others at the address of a sender of malformed bodies sign in', async () => {
  const anonymous = () =>
    world.gateway.http.inject({
      method: 'POST',
      url: '/ForgotPassword',
      payload: '{',
      headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    })
  let last = await anonymous()
  for (let i = 0; i < 3 * DISCONNECTED_AFTER && last.statusCode !== 429; i++)
    last = await afterItsTurn(anonymous())
  expect(last.statusCode).toBe(429)
  const signIn = await world.gateway.http.inject({
    method: 'POST',
    url: '/cognito',
    payload: '{}',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
    },
  })
  expect(signIn.json()).toMatchObject({ __type: 'InvalidParameterException' })
})

it('checks rights again for a call whose body took long to arrive', async () => {
  const person = await world.createUser(root, [{ FeatureKey: 'user', OperationList: ['Read'] }])
  const payload = new Readable({ read() {} })
  const answer = world.gateway.http.inject({
    method: 'POST',
    url: '/ListUser',
    payload,
    headers: {
      'content-type': 'application/json',
      'content-length': '2',
      authorization: `Bearer ${person.token}`,
    },
  })
  for (let i = 0; i < 20; i++) await settle()
  await root.post('/UpdateUserInfo', { Email: person.email, Permissions: [] })
  world.clock.advance(2_000)
  payload.push('{}')
  payload.push(null)
  expect((await answer).json().status.code).not.toBe(0)
})
