import { beforeEach, describe, expect, it } from 'vitest'
import { signedInClients, storedTokens } from '../../../src/data/tokens.ts'
import { CLIENT_ID, owner, signInAs, token } from '../../support/msw.ts'

const MINUTE = 60_000
const key = (name: string) => `CognitoIdentityServiceProvider.${CLIENT_ID}.${owner.CognitoId}.${name}`
let held: ReturnType<typeof signInAs>
let now: number

beforeEach(() => {
  now = Date.now()
  held = signInAs(owner)
})

describe('stored tokens', () => {
  it('are used if they are valid for more than a minute', () => {
    expect(signedInClients()).toEqual([CLIENT_ID])
    expect(storedTokens(CLIENT_ID, now + 58 * MINUTE)).toEqual({ id: held.idToken, access: held.accessToken })
    expect(storedTokens(CLIENT_ID, now + 59.5 * MINUTE)).toBeUndefined()
  })

  it('expire by the clock of the pool', () => {
    localStorage.setItem(key('clockDrift'), String(30 * MINUTE))
    expect(storedTokens(CLIENT_ID, now + 28 * MINUTE)).toBeDefined()
    expect(storedTokens(CLIENT_ID, now + 30 * MINUTE)).toBeUndefined()
  })

  it('are ignored for another client, if one is missing, and without an expiry', () => {
    expect(storedTokens('another-client', now)).toBeUndefined()
    localStorage.setItem(key('accessToken'), token({ exp: undefined }))
    expect(storedTokens(CLIENT_ID, now)).toBeUndefined()
    localStorage.removeItem(key('accessToken'))
    expect(storedTokens(CLIENT_ID, now)).toBeUndefined()
    localStorage.clear()
    expect(signedInClients()).toEqual([])
  })
})
