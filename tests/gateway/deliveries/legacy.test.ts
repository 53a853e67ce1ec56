import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  deleteLettersTo,
  discardMessages,
  moveDueBookingLetters,
  moveDueMessages,
  moveDueReportLetters,
  readReportMails,
} from '../../../gateway/deliveries/legacy.ts'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { type Building, createBuilding } from '../../support/building.ts'
import { holdClock, type HeldClock } from '../../support/clock.ts'
import { createTestDb, type TestDb } from '../../support/postgres.ts'
import { createNotifyingGateways } from '../../support/told-gateways.ts'

const MINUTE = 60_000
/** Lease with which a gateway of 1.1.0 claims a message: it postpones its due time. */
const OLD_LEASE_MS = 45_000

let test: TestDb
let building: Building
let clock: HeldClock
beforeAll(async () => {
  test = await createTestDb({ max: 12 })
})
afterAll(() => test.dropDatabase())
beforeEach(async () => {
  building = await createBuilding(test.db)
  clock = holdClock()
  return () =>
    test.db.query(
      sql`truncate notices, drafts, deliveries, recipients, booking_letters, report_letters cascade`,
    )
})

interface MovedRow {
  kind: string
  recipient: string
  key: string | null
  topic: string | null
  payload: Record<string, unknown>
  attempts: number
}
const moved = () =>
  test.db.query<MovedRow>(sql`
    select kind, recipient, key, topic, payload, attempts from deliveries order by delivery_id`)
/** Several gateways move at a time. */
const moveAtOnce = (move: (db: Db, now: number) => Promise<void>) =>
  Promise.all([1, 2, 3].map(() => move(test.db, clock.now())))

describe('messages of a gateway of 1.1.0', () => {
  /** A message as 1.1.0 writes it. */
  const write = (
    recipient: string,
    { way = 'push', target = 'a/1', lane = 'push:a', topic = 'alarm:1', dueAt = clock.now(), tries = 0 } = {},
  ) =>
    test.db.query(sql`
      insert into messages (recipient, way, target, lane, topic, due_at, until, tries, content)
      values (${recipient}, ${way}, ${target}, ${lane}, ${topic}, ${dueAt}, ${clock.now() + 240 * MINUTE}, ${tries},
        ${JSON.stringify({
          ...{ kind: 'alarmRaised', category: 'alarm', severity: 'critical', homeId: building.homeId },
          ...{ alarmId: null, values: { subject: 'Boiler', home: 'Tower' }, path: null, at: clock.now() },
          ...{ access: ['homes'], canAcknowledge: false },
        })})`)
  async function addRecipient(told: ReturnType<typeof createNotifyingGateways>) {
    const person = await told.addPerson({ language: 'en-US', browsers: ['a/1'] })
    await test.db.query(sql`insert into recipients (recipient, tenant, cognito_id)
      values (${`person:${person}`}, ${building.tenant}, ${person})`)
    return { person, recipient: `person:${person}` }
  }

  it('are sent once to people and channels, by several gateways', async () => {
    const told = createNotifyingGateways(test.db, building, clock)
    const { person, recipient } = await addRecipient(told)
    await test.db.query(sql`insert into recipients (recipient, tenant, target, language)
      values ('channel:line-1', ${building.tenant}, 'line-1', 'en-US')`)
    await write(recipient)
    await write(recipient, { way: 'mail', target: person, lane: 'mail', topic: 'alarm:2' })
    await write('channel:line-1', { way: 'channel', target: 'line-1', lane: 'channel:line-1' })
    const gateways = [told.start(), told.start()]
    for (let i = 0; i < 2; i++) await Promise.all(gateways.map(({ look }) => look()))
    expect(told.push.deliveries.map(({ target, message }) => [target, message.title])).toEqual([
      ['a/1', 'Critical alarm: Boiler'],
    ])
    expect(told.mails.map(({ subject }) => subject)).toEqual(['Critical alarm: Boiler'])
    expect(told.channels.deliveries.map(({ target }) => target)).toEqual(['line-1'])
    expect(await test.db.query(sql`select 1 from messages union all select 1 from deliveries`)).toEqual([])
    await Promise.all(gateways.map(({ close }) => close()))
  })

  it('keep their id, attempts and urgency, and stay while that gateway has claimed them', async () => {
    const told = createNotifyingGateways(test.db, building, clock)
    const { recipient } = await addRecipient(told)
    await write(recipient, { lane: 'life:push:a', topic: 'life:1', tries: 2 })
    await write(recipient, { dueAt: clock.now() + OLD_LEASE_MS, tries: 1 })
    const [{ id } = { id: '' }] = await test.db.query<{ id: string }>(
      sql`select id from messages where topic = 'life:1'`,
    )
    await moveAtOnce(moveDueMessages)
    expect(await moved()).toMatchObject([{ kind: 'life-safety', recipient, topic: 'life:1', attempts: 2 }])
    expect(await test.db.query(sql`select id from deliveries`)).toEqual([{ id }])
    clock.advance(OLD_LEASE_MS)
    await moveAtOnce(moveDueMessages)
    expect(await moved()).toMatchObject([{}, { kind: 'notification', topic: 'alarm:1', attempts: 1 }])
  })

  it('are replaced by later ones of their topic', async () => {
    const told = createNotifyingGateways(test.db, building, clock)
    const { recipient } = await addRecipient(told)
    await write(recipient, { tries: 1 })
    await write(recipient, { topic: 'alarm:2' })
    const topics = ['alarm:1', 'alarm:2'].map((topic) => ({ recipient, topic }))
    await discardMessages(test.db, topics, { onlyUntried: true })
    expect(await test.db.query(sql`select topic from messages`)).toEqual([{ topic: 'alarm:1' }])
    await discardMessages(test.db, topics, { onlyUntried: false })
    expect(await test.db.query(sql`select topic from messages`)).toEqual([])
  })
})

describe('booking emails of a gateway of 1.1.0', () => {
  const write = (recipient: string, dueAt: number) =>
    test.db.query(sql`insert into booking_letters (tenant, kind, recipient, booking, due_at)
      values (${building.tenant}, 'invite', ${recipient}, '{"Subject": "Plan"}', ${dueAt})`)

  it('are moved once when they are due', async () => {
    await write('a@example.com', clock.now())
    await write('b@example.com', clock.now() + MINUTE)
    await moveAtOnce(moveDueBookingLetters)
    expect(await moved()).toMatchObject([
      {
        kind: 'booking',
        recipient: 'a@example.com',
        payload: { kind: 'invite', booking: { Subject: 'Plan' } },
      },
    ])
    clock.advance(MINUTE)
    await moveAtOnce(moveDueBookingLetters)
    expect((await moved()).map(({ recipient }) => recipient)).toEqual(['a@example.com', 'b@example.com'])
    expect(await test.db.query(sql`select 1 from booking_letters`)).toEqual([])
  })
})

describe('report emails of a gateway of 1.1.0', () => {
  const write = (cognitoId: string, state: string, dueAt: number) =>
    test.db.query(sql`
      insert into report_letters (tenant, plan_id, period, cognito_id, name, kind, homes, state, due_at, created_at)
      values (${building.tenant}, 'plan', '2025-12', ${cognitoId}, 'Ann', 'monthly', '[]', ${state}, ${dueAt}, 0)`)

  it('are moved once when they are due, and count as queued when they were settled', async () => {
    const [waiting, later, sent] = [randomUUID(), randomUUID(), randomUUID()]
    await write(waiting, 'waiting', clock.now())
    await write(later, 'waiting', clock.now() + MINUTE)
    await write(sent, 'sent', clock.now())
    await moveAtOnce(moveDueReportLetters)
    expect(await moved()).toMatchObject([
      {
        ...{ kind: 'report', key: `plan/2025-12/${waiting}`, recipient: waiting, topic: 'plan' },
        payload: { planId: 'plan', period: '2025-12', name: 'Ann', kind: 'monthly', homes: [] },
      },
    ])
    const plan = { tenant: building.tenant, planId: 'plan', period: '2025-12' }
    expect(await readReportMails(test.db, plan)).toEqual(new Set([later, sent]))
  })

  it('are deleted with the person', async () => {
    const person = randomUUID()
    await write(person, 'sent', clock.now())
    await write(randomUUID(), 'sent', clock.now())
    await deleteLettersTo(test.db, building.tenant, { email: 'a@example.com', accounts: [person] })
    expect(await test.db.query(sql`select 1 from report_letters`)).toHaveLength(1)
  })
})
