import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../contract/kernel/errors.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const config = async (caller: Caller) =>
  (
    await world.gateway.http.inject({
      method: 'GET',
      url: '/GetPersonalConfig',
      headers: { authorization: `Bearer ${caller.token}` },
    })
  ).json()

describe('personal settings', () => {
  it('begin with the defaults of the specification', async () => {
    expect((await config(root)).results).toEqual({
      Notification: false,
      CustomDashboard: 'DEFAULT',
      DecimalPrecision: 2,
      Language: null,
    })
  })

  it('keep every change of several screens at once', async () => {
    const person = await world.createUser(root)
    await Promise.all(
      [
        { Notification: true },
        { CustomDashboard: 'MINE' },
        { DecimalPrecision: 4 },
        { Language: 'en-US' as const },
      ].map((change) => person.post('/UpdatePersonalConfig', change)),
    )
    expect((await config(person)).results).toEqual({
      Notification: true,
      CustomDashboard: 'MINE',
      DecimalPrecision: 4,
      Language: 'en-US',
    })
  })

  it('change one by one and belong to one person', async () => {
    const other = await world.createUser(root)
    await root.post('/UpdatePersonalConfig', { DecimalPrecision: 3 })
    await root.post('/UpdatePersonalConfig', { Language: 'en-US' })
    expect((await config(root)).results).toMatchObject({
      DecimalPrecision: 3,
      Language: 'en-US',
      Notification: false,
    })
    expect((await config(other)).results.DecimalPrecision).toBe(2)
  })

  it('refuse what no screen can show', async () => {
    for (const bad of [
      { DecimalPrecision: 7 },
      { DecimalPrecision: 1.5 },
      { Language: 'fr' },
      { Theme: 'x' },
    ])
      expect((await root.post('/UpdatePersonalConfig', bad)).status.code).toBe(ERRORS.INVALID.code)
  })
})

describe('who I am', () => {
  it('lists every right for the owner and the own ones for others', async () => {
    const me = (await root.post('/GetPersonalPermissions')).results
    expect(me.CognitoId).toBe(me.RootCognitoId)
    expect(me.Permissions).toHaveLength(21)
    const person = await world.createUser(root, [{ FeatureKey: 'room', OperationList: ['Read'] }])
    expect((await person.post('/GetPersonalPermissions')).results.Permissions).toEqual([
      { FeatureKey: 'room', OperationList: ['Read'] },
    ])
  })

  it('is forgotten with the session that is revoked', async () => {
    const other = await world.signIn(root.email, root.password)
    const sessions = (await root.post('/ListSessions')).results
    expect(sessions.filter((session: { Current: boolean }) => session.Current)).toHaveLength(1)
    const away = (await other.post('/ListSessions')).results.find(
      (session: { Current: boolean }) => session.Current,
    )
    expect((await root.post('/RevokeSession', { SessionID: away.SessionID })).status.code).toBe(0)
    expect((await other.post('/ListHome')).status.code).toBe(ERRORS.UNAUTHENTICATED.code)
    expect((await root.post('/ListHome')).status.code).toBe(0)
  })
})

describe('the company', () => {
  it('is shown on the sign-in page while it is the only one', async () => {
    await root.post('/UpdateCompanyProfile', { LogoName: '示範大樓' })
    expect((await world.post('/GetCompanyPublicProfile')).results).toEqual({
      LogoName: '示範大樓',
      LogoUrl: null,
    })
    await world.signUp()
    expect((await world.post('/GetCompanyPublicProfile')).results).toEqual({ LogoName: '', LogoUrl: null })
  })
})
