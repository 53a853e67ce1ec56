import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { userNotification } from '../../../../contract/alarms/channels.ts'
import { type Permission, right } from '../../../../contract/kernel/permissions.ts'
import type { PayloadOf } from '../../../../contract/kernel/define-channel.ts'
import { DEFAULT_NOTIFICATION_SETTINGS } from '../../../../contract/notifications/settings.ts'
import { NOTICES } from '../../../../gateway/features/notifications/fan-out.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Building, createBuilding } from '../../../support/building.ts'
import { holdClock, type HeldClock } from '../../../support/clock.ts'
import { createTestDb, type TestDb } from '../../../support/postgres.ts'
import { createNotifyingGateways } from '../../../support/told-gateways.ts'
import { rights } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let test: TestDb
let building: Building
let clock: HeldClock
let told: ReturnType<typeof createNotifyingGateways>
let gateway: ReturnType<typeof told.start>
beforeAll(async () => {
  test = await createTestDb({ max: 12 })
})
afterAll(() => test.dropDatabase())
beforeEach(async () => {
  building = await createBuilding(test.db)
  clock = holdClock()
  told = createNotifyingGateways(test.db, building, clock)
  gateway = told.start()
  return async () => {
    await gateway.close()
    await test.db.query(sql`truncate notices, drafts, deliveries, recipients cascade`)
  }
})

/** Critical alarm, which is sent immediately. */
const urgent = (subject = 'Boiler') => ({
  severity: 'critical' as const,
  values: { kind: 'state', subject, home: 'Tower' },
  homeId: building.homeId,
  topic: `alarm:${randomUUID()}`,
})
async function later(ms: number) {
  clock.advance(ms)
  await gateway.look()
}
async function noteNow(...notices: Parameters<typeof told.note>) {
  await told.note(...notices)
  await gateway.look()
}
const titles = () => told.push.deliveries.map(({ message }) => message.title)
const left = async () =>
  (await test.db.query(sql`select 1 from deliveries union all select 1 from drafts`)).length

describe('a message', () => {
  it('is sent immediately to each browser of a user if it is critical, in their language', async () => {
    const alarmId = randomUUID()
    const zh = await told.addPerson({ browsers: ['a/1', 'b/2'] })
    await told.addPerson({ language: 'en-US', browsers: ['c/3'] })
    await noteNow({ ...urgent(), alarmId, path: '/Alarm/x', canAcknowledge: true })
    const sent = new Map(told.push.deliveries.map(({ target, message }) => [target, message]))
    expect([...sent.keys()].toSorted()).toEqual(['a/1', 'b/2', 'c/3'])
    expect(sent.get('a/1')).toMatchObject({
      title: '緊急警報：Boiler',
      body: 'Tower',
      path: '/Alarm/x',
      severity: 'critical',
      category: 'alarm',
      homeId: building.homeId,
      alarmId,
      language: 'zh-TW',
      at: clock.now(),
      notificationId: expect.any(String),
      acknowledgeToken: `token of ${zh} for ${alarmId}`,
      unread: 1,
    })
    expect(sent.get('c/3')?.title).toBe('Critical alarm: Boiler')
    expect(told.mails).toEqual([])
  })

  it('on a noncritical alarm waits 30 seconds for related ones', async () => {
    await told.addPerson()
    const notice = { homeId: building.homeId, values: { subject: 'Pump', home: 'Tower' } }
    await noteNow(notice)
    expect(titles()).toEqual([])
    clock.advance(20 * SECOND)
    await noteNow(notice)
    await later(10 * SECOND)
    expect(told.push.deliveries.map(({ message }) => message)).toMatchObject([
      {
        title: '警報：Pump，另有 1 則警報',
        body: 'Tower\n緊急 0 則，警告 2 則。',
        path: `/Alarm/${building.homeId}?tab=live`,
      },
    ])
  })

  it('contains the latest state of a topic, and is not sent if it ended before anyone was notified', async () => {
    await told.addPerson()
    const of = (topic: string) => ({ topic, homeId: building.homeId })
    await noteNow(of('alarm:1'), of('alarm:2'))
    await noteNow(
      { ...of('alarm:1'), kind: 'alarmCleared', severity: 'info' },
      { ...of('alarm:2'), kind: 'alarmChanged', severity: 'critical' },
    )
    await later(MINUTE)
    expect(titles()).toEqual(['警報升為緊急：Chiller'])
    // The mail to the person who has not read it.
    expect(await left()).toBe(1)
  })

  it('on the end of an alarm is sent to the same recipients, whatever their minimum severity', async () => {
    await told.addPerson({ settings: { Least: 'critical', TellCleared: true }, browsers: ['critical/1'] })
    await told.addPerson({ settings: { Least: 'warning', TellCleared: true }, browsers: ['warning/1'] })
    const end = (topic: string, severity: string) => ({
      ...{ topic, kind: 'alarmCleared' as const, severity: 'info' as const },
      values: { subject: 'Boiler', home: 'Tower', severity },
    })
    await noteNow({ ...urgent(), topic: 'alarm:1' }, { topic: 'alarm:2' })
    await later(MINUTE)
    const before = told.push.deliveries.length
    await noteNow(end('alarm:1', 'critical'), end('alarm:2', 'warning'))
    await later(MINUTE)
    expect(
      told.push.deliveries
        .slice(before)
        .map(({ target }) => target)
        .toSorted(),
    ).toEqual(['critical/1', 'warning/1'])
    expect(before).toBe(3)
  })

  it('is not sent for history-only, read or unwanted notifications', async () => {
    const person = await told.addPerson()
    const quiet = { ...DEFAULT_NOTIFICATION_SETTINGS.Categories, alarm: { Push: false, Mail: false } }
    await told.addPerson({ settings: { Categories: quiet } })
    await told.addPerson({ settings: { Least: 'critical', TellCleared: false } })
    await noteNow({ unsent: true }, { kind: 'alarmCleared', severity: 'info', topic: 'alarm:9' })
    await noteNow({})
    await test.db.query(sql`update notifications set read_at = 1 where cognito_id = ${person}`)
    await later(MINUTE)
    expect(titles()).toEqual([])
    expect(await left()).toBe(0)
  })

  it('is not sent to a user who was disabled, removed or lost the right', async () => {
    const people = await Promise.all([told.addPerson(), told.addPerson(), told.addPerson()])
    const stays = await told.addPerson({ browsers: ['stays/1'] })
    await noteNow({})
    await test.db.query(sql`update users set enabled = false where cognito_id = ${people[0]}`)
    await test.db.query(sql`delete from users where cognito_id = ${people[1]}`)
    await test.db.query(sql`update users set permissions = '[]' where cognito_id = ${people[2]}`)
    await test.db.query(sql`update personal_configs set language = 'en-US' where cognito_id = ${stays}`)
    await later(MINUTE)
    expect(told.push.deliveries.map(({ target, message }) => [target, message.title])).toEqual([
      ['stays/1', 'Alarm: Chiller'],
    ])
  })

  it('checks the rights of its user again before a retry', async () => {
    const person = await told.addPerson()
    told.push.resultOf = async () => ({ status: 'retry', after: null })
    await noteNow(urgent())
    told.push.resultOf = async () => ({ status: 'sent' })
    await test.db.query(sql`update users set permissions = '[]' where cognito_id = ${person}`)
    await later(10 * MINUTE)
    expect(titles()).toHaveLength(1)
  })
})

describe('a life-safety alarm', () => {
  /** Smoke detector that reports fire. */
  const fire = (subject = 'Detector') => ({
    ...urgent(subject),
    values: {
      ...{ kind: 'state', subject, room: 'Server room', home: 'Tower', lifeSafety: 1 },
      ...{ peripheralType: '756', field: 'SmokeState', value: 3 },
    },
  })
  const over = (notice: ReturnType<typeof fire>) => ({
    ...notice,
    kind: 'alarmCleared' as const,
    severity: 'info' as const,
  })

  it('is sent separately and immediately on each transport when a flood has used up every limit', async () => {
    await told.addPerson({ language: 'en-US', browsers: ['a/1'] })
    told.channels.targets.set('', ['line-1'])
    for (let second = 0; second < 20; second++) {
      await noteNow(...Array.from({ length: 20 }, () => urgent()))
      clock.advance(SECOND)
    }
    gateway.deps.config.mailQuota = {
      company: { maxPerHour: 1, maxPerDay: 1 },
      recipient: { maxPerHour: 1, maxPerDay: 1 },
    }
    const before = [told.push.deliveries.length, told.channels.deliveries.length, told.mails.length]
    await noteNow(...Array.from({ length: 40 }, (_, i) => fire(`Detector ${i}`)), urgent())
    const title = (i: number) => `Critical alarm: Detector ${i} (Server room): fire detected`
    const expected = Array.from({ length: 40 }, (_, i) => title(i)).toSorted()
    expect(titles().slice(before[0]).toSorted()).toEqual(expected)
    expect(
      told.channels.deliveries
        .slice(before[1])
        .map(({ message }) => message.title)
        .toSorted(),
    ).toEqual(expected)
    expect(
      told.mails
        .slice(before[2])
        .map(({ subject }) => subject)
        .toSorted(),
    ).toEqual(expected)
  })

  it('is sent although it ended before anyone was notified, and again when it returns', async () => {
    await told.addPerson({ language: 'en-US' })
    const notice = fire()
    await noteNow(notice, over(notice), notice)
    expect(titles()).toHaveLength(2)
    await noteNow(over(notice))
    await later(MINUTE)
    expect(titles().slice(2)).toEqual(['Alarm cleared: Detector (Server room)'])
    const topics = told.push.deliveries.map(({ message }) => message.topic)
    expect(new Set(topics).size, 'none takes the place of another').toBe(3)
  })

  it('is not replaced by its end after a failure, and is retried within a minute', async () => {
    await told.addPerson({ language: 'en-US', settings: { TellCleared: false } })
    const notice = fire()
    told.push.resultOf = async () => ({ status: 'retry', after: null })
    await noteNow(notice)
    await noteNow(over(notice))
    told.push.resultOf = async () => ({ status: 'sent' })
    await later(30 * SECOND)
    expect(titles()).toHaveLength(2)
  })

  it('does not wait for slow messages', async () => {
    const waiting: (() => void)[] = []
    await told.addPerson({ language: 'en-US', browsers: ['slow/1'] })
    told.push.resultOf = ({ message }) =>
      message.isLifeSafety
        ? Promise.resolve({ status: 'sent' })
        : new Promise((resolve) => waiting.push(() => resolve({ status: 'sent' })))
    await told.note(urgent('1'), urgent('2'), urgent('3'), fire())
    const looked = gateway.look()
    await vi.waitFor(
      () => expect(titles()).toContain('Critical alarm: Detector (Server room): fire detected'),
      PATIENT,
    )
    while (titles().length < 4) {
      for (const go of waiting.splice(0)) go()
      await new Promise(setImmediate)
    }
    for (const go of waiting.splice(0)) go()
    await looked
  })

  it('is published to the screens of a user separately', async () => {
    const person = await told.addPerson()
    await noteNow(fire('1'), urgent(), fire('2'), fire('3'))
    const heard = gateway.broker.sentTo(
      userNotification.topic({ rootId: building.tenant, cognitoId: person }),
    )
    const subjects = heard.map(
      (one) => (one as PayloadOf<typeof userNotification>).Notification?.Values['subject'],
    )
    expect(subjects).toEqual(expect.arrayContaining(['1', '2', '3']))
  })

  it('is claimed before all other messages', async () => {
    await told.addPerson()
    await told.note(...Array.from({ length: NOTICES }, () => ({ category: 'guard' as const })), fire())
    const seen: string[] = []
    told.push.resultOf = async ({ message }) => (seen.push(message.title), { status: 'sent' })
    await gateway.look()
    expect(seen[0]).toContain('偵測到火警')
  })
})

describe('a digest', () => {
  it('names the worst device, its room and state first', async () => {
    await told.addPerson({ language: 'en-US' })
    const values = { home: 'Tower', room: 'Plant room', kind: 'state' }
    await noteNow(
      { homeId: building.homeId, values: { ...values, subject: 'Filter' } },
      {
        homeId: building.homeId,
        severity: 'warning',
        values: { ...values, subject: 'Tank', peripheralType: '756', field: 'SmokeState', value: 5 },
      },
      { homeId: building.homeId, kind: 'alarmCleared', severity: 'info', topic: 'alarm:other', values },
    )
    await later(MINUTE)
    expect(titles()).toEqual(['Alarm: Tank (Plant room): the smoke detector is faulty, and 1 more alarm'])
  })
})

describe('a right lost before a message is sent', () => {
  const BOTH: Permission[] = [rights('device', 'Read'), rights('schedule', 'Read')]
  const keepSchedules = (person: string) =>
    test.db.query(sql`
      update users set permissions = ${JSON.stringify([rights('schedule', 'Read')])} where cognito_id = ${person}`)
  const ran = {
    category: 'automation' as const,
    kind: 'ruleRan' as const,
    severity: 'warning' as const,
    values: { subject: 'Evening', home: 'Tower', text: null },
    to: { access: right('schedule', 'Read') },
  }

  it('excludes its notification from the app badge', async () => {
    const person = await told.addPerson({ permissions: BOTH })
    await noteNow({}, {})
    await keepSchedules(person)
    await noteNow(ran)
    expect(told.push.deliveries.map(({ message }) => message.unread)).toEqual([1])
  })

  it('removes the notification from a digest', async () => {
    const Quiet = {
      From: 22 * 60,
      To: 7 * 60,
      Days: [0, 1, 2, 3, 4, 5, 6],
      Except: 'none' as const,
      TimeZone: 'Asia/Taipei',
    }
    const person = await told.addPerson({ permissions: BOTH, language: 'en-US', settings: { Quiet } })
    told.push.resultOf = async () => ({ status: 'retry', after: null })
    await later(14 * HOUR)
    await noteNow(urgent('Boiler'), ran)
    await later(9 * HOUR)
    told.push.resultOf = async () => ({ status: 'sent' })
    await keepSchedules(person)
    await later(10 * MINUTE)
    expect(titles()[0]).toContain('Boiler')
    expect(titles().at(-1)).toBe('2 notifications')
  })
})

describe('email', () => {
  const ALONE = { pushes: false, browsers: [] }

  it('replaces push if no browser is subscribed, and contains no link from a name', async () => {
    await told.addPerson(ALONE)
    gateway.deps.config.publicUrl = 'https://building.example'
    await noteNow({ ...urgent('Visit https://evil.example'), path: '/Alarm/x' })
    expect(told.push.deliveries).toEqual([])
    expect(told.mails).toEqual([
      {
        id: expect.any(String),
        to: expect.stringMatching(/^p\d+@/),
        subject: '緊急警報：Visit https: //evil. example',
        text: expect.stringContaining('查看：https://building.example/Alarm/x'),
      },
    ])
  })

  it('follows only a critical message that is unread after five minutes', async () => {
    const reads = await told.addPerson()
    await told.addPerson()
    await noteNow(urgent(), { category: 'guard', kind: 'guardShed' })
    await test.db.query(sql`update notifications set read_at = 1 where cognito_id = ${reads}`)
    await later(4 * MINUTE)
    expect(told.mails).toEqual([])
    await later(2 * MINUTE)
    expect(told.mails.map(({ subject }) => subject)).toEqual(['緊急警報：Boiler'])
    await later(HOUR)
    expect(told.mails).toHaveLength(1)
  })

  it('is not sent if the alarm is over by then', async () => {
    await told.addPerson({ settings: { TellCleared: false } })
    const notice = urgent()
    await noteNow(notice)
    await noteNow({ ...notice, kind: 'alarmCleared', severity: 'info' })
    await later(HOUR)
    expect(told.mails).toEqual([])
  })

  it('contains what could not be sent to the last browser of a user', async () => {
    await told.addPerson()
    told.push.resultOf = async () => ({ status: 'gone' })
    await noteNow({ category: 'guard', kind: 'guardShed', values: { subject: 'Guard', count: 1 } })
    expect(told.mails.map(({ subject }) => subject)).toEqual(['已卸除 1 個負載：Guard'])
    expect(await left()).toBe(0)
  })

  it("waits while the company's quota is used up, which is not a failed attempt", async () => {
    await told.addPerson(ALONE)
    gateway.deps.config.mailQuota = {
      company: { maxPerHour: 1, maxPerDay: 100 },
      recipient: { maxPerHour: 1, maxPerDay: 1 },
    }
    await noteNow(urgent('First'), urgent('Second'))
    expect(told.mails).toHaveLength(1)
    for (let i = 0; i < 7; i++) await later(10 * MINUTE)
    expect(told.mails).toHaveLength(2)
  })
})

describe('quiet hours', () => {
  /** From 22:00 to 07:00 in Taipei; it is 09:00 there. */
  const Quiet = {
    From: 22 * 60,
    To: 7 * 60,
    Days: [0, 1, 2, 3, 4, 5, 6],
    Except: 'critical' as const,
    TimeZone: 'Asia/Taipei',
  }

  it('hold messages for one digest at their end, and let critical ones through', async () => {
    await told.addPerson({ settings: { Quiet } })
    await later(14 * HOUR)
    await noteNow(urgent('Boiler'), { category: 'automation', kind: 'ruleRan' }, { kind: 'alarmRaised' })
    await later(MINUTE)
    expect(titles()).toEqual(['緊急警報：Boiler'])
    await later(7 * HOUR + 58 * MINUTE)
    expect(titles()).toHaveLength(1)
    await later(MINUTE)
    expect(told.push.deliveries.at(-1)?.message).toMatchObject({
      title: '警報：Chiller，另有 1 則通知',
      body: '緊急 0 則，警告 2 則，一般 0 則。',
    })
  })
})

describe('sending', () => {
  it('retries when the other side asks, and gives up after six attempts', async () => {
    await told.addPerson({ settings: { TellCleared: false } })
    told.push.resultOf = async () => ({ status: 'retry', after: 90 * SECOND })
    await noteNow({ category: 'broadcast', kind: 'broadcast', values: { title: 'a' }, severity: 'info' })
    await later(89 * SECOND)
    expect(titles()).toHaveLength(1)
    await later(SECOND)
    expect(titles()).toHaveLength(2)
    told.push.resultOf = async () => ({ status: 'retry', after: null })
    for (let i = 0; i < 100; i++) await later(2 * MINUTE)
    expect(titles()).toHaveLength(6)
    expect(await left()).toBe(0)
  })

  it('does not retry permanent failures, and logs none of the content', async () => {
    await told.addPerson()
    told.push.resultOf = async () => ({ status: 'failed', reason: 'secret reason' })
    await noteNow({ category: 'broadcast', kind: 'broadcast', values: { title: 'secret title' } })
    await later(HOUR)
    expect(titles()).toHaveLength(1)
    const log = JSON.stringify((gateway.deps.log as unknown as { lines: unknown[] }).lines)
    expect(log).toContain('gave up')
    expect(log).not.toContain('secret')
  })

  it('to a slow push service does not block others: two at a time each, eight in total', async () => {
    for (let i = 0; i < 6; i++) await told.addPerson({ browsers: [`slow/${i}`] })
    for (let i = 0; i < 6; i++) await told.addPerson({ browsers: [`quick${i}/1`] })
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    let slow = 0
    let most = 0
    let quick = 0
    const served = new Promise<void>((resolve) => {
      told.push.resultOf = async ({ target }) => {
        if (!target.startsWith('slow')) {
          quick += 1
          if (quick === 6) resolve()
          return { status: 'sent' }
        }
        slow += 1
        most = Math.max(most, slow)
        await gate
        slow -= 1
        return { status: 'sent' }
      }
    })
    await told.note(urgent())
    const looking = gateway.look()
    await served
    await expect.poll(() => [most, quick]).toEqual([2, 6])
    release()
    await looking
    expect(told.push.deliveries).toHaveLength(12)
    expect(most).toBe(2)
  })

  it('waits for an unavailable database before sending and before recording the result', async () => {
    await told.addPerson()
    let isAway = true
    const late = told.start({ isUnavailable: () => isAway })
    await told.note(urgent('Boiler'))
    await expect(late.look()).rejects.toThrow('away')
    expect(titles()).toEqual([])
    isAway = false
    told.push.resultOf = async () => {
      isAway = true
      return { status: 'sent' }
    }
    await late.look()
    expect(titles(), 'sent, and that could not be noted').toHaveLength(1)
    isAway = false
    told.push.resultOf = async () => ({ status: 'sent' })
    clock.advance(MINUTE)
    await late.look()
    const topics = told.push.deliveries.map(({ message }) => message.topic)
    expect([topics.length, new Set(topics).size], 'once more, on the same topic').toEqual([2, 1])
    clock.advance(MINUTE)
    await late.look()
    expect(titles()).toHaveLength(2)
    await late.close()
  })

  it('treats a transport without a response as a temporary failure', async () => {
    await told.addPerson()
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => (asked = resolve))
    told.push.resultOf = () => {
      asked()
      return new Promise(() => {})
    }
    await told.note({ category: 'guard', kind: 'guardShed' })
    const looking = gateway.look()
    await isAsked
    clock.advance(30 * SECOND)
    await looking
    told.push.resultOf = async () => ({ status: 'sent' })
    await later(3 * MINUTE)
    expect(titles()).toHaveLength(2)
  })
})

describe("a company's channels", () => {
  it('get a notification in their language, regardless of its other recipients', async () => {
    told.channels.targets.set('', ['line-1'])
    await noteNow({ ...urgent(), to: { access: 'root' } }, { unsent: true })
    expect(
      told.channels.deliveries.map(({ target, message }) => [target, message.title, message.language]),
    ).toEqual([['line-1', 'Critical alarm: Boiler', 'en-US']])
  })

  it('get a flood in few messages as well', async () => {
    told.channels.targets.set('', ['line-1'])
    for (let second = 0; second < 12; second++) {
      await noteNow(...Array.from({ length: 20 }, () => urgent()))
      clock.advance(SECOND)
    }
    expect(told.channels.deliveries.length).toBeLessThanOrEqual(10)
  })
})

describe('an outgoing message', () => {
  it('is deleted completely with its user', async () => {
    const person = await told.addPerson()
    told.push.resultOf = async () => ({ status: 'retry', after: null })
    await noteNow({}, urgent())
    expect(await left()).toBeGreaterThan(0)
    await test.db.query(sql`delete from users where cognito_id = ${person}`)
    expect(await left()).toBe(0)
    expect(await test.db.query(sql`select from recipients where tenant = ${building.tenant}`)).toEqual([])
  })

  it('is deleted with its home', async () => {
    await told.addPerson()
    await noteNow({ homeId: building.homeId })
    await test.db.query(sql`delete from homes where home_id = ${building.homeId}`)
    await later(MINUTE)
    expect(titles()).toEqual([])
  })
})
