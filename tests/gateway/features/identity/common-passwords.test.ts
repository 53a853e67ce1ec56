import { CompactEncrypt, importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { requirePassword } from '../../../../gateway/features/identity/passwords.ts'
import { CLIENT_ID } from '../../../support/user-pool.ts'
import { API_KEY, type Caller, PASSWORD, startWorld, type World } from '../../../support/world.ts'

const COMMON = 'passw0rd1'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const sealed = async (password: string) => {
  const jwk = await world.gateway.identity.signUpKey()
  return new CompactEncrypt(new TextEncoder().encode(password))
    .setProtectedHeader({ alg: jwk.alg as string, enc: 'A256GCM', kid: jwk.kid as string })
    .encrypt(await importJWK(jwk))
}
const NAMES = { FirstName: 'Mei', LastName: 'Lin' }
const refusedField = (Field: string) => ({
  code: ERRORS.INVALID.code,
  fields: { [Field]: 'commonPassword' },
})
const REFUSED_BY_POOL = {
  http: 400,
  __type: 'InvalidPasswordException',
  message: expect.stringContaining('too common'),
}

describe('a common password is rejected', () => {
  it('at sign-up, with a sentence in the language of the page', async () => {
    const signUp = {
      Email: 'common@example.com',
      Password: await sealed(COMMON),
      ...NAMES,
      Language: 'en-US',
    }
    const { status } = await world.post('/UserSignUp', signUp)
    expect(status).toMatchObject(refusedField('Password'))
    expect(status.error).toBe('This password is too common and easy to guess. Choose another')
  })

  it('as an initial password, of a new person and of one without a password', async () => {
    const Email = 'initial@example.com'
    const created = await root.post('/CreateUser', { Email, password: COMMON })
    expect(created.status).toMatchObject(refusedField('password'))
    expect((await root.post('/CreateUser', { Email, password: 'initial1' })).status.code).toBe(0)
    const updated = await root.post('/UpdateUserInfo', { Email, password: COMMON })
    expect(updated.status).toMatchObject(refusedField('password'))
  })

  it('as the password of an invited person, who can choose another with the same link', async () => {
    const { results } = await root.post('/InviteUser', { Email: 'invited@example.com', Language: 'en-US' })
    const Token = results.Link.split('#')[1]
    const accept = async (password: string) =>
      world.post('/AcceptInvitation', { Token, Password: await sealed(password), ...NAMES })
    expect((await accept(COMMON)).status).toMatchObject(refusedField('Password'))
    expect((await accept(PASSWORD)).status.code).toBe(0)
  })

  it('as the first own password, which the pool requests', async () => {
    const USERNAME = 'first@example.com'
    await root.post('/CreateUser', { Email: USERNAME, password: 'initial1' })
    const { Session } = await world.cognito('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: CLIENT_ID,
      AuthParameters: { USERNAME, PASSWORD: 'initial1' },
    })
    const answer = await world.cognito('RespondToAuthChallenge', {
      ClientId: CLIENT_ID,
      ChallengeName: 'NEW_PASSWORD_REQUIRED',
      Session,
      ChallengeResponses: { USERNAME, NEW_PASSWORD: COMMON },
    })
    expect(answer).toMatchObject(REFUSED_BY_POOL)
  })

  it('as a changed password, by the call and by the pool', async () => {
    const { accessToken } = root
    const called = await root.post(
      '/ChangePassword',
      { PreviousPassword: PASSWORD, ProposedPassword: COMMON },
      { 'x-access-token': accessToken },
    )
    expect(called.status).toMatchObject(refusedField('ProposedPassword'))
    const change = { AccessToken: accessToken, PreviousPassword: PASSWORD, ProposedPassword: COMMON }
    expect(await world.cognito('ChangePassword', change)).toMatchObject(REFUSED_BY_POOL)
  })

  it('as the password after a reset, by the call and by the pool', async () => {
    await world.post('/ForgotPassword', { Email: root.email })
    await expect.poll(() => world.mails.length).toBeGreaterThan(0)
    const ConfirmationCode = /\d{6}/.exec(world.mails.at(-1)?.text ?? '')?.[0] ?? ''
    const called = await world.post(
      '/ConfirmForgotPassword',
      { Email: root.email, ConfirmationCode, NewPassword: COMMON, Language: 'zh-TW' },
      { 'x-api-key': API_KEY },
    )
    expect(called.status).toMatchObject(refusedField('NewPassword'))
    expect(called.status.error).toBe('此密碼過於常見，容易被猜中，請改用其他密碼')
    const confirm = { ClientId: CLIENT_ID, Username: root.email, ConfirmationCode, Password: COMMON }
    expect(await world.cognito('ConfirmForgotPassword', confirm)).toMatchObject(REFUSED_BY_POOL)
  })
})

describe('the list of common passwords', () => {
  it('is compared regardless of case', () => {
    for (const password of ['Passw0rd1', 'PASSw0RD1', 'Welcome1'])
      expect(() => requirePassword(password)).toThrow(/too common/)
  })

  it('allows passwords that only contain a common one', () => {
    expect(() => requirePassword('passw0rd1 of the boiler room')).not.toThrow()
  })
})
