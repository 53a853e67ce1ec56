import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createIdentity } from '../../../../gateway/features/identity/identity.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { CLIENT, startPool, type PoolWorld } from './pool-world.ts'

const DAY = 86_400_000
let world: PoolWorld

beforeAll(async () => {
  world = await startPool()
})
afterAll(() => world.stop())

const refreshTokenOf = (answer: { json: { AuthenticationResult: { RefreshToken: string } } }) =>
  answer.json.AuthenticationResult.RefreshToken

describe('a session', () => {
  it('gives a new refresh token at each use, by either call', async () => {
    const { email } = await world.addPerson()
    const first = (await world.tokens(email)).RefreshToken
    const second = refreshTokenOf(await world.refresh(first))
    const third = refreshTokenOf(
      await world.call('InitiateAuth', {
        AuthFlow: 'REFRESH_TOKEN_AUTH',
        ClientId: CLIENT,
        AuthParameters: { REFRESH_TOKEN: second },
      }),
    )
    const fourth = refreshTokenOf(
      await world.call('InitiateAuth', {
        AuthFlow: 'REFRESH_TOKEN',
        ClientId: CLIENT,
        AuthParameters: { REFRESH_TOKEN: third },
      }),
    )
    expect(new Set([first, second, third, fourth]).size).toBe(4)
  })

  it('does not start with a password that is replaced at the same time', async () => {
    const { email, cognitoId, tenant } = await world.addPerson()
    const { verify } = world.passwords
    const spy = vi.spyOn(world.passwords, 'verify').mockImplementationOnce(async (stored, password) => {
      const right = await verify(stored, password)
      await world.identity.createCredentials({ tenant, cognitoId, initialPassword: 'another one 1' })
      return right
    })
    expect((await world.signIn(email)).json).toMatchObject({ __type: 'NotAuthorizedException' })
    expect(spy).toHaveBeenCalledOnce()
    expect(await world.identity.listSessions(cognitoId)).toEqual([])
    spy.mockRestore()
  })

  it('ends for thief and owner if a used token comes back after its grace period', async () => {
    const { email, cognitoId } = await world.addPerson()
    const first = (await world.tokens(email)).RefreshToken
    const second = refreshTokenOf(await world.refresh(first))
    world.clock.advance(30_001)
    expect((await world.refresh(first)).json).toMatchObject({ __type: 'NotAuthorizedException' })
    expect((await world.refresh(second)).json).toMatchObject({ __type: 'NotAuthorizedException' })
    expect(world.revoked).toContain(cognitoId)
    expect(
      world.log.lines.some((line) => line.level === 'warn' && /refresh token reused/.test(line.text)),
    ).toBe(true)
  })

  it('lets two tabs use the same token at once and gives both the same successor', async () => {
    const { email } = await world.addPerson()
    for (let round = 0; round < 5; round++) {
      const first = (await world.tokens(email)).RefreshToken
      // Opens every connection, so that the tabs really run concurrently.
      await Promise.all(Array.from({ length: 5 }, () => world.db.query(sql`select pg_sleep(0.02)`)))
      const answers = await Promise.all(Array.from({ length: 8 }, () => world.refresh(first)))
      const successors = new Set(answers.map(refreshTokenOf))
      expect(successors.size).toBe(1)
      expect((await world.refresh([...successors][0]!)).status).toBe(200)
    }
  })

  it('ends if a token two generations old comes back, even within the grace period', async () => {
    const { email } = await world.addPerson()
    const first = (await world.tokens(email)).RefreshToken
    const second = refreshTokenOf(await world.refresh(first))
    const third = refreshTokenOf(await world.refresh(second))
    expect((await world.refresh(first)).status).toBe(400)
    expect((await world.refresh(third)).status).toBe(400)
  })

  it('lasts 30 days from the password, however often it is used', async () => {
    const { email } = await world.addPerson()
    let token = (await world.tokens(email)).RefreshToken
    world.clock.advance(29 * DAY)
    token = refreshTokenOf(await world.refresh(token))
    world.clock.advance(DAY)
    expect((await world.refresh(token)).json.__type).toBe('NotAuthorizedException')
    await world.identity.prune()
    expect(
      await world.db.query(sql`select 1 as one from sessions where expires_at <= ${world.clock.now()}`),
    ).toEqual([])
  })

  it('is stored without data that a reader of the database could sign in with', async () => {
    const { email, cognitoId } = await world.addPerson()
    const first = (await world.tokens(email)).RefreshToken
    const second = refreshTokenOf(await world.refresh(first))
    const stored = await world.db.query<{ row: string }>(sql`
      select row_to_json(r)::text as row from refresh_tokens r join sessions using (session_id)
      where cognito_id = ${cognitoId}::uuid`)
    for (const token of [first, second])
      for (const { row } of stored) {
        expect(row).not.toContain(token)
        expect(row).not.toContain(Buffer.from(token).toString('hex'))
      }
    expect(stored).toHaveLength(2)
  })

  it('is listed for its owner, and only its owner can end it', async () => {
    const [owner, other] = [await world.addPerson(), await world.addPerson()]
    await world.tokens(owner.email)
    world.clock.advance(1000)
    const { RefreshToken } = await world.tokens(owner.email)
    const list = await world.identity.listSessions(owner.cognitoId)
    expect(list).toHaveLength(2)
    expect(list[0]).toMatchObject({
      UserAgent: 'Test/1.0',
      Address: '192.0.2.1',
      CreatedAt: world.clock.now(),
    })
    expect(await world.identity.revokeSession(other.cognitoId, list[0]!.SessionID)).toBe(false)
    expect(await world.identity.revokeSession(owner.cognitoId, 'no such id')).toBe(false)
    expect(await world.identity.revokeSession(owner.cognitoId, list[0]!.SessionID)).toBe(true)
    expect((await world.refresh(RefreshToken)).status).toBe(400)
    expect(await world.identity.listSessions(owner.cognitoId)).toHaveLength(1)
  })

  it('ends by RevokeToken with any of its tokens; an unknown token is no error', async () => {
    const { email, cognitoId } = await world.addPerson()
    const first = (await world.tokens(email)).RefreshToken
    await world.refresh(first)
    expect((await world.call('RevokeToken', { ClientId: CLIENT, Token: first })).json).toEqual({})
    expect(await world.identity.listSessions(cognitoId)).toHaveLength(0)
    expect((await world.call('RevokeToken', { ClientId: CLIENT, Token: 'unknown' })).status).toBe(200)
  })

  it('is valid on every gateway of the same database', async () => {
    const { email } = await world.addPerson()
    const { RefreshToken, IdToken } = await world.tokens(email)
    const other = createIdentity({ ...world.parts, baseUrl: world.url })
    expect(await other.authenticate(IdToken)).toMatchObject({ email })
    const answer = await other.handlePool(
      'AWSCognitoIdentityProviderService.GetTokensFromRefreshToken',
      JSON.stringify({ ClientId: CLIENT, RefreshToken }),
      { address: '192.0.2.2', userAgent: '' },
    )
    expect(answer.status).toBe(200)
  })

  it('is replaced by newer ones beyond a hundred', { timeout: 180_000 }, async () => {
    // 101 password hashes.
    const { email, cognitoId } = await world.addPerson()
    const oldest = (await world.tokens(email)).RefreshToken
    for (let i = 0; i < 100; i++) {
      world.clock.advance(1)
      await world.tokens(email)
    }
    expect(await world.identity.listSessions(cognitoId)).toHaveLength(100)
    expect((await world.refresh(oldest)).status).toBe(400)
    // The person's connections end, too.
    expect(world.revoked).toContain(cognitoId)
  })
})
