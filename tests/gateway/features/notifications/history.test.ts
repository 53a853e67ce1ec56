import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Permission, right } from '../../../../contract/kernel/permissions.ts'
import type { PersonData } from '../../../../contract/people/person-data-calls.ts'
import type { Notification } from '../../../../contract/notifications/calls.ts'
import { recordNotices } from '../../../../gateway/features/notifications/feature.ts'
import type { NotificationEvent } from '../../../../gateway/domain/notifications/notification-transport.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { FakeBroker } from '../../../support/fake-broker.ts'
import { noticeOf } from '../../../support/notice.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

const NOW = Date.UTC(2026, 0, 5, 1)

let world: World
let broker: FakeBroker
let root: Caller
let home: string
beforeAll(async () => {
  broker = new FakeBroker()
  world = await startWorld({ broker: () => broker })
  root = await world.signUp()
  const { results } = await root.post('/CreateHome', { HomeName: 'Tower', TimeZone: 'Asia/Taipei' })
  home = results.HomeID
})
afterAll(() => world.close())

/** Stores notices and waits until they are in people's histories. */
async function note(...notices: Partial<NotificationEvent>[]): Promise<void> {
  await world.db.transaction((tx) =>
    recordNotices(
      tx,
      notices.map((one) => noticeOf(root.tenant, one)),
    ),
  )
  await settled()
}
const settled = () =>
  vi.waitFor(async () => {
    world.clock.advance(2_000)
    const [left] = await world.db.query<{ left: number }>(sql`select count(*)::int as left from notices`)
    expect(left?.left).toBe(0)
  }, PATIENT)
const list = async (person: Caller, input: object = {}) =>
  (await person.post('/ListNotification', input)).results as {
    Rows: Notification[]
    Total: number
    Unread: number
    NextCursor: string | null
  }
const subjects = (rows: Notification[]) => rows.map(({ Values }) => Values['subject'])
const reader = () => world.createUser(root, [rights('device', 'Read')])
const topicOf = ({ tenant, cognitoId }: Caller) => `${tenant}/user/${cognitoId}/notification`

describe('a notification', () => {
  it('is in the history of everyone who may read its subject, and of no one else', async () => {
    const [may, mayNot, ofAnother] = await Promise.all([reader(), world.createUser(root), world.signUp()])
    await note({ values: { subject: 'Pump' }, homeId: home, path: `/Alarm/${home}` })
    expect((await list(may)).Rows).toEqual([
      {
        NotificationID: expect.any(String),
        Category: 'alarm',
        Severity: 'warning',
        Kind: 'alarmRaised',
        HomeID: home,
        AlarmID: null,
        Values: { subject: 'Pump' },
        Path: `/Alarm/${home}`,
        At: NOW,
        ReadAt: null,
      },
    ])
    expect(subjects((await list(root)).Rows)).toContain('Pump')
    expect((await list(mayNot)).Rows).toEqual([])
    expect((await list(ofAnother)).Rows).toEqual([])
  })

  it('is sent to the named people and departments, if they may read it', async () => {
    const { results } = await root.post('/CreateDepartment', { Department: 'Technicians' })
    const [named, member, mayNot, other] = await Promise.all([
      reader(),
      reader(),
      world.createUser(root),
      reader(),
    ])
    await world.db.query(
      sql`update users set department_id = ${results.DepartmentID} where cognito_id = ${member.cognitoId}`,
    )
    const to = {
      access: right('device', 'Read'),
      users: [named.cognitoId, mayNot.cognitoId],
      departments: [results.DepartmentID as string],
    }
    await note({ to })
    const counts = await Promise.all(
      [named, member, mayNot, other].map(async (person) => (await list(person)).Total),
    )
    expect(counts).toEqual([1, 1, 0, 0])
  })

  it('follows current rights: disabled users and users who lost the right do not get it', async () => {
    const [disabled, without, still] = await Promise.all([reader(), reader(), reader()])
    // In one transaction, so that the notice is not processed before the people have changed.
    await world.db.transaction(async (tx) => {
      await recordNotices(tx, [noticeOf(root.tenant)])
      await tx.query(sql`update users set enabled = false where cognito_id = ${disabled.cognitoId}`)
      await tx.query(sql`update users set permissions = '[]' where cognito_id = ${without.cognitoId}`)
    })
    await settled()
    const heard = await world.db.query<{ person: string }>(sql`
      select cognito_id as person from notifications
      where cognito_id = any(${[disabled, without, still].map(({ cognitoId }) => cognitoId)}::uuid[])`)
    expect(heard.map(({ person }) => person)).toEqual([still.cognitoId])
  })

  it('is not stored if its transaction is rolled back', async () => {
    const person = await reader()
    const failing = world.db.transaction(async (tx) => {
      await recordNotices(tx, [noticeOf(root.tenant)])
      throw new Error('It did not happen')
    })
    await expect(failing).rejects.toThrow('It did not happen')
    await settled()
    expect((await list(person)).Total).toBe(0)
  })

  it('is deleted with the home and with its recipient', async () => {
    const { results } = await root.post('/CreateHome', { HomeName: 'Annex', TimeZone: 'Asia/Taipei' })
    const person = await reader()
    await note({ homeId: results.HomeID })
    await root.post('/DeleteHome', { HomeID: results.HomeID })
    await note({ homeId: results.HomeID })
    expect((await list(person)).Total).toBe(0)
    await note({})
    await root.post('/DeleteUser', { Email: person.email })
    const left = await world.db.query(sql`select from notifications where cognito_id = ${person.cognitoId}`)
    expect(left).toEqual([])
  })
})

describe('a notification without the right to read', () => {
  const give = (person: Caller, ...Permissions: Permission[]) =>
    root.post('/UpdateUserInfo', { Email: person.email, Permissions })
  const unreadOn = (person: Caller) => broker.sentTo(topicOf(person)).at(-1)?.Unread as number | undefined

  it('is not listed, counted or marked as read, and returns with the right', async () => {
    const both = [rights('device', 'Read'), rights('schedule', 'Read')]
    const person = await world.createUser(root, both)
    await note(
      { at: NOW - 1, values: { subject: 'Pump' }, homeId: home },
      {
        category: 'automation',
        kind: 'ruleRan',
        values: { subject: 'Evening' },
        to: { access: right('schedule', 'Read') },
      },
    )
    await give(person, rights('schedule', 'Read'))
    const without = await world.signIn(person.email, person.password)
    const left = await list(without)
    expect([subjects(left.Rows), left.Total, left.Unread]).toEqual([['Evening'], 1, 1])
    expect((await without.post('/ReadNotification', { Before: NOW })).results).toEqual({
      Changed: 1,
      Unread: 0,
    })
    const copy = (await without.post('/ExportMyData')).results as PersonData
    expect(copy.Sections['Notifications']).toMatchObject([{ values: { subject: 'Evening' } }])
    expect(copy.LeftOut).toEqual({ Notifications: 1 })
    await vi.waitFor(() => {
      world.clock.advance(2_000)
      expect(unreadOn(person)).toBe(0)
    }, PATIENT)
    await give(person, ...both)
    const again = await list(await world.signIn(person.email, person.password))
    expect(again.Rows.map(({ Values, ReadAt }) => [Values['subject'], ReadAt === null])).toEqual([
      ['Evening', false],
      ['Pump', true],
    ])
    expect(again.Unread).toBe(1)
  })

  it('is matched by its subject if a gateway of the previous release stored it', async () => {
    const person = await world.createUser(root, [rights('device', 'Read')])
    const write = (category: string, kind: string, values: object, path: string | null) =>
      world.db.query(sql`
        insert into notifications (notification_id, tenant, cognito_id, notice_id, category, severity, kind, values, path, at)
        values (${randomUUID()}, ${root.tenant}, ${person.cognitoId}, 0, ${category}, 'info', ${kind},
          ${JSON.stringify(values)}::jsonb, ${path}, ${NOW})`)
    await write('alarm', 'alarmRaised', { kind: 'silent', subject: 'device' }, null)
    await write('alarm', 'alarmRaised', { kind: 'rule', subject: 'rule' }, null)
    await write('guard', 'guardShed', { subject: 'guard' }, null)
    await write('automation', 'ruleRan', { subject: 'link' }, '/updateSmartLink/a/b')
    await write('automation', 'schedulesMissed', { subject: 'schedules' }, '/ScheduleListing/a')
    await write('system', 'channelFailed', { subject: 'channel' }, '/NotificationChannels')
    await write('broadcast', 'broadcast', { subject: 'broadcast' }, null)
    const seen = async (...Permissions: Permission[]) => {
      await give(person, ...Permissions)
      return subjects((await list(await world.signIn(person.email, person.password))).Rows).toSorted()
    }
    expect(await seen(rights('device', 'Read'))).toEqual(['broadcast', 'device'])
    expect(await seen(rights('power_meter_alarm', 'Read'))).toEqual(['broadcast', 'guard', 'rule'])
    expect(await seen(rights('smart_link', 'Read'))).toEqual(['broadcast', 'link'])
    expect(await seen(rights('schedule', 'Read'))).toEqual(['broadcast', 'schedules'])
    expect(await seen(rights('company', 'Update'))).toEqual(['broadcast', 'channel'])
  })
})

describe('the list of my notifications', () => {
  it('is paged and filtered, newest first; one without a home is in each home', async () => {
    const person = await reader()
    const elsewhere = randomUUID()
    await note(
      { at: NOW + 1, values: { subject: 'a' }, homeId: home },
      { at: NOW + 2, values: { subject: 'b' }, severity: 'critical' },
      { at: NOW + 3, values: { subject: 'c' }, category: 'guard', kind: 'guardShed' },
    )
    const first = await list(person, { Limit: 2 })
    expect(subjects(first.Rows)).toEqual(['c', 'b'])
    const second = await list(person, { Limit: 2, Cursor: first.NextCursor })
    expect([subjects(second.Rows), second.NextCursor, second.Total]).toEqual([['a'], null, 3])
    const by = async (filter: object) => subjects((await list(person, filter)).Rows)
    expect(await by({ HomeID: elsewhere })).toEqual(['c', 'b'])
    expect(await by({ HomeID: home })).toEqual(['c', 'b', 'a'])
    expect(await by({ Severity: 'critical' })).toEqual(['b'])
    expect(await by({ Category: 'guard' })).toEqual(['c'])
    expect(await by({ Since: NOW + 2 })).toEqual(['c', 'b'])
  })

  it('counts all unread notifications, regardless of filters', async () => {
    const person = await reader()
    await note({ severity: 'critical' }, {}, {})
    const { Rows, Unread } = await list(person, { Severity: 'critical' })
    expect([Rows.length, Unread]).toEqual([1, 3])
    await person.post('/ReadNotification', { NotificationIDs: [Rows[0]?.NotificationID] })
    expect(await list(person, { Unread: true })).toMatchObject({ Total: 2, Unread: 2 })
  })
})

describe('marking as read', () => {
  it('marks the named ones and older ones, can be repeated, and can be undone', async () => {
    const person = await reader()
    await note({ at: NOW + 10 }, { at: NOW + 20 }, { at: NOW + 30 })
    const [newest] = (await list(person)).Rows
    const NotificationIDs = [newest?.NotificationID]
    const read = async (input: object) => (await person.post('/ReadNotification', input)).results
    expect(await read({ NotificationIDs })).toEqual({ Changed: 1, Unread: 2 })
    const readAt = (await list(person)).Rows[0]?.ReadAt
    world.clock.advance(1_000)
    expect(await read({ NotificationIDs })).toEqual({ Changed: 0, Unread: 2 })
    expect((await list(person)).Rows[0]?.ReadAt).toBe(readAt)
    expect(await read({ Before: NOW + 20 })).toEqual({ Changed: 2, Unread: 0 })
    expect(await read({ NotificationIDs, Read: false })).toEqual({ Changed: 1, Unread: 1 })
    expect(await read({})).toEqual({ Changed: 0, Unread: 1 })
  })

  it('does not change notifications of others', async () => {
    const [person, other] = await Promise.all([reader(), reader()])
    await note({})
    const [theirs] = (await list(person)).Rows
    const answer = await other.post('/ReadNotification', { NotificationIDs: [theirs?.NotificationID] })
    expect(answer.results).toEqual({ Changed: 0, Unread: 1 })
    expect((await list(person)).Unread).toBe(1)
  })
})

describe('the screens of a user', () => {
  const last = (person: Caller) => broker.sentTo(topicOf(person)).at(-1)

  it('receive new notifications and the unread count on their own topic', async () => {
    const person = await reader()
    await note({ values: { subject: 'Lift' } })
    await vi.waitFor(() => {
      world.clock.advance(1_000)
      expect(last(person)).toMatchObject({ Notification: { Values: { subject: 'Lift' } }, Unread: 1 })
    }, PATIENT)
  })

  it('receive what was read on another screen', async () => {
    const person = await reader()
    await note({})
    await person.post('/ReadNotification', { Before: NOW })
    await vi.waitFor(() => {
      world.clock.advance(1_000)
      expect(last(person)).toEqual({ Notification: null, Unread: 0 })
    }, PATIENT)
  })

  it('receive a flood in few messages, with the most severe one', async () => {
    const person = await reader()
    const flood = Array.from({ length: 300 }, (_, i) => ({
      severity: i === 100 ? ('critical' as const) : ('warning' as const),
      values: { subject: `device ${i}` },
    }))
    await note(...flood)
    await vi.waitFor(() => {
      world.clock.advance(1_000)
      expect(last(person)).toMatchObject({ Unread: 300 })
    }, PATIENT)
    const heard = broker.sentTo(topicOf(person)) as { Notification: Notification | null }[]
    expect(heard.length).toBeLessThan(5)
    expect(heard.map(({ Notification: told }) => told?.Values['subject'])).toContain('device 100')
  })
})
