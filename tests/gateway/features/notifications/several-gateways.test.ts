import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Building, createBuilding } from '../../../support/building.ts'
import { holdClock, type HeldClock } from '../../../support/clock.ts'
import { createTestDb, type TestDb } from '../../../support/postgres.ts'
import { createNotifyingGateways } from '../../../support/told-gateways.ts'

const SECOND = 1_000
const MINUTE = 60_000

let test: TestDb
let building: Building
let clock: HeldClock
let told: ReturnType<typeof createNotifyingGateways>
beforeAll(async () => {
  test = await createTestDb({ max: 20 })
})
afterAll(() => test.dropDatabase())
beforeEach(async () => {
  building = await createBuilding(test.db)
  clock = holdClock()
  told = createNotifyingGateways(test.db, building, clock)
  return () => test.db.query(sql`truncate notices, drafts, deliveries, recipients cascade`)
})

/** Rules that ran: each is a separate message. */
const ran = (count: number) =>
  Array.from({ length: count }, () => ({
    category: 'automation' as const,
    kind: 'ruleRan' as const,
    topic: `run:${randomUUID()}`,
  }))
const handedTo = (target: string) =>
  told.push.deliveries.filter((one) => one.target === target).map(({ message }) => message.topic)

describe('several gateways on one database', () => {
  it('notify each user once', async () => {
    const targets = ['a/1', 'b/1', 'c/1', 'd/1']
    for (const target of targets) await told.addPerson({ browsers: [target] })
    const gateways = [told.start(), told.start(), told.start()]
    for (let round = 0; round < 5; round++) {
      await told.note(...ran(4))
      await Promise.all(gateways.map(({ look }) => look()))
    }
    // Messages claimed by one of them are claimed at the next poll.
    await Promise.all(gateways.map(({ look }) => look()))
    for (const target of targets) {
      const topics = handedTo(target)
      expect([topics.length, new Set(topics).size]).toEqual([20, 20])
    }
    const [history] = await test.db.query<{ rows: number }>(
      sql`select count(*)::int as rows from notifications where tenant = ${building.tenant}`,
    )
    expect(history?.rows).toBe(80)
  })

  it('lose nothing if one ends at any statement, and duplicates have the same topic', async () => {
    const notice = () => ({ severity: 'critical' as const, topic: `alarm:${randomUUID()}` })
    await told.addPerson({ browsers: ['a/1'] })
    const whole = told.start()
    await told.note(notice())
    await whole.look()
    const statements = whole.statements()
    expect(statements).toBeGreaterThan(15)
    for (let dies = 1; dies <= statements; dies++) {
      // Past the hourly limits.
      clock.advance(2 * 60 * MINUTE)
      told.push.deliveries.length = 0
      const one = notice()
      await told.note(one)
      const dying = told.start({ failsAfter: dies })
      await dying.look().catch(() => {})
      const other = told.start()
      await other.look()
      clock.advance(50 * SECOND)
      await other.look()
      const topics = handedTo('a/1')
      expect(new Set(topics)).toEqual(new Set([one.topic]))
      expect(topics.length).toBeLessThanOrEqual(2)
    }
    const history = await test.db.query<{ copies: number }>(sql`
      select count(*)::int as copies from notifications where tenant = ${building.tenant} group by notice_id`)
    expect(new Set(history.map(({ copies }) => copies))).toEqual(new Set([1]))
    expect(history).toHaveLength(statements + 1)
  })
})

describe('a message sent but not recorded as sent', () => {
  const HOUR = 60 * MINUTE
  /**
   * Kills one gateway at each of its statements in turn while it sends, and lets another continue; returns the messages sent in each case.
   */
  async function dieEverywhere(handed: () => string[]): Promise<string[][]> {
    const notice = () => ({ severity: 'critical' as const, topic: `alarm:${randomUUID()}` })
    const whole = told.start()
    await told.note(notice())
    await whole.look()
    const each: string[][] = []
    for (let dies = 1; dies <= whole.statements(); dies++) {
      // Past the hourly limits.
      clock.advance(2 * HOUR)
      const before = handed().length
      await told.note(notice())
      const dying = told.start({ failsAfter: dies })
      await dying.look().catch(() => {})
      const other = told.start()
      await other.look()
      clock.advance(50 * SECOND)
      await other.look()
      each.push(handed().slice(before))
    }
    return each
  }

  it.each<[way: string, add: () => unknown, handed: () => string[]]>([
    [
      'a channel',
      () => told.channels.targets.set('', ['line-1']),
      () => told.channels.deliveries.map(({ message }) => message.id),
    ],
    [
      'mail',
      () => told.addPerson({ pushes: false, browsers: [] }),
      () => told.mails.map(({ id = '' }) => id),
    ],
  ])('is sent through %s once more as the same message, and never lost', async (_, add, handed) => {
    await add()
    const each = await dieEverywhere(handed)
    expect(each.length).toBeGreaterThan(10)
    expect(each.map((ids) => new Set(ids).size)).toEqual(each.map(() => 1))
    expect(Math.max(...each.map((ids) => ids.length)), 'between send and mark').toBe(2)
    expect(new Set(each.flat()).size).toBe(each.length)
    expect(each.flat()).not.toContain('')
  })
})

describe('a flood of alarms in a minute', () => {
  it('is written in few statements and sent as at most ten messages each, with all in the history', async () => {
    const people = ['a/1', 'b/1', 'c/1', 'd/1']
    for (const target of people) await told.addPerson({ browsers: [target] })
    const gateway = told.start()
    for (let second = 0; second < 60; second += 3) {
      const batch = Array.from({ length: 60 }, (_, i) => ({
        severity: i % 20 === 0 ? ('critical' as const) : ('warning' as const),
        homeId: building.homeId,
        topic: `alarm:${randomUUID()}`,
        values: { subject: `device ${i}`, home: 'Tower' },
      }))
      await told.note(...batch)
      await gateway.look()
      clock.advance(3 * SECOND)
    }
    await gateway.look()
    const counts = people.map((target) => handedTo(target).length)
    expect(counts).toEqual([9, 9, 9, 9])
    const [history] = await test.db.query<{ rows: number }>(
      sql`select count(*)::int as rows from notifications where tenant = ${building.tenant}`,
    )
    expect(history?.rows).toBe(20 * 60 * 4)
    // Each message takes a few statements, each person's screens one per poll; the rest is batched.
    const byBatches = gateway.statements() - 6 * told.push.deliveries.length - 20 * people.length
    expect(byBatches / 20).toBeLessThan(30)
    clock.advance(10 * MINUTE)
    await gateway.look()
    expect(handedTo('a/1'), 'the digest that ends it').toHaveLength(10)
  })
})
