import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIdentity } from '../../../../gateway/features/identity/identity.ts'
import { createTokenVerifier } from '../../../../gateway/features/identity/tokens.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { CLIENT, startPool, testClock, testLog, type PoolWorld } from './pool-world.ts'

const DAY = 86_400_000
let world: PoolWorld
let person: Awaited<ReturnType<PoolWorld['addPerson']>>
let idToken: string
let accessToken: string
let foreign: CryptoKey

beforeAll(async () => {
  world = await startPool()
  person = await world.addPerson()
  const tokens = await world.tokens(person.email)
  idToken = tokens.IdToken
  accessToken = tokens.AccessToken
  foreign = (await generateKeyPair('RS256')).privateKey
})
afterAll(() => world.stop())

const kid = () => JSON.parse(Buffer.from(idToken.split('.')[0]!, 'base64url').toString()).kid as string
const claims = () => decodeJwt(idToken)
const refused = { code: 'UNAUTHENTICATED' }
const verify = (token: string) => world.identity.verifier.verify(token)

describe('the token check', () => {
  it('accepts its own tokens and returns their person', async () => {
    expect(await verify(idToken)).toMatchObject({
      sub: person.cognitoId,
      email: person.email,
      tokenUse: 'id',
    })
    expect(await world.identity.verifier.verify(accessToken, 'access')).toMatchObject({ tokenUse: 'access' })
  })

  it('rejects an access token where an id token is expected, and vice versa', async () => {
    await expect(verify(accessToken)).rejects.toMatchObject(refused)
    await expect(world.identity.verifier.verify(idToken, 'access')).rejects.toMatchObject(refused)
  })

  it('rejects alg none', async () => {
    await expect(verify(new UnsecuredJWT(claims()).encode())).rejects.toMatchObject(refused)
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: kid() })).toString('base64url')
    await expect(verify(`${none}.${idToken.split('.')[1]}.`)).rejects.toMatchObject(refused)
  })

  it('rejects HS256 signed with the published key', async () => {
    const { keys } = await world.identity.jwks()
    for (const secret of [JSON.stringify(keys[0]), keys[0]!.n!]) {
      const forged = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256', kid: kid() })
        .sign(new TextEncoder().encode(secret))
      await expect(verify(forged)).rejects.toMatchObject(refused)
    }
  })

  it('rejects a foreign key under our key id, an unknown key id and an embedded key', async () => {
    const jwk = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey)
    for (const header of [{ kid: kid() }, { kid: 'unknown' }, {}, { kid: kid(), jwk }]) {
      const forged = await new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', ...header }).sign(foreign)
      await expect(verify(forged)).rejects.toMatchObject(refused)
    }
  })

  it('rejects a token with a changed claim, a truncated one and other text', async () => {
    const [header, , signature] = idToken.split('.')
    const payload = Buffer.from(JSON.stringify({ ...claims(), sub: crypto.randomUUID() })).toString(
      'base64url',
    )
    for (const token of [
      `${header}.${payload}.${signature}`,
      idToken.slice(0, -4),
      '',
      'a.b.c',
      'x'.repeat(9000),
    ])
      await expect(verify(token)).rejects.toMatchObject(refused)
  })

  it('rejects the tokens of another pool and of another client with the right key', async () => {
    const parts = { ...world.parts, baseUrl: world.url }
    const ask = async (other: ReturnType<typeof createIdentity>, clientId: string) => {
      const answer = await other.handlePool(
        'AWSCognitoIdentityProviderService.InitiateAuth',
        JSON.stringify({
          AuthFlow: 'USER_PASSWORD_AUTH',
          ClientId: clientId,
          AuthParameters: { USERNAME: person.email, PASSWORD: 'a secret 1' },
        }),
        { address: '192.0.2.9', userAgent: '' },
      )
      return JSON.parse(answer.body).AuthenticationResult.IdToken as string
    }
    const otherPool = createIdentity({ ...parts, poolId: 'local_other001' })
    await expect(verify(await ask(otherPool, CLIENT))).rejects.toMatchObject(refused)
    const otherClient = createIdentity({ ...parts, clientId: 'another' })
    await expect(verify(await ask(otherClient, 'another'))).rejects.toMatchObject(refused)
  })

  it('rejects an expired token, even one it has just accepted', async () => {
    const { IdToken } = await world.tokens(person.email)
    await verify(IdToken)
    world.clock.advance(3600_000 - 1000)
    await verify(IdToken)
    world.clock.advance(6000)
    await expect(verify(IdToken)).rejects.toMatchObject(refused)
  })

  it('checks a signature once a minute, not once a call, and again after a purge', async () => {
    let lookups = 0
    const clock = testClock()
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const verifier = createTokenVerifier({
      issuer: 'https://pool',
      audience: CLIENT,
      clock,
      keys: async () => (lookups++, publicKey),
    })
    const token = await new SignJWT({ token_use: 'id', aud: CLIENT, sub: 'one', iss: 'https://pool' })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuedAt(clock.now() / 1000)
      .setExpirationTime(clock.now() / 1000 + 3600)
      .sign(privateKey)
    for (let i = 0; i < 5; i++) await verifier.verify(token)
    expect(lookups).toBe(1)
    clock.advance(60_000)
    await verifier.verify(token)
    expect(lookups).toBe(2)
    verifier.purge('one')
    await verifier.verify(token)
    expect(lookups).toBe(3)
  })
})

describe('a real Cognito pool, by configuration alone', () => {
  it('is verified by its published keys; only verified addresses count', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    let status = 200
    const jwk = { ...(await exportJWK(publicKey)), kid: 'aws', alg: 'RS256', use: 'sig' }
    const server = createServer((_, response) =>
      response.writeHead(status).end(JSON.stringify({ keys: [jwk] })),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const keys = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`)
    const issuer = 'https://cognito-idp.ap-northeast-1.amazonaws.com/ap-northeast-1_abc'
    const clock = testClock()
    const verifier = createTokenVerifier({ issuer, audience: CLIENT, clock, keys })
    const sign = (extra: object) =>
      new SignJWT({ token_use: 'id', aud: CLIENT, iss: issuer, sub: 's-1', email: 'a@example.com', ...extra })
        .setProtectedHeader({ alg: 'RS256', kid: 'aws' })
        .setIssuedAt(clock.now() / 1000)
        .setExpirationTime(clock.now() / 1000 + 3600)
        .sign(privateKey)
    expect(await verifier.verify(await sign({ email_verified: true }))).toMatchObject({
      email: 'a@example.com',
    })
    expect(await verifier.verify(await sign({ email_verified: false }))).toMatchObject({ email: undefined })

    status = 500
    const unreachable = createTokenVerifier({ issuer, audience: CLIENT, clock, keys })
    await expect(unreachable.verify(await sign({}))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const gone = createTokenVerifier({ issuer, audience: CLIENT, clock, keys })
    await expect(gone.verify(await sign({}))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('key rotation', () => {
  it('publishes the next key a day ahead, then signs with it; old tokens stay valid until they expire', async () => {
    const own = await startPool()
    const { email } = await own.addPerson()
    const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid
    const first = kidOf((await own.tokens(email)).IdToken)
    expect((await own.identity.jwks()).keys.map((key) => key.kid)).toEqual([first])

    own.clock.advance(89.5 * DAY)
    const early = await own.tokens(email)
    const published = (await own.identity.jwks()).keys.map((key) => key.kid)
    expect(published).toHaveLength(2)
    expect(kidOf(early.IdToken)).toBe(first)

    own.clock.advance(0.5 * DAY - 60_000)
    const last = await own.tokens(email)
    expect(kidOf(last.IdToken)).toBe(first)
    own.clock.advance(60_000)
    const next = await own.tokens(email)
    expect(kidOf(next.IdToken)).toBe(published[1])
    expect(await own.identity.authenticate(last.IdToken)).toMatchObject({ email })

    own.clock.advance(3 * DAY)
    await own.identity.prune()
    expect((await own.identity.jwks()).keys.map((key) => key.kid)).toEqual([published[1]])
    await own.stop()
  })

  it('signs with the first key even if the clock that made it was set back', async () => {
    const own = await startPool()
    const { email } = await own.addPerson()
    await own.tokens(email)
    own.clock.advance(-3_600_000)
    const { IdToken } = await own.tokens(email)
    expect(await own.identity.authenticate(IdToken)).toMatchObject({ email })
    await own.stop()
  })

  it('creates one key if many gateways start at once', async () => {
    const own = await startPool()
    const gateways = Array.from({ length: 5 }, () => createIdentity({ ...own.parts, baseUrl: own.url }))
    const sets = await Promise.all(gateways.map((gateway) => gateway.jwks()))
    expect(new Set(sets.flatMap(({ keys }) => keys.map((key) => key.kid))).size).toBe(1)
    // Every connection is open and these keys are fast to generate, so the gateways really run concurrently.
    await Promise.all(gateways.map(() => own.db.query(sql`select pg_sleep(0.05)`)))
    const signUpKeys = await Promise.all(gateways.map((gateway) => gateway.signUpKey()))
    expect(new Set(signUpKeys.map((key) => key.kid)).size).toBe(1)
    await own.stop()
  })

  it('keeps private keys sealed, and continues with a new key if the secret was lost', async () => {
    const own = await startPool()
    const { email } = await own.addPerson()
    const { IdToken } = await own.tokens(email)
    const [row] = await own.db.query<{ row: string; sealed: Buffer }>(sql`
      select row_to_json(k)::text as row, private_sealed as sealed from signing_keys k where purpose = 'signing'`)
    expect(row!.row).not.toMatch(/"(d|p|q|dp|dq|qi)":/)
    expect(row!.sealed.toString('latin1')).not.toContain('"d"')

    const log = testLog()
    const other = createIdentity({ ...own.parts, baseUrl: own.url, secret: 'another secret', log })
    expect(await other.authenticate(IdToken)).toMatchObject({ email })
    expect((await other.jwks()).keys).toHaveLength(2)
    expect(
      log.lines.some(
        (line) => line.level === 'error' && /not readable with the current SECRET/.test(line.text),
      ),
    ).toBe(true)
    await own.stop()
  })

  it('publishes nothing private', async () => {
    for (const key of [...(await world.identity.jwks()).keys, await world.identity.signUpKey()])
      expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d']))
  })
})
