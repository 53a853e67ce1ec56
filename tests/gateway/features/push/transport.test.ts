import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OutgoingMessage } from '../../../../gateway/domain/notifications/notification-transport.ts'
import { hashOf } from '../../../../gateway/features/push/subscriptions.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import type { PushAnswer, PushBrowser } from '../../../support/push-service.ts'
import { API_KEY, type Caller } from '../../../support/world.ts'
import { SECRET } from '../../../support/user-pool.ts'
import { enable, messageOf, type PushWorld, startPushWorld, targetOf, wayOf } from './push-world.ts'

const DAY = 86_400_000

let world: PushWorld
let root: Caller

beforeAll(async () => {
  world = await startPushWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

interface Reached {
  person: Caller
  browser: PushBrowser
  target: string
  send: (change?: Partial<OutgoingMessage>) => ReturnType<PushWorld['way']['send']>
}

/** Person with one browser. */
async function reach(): Promise<Reached> {
  const person = await world.createUser(root)
  const browser = world.service.subscribe()
  await enable(person, browser.info)
  const target = await targetOf(world, person)
  return {
    person,
    browser,
    target,
    send: (change) => world.way.send(person.tenant, target, messageOf(change)),
  }
}

const targets = ({ person }: Reached) => world.way.readTargets(world.db, person.tenant, [person.cognitoId])
const charactersOf = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
const payloadOf = ({ messages }: PushBrowser) => JSON.parse(messages.at(-1)?.payload ?? '{}')

describe('a message', () => {
  it('is signed and encrypted, as a declarative push message that a worker can also read', async () => {
    const { browser, send } = await reach()
    expect(await send({ acknowledgeToken: 'once', severity: 'critical' })).toEqual({ status: 'sent' })
    expect(world.service.faults).toEqual([])
    expect(browser.messages[0]).toMatchObject({
      subject: 'mailto:push@example.com',
      ttl: 86_400,
      urgency: 'high',
    })
    expect(payloadOf(browser)).toEqual({
      web_push: 8030,
      mutable: true,
      notification: {
        title: '東廠 1F 偵測到煙霧',
        body: '煙霧感測器回報火警，請立即查看。',
        lang: 'zh-TW',
        navigate: 'https://b.example/Alarm/h1?tab=live&alarm=7b0e4d1c-0000-4000-8000-000000000001',
        tag: browser.messages[0]?.topic,
        timestamp: Date.UTC(2026, 0, 5, 1),
        renotify: true,
        requireInteraction: true,
        actions: [
          {
            action: 'acknowledge',
            title: '標為已知悉',
            navigate: 'https://b.example/Alarm/h1?tab=live&alarm=7b0e4d1c-0000-4000-8000-000000000001',
          },
        ],
        data: {
          acknowledge: {
            token: 'once',
            apiKey: API_KEY,
            acknowledged: expect.any(String),
            refused: expect.any(String),
            failed: expect.any(String),
          },
        },
      },
    })
  })

  it('is kept for four hours, is urgent only if critical, and offers no action without a token', async () => {
    const { browser, send } = await reach()
    await send({ severity: 'warning', language: 'en-US', path: null })
    expect(browser.messages[0]).toMatchObject({ ttl: 14_400, urgency: 'normal' })
    const { notification } = payloadOf(browser)
    expect(notification).toMatchObject({ lang: 'en-US', navigate: 'https://b.example/historyNotification' })
    expect(notification).not.toHaveProperty('actions')
    expect(notification.data).not.toHaveProperty('acknowledge')
  })

  it('has an opaque topic that is the same for one alarm and different for another', async () => {
    const { browser, send } = await reach()
    await send({ topic: 'alarm:1' })
    await send({ topic: 'alarm:1' })
    await send({ topic: 'alarm:2' })
    await send({ topic: null })
    const [first, again, other, none] = browser.messages.map(({ topic }) => topic)
    expect(first).toMatch(/^[\w-]{32}$/)
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    expect(none).toBeUndefined()
  })

  it.each([
    ['Chinese', '警'.repeat(4_000)],
    ['characters of several parts', '👩‍🚒'.repeat(1_000)],
    ['quotes and lines', '"\\\n'.repeat(3_000)],
  ])('that is too long, of %s, is cut between characters to 3,500 bytes', async (_, body) => {
    const { browser, send } = await reach()
    const token = 't'.repeat(512)
    expect(await send({ title: body, body, path: `/${'p'.repeat(511)}`, acknowledgeToken: token })).toEqual({
      status: 'sent',
    })
    expect(Buffer.byteLength(browser.messages[0]!.payload)).toBeLessThanOrEqual(3_500)
    const { notification } = payloadOf(browser)
    expect(notification.body).toMatch(/…$/)
    expect(body.startsWith(notification.body.slice(0, -1))).toBe(true)
    const whole = charactersOf(body)
    expect(charactersOf(notification.body.slice(0, -1)).every((each) => whole.includes(each))).toBe(true)
    expect(notification.data.acknowledge.token).toBe(token)
  })
})

describe('the response of a push service', () => {
  async function answers(given: PushAnswer) {
    const reached = await reach()
    reached.browser.answers = given
    return { ...reached, outcome: await reached.send() }
  }
  it.each([200, 201, 202])('%i means sent, and is stored with its time', async (status) => {
    const { outcome, person } = await answers({ status })
    expect(outcome).toEqual({ status: 'sent' })
    expect((await person.post('/ListPushSubscription')).results).toMatchObject([
      { LastSentAt: world.clock.now() },
    ])
  })

  it.each([404, 410])('%i deletes the browser', async (status) => {
    const reached = await answers({ status })
    expect(reached.outcome).toEqual({ status: 'gone' })
    expect(await targets(reached)).toEqual([])
    expect(await reached.send()).toEqual({ status: 'gone' })
  })

  it('413 fails and keeps the browser', async () => {
    const reached = await answers({ status: 413 })
    expect(reached.outcome).toEqual({ status: 'failed', reason: 'HTTP 413' })
    expect(await targets(reached)).toHaveLength(1)
  })

  it.each([
    [429, { 'retry-after': '120' }, 120_000],
    [503, { 'retry-after': new Date(Date.UTC(2026, 0, 5, 1, 5)).toUTCString() }, 300_000],
    [503, { 'retry-after': new Date(0).toUTCString() }, 0],
    [503, { 'retry-after': 'soon' }, null],
    [500, {}, null],
    [502, {}, null],
  ])('%i is retried, %j', async (status, headers, after) => {
    const { outcome } = await answers({ status, headers: headers as Record<string, string> })
    expect(outcome).toEqual({ status: 'retry', after })
  })

  it.each([400, 401, 403])(
    '%i fails, is logged without the endpoint, and pauses the browser until it registers or a day has passed',
    async (status) => {
      const from = world.log.lines.length
      const reached = await answers({ status })
      expect(reached.outcome).toEqual({ status: 'failed', reason: `HTTP ${status}` })
      const lines = world.log.lines.slice(from)
      expect(lines).toContainEqual({
        level: 'warn',
        fields: { subscriptionId: reached.target, status },
        text: 'push service refuses the gateway',
      })
      expect(JSON.stringify(lines)).not.toContain(new URL(reached.browser.info.endpoint).pathname)
      expect(await targets(reached)).toEqual([])
      world.clock.advance(DAY)
      expect(await targets(reached)).toHaveLength(1)
      world.clock.advance(-DAY)
      await enable(reached.person, reached.browser.info)
      expect(await targets(reached)).toHaveLength(1)
    },
  )

  it('with a redirect is not followed', async () => {
    const elsewhere = world.service.subscribe()
    const { outcome } = await answers({ status: 307, headers: { location: elsewhere.info.endpoint } })
    expect(outcome).toEqual({ status: 'failed', reason: 'HTTP 307' })
    expect(elsewhere.messages).toEqual([])
  })

  it('is read up to one kilobyte', async () => {
    const { outcome } = await answers({ status: 201, body: 'x'.repeat(20_000_000) })
    expect(outcome).toEqual({ status: 'sent' })
  })

  it('that takes over ten seconds is retried', async () => {
    const reached = await reach()
    reached.browser.answers = 'hang'
    const before = world.service.requests
    const sending = reached.send()
    await expect.poll(() => world.service.requests).toBe(before + 1)
    world.clock.advance(10_000)
    expect(await sending).toEqual({ status: 'retry', after: null })
    world.clock.advance(-10_000)
  })

  it('that is missing because the service is unreachable is retried', async () => {
    const reached = await reach()
    const { person, target } = reached
    const lost = await startPushWorld({
      database: { db: world.db, name: world.dbName, dropDatabase: async () => {} },
    })
    const browser = lost.service.subscribe()
    expect((await enable(lost.as(person), browser.info)).status.code).toBe(0)
    await lost.service.close()
    const second = (await targets(reached)).find((one) => one.target !== target)
    expect(second).toBeDefined()
    expect(await world.way.send(person.tenant, second!.target, messageOf())).toEqual({
      status: 'retry',
      after: null,
    })
  })
})

describe('a browser', () => {
  it('is sent to by every gateway of the database with the same key', async () => {
    const { person, browser, target } = await reach()
    await wayOf(world, { secret: SECRET }).send(person.tenant, target, messageOf())
    await world.way.send(person.tenant, target, messageOf())
    const keys = new Set(browser.messages.map(({ publicKey }) => publicKey))
    const config = (await world.gateway.http.inject('/config.json')).json()
    expect([...keys]).toEqual([config.WebPushKey])
  })

  it('sealed by another secret is deleted, and the key is replaced, until it registers', async () => {
    const { person, browser, target } = await reach()
    const other = wayOf(world, { secret: 'another secret, of twenty' })
    expect(await other.send(person.tenant, target, messageOf())).toEqual({ status: 'gone' })
    expect(
      await world.db.query(
        sql`select 1 from push_subscriptions where endpoint_hash = ${hashOf(browser.info.endpoint)}`,
      ),
    ).toEqual([])
  })
})

it('uses one key for two gateways that start at once', async () => {
  await world.db.query(sql`delete from push_keys`)
  const reached = await reach()
  const ways = [1, 2, 3].map(() => wayOf(world, { secret: SECRET }))
  await Promise.all(ways.map((way) => way.send(reached.person.tenant, reached.target, messageOf())))
  expect(new Set(reached.browser.messages.map(({ publicKey }) => publicKey)).size).toBe(1)
  expect(await world.db.query(sql`select 1 from push_keys`)).toHaveLength(1)
})
