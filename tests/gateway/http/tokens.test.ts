import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, PASSWORD, startWorld, type World } from '../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const SIGN_OUT = { http: 401, status: { code: 4 } }
const listHome = (token: string) => world.gateway.post('/ListHome', {}, { token })
const partsOf = (token: string) => token.split('.') as [string, string, string]
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a token', () => {
  it('signs out if it is forged in any part', async () => {
    const [header, payload, signature] = partsOf(root.token)
    const raised = encode({ ...decode(payload), sub: '00000000-0000-4000-8000-000000000000' })
    expect(await listHome(`${header}.${raised}.${signature}`)).toMatchObject(SIGN_OUT)
    expect(await listHome(`${header}.${payload}.${signature.slice(0, -4)}AAAA`)).toMatchObject(SIGN_OUT)
    expect(await listHome(`${header}.${payload}.`)).toMatchObject(SIGN_OUT)
    expect(await listHome('nonsense')).toMatchObject(SIGN_OUT)
    expect(await listHome('x'.repeat(20_000))).toMatchObject(SIGN_OUT)
  })

  it.each(['none', 'None', 'HS256'])('signs out with alg %s', async (alg) => {
    const [header, payload, signature] = partsOf(root.token)
    const weak = encode({ ...decode(header), alg })
    expect(await listHome(`${weak}.${payload}.`)).toMatchObject(SIGN_OUT)
    expect(await listHome(`${weak}.${payload}.${signature}`)).toMatchObject(SIGN_OUT)
  })

  it('signs out if another pool signed it, whatever it claims', async () => {
    const [header, payload] = partsOf(root.token)
    const { privateKey } = await generateKeyPair('RS256')
    const foreign = await new SignJWT(decode(payload))
      .setProtectedHeader({ alg: 'RS256', kid: decode(header).kid })
      .sign(privateKey)
    expect(await listHome(foreign)).toMatchObject(SIGN_OUT)
  })

  it('signs out if it is an access token for a call that requires an id token', async () => {
    expect(await listHome(root.accessToken)).toMatchObject(SIGN_OUT)
  })

  it('can be an access token where the specification says so', async () => {
    const answer = await world.gateway.post('/InitializeUser', {}, { token: root.accessToken })
    expect(answer).toMatchObject({ status: { code: 0 }, results: { CognitoId: root.cognitoId } })
  })

  it('signs out immediately when its session was ended', async () => {
    const user = await world.createUser(root)
    expect((await user.post('/ListHome')).status.code).toBe(0)
    await world.cognito('GlobalSignOut', { AccessToken: user.accessToken })
    expect(await user.post('/ListHome')).toMatchObject(SIGN_OUT)
  })

  it('signs out when its person was deleted', async () => {
    const user = await world.createUser(root)
    await root.post('/DeleteUser', { Email: user.email })
    expect(await user.post('/ListHome')).toMatchObject(SIGN_OUT)
  })

  it('changes the own password together with the access token, which ends other sessions', async () => {
    const user = await world.createUser(root)
    const elsewhere = await world.signIn(user.email, PASSWORD)
    const body = { PreviousPassword: PASSWORD, ProposedPassword: 'n3w-password' }
    const answer = await user.post('/ChangePassword', body, { 'x-access-token': user.accessToken })
    expect(answer).toMatchObject({ status: { code: 0 } })
    expect(await elsewhere.post('/ListHome')).toMatchObject(SIGN_OUT)
    expect((await world.signIn(user.email, 'n3w-password')).cognitoId).toBe(user.cognitoId)
  })

  it('signs out after an hour', async () => {
    const user = await world.signIn(root.email, PASSWORD)
    world.clock.advance(59 * 60_000)
    expect((await user.post('/ListHome')).status.code).toBe(0)
    world.clock.advance(2 * 60_000)
    expect(await user.post('/ListHome')).toMatchObject(SIGN_OUT)
  })
})
