import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, PASSWORD, startWorld, type World } from '../../../support/world.ts'
import { CLIENT_ID } from '../../../support/user-pool.ts'

const MINUTE = 60_000

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

/** Audit rows of a call about a person, oldest first; waits for rows written in the background. */
const rows = async (Path: string, CognitoId = root.cognitoId) => {
  await world.gateway.identity.close()
  const { results } = await root.post('/ListAuditLog', { Path, CognitoId })
  return results.Rows.toReversed()
}
const trySignIn = (email: string, password: string) =>
  world.cognito('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    ClientId: CLIENT_ID,
    AuthParameters: { USERNAME: email, PASSWORD: password },
  })

describe('the audit has a row for', () => {
  let member: Caller
  beforeEach(async () => {
    // Advances the clock past the back-off after failures and the per-minute limit.
    await world.clock.advance(20 * MINUTE)
    root = await world.signIn(root.email, root.password)
    member = await world.createUser(root)
  })

  it('a sign-up and a sign-in, with address and browser', async () => {
    expect(await rows('/UserSignUp')).toHaveLength(1)
    const before = (await rows('/SignIn', member.cognitoId)).length
    await world.signIn(member.email, member.password)
    const found = await rows('/SignIn', member.cognitoId)
    expect(found).toHaveLength(before + 1)
    expect(found.at(-1)).toMatchObject({
      At: world.clock.now(),
      Ip: '127.0.0.1',
      Input: { Email: member.email, UserAgent: expect.any(String) },
    })
  })

  it('a first password', async () => {
    expect(await rows('/SetFirstPassword', member.cognitoId)).toHaveLength(1)
  })

  it('failed sign-ins, at most five per account and minute, without the password', async () => {
    for (let i = 0; i < 8; i += 1) await trySignIn(member.email, 'wr0ng-guess')
    const found = await rows('/SignInFailed', member.cognitoId)
    expect(found).toHaveLength(5)
    expect(JSON.stringify(found)).not.toContain('wr0ng-guess')
    await world.clock.advance(MINUTE)
    await trySignIn(member.email, 'wr0ng-guess')
    expect(await rows('/SignInFailed', member.cognitoId)).toHaveLength(6)
    await trySignIn('nobody@nowhere.example', 'wr0ng-guess')
    expect(await world.gateway.identity.accessEvents?.get()).toMatchObject({
      values: expect.arrayContaining([{ labels: { event: 'SignInFailed' }, value: 10 }]),
    })
  })

  it('a changed password and a failed change', async () => {
    const change = (PreviousPassword: string) =>
      world.cognito('ChangePassword', {
        AccessToken: member.accessToken,
        PreviousPassword,
        ProposedPassword: 'An0ther-one',
      })
    expect((await change('wr0ng-guess')).http).toBe(400)
    expect((await change(member.password)).http).toBe(200)
    expect(await rows('/ChangePasswordFailed', member.cognitoId)).toHaveLength(1)
    expect(await rows('/ChangePassword', member.cognitoId)).toHaveLength(1)
  })

  it('a forgotten password, a wrong code and a reset', async () => {
    await world.cognito('ForgotPassword', { ClientId: CLIENT_ID, Username: member.email })
    expect(await rows('/ForgotPassword', member.cognitoId)).toHaveLength(1)
    await world.cognito('ConfirmForgotPassword', {
      ClientId: CLIENT_ID,
      Username: member.email,
      ConfirmationCode: '000000',
      Password: PASSWORD,
    })
    expect(await rows('/ConfirmForgotPasswordFailed', member.cognitoId)).toHaveLength(1)
    const link = /code=([\w-]+)/.exec(world.mails.at(-1)?.text ?? '')?.[1]
    const reset = await world.cognito('ConfirmForgotPassword', {
      ClientId: CLIENT_ID,
      Username: member.email,
      ConfirmationCode: link,
      Password: 'An0ther-one',
    })
    expect(reset).toMatchObject({ http: 200 })
    expect(await rows('/ConfirmForgotPassword', member.cognitoId)).toHaveLength(1)
  })

  it('a sign-out, a sign-out everywhere and a reused refresh token', async () => {
    const refresh = (RefreshToken: string) =>
      world.cognito('GetTokensFromRefreshToken', { ClientId: CLIENT_ID, RefreshToken })
    await refresh(member.refreshToken)
    await world.clock.advance(MINUTE)
    expect((await refresh(member.refreshToken)).http).toBe(400)
    expect(await rows('/RevokeReusedToken', member.cognitoId)).toHaveLength(1)

    const second = await world.signIn(member.email, member.password)
    await world.cognito('RevokeToken', { ClientId: CLIENT_ID, Token: second.refreshToken })
    await world.cognito('RevokeToken', { ClientId: CLIENT_ID, Token: 'unknown' })
    expect(await rows('/RevokeToken', member.cognitoId)).toHaveLength(1)

    const third = await world.signIn(member.email, member.password)
    await world.cognito('GlobalSignOut', { AccessToken: third.accessToken })
    expect(await rows('/SignOutEverywhere', member.cognitoId)).toHaveLength(1)
  })
})
