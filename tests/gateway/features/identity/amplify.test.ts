import { Amplify } from 'aws-amplify'
import {
  confirmResetPassword,
  confirmSignIn,
  fetchAuthSession,
  fetchUserAttributes,
  getCurrentUser,
  resetPassword,
  signIn,
  signOut,
  updatePassword,
} from 'aws-amplify/auth'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { CLIENT, PASSWORD, POOL, startPool, type PoolWorld } from './pool-world.ts'

let world: PoolWorld

beforeAll(async () => {
  // Amplify warns about custom endpoints, as intended.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  world = await startPool()
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId: POOL,
        userPoolClientId: CLIENT,
        userPoolEndpoint: `${world.url}/cognito`,
        identityPoolId: world.identity.identityPoolId,
        identityPoolEndpoint: `${world.url}/cognito`,
        allowGuestAccess: false,
      },
    },
  })
})
afterEach(() => signOut())
afterAll(() => world.stop())

const withPassword = (username: string, password = PASSWORD) =>
  signIn({ username, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } })

describe('aws-amplify, unchanged, against the built-in pool', () => {
  it('signs in and gets tokens that identify the person', async () => {
    const person = await world.addPerson()
    expect(await withPassword(person.email)).toMatchObject({
      isSignedIn: true,
      nextStep: { signInStep: 'DONE' },
    })
    const { tokens, credentials, identityId, userSub } = await fetchAuthSession()
    expect(tokens?.idToken?.payload).toMatchObject({
      sub: person.cognitoId,
      email: person.email,
      'custom:tenant_id': person.tenant,
      'custom:identity_id': person.cognitoId,
      'custom:initialized_user': 'false',
      token_use: 'id',
      aud: CLIENT,
      iss: `${world.url}/${POOL}`,
    })
    expect(userSub).toBe(person.cognitoId)
    expect(identityId).toBe(`local:${person.cognitoId}`)
    expect(credentials?.secretAccessKey).toBeTruthy()
    expect(credentials!.expiration!.getTime() - world.clock.now()).toBeGreaterThan(3500_000)
    expect(await getCurrentUser()).toMatchObject({ userId: person.cognitoId })
    expect(await fetchUserAttributes()).toMatchObject({ email: person.email, given_name: 'First' })
  })

  it('rejects a wrong password with the error name the screens expect', async () => {
    const { email } = await world.addPerson()
    await expect(withPassword(email, 'wrong00')).rejects.toMatchObject({ name: 'NotAuthorizedException' })
  })

  it('refreshes with a new refresh token each time, once for parallel callers', async () => {
    const { email } = await world.addPerson()
    await withPassword(email)
    const before = (await fetchAuthSession()).tokens!.accessToken.toString()
    world.calls.length = 0
    await Promise.all([1, 2, 3].map(() => fetchAuthSession({ forceRefresh: true })))
    expect(world.calls.filter((call) => call === 'GetTokensFromRefreshToken')).toHaveLength(1)
    const once = (await fetchAuthSession()).tokens!.accessToken.toString()
    expect(once).not.toBe(before)
    const twice = (await fetchAuthSession({ forceRefresh: true })).tokens!.accessToken.toString()
    expect(twice).not.toBe(once)
  })

  it('is signed out without an error when its session was revoked', async () => {
    const { email, cognitoId } = await world.addPerson()
    await withPassword(email)
    await world.identity.revokeAll(cognitoId)
    const { tokens } = await fetchAuthSession({ forceRefresh: true }).catch(() => ({ tokens: undefined }))
    expect(tokens).toBeUndefined()
  })

  it('keeps its tokens while the pool is unavailable', async () => {
    const { email } = await world.addPerson()
    await withPassword(email)
    const away = vi.spyOn(world.db, 'transaction').mockRejectedValue(new Error('away'))
    await expect(fetchAuthSession({ forceRefresh: true })).rejects.toMatchObject({
      name: 'InternalErrorException',
    })
    away.mockRestore()
    expect((await fetchAuthSession()).tokens).toBeDefined()
  })

  it('revokes the session at sign-out', async () => {
    const { email, cognitoId } = await world.addPerson()
    await withPassword(email)
    expect(await world.identity.listSessions(cognitoId)).toHaveLength(1)
    world.calls.length = 0
    await signOut()
    expect(world.calls).toContain('RevokeToken')
    expect(await world.identity.listSessions(cognitoId)).toHaveLength(0)
  })

  it('ends every session at global sign-out', async () => {
    const { email, cognitoId } = await world.addPerson()
    const elsewhere = await world.tokens(email)
    await withPassword(email)
    await signOut({ global: true })
    expect(await world.identity.listSessions(cognitoId)).toHaveLength(0)
    expect((await world.refresh(elsewhere.RefreshToken)).json.__type).toBe('NotAuthorizedException')
  })

  it('asks a new colleague for a new password', async () => {
    const { email } = await world.addPerson({ mustChange: true })
    const { isSignedIn, nextStep } = await withPassword(email)
    expect(isSignedIn).toBe(false)
    expect(nextStep.signInStep).toBe('CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED')
    await expect(confirmSignIn({ challengeResponse: 'short' })).rejects.toMatchObject({
      name: 'InvalidPasswordException',
    })
    await expect(confirmSignIn({ challengeResponse: PASSWORD })).rejects.toMatchObject({
      name: 'InvalidPasswordException',
    })
    expect(await confirmSignIn({ challengeResponse: 'my own 1' })).toMatchObject({ isSignedIn: true })
    await signOut()
    expect(await withPassword(email, 'my own 1')).toMatchObject({ isSignedIn: true })
  })

  it('changes the password and ends only the other sessions', async () => {
    const { email, cognitoId } = await world.addPerson()
    const elsewhere = await world.tokens(email)
    await withPassword(email)
    await expect(updatePassword({ oldPassword: 'wrong00', newPassword: 'better 22' })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    })
    await updatePassword({ oldPassword: PASSWORD, newPassword: 'better 22' })
    expect(await world.identity.listSessions(cognitoId)).toHaveLength(1)
    expect((await world.refresh(elsewhere.RefreshToken)).status).toBe(400)
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeDefined()
    await signOut()
    await expect(withPassword(email)).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    expect(await withPassword(email, 'better 22')).toMatchObject({ isSignedIn: true })
  })

  it('resets a forgotten password with the emailed code', async () => {
    const { email } = await world.addPerson()
    expect((await resetPassword({ username: email })).nextStep.resetPasswordStep).toBe(
      'CONFIRM_RESET_PASSWORD_WITH_CODE',
    )
    await world.identity.close()
    const code = /(?:code|驗證碼) (\d{6})\b/.exec(world.mail.sent.at(-1)!.text)![1]!
    await confirmResetPassword({ username: email, confirmationCode: code, newPassword: 'again 33' })
    expect(await withPassword(email, 'again 33')).toMatchObject({ isSignedIn: true })
  })
})
