import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import {
  MAX_SUBSCRIPTIONS,
  type PushSubscriptionRecord,
} from '../../../../contract/notifications/push-calls.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import type { Caller } from '../../../support/world.ts'
import { enable, messageOf, type PushWorld, remove, startPushWorld, targetOf } from './push-world.ts'

let world: PushWorld
let root: Caller

beforeAll(async () => {
  world = await startPushWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const listOf = async (caller: Caller) =>
  (await caller.post('/ListPushSubscription')).results as PushSubscriptionRecord[]
const audited = (path: string) =>
  world.db.query<{ input: unknown }>(sql`select input from audit_log where path = ${path} order by at`)

describe('a browser', () => {
  it('is stored by ENABLE, listed, and deleted by REMOVE; both can be repeated', async () => {
    const person = await world.createUser(root)
    const { info } = world.service.subscribe()
    for (const _ of [1, 2])
      expect(await enable(person, info)).toMatchObject({ status: { code: 0 }, results: { Status: 'ENABLE' } })
    expect(await listOf(person)).toEqual([
      {
        SubscriptionID: expect.any(String),
        EndpointHash: expect.stringMatching(/^[\da-f]{64}$/),
        UserAgent: expect.any(String),
        Since: world.clock.now(),
        LastSentAt: null,
      },
    ])
    for (const _ of [1, 2])
      expect(await remove(person, info)).toMatchObject({ status: { code: 0 }, results: { Status: 'REMOVE' } })
    expect(await listOf(person)).toEqual([])
  })

  it('is stored and audited without the data needed to send to it', async () => {
    const person = await world.createUser(root)
    const { info } = world.service.subscribe()
    await enable(person, info)
    const rows = await world.db.query(
      sql`select * from push_subscriptions where cognito_id = ${person.cognitoId}`,
    )
    const said = JSON.stringify([rows, await audited('/WebPushSubscriptionSetting'), world.log.lines])
    for (const secret of [info.endpoint, new URL(info.endpoint).pathname, info.keys.p256dh, info.keys.auth])
      expect(said).not.toContain(secret)
  })

  it('is audited when it is added, but not when it registers again', async () => {
    const before = (await audited('/WebPushSubscriptionSetting')).length
    const { info } = world.service.subscribe()
    for (const _ of [1, 2, 3]) await enable(root, info)
    const rows = await audited('/WebPushSubscriptionSetting')
    expect(rows.length).toBe(before + 1)
    expect(rows.at(-1)?.input).toEqual({ Status: 'ENABLE', Service: new URL(world.service.origin).host })
    await remove(root, info)
  })

  it('moves to the next user who signs in there, and gets no pending message of the previous one', async () => {
    const [former, next] = [await world.createUser(root), await world.createUser(root)]
    const browser = world.service.subscribe()
    await enable(former, browser.info)
    const target = await targetOf(world, former)
    await enable(next, browser.info)
    expect(await listOf(former)).toEqual([])
    expect(await listOf(next)).toHaveLength(1)
    expect(await world.way.send(former.tenant, target, messageOf())).toEqual({ status: 'gone' })
    expect(browser.messages).toEqual([])
    expect(await world.way.send(next.tenant, await targetOf(world, next), messageOf())).toEqual({
      status: 'sent',
    })
  })

  it('does not move to a user who knows its address but not its keys', async () => {
    const stranger = await world.signUp()
    const browser = world.service.subscribe()
    const person = await world.createUser(root)
    await enable(person, browser.info)
    const other = world.service.subscribe().info
    for (const keys of [other.keys, { ...browser.info.keys, auth: other.keys.auth }])
      expect(await enable(stranger, { ...browser.info, keys })).toMatchObject({
        status: { code: ERRORS.CONFLICT.code, fields: { 'SubscriptionInfo.endpoint': 'taken' } },
      })
    expect(await listOf(stranger)).toEqual([])
    expect(await listOf(person)).toHaveLength(1)
  })

  it('moves to a user of another company too, and is unreachable for the former one', async () => {
    const stranger = await world.signUp()
    const browser = world.service.subscribe()
    await enable(root, browser.info)
    await enable(stranger, browser.info)
    const target = await targetOf(world, stranger)
    expect(await world.way.send(root.tenant, target, messageOf())).toEqual({ status: 'gone' })
    expect(await world.way.send(stranger.tenant, target, messageOf())).toEqual({ status: 'sent' })
    expect(await world.way.readTargets(world.db, root.tenant, [stranger.cognitoId])).toEqual([])
  })

  it('is deleted by its id, only by its own user', async () => {
    const [person, other] = [await world.createUser(root), await world.createUser(root)]
    await enable(person, world.service.subscribe().info)
    const [{ SubscriptionID } = { SubscriptionID: '' }] = await listOf(person)
    expect((await other.post('/DeletePushSubscription', { SubscriptionID })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
    expect((await person.post('/DeletePushSubscription', { SubscriptionID })).results).toEqual({
      SubscriptionID,
    })
    expect(await listOf(person)).toEqual([])
  })

  it('beyond ten replaces the oldest, even if eleven come at once; an existing one can register', async () => {
    const person = await world.createUser(root)
    const browsers = Array.from({ length: MAX_SUBSCRIPTIONS + 1 }, () => world.service.subscribe().info)
    const answers = await Promise.all(browsers.map((info) => enable(person, info)))
    expect(answers.map(({ status }) => status.code).filter(Boolean)).toEqual([ERRORS.LIMIT_EXCEEDED.code])
    const there = browsers.filter((_, index) => answers[index]?.status.code === 0)
    expect((await enable(person, there[0]!)).status.code).toBe(0)
    expect(await listOf(person)).toHaveLength(MAX_SUBSCRIPTIONS)
  })

  it('is deleted with the session in which it registered, and kept with the others', async () => {
    const person = await world.createUser(root)
    const elsewhere = await world.signIn(person.email, person.password)
    await enable(person, world.service.subscribe().info)
    await enable(elsewhere, world.service.subscribe().info)
    const sessions = (await person.post('/ListSessions')).results as { SessionID: string; Current: boolean }[]
    const other = sessions.find(({ Current }) => !Current)
    await person.post('/RevokeSession', { SessionID: other?.SessionID })
    expect(await listOf(person)).toHaveLength(1)
    await root.post('/DeleteUser', { Email: person.email })
    expect(await world.way.readTargets(world.db, person.tenant, [person.cognitoId])).toEqual([])
  })

  it('of a disabled user gets no more messages', async () => {
    const person = await world.createUser(root)
    await enable(person, world.service.subscribe().info)
    await world.db.query(sql`update users set enabled = false where cognito_id = ${person.cognitoId}`)
    expect(await world.way.readTargets(world.db, person.tenant, [person.cognitoId])).toEqual([])
  })
})

describe('a subscription is rejected', () => {
  const given = () => world.service.subscribe().info
  const origin = 'https://fcm.googleapis.com'
  it.each([
    ['a host that is no push service', 'https://example.com/push'],
    ['a host that only ends like one', 'https://evilfcm.googleapis.com/x'],
    ['a host that begins like one', 'https://fcm.googleapis.com.example.com/x'],
    ['the bare host of a family', 'https://push.apple.com/x'],
    ['http', 'http://fcm.googleapis.com/fcm/send/x'],
    ['another port', 'https://fcm.googleapis.com:8443/x'],
    ['credentials', 'https://me:secret@fcm.googleapis.com/x'],
    ['a private address', 'https://192.168.1.10/x'],
    ['this machine', 'https://127.0.0.1/x'],
    ['this machine in another way of writing', 'https://2130706433/x'],
    ['an address of six', 'https://[::1]/x'],
    ['the address of a cloud machine itself', 'https://169.254.169.254/latest/meta-data'],
    ['another scheme', 'file:///etc/passwd'],
    ['what is no address', 'not an address'],
    ['one that is too long', `${origin}/${'x'.repeat(1_024)}`],
  ])('with %s as endpoint', async (_, endpoint) => {
    const answer = await enable(root, { ...given(), endpoint })
    expect(answer.status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { 'SubscriptionInfo.endpoint': 'endpoint' },
    })
  })

  it.each([
    ['p256dh', 'too short', 'BAAA'],
    ['p256dh', 'a byte too long', Buffer.alloc(66, 4).toString('base64url')],
    ['p256dh', 'no point of the curve', Buffer.alloc(65, 4).toString('base64url')],
    ['p256dh', 'no base64url', `${'?'.repeat(87)}`],
    ['auth', 'too short', Buffer.alloc(15).toString('base64url')],
    ['auth', 'too long', Buffer.alloc(17).toString('base64url')],
  ])('with a key %s that is %s', async (name, _, value) => {
    const info = given()
    const answer = await enable(root, { ...info, keys: { ...info.keys, [name]: value } })
    expect(answer.status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { [`SubscriptionInfo.keys.${name}`]: 'invalid' },
    })
  })

  it('without changing existing browsers', async () => {
    const { keys } = given()
    for (const endpoint of [
      `${origin}/fcm/send/abc:def`,
      'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
      'https://wns2-par02p.notify.windows.com/w/?token=abc',
      'https://web.push.apple.com/QGuQ',
    ]) {
      expect((await enable(root, { endpoint, keys })).status.code).toBe(0)
      await remove(root, { endpoint, keys })
    }
  })
})
