import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createAdapters,
  createWebhookClient,
} from '../../../../gateway/features/notification-channels/webhook-client.ts'
import { sealSecret } from '../../../../gateway/features/notification-channels/store.ts'
import { createChannelTransport } from '../../../../gateway/features/notification-channels/transport.ts'
import { createSealer } from '../../../../gateway/lib/seal.ts'
import type {
  OutgoingMessage,
  NotificationEvent,
} from '../../../../gateway/domain/notifications/notification-transport.ts'
import { systemRandom } from '../../../../gateway/kernel/ports.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import {
  type ReceivedRequest,
  type ChannelServices,
  startChannelServices,
} from '../../../support/channel-services.ts'
import { SECRET } from '../../../support/user-pool.ts'
import { rights, startWorld, type Caller, type World } from '../../../support/world.ts'

const message: OutgoingMessage = {
  id: '00000000-0000-4000-8000-000000000001',
  notificationId: null,
  title: '警報：空壓機 A',
  body: '電流 52.3 A，超過上限 50 A。',
  path: '/Alarm/h1?tab=live',
  topic: 'alarm:1',
  category: 'alarm',
  severity: 'critical',
  homeId: 'h1',
  alarmId: 'a1',
  acknowledgeToken: null,
  unread: null,
  language: 'zh-TW',
  at: 1_700_000_000_000,
}
const notice = (more: Partial<NotificationEvent> = {}): NotificationEvent => ({
  tenant: root.tenant,
  homeId: null,
  category: 'alarm',
  severity: 'critical',
  kind: 'alarmRaised',
  alarmId: null,
  values: {},
  path: null,
  to: { access: 'signed-in' },
  topic: null,
  at: 0,
  ...more,
})

let world: World
let root: Caller
let told: NotificationEvent[]
let base: string
let other: ChannelServices
const sealer = createSealer(SECRET, 'notification channels')
const isLocal = (address: string) => address === '127.0.0.1'
const wayOf = (isAllowed: (address: string) => boolean = isLocal) =>
  createChannelTransport({
    db: world.db,
    clock: world.clock,
    sealer,
    client: createWebhookClient(isAllowed),
    adapters: createAdapters(base),
    publicUrl: 'https://board.example',
    notify: async (_, notices) => void told.push(...notices),
  })

/** Stores a channel as its call does, at an address that only tests use. */
async function addChannel(
  kind: string,
  secret: object,
  more: { budget?: number; homes?: string[]; least?: string } = {},
) {
  const id = systemRandom.uuid()
  await world.db.query(sql`
    insert into notification_channels (tenant, notification_channel_id, channel_name, kind, enabled, language, categories, least,
      home_ids, monthly_budget, secret, hint)
    values (${root.tenant}, ${id}, ${id}, ${kind}, true, 'zh-TW', '["alarm"]'::jsonb, ${more.least ?? 'critical'},
      ${JSON.stringify(more.homes ?? [])}::jsonb, ${more.budget ?? null}::int, ${sealSecret(sealer, root.tenant, id, secret)}, 'x')`)
  return id
}
const rowOf = async (id: string) =>
  ((await root.post('/ListNotificationChannel')).results as { NotificationChannelID: string }[]).find(
    ({ NotificationChannelID }) => NotificationChannelID === id,
  )

beforeAll(async () => {
  other = await startChannelServices({ tokens: ['token', 'channel access token'] })
  base = other.base
  world = await startWorld({ config: { webhookNetworks: '127.0.0.1', lineApi: base } })
  root = await world.signUp()
})
afterAll(async () => {
  await world.close()
  await other.close()
})
beforeEach(async () => {
  other.reset()
  told = []
  await world.db.query(sql`delete from notification_channels`)
})

describe('a message through a channel', () => {
  it('is signed for a webhook, with the full address of its page', async () => {
    const id = await addChannel('webhook', { Address: `${base}/hook`, Token: 'shared secret' })
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'sent' })
    const [{ body, headers } = {} as ReceivedRequest] = other.asked
    expect(headers['x-signature-256']).toBe(
      `sha256=${createHmac('sha256', 'shared secret').update(body).digest('hex')}`,
    )
    expect(JSON.parse(body)).toMatchObject({
      Version: 1,
      Title: message.title,
      Text: message.body,
      Url: 'https://board.example/Alarm/h1?tab=live',
      Severity: 'critical',
      HomeID: 'h1',
    })
    expect(await rowOf(id)).toMatchObject({
      LastError: null,
      LastSentAt: world.clock.now(),
      SentThisMonth: 1,
    })
  })

  it('is an adaptive card for Teams with escaped user text', async () => {
    const id = await addChannel('teams', { Address: `${base}/workflow` })
    await wayOf().send(root.tenant, id, { ...message, title: '[Click](http://x) *A*' })
    const card = JSON.parse(other.asked[0]?.body ?? '{}').attachments[0]
    expect(card.contentType).toBe('application/vnd.microsoft.card.adaptive')
    expect(card.content.body[0]).toMatchObject({
      text: '\\[Click\\]\\(http://x\\) \\*A\\*',
      color: 'attention',
    })
    expect(card.content.actions[0].url).toBe('https://board.example/Alarm/h1?tab=live')
  })

  it('is a push of LINE, counted by recipients, until the budget is used up', async () => {
    const id = await addChannel('line', { Token: 'token', Target: 'C1234' }, { budget: 20 })
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'sent' })
    expect(other.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v2/bot/group/C1234/members/count',
      'POST /v2/bot/message/push',
    ])
    const [, push] = other.asked
    expect(push?.headers.authorization).toBe('Bearer token')
    expect(push?.headers['x-line-retry-key']).toMatch(/^[\da-f-]{36}$/)
    expect(JSON.parse(push?.body ?? '')).toMatchObject({ to: 'C1234', messages: [{ type: 'text' }] })
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'failed', reason: 'budget' })
    expect(await rowOf(id)).toMatchObject({ SentThisMonth: 12, LastError: 'budget' })
    await world.db.query(sql`update notification_channels set month = '2025-12'`)
    expect(await rowOf(id)).toMatchObject({ SentThisMonth: 0 })
  })

  it.each([
    [201, 'sent'],
    [204, 'sent'],
    [302, 'failed'],
    [401, 'failed'],
    [404, 'failed'],
    [500, 'retry'],
    [503, 'retry'],
  ])('with the response %s is %s', async (status, is) => {
    other.state.fails = { status }
    const id = await addChannel('webhook', { Address: `${base}/hook`, Token: 'shared secret' })
    expect(await wayOf().send(root.tenant, id, message)).toMatchObject({ status: is })
  })

  it('waits as long as the other side asks for', async () => {
    other.state.fails = { status: 429, headers: { 'retry-after': '30' } }
    const id = await addChannel('teams', { Address: `${base}/workflow` })
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'retry', after: 30_000 })
  })

  it('ignores an endless response, and is not sent to internal addresses', async () => {
    other.state.endless = true
    const id = await addChannel('webhook', { Address: `${base}/hook`, Token: 'shared secret' })
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'sent' })
    other.asked.length = 0
    expect(await wayOf(() => false).send(root.tenant, id, message)).toEqual({
      status: 'failed',
      reason: 'forbiddenAddress',
    })
    expect(other.asked).toEqual([])
  })

  it('is sent when the other side confirms it and then sends its body slowly', async () => {
    const server = createServer((_, answer) => {
      answer.writeHead(200)
      answer.write('o')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const outside = createWebhookClient(isLocal, 50)
    expect(await outside.send(`http://127.0.0.1:${port}/`, { body: '{}' })).toMatchObject({ status: 200 })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('is the same message for LINE at each attempt, sent and charged once', async () => {
    const id = await addChannel('line', { Token: 'token', Target: 'C1234' }, { budget: 20 })
    other.state.loses = true
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'retry', after: null })
    other.state.loses = false
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'sent' })
    const keys = other.asked
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers['x-line-retry-key'])
    expect(keys).toEqual([message.id, message.id])
    expect(other.delivered).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ SentThisMonth: 12, LastError: null })
  })

  it('has the same ID for a webhook at each attempt', async () => {
    const id = await addChannel('webhook', { Address: `${base}/hook`, Token: 'shared secret' })
    other.state.loses = true
    await wayOf().send(root.tenant, id, message)
    other.state.loses = false
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'sent' })
    expect(other.asked.map(({ body }) => JSON.parse(body).ID)).toEqual([message.id, message.id])
    expect(other.delivered).toEqual([message.title])
  })

  it('is suspended for the month when LINE says so, whatever the budget', async () => {
    const id = await addChannel('line', { Token: 'token', Target: 'U1' }, { budget: 200 })
    other.state.monthlyLimit = 0
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'failed', reason: 'budget' })
    expect(await rowOf(id)).toMatchObject({ SentThisMonth: 0, LastError: 'budget' })
    other.state.fails = { status: 429, body: '{"message":"The API rate limit has been exceeded."}' }
    expect(await wayOf().send(root.tenant, id, message)).toMatchObject({ status: 'retry' })
  })

  it('is rejected by LINE with a wrong token', async () => {
    const id = await addChannel('line', { Token: 'old token', Target: 'U1' })
    expect(await wayOf().send(root.tenant, id, message)).toEqual({ status: 'failed', reason: 'refused' })
  })

  it('costs no more than the budget with any number of concurrent messages', async () => {
    const id = await addChannel('line', { Token: 'token', Target: 'C1234' }, { budget: 30 })
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        wayOf().send(root.tenant, id, { ...message, id: `00000000-0000-4000-8000-00000000000${i}` }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'sent')).toHaveLength(2)
    expect(other.state.sent).toBe(24)
    expect(await rowOf(id)).toMatchObject({ SentThisMonth: 24 })
  })

  it('that was rejected costs nothing', async () => {
    const id = await addChannel('line', { Token: 'token', Target: 'C1234' }, { budget: 20 })
    other.state.fails = { status: 400 }
    await wayOf().send(root.tenant, id, message)
    expect(await rowOf(id)).toMatchObject({ SentThisMonth: 0 })
  })

  it('notifies channel administrators once when a channel begins to fail', async () => {
    other.state.fails = { status: 403 }
    const id = await addChannel('webhook', { Address: `${base}/hook`, Token: 'shared secret' })
    await wayOf().send(root.tenant, id, message)
    await wayOf().send(root.tenant, id, message)
    expect(told).toMatchObject([{ kind: 'channelFailed', values: { reason: 'refused' } }])
    other.state.fails = undefined
    await wayOf().send(root.tenant, id, message)
    other.state.fails = { status: 403 }
    await wayOf().send(root.tenant, id, message)
    expect(told).toHaveLength(2)
  })

  it('of a deleted channel is deleted', async () => {
    expect(await wayOf().send(root.tenant, 'none', message)).toEqual({ status: 'gone' })
  })
})

describe('the channels for a notification', () => {
  it('are those that match its category, severity and home', async () => {
    const all = await addChannel('webhook', { Address: 'https://example.com', Token: 'shared secret' })
    const mild = await addChannel('webhook', {}, { least: 'info' })
    const one = await addChannel('webhook', {}, { homes: ['h1'] })
    const targets = async (more: Partial<NotificationEvent>) =>
      (await wayOf().readSubscribedTargets(world.db, notice(more))).map(({ target }) => target).toSorted()
    expect(await targets({ homeId: 'h1' })).toEqual([all, mild, one].toSorted())
    expect(await targets({ homeId: 'h2' })).toEqual([all, mild].toSorted())
    expect(await targets({ severity: 'warning' })).toEqual([mild])
    expect(await targets({ category: 'broadcast' })).toEqual([])
    const named = { to: { access: 'signed-in' as const, channels: [mild, 'gone'] } }
    expect(await targets({ ...named, category: 'broadcast' }), 'named by a step of an escalation').toEqual([
      mild,
    ])
    const off = await root.post('/UpdateNotificationChannel', { NotificationChannelID: all, Enabled: false })
    expect(off.results).toMatchObject({ Enabled: false })
    expect(await targets({})).toEqual([mild])
  })
})

describe('the calls of channels', () => {
  const given = {
    ChannelName: '值班群組',
    Kind: 'line',
    Token: 'channel access token',
    Target: 'U1234567890abcdef',
    MonthlyBudget: 200,
  }

  it('add, change and delete one, and never show its secret', async () => {
    const made = await root.post('/CreateNotificationChannel', given)
    expect(made.results).toMatchObject({
      ChannelName: '值班群組',
      Hint: '…cdef',
      Least: 'critical',
      Version: 1,
    })
    const { NotificationChannelID } = made.results
    const changed = await root.post('/UpdateNotificationChannel', {
      NotificationChannelID,
      ChannelName: '夜班',
      Version: 1,
    })
    expect(changed.results).toMatchObject({ ChannelName: '夜班', Version: 2 })
    const stored = await world.db.query(sql`select * from notification_channels`)
    const audited = await world.db.query(sql`select * from audit_log where path like '%NotificationChannel'`)
    expect(JSON.stringify([made, changed, stored, audited])).not.toContain('channel access token')
    const old = await root.post('/UpdateNotificationChannel', {
      NotificationChannelID,
      Enabled: false,
      Version: 1,
    })
    expect(old.status.code).not.toBe(0)
    await root.post('/DeleteNotificationChannel', { NotificationChannelID })
    expect((await root.post('/ListNotificationChannel')).results).toEqual([])
  })

  it('reject missing or unsupported parts, duplicate names, and unknown homes', async () => {
    const errors = async (more: object) =>
      (await root.post('/CreateNotificationChannel', { ...given, ...more })).status.fields
    expect(await errors({ Target: undefined })).toEqual({ Target: 'required' })
    expect(await errors({ Kind: 'teams', Token: undefined, Target: undefined })).toEqual({
      Address: 'required',
    })
    expect(await errors({ Address: 'https://example.com' })).toEqual({ Address: 'invalid' })
    expect(await errors({ HomeIDs: ['none'] })).toEqual({ 'HomeIDs.0': 'notFound' })
    await root.post('/CreateNotificationChannel', given)
    expect(await errors({ ChannelName: '值班群組' })).toEqual({ ChannelName: 'taken' })
  })

  it('reject an address that is internal, contains a password, or is not https', async () => {
    const error = async (Address: string) =>
      (
        await root.post('/CreateNotificationChannel', {
          ChannelName: 'w',
          Kind: 'webhook',
          Token: 'shared secret',
          Address,
        })
      ).status.fields
    for (const address of [
      'https://10.0.0.7/hook',
      'https://192.168.1.1',
      'https://169.254.169.254/latest',
      'https://[fd00::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://a:b@8.8.8.8/',
      'http://8.8.8.8/',
      'ftp://8.8.8.8/',
    ])
      expect(await error(address), address).toEqual({ Address: 'address' })
  })

  it('allow at most twenty channels', async () => {
    for (let i = 0; i < 20; i++)
      await root.post('/CreateNotificationChannel', { ...given, ChannelName: `c${i}` })
    expect((await root.post('/CreateNotificationChannel', given)).status.error).toContain('20')
  })

  it('test a channel, return the result, and are rate-limited', async () => {
    const { results } = await root.post('/CreateNotificationChannel', given)
    const { NotificationChannelID } = results
    const test = () => root.post('/TestNotificationChannel', { NotificationChannelID })
    expect((await test()).results).toEqual({ Sent: true, Error: null })
    expect(JSON.parse(other.asked[0]?.body ?? '').messages[0].text).toContain('測試訊息')
    expect((await test()).http).toBe(429)
    world.clock.advance(10_000)
    other.state.fails = { status: 401 }
    expect((await test()).results).toEqual({ Sent: false, Error: 'refused' })
  })

  it('require rights on the company, and cover only the own one', async () => {
    const { NotificationChannelID } = (await root.post('/CreateNotificationChannel', given)).results
    const reader = await world.createUser(root, [rights('company', 'Read')])
    expect((await reader.post('/ListNotificationChannel')).results).toHaveLength(1)
    expect((await reader.post('/TestNotificationChannel', { NotificationChannelID })).http).toBe(403)
    const stranger = await world.signUp('stranger@x.tw')
    expect((await stranger.post('/DeleteNotificationChannel', { NotificationChannelID })).http).toBe(404)
  })
})
