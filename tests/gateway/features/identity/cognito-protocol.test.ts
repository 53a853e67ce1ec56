import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caller, CLIENT, PASSWORD, POOL, startPool, type PoolWorld } from './pool-world.ts'

let world: PoolWorld

beforeAll(async () => {
  world = await startPool()
})
afterAll(() => world.stop())

const provider = 'AWSCognitoIdentityProviderService'
const nameOf = async (target: string, body: string) => {
  const answer = await world.identity.handlePool(target, body, caller)
  const { __type } = JSON.parse(answer.body)
  expect(answer.headers['x-amzn-errortype']).toBe(__type)
  return [answer.status, __type]
}

describe('the Cognito protocol', () => {
  it('answers unknown operations, services and targets with UnknownOperationException', async () => {
    for (const target of [
      '',
      '.',
      'InitiateAuth',
      `${provider}.Nope`,
      `${provider}.constructor`,
      `${provider}.GetId`,
      'AWSCognitoIdentityService.InitiateAuth',
      `${provider}.__proto__`,
      'DynamoDB.GetItem',
    ])
      expect(await nameOf(target, '{}')).toEqual([400, 'UnknownOperationException'])
  })

  it('answers invalid JSON and too long bodies with SerializationException', async () => {
    for (const body of ['', '{', 'undefined', `{"a":"${'x'.repeat(70_000)}"}`])
      expect(await nameOf(`${provider}.InitiateAuth`, body)).toEqual([400, 'SerializationException'])
  })

  it('answers wrong types and missing members with InvalidParameterException, never repeating a value', async () => {
    const bodies = [
      null,
      [],
      '"text"',
      7,
      {},
      {
        AuthFlow: 'USER_PASSWORD_AUTH',
        ClientId: CLIENT,
        AuthParameters: { USERNAME: ['a'], PASSWORD: 'hidden 1' },
      },
      { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: CLIENT },
      {
        AuthFlow: 'USER_PASSWORD_AUTH',
        ClientId: CLIENT,
        AuthParameters: { USERNAME: 'x'.repeat(300), PASSWORD: 'hidden 1' },
      },
      { AuthFlow: 'USER_SRP_AUTH', ClientId: CLIENT, AuthParameters: { USERNAME: 'a', SRP_A: 'hidden 1' } },
      { AuthFlow: 'CUSTOM_AUTH', ClientId: CLIENT, AuthParameters: {} },
    ]
    for (const body of bodies) {
      const answer = await world.call('InitiateAuth', body as object)
      expect([answer.status, answer.json.__type]).toEqual([400, 'InvalidParameterException'])
      expect(answer.body).not.toContain('hidden')
    }
  })

  it('handles NUL characters, which the database cannot store', async () => {
    const nul = 'a\u0000@example.com'
    expect((await world.signIn(nul)).json.__type).toBe('NotAuthorizedException')
    expect((await world.call('ForgotPassword', { ClientId: CLIENT, Username: nul })).status).toBe(200)
    const confirm = { ClientId: CLIENT, Username: nul, ConfirmationCode: '\u0000', Password: 'secret 1' }
    expect((await world.call('ConfirmForgotPassword', confirm)).json.__type).toBe('CodeMismatchException')
    await world.identity.close()
    expect(world.log.lines.filter((line) => line.level === 'error')).toEqual([])
  })

  it('does not offer sign-up, which is a separate call', async () => {
    for (const action of ['SignUp', 'ConfirmSignUp', 'ResendConfirmationCode', 'UpdateUserAttributes'])
      expect((await world.call(action, { ClientId: CLIENT })).json).toEqual({
        __type: 'NotAuthorizedException',
        message: `${action} is not permitted for this user pool`,
      })
  })

  it('rejects an unknown client', async () => {
    for (const [action, body] of [
      ['InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: 'a', PASSWORD: 'b' } }],
      ['GetTokensFromRefreshToken', { RefreshToken: 'x' }],
      ['ForgotPassword', { Username: 'a@example.com' }],
      ['RevokeToken', { Token: 'x' }],
    ] as const)
      expect((await world.call(action, { ...body, ClientId: 'other' })).json.__type).toBe(
        'ResourceNotFoundException',
      )
  })

  it('ignores unused members, such as those Amplify sends', async () => {
    const { email } = await world.addPerson()
    const answer = await world.call('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: CLIENT,
      AuthParameters: { USERNAME: ` ${email.toUpperCase()} `, PASSWORD, DEVICE_KEY: 'x' },
      ClientMetadata: {},
      UserContextData: { EncodedData: 'x' },
    })
    expect(answer.json.AuthenticationResult).toMatchObject({ ExpiresIn: 3600, TokenType: 'Bearer' })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'cache-control': 'no-store',
    })
  })

  it('gives temporary credentials only for a valid id token and its own identity', async () => {
    const [one, two] = [await world.addPerson(), await world.addPerson()]
    const tokens = await world.tokens(one.email)
    const issuer = `${world.url}/${POOL}`.replace('http://', '')
    const { identityPoolId } = world.identity
    const getId = (Logins: object) => world.call('GetId', { IdentityPoolId: identityPoolId, Logins })
    const { IdentityId } = (await getId({ [issuer]: tokens.IdToken })).json
    const ask = (id: string, token: string) =>
      world.call('GetCredentialsForIdentity', { IdentityId: id, Logins: { [issuer]: token } })

    expect((await ask(IdentityId, tokens.IdToken)).json.Credentials.Expiration).toBeGreaterThan(
      world.clock.now() / 1000,
    )
    for (const logins of [
      {},
      { 'accounts.example.com': tokens.IdToken },
      { [issuer]: tokens.AccessToken },
      { [issuer]: 'x' },
    ])
      expect((await getId(logins)).json.__type).toBe('NotAuthorizedException')
    expect((await ask(`local:${two.cognitoId}`, tokens.IdToken)).json.__type).toBe('NotAuthorizedException')
    expect((await world.call('GetId', { IdentityPoolId: 'local:other', Logins: {} })).json.__type).toBe(
      'ResourceNotFoundException',
    )
    await world.identity.revokeAll(one.cognitoId)
    expect((await ask(IdentityId, tokens.IdToken)).json.__type).toBe('NotAuthorizedException')
  })

  it('rejects access tokens that are forged, for the wrong use or of a revoked session', async () => {
    const { email, cognitoId } = await world.addPerson()
    const { IdToken, AccessToken } = await world.tokens(email)
    for (const token of ['x', IdToken, `${AccessToken}x`])
      expect((await world.call('GetUser', { AccessToken: token })).json.__type).toBe('NotAuthorizedException')
    expect((await world.call('GetUser', { AccessToken })).status).toBe(200)
    await world.identity.revokeAll(cognitoId)
    for (const action of ['GetUser', 'GlobalSignOut'])
      expect((await world.call(action, { AccessToken })).json.__type).toBe('NotAuthorizedException')
  })

  it('accepts a new-password challenge once, within 15 minutes, from its person', async () => {
    const [one, two] = [
      await world.addPerson({ mustChange: true }),
      await world.addPerson({ mustChange: true }),
    ]
    const challenge = async () => (await world.signIn(one.email)).json.Session as string
    const respond = (Session: string, USERNAME: string, NEW_PASSWORD = 'my own 1') =>
      world.call('RespondToAuthChallenge', {
        ClientId: CLIENT,
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session,
        ChallengeResponses: { USERNAME, NEW_PASSWORD },
      })
    const late = await challenge()
    world.clock.advance(15 * 60_000)
    expect((await respond(late, one.email)).json.__type).toBe('NotAuthorizedException')
    const session = await challenge()
    expect((await respond(session, two.email)).json.__type).toBe('NotAuthorizedException')
    expect((await respond(`${session.slice(0, -3)}AAA`, one.email)).json.__type).toBe(
      'NotAuthorizedException',
    )
    expect((await respond(session, one.email)).json.AuthenticationResult.IdToken).toBeTruthy()
    expect((await respond(session, one.email, 'another 1')).json.__type).toBe('NotAuthorizedException')
    expect((await world.signIn(one.email, 'my own 1')).status).toBe(200)
  })

  it('returns 503 while the database is unavailable and recovers by itself', async () => {
    const { email } = await world.addPerson()
    const real = world.db.query
    const { GatewayError } = await import('../../../../gateway/kernel/errors.ts')
    world.db.query = () => Promise.reject(new GatewayError('UNAVAILABLE', 'away'))
    const answer = await world.signIn(email)
    world.db.query = real
    expect([answer.status, answer.json.__type]).toEqual([503, 'ServiceUnavailableException'])
    expect((await world.signIn(email)).status).toBe(200)
  })

  it('logs no password or token', async () => {
    const { email } = await world.addPerson()
    const tokens = await world.tokens(email)
    await world.signIn(email, 'my guess 77')
    const first = tokens.RefreshToken
    await world.refresh(first)
    world.clock.advance(31_000)
    await world.refresh(first)
    const log = JSON.stringify(world.log.lines)
    expect(log).toContain('refresh token reused')
    for (const secret of ['my guess 77', PASSWORD, tokens.IdToken, tokens.AccessToken, first])
      expect(log).not.toContain(secret)
  })
})
