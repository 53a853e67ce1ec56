import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { DEFAULT_NOTIFICATION_SETTINGS } from '../../../../contract/notifications/settings.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

/** Quiet hours at night. */
const QUIET = {
  ...DEFAULT_NOTIFICATION_SETTINGS,
  Quiet: {
    From: 1320,
    To: 420,
    Days: [0, 1, 2, 3, 4, 5, 6],
    Except: 'critical' as const,
    TimeZone: 'Asia/Taipei',
  },
}

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
  it('start with the defaults of the specification', async () => {
    expect((await config(root)).results).toEqual({
      Notification: false,
      Notifications: DEFAULT_NOTIFICATION_SETTINGS,
      CustomDashboard: 'DEFAULT',
      DecimalPrecision: 2,
      Language: null,
      StartPage: null,
      Setup: { Hidden: false, Skipped: [], TourDone: false },
      SavedViews: [],
    })
  })

  it('keep every change of several screens at once', async () => {
    const person = await world.createUser(root)
    const view = { List: 'device', Name: '走廊', Query: 'room=2', HomeID: 'h1' }
    await Promise.all(
      [
        { Notification: true },
        { Notifications: QUIET },
        { CustomDashboard: 'MINE' },
        { DecimalPrecision: 4 },
        { Language: 'en-US' as const },
        { StartPage: 'Alarm' as const },
        { Setup: { Hidden: true, Skipped: ['tariff'], TourDone: false } },
        { SavedViews: [view] },
      ].map((change) => person.post('/UpdatePersonalConfig', change)),
    )
    expect((await config(person)).results).toEqual({
      Notification: true,
      Notifications: QUIET,
      CustomDashboard: 'MINE',
      DecimalPrecision: 4,
      Language: 'en-US',
      StartPage: 'Alarm',
      Setup: { Hidden: true, Skipped: ['tariff'], TourDone: false },
      SavedViews: [view],
    })
  })

  it('reject hours that do not exist on a clock', async () => {
    const Quiet = { ...QUIET.Quiet, TimeZone: 'Asia/Atlantis' }
    const answer = await root.post('/UpdatePersonalConfig', { Notifications: { ...QUIET, Quiet } })
    expect(answer.status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { 'Notifications.Quiet.TimeZone': 'timeZone' },
    })
  })

  it('are read as another version stored them, with defaults for missing ones', async () => {
    const person = await world.createUser(root)
    await person.post('/UpdatePersonalConfig', { Notifications: { ...QUIET, Least: 'critical' } })
    await world.db.query(sql`update personal_configs
      set notifications = notifications - 'TellCleared' #- '{Categories,guard}' || '{"Sound": true}'
      where cognito_id = ${person.cognitoId}`)
    expect((await config(person)).results.Notifications).toEqual({ ...QUIET, Least: 'critical' })
    await world.db.query(
      sql`update personal_configs set notifications = '"none"' where cognito_id = ${person.cognitoId}`,
    )
    expect((await config(person)).results.Notifications).toEqual(DEFAULT_NOTIFICATION_SETTINGS)
    await world.db.query(
      sql`update personal_configs set notifications = null where cognito_id = ${person.cognitoId}`,
    )
    expect((await config(person)).results.Notifications).toEqual(DEFAULT_NOTIFICATION_SETTINGS)
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

  it('reject what no screen can show', async () => {
    for (const bad of [
      { DecimalPrecision: 7 },
      { DecimalPrecision: 1.5 },
      { Language: 'fr' },
      { Theme: 'x' },
      { SavedViews: [{ List: 'device', Name: '  ', Query: 'room=2', HomeID: null }] },
      { SavedViews: [{ List: 'device', Name: '\0', Query: 'room=2', HomeID: null }] },
      { SavedViews: [{ List: 'device', Name: 'long', Query: `q=${'x'.repeat(499)}`, HomeID: null }] },
      {
        SavedViews: [
          { List: 'device', Name: 'longer once encoded', Query: `q=${'燈'.repeat(100)}`, HomeID: null },
        ],
      },
      {
        SavedViews: Array.from({ length: 21 }, (_, i) => ({
          List: 'device',
          Name: `${i}`,
          Query: 'q=a',
          HomeID: null,
        })),
      },
    ])
      expect((await root.post('/UpdatePersonalConfig', bad)).status.code).toBe(ERRORS.INVALID.code)
  })

  it('store of a saved view what the device list has in its address, and notify every screen', async () => {
    const person = await world.createUser(root)
    const { events } = world.gateway
    const heard: unknown[] = []
    const off = events.on('personalConfigChanged', ({ config }) => void heard.push(config.SavedViews))
    const answer = await person.post('/UpdatePersonalConfig', {
      SavedViews: [
        {
          List: 'device',
          Name: ' 走廊的燈 ',
          Query: 'device=x&sort=-room&q=燈&kind=LightSwitch&room=2&evil=1',
          HomeID: 'h1',
        },
        {
          List: 'device',
          Name: 'nothing of the list',
          Query: 'kind=Dragon&room=-1&sort=color&q=%',
          HomeID: null,
        },
      ],
    })
    off()
    const views = [
      {
        List: 'device',
        Name: '走廊的燈',
        Query: 'q=%E7%87%88&kind=LightSwitch&room=2&sort=-room',
        HomeID: 'h1',
      },
      { List: 'device', Name: 'nothing of the list', Query: '', HomeID: null },
    ]
    expect(answer.results.SavedViews).toEqual(views)
    expect((await config(person)).results.SavedViews).toEqual(views)
    expect(heard).toEqual([views])
    expect((await config(root)).results.SavedViews).toEqual([])
  })
})

describe('the current user', () => {
  it('has every right as the owner, and the own ones otherwise', async () => {
    const me = (await root.post('/GetPersonalPermissions')).results
    expect(me.CognitoId).toBe(me.RootCognitoId)
    expect(me.Permissions).toHaveLength(21)
    const person = await world.createUser(root, [{ FeatureKey: 'room', OperationList: ['Read'] }])
    expect((await person.post('/GetPersonalPermissions')).results.Permissions).toEqual([
      { FeatureKey: 'room', OperationList: ['Read'] },
    ])
  })

  it('is invalidated with a revoked session', async () => {
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
