import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { MAX_BROADCASTS_PER_DAY } from '../../../../contract/notifications/push-calls.ts'
import { broadcast } from '../../../../gateway/features/push/calls.ts'
import type {
  NotificationAudience,
  CountRecipients,
  NotificationEvent,
} from '../../../../gateway/domain/notifications/notification-transport.ts'
import type { SignedIn } from '../../../../gateway/kernel/context.ts'
import { systemRandom } from '../../../../gateway/kernel/ports.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Caller, rights } from '../../../support/world.ts'
import { enable, type PushWorld, startPushWorld } from './push-world.ts'

const DAY = 86_400_000

let world: PushWorld
let root: Caller

beforeAll(async () => {
  world = await startPushWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

describe('a test of push', () => {
  it("counts sent, expired and failed browsers, in the user's language", async () => {
    const person = await world.createUser(root)
    await world.db.query(sql`
      insert into personal_configs (tenant, cognito_id, notification, custom_dashboard, decimal_precision, language)
      values (${person.tenant}, ${person.cognitoId}, true, 'DEFAULT', 2, 'en-US')`)
    const [taken, gone, failing, refusing] = [0, 1, 2, 3].map(() => world.service.subscribe())
    for (const browser of [taken, gone, failing, refusing]) await enable(person, browser!.info)
    gone!.answers = { status: 410 }
    failing!.answers = { status: 500 }
    refusing!.answers = { status: 403 }
    expect((await person.post('/TestWebPush')).results).toEqual({ Sent: 1, Gone: 1, Failed: 2 })
    expect(JSON.parse(taken!.messages[0]!.payload).notification).toMatchObject({
      title: 'Test notification',
      lang: 'en-US',
      navigate: '/ChangeNotificationSetting',
    })
    expect((await person.post('/TestWebPush')).results).toEqual({ Sent: 1, Gone: 0, Failed: 2 })
  })

  it('reports that nothing was sent if there is no browser', async () => {
    const person = await world.createUser(root)
    expect((await person.post('/TestWebPush')).results).toEqual({ Sent: 0, Gone: 0, Failed: 0 })
  })

  it('waits five seconds for an unresponsive push service without blocking others', async () => {
    const person = await world.createUser(root)
    const browser = world.service.subscribe()
    browser.answers = 'hang'
    await enable(person, browser.info)
    const before = world.service.requests
    const testing = person.post('/TestWebPush')
    await expect.poll(() => world.service.requests).toBe(before + 1)
    expect((await enable(person, browser.info)).status.code).toBe(0)
    world.clock.advance(5_000)
    expect((await testing).results).toEqual({ Sent: 0, Gone: 0, Failed: 1 })
  })

  it('is limited to five per minute', async () => {
    const person = await world.createUser(root)
    for (let count = 0; count < 5; count++) expect((await person.post('/TestWebPush')).status.code).toBe(0)
    const sixth = await person.post('/TestWebPush')
    expect(sixth.status.code).toBe(ERRORS.LIMIT_EXCEEDED.code)
    world.clock.advance(60_000)
    expect((await person.post('/TestWebPush')).status.code).toBe(0)
  })
})

describe('a broadcast', () => {
  const asked = { Title: '停水通知', Text: '本週六 09:00 至 12:00 停水。' }
  const send = (caller: Caller, change: object = {}) =>
    caller.post('/WebPushBroadcast', { ...asked, ...change })

  it('requires the right to change the company, and is counted by its recipients', async () => {
    const owner = await world.signUp()
    const HomeID = (await owner.post('/CreateHome', { HomeName: '總公司', TimeZone: 'Asia/Taipei' })).results
      .HomeID
    const { DepartmentID } = (await owner.post('/CreateDepartment', { Department: '廠務' })).results
    const nobody = await world.createUser(owner, [])
    const knowing = await world.createUser(owner, [rights('device', 'Read')])
    const away = await world.createUser(owner, [rights('device', 'Read')])
    await owner.post('/UpdateUserInfo', { Email: knowing.email, DepartmentID })
    await world.db.query(sql`update users set enabled = false where cognito_id = ${away.cognitoId}`)

    expect((await send(nobody)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
    expect((await send(owner)).results).toEqual({ Recipients: 3 })
    expect((await send(owner, { HomeID })).results).toEqual({ Recipients: 2 })
    expect((await send(owner, { DepartmentIDs: [DepartmentID, DepartmentID] })).results).toEqual({
      Recipients: 1,
    })
    expect((await send(owner, { HomeID, DepartmentIDs: [DepartmentID] })).results).toEqual({ Recipients: 1 })
    expect((await send(owner, { DepartmentIDs: [] })).results).toEqual({ Recipients: 0 })
    const rows = await world.db.query<{ input: object }>(sql`
      select input from audit_log where path = '/WebPushBroadcast' and tenant = ${owner.tenant} order by at`)
    expect(rows).toHaveLength(5)
    expect(rows[1]?.input).toMatchObject({ ...asked, HomeID, Severity: 'info' })
  })

  it('is sent once, to its recipients', async () => {
    const owner = await world.signUp()
    const HomeID = (await owner.post('/CreateHome', { HomeName: '總公司', TimeZone: 'Asia/Taipei' })).results
      .HomeID
    const told: NotificationEvent[] = []
    const context = {
      db: world.db,
      actor: owner,
      clock: world.clock,
      random: systemRandom,
    } as unknown as SignedIn
    const notify = async (_: unknown, notices: readonly NotificationEvent[]) => void told.push(...notices)
    const counted: NotificationAudience[] = []
    const countRecipients: CountRecipients = async (_, __, to) => counted.push(to) + 6
    const answer = await broadcast({ ...asked, HomeID, Severity: 'warning' }, context, {
      notify,
      countRecipients,
    })
    expect(answer, 'those who are told are those who are counted').toEqual({ Recipients: 7 })
    expect(counted).toEqual(told.map(({ to }) => to))
    expect(told).toEqual([
      {
        tenant: owner.tenant,
        homeId: HomeID,
        category: 'broadcast',
        severity: 'warning',
        kind: 'broadcast',
        alarmId: null,
        values: { title: asked.Title, text: asked.Text },
        path: null,
        to: { access: 'homes' },
        topic: expect.stringMatching(/^broadcast:/),
        at: world.clock.now(),
      },
    ])
  })

  it('is limited to ten a day per company, even if eleven come at once', async () => {
    const owner = await world.signUp()
    const answers = await Promise.all(
      Array.from({ length: MAX_BROADCASTS_PER_DAY + 1 }, (_, number) => send(owner, { Text: `${number}` })),
    )
    expect(answers.map(({ status }) => status.code).filter(Boolean)).toEqual([ERRORS.LIMIT_EXCEEDED.code])
    expect((await send(root)).status.code).toBe(0)
    world.clock.advance(DAY)
    const later = await world.signIn(owner.email, owner.password)
    expect((await send(later)).status.code).toBe(0)
    world.clock.advance(-DAY)
  })

  it('repeated with its RequestID is the same', async () => {
    const owner = await world.signUp()
    const RequestID = 'the-same-broadcast'
    for (const _ of [1, 2]) expect((await send(owner, { RequestID })).results).toEqual({ Recipients: 1 })
    expect(
      await world.db.query(sql`select 1 from push_broadcasts where tenant = ${owner.tenant}`),
    ).toHaveLength(1)
  })

  it.each([
    [
      'a home of another company',
      async (other: Caller) => ({
        HomeID: (await other.post('/CreateHome', { HomeName: 'x', TimeZone: 'Asia/Taipei' })).results.HomeID,
      }),
    ],
    ['a department that there is not', async () => ({ DepartmentIDs: ['nowhere'] })],
  ])('does not find %s', async (_, change) => {
    const other = await world.signUp()
    expect((await send(root, await change(other))).status.code).toBe(ERRORS.NOT_FOUND.code)
  })

  it.each([
    ['no title', { Title: ' ' }],
    ['a title that is too long', { Title: 'x'.repeat(65) }],
    ['no text', { Text: '\u200b' }],
    ['a text that is too long', { Text: 'x'.repeat(501) }],
    ['a severity of alarms alone', { Severity: 'critical' }],
    ['too many departments', { DepartmentIDs: Array.from({ length: 51 }, (_, number) => `d${number}`) }],
  ])('is rejected with %s', async (_, change) => {
    expect((await send(root, change)).status.code).toBe(ERRORS.INVALID.code)
  })
})
