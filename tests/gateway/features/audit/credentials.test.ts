import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

/** All audit rows as text. */
const audit = async () =>
  JSON.stringify((await world.db.pool.query('select input, before, after from audit_log')).rows)

it('contains no address of a webhook or of Teams', async () => {
  for (const [Kind, path] of [
    ['teams', 'workflows/teams-credential'],
    ['webhook', 'hooks/webhook-credential'],
  ]) {
    const Address = `https://8.8.8.8/${path}`
    const given = {
      ChannelName: Kind,
      Kind,
      Address,
      ...(Kind === 'webhook' && { Token: 'token-credential' }),
    }
    const made = await root.post('/CreateNotificationChannel', given)
    expect(made.status).toEqual({ code: 0 })
    const { NotificationChannelID, Version } = made.results
    const changed = { NotificationChannelID, Version, Address: `https://8.8.8.8/${path}-2` }
    expect((await root.post('/UpdateNotificationChannel', changed)).status.code).toBe(0)
  }
  expect(await audit()).not.toContain('credential')
})

it('contains no endpoint or key of a push subscription', async () => {
  const SubscriptionInfo = {
    endpoint: 'https://fcm.googleapis.com/fcm/send/push-credential',
    keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'YXV0aC1jcmVkZW50aWFsIQ' },
  }
  await root.post('/WebPushSubscriptionSetting', { Status: 'ENABLE', SubscriptionInfo })
  const rows = await audit()
  for (const secret of ['push-credential', SubscriptionInfo.keys.auth, SubscriptionInfo.keys.p256dh])
    expect(rows).not.toContain(secret)
})

it('contains no Thread key, even of a new home', async () => {
  const ThreadNetworkKey = '00112233445566778899aabbccddeeff'
  const { HomeID } = (await root.post('/CreateHome', { HomeName: 'h', TimeZone: 'Asia/Taipei' })).results
  await root.post('/UpdateHomeInfo', { HomeID, ThreadNetworkKey })
  expect(await audit()).not.toContain(ThreadNetworkKey)
})
