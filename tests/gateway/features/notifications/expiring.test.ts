import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expiringNotifications } from '../../../../gateway/features/notifications/feature.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Building, createBuilding } from '../../../support/building.ts'
import { holdClock, type HeldClock } from '../../../support/clock.ts'
import { createTestDb, type TestDb } from '../../../support/postgres.ts'
import { createNotifyingGateways } from '../../../support/told-gateways.ts'

const DAY = 86_400_000
const KEPT = 90

let test: TestDb
let building: Building
let clock: HeldClock
let told: ReturnType<typeof createNotifyingGateways>
beforeAll(async () => {
  test = await createTestDb({ max: 12 })
})
afterAll(() => test.dropDatabase())
beforeEach(async () => {
  building = await createBuilding(test.db)
  clock = holdClock()
  told = createNotifyingGateways(test.db, building, clock)
  return () => test.db.query(sql`truncate notices, drafts, deliveries, recipients cascade`)
})

/** Deletes expired rows of a table once, as a gateway does. */
const trim = async (table: string, days = KEPT): Promise<number> => {
  const found = expiringNotifications({ db: test.db, clock }, days).find((one) => one.table === table)
  return (await found?.deleteBatch()) ?? 0
}
/** Creates an alarm notification; returns its id. */
async function tellOfAlarm(): Promise<string> {
  const id = randomUUID()
  await test.db.query(sql`
    insert into alarms (alarm_id, tenant, home_id, source, severity, values, raised_at, reported_at)
    values (${id}, ${building.tenant}, ${building.homeId}, ${`state:${id}`}, 'critical', '{}', ${clock.now()}, ${clock.now()})`)
  await told.note({ severity: 'critical', alarmId: id, homeId: building.homeId, topic: `alarm:${id}` })
  return id
}
const history = async () =>
  (
    await test.db.query<{ alarmId: string | null }>(sql`
      select alarm_id as "alarmId" from notifications where tenant = ${building.tenant} order by at`)
  ).map(({ alarmId }) => alarmId)
const recipients = () => test.db.query(sql`select from recipients where tenant = ${building.tenant}`)

describe('the history of notifications', () => {
  it('expires after the configured days, read or not, or never if none are configured', async () => {
    await told.addPerson()
    await told.note({ topic: 'run:1' })
    await told.start().look()
    clock.advance(KEPT * DAY - 1)
    expect(await trim('notifications')).toBe(0)
    clock.advance(1)
    expect(expiringNotifications({ db: test.db, clock }, 0).map(({ table }) => table)).not.toContain(
      'notifications',
    )
    expect(await trim('notifications')).toBe(1)
    expect(await history()).toEqual([])
  })

  it('keeps unread notifications of an open alarm', async () => {
    await told.addPerson()
    const [unread, read, over] = [await tellOfAlarm(), await tellOfAlarm(), await tellOfAlarm()]
    await told.start().look()
    await test.db.query(sql`update notifications set read_at = ${clock.now()} where alarm_id = ${read}`)
    await test.db.query(sql`update alarms set cleared_at = ${clock.now()} where alarm_id = ${over}`)
    clock.advance(KEPT * DAY)
    expect(await trim('notifications')).toBe(2)
    expect(await history()).toEqual([unread])
    await test.db.query(sql`update alarms set cleared_at = ${clock.now()} where alarm_id = ${unread}`)
    expect(await trim('notifications')).toBe(1)
  })

  it('is cleaned up once by several gateways that do not block each other', async () => {
    for (let i = 0; i < 20; i++) await told.addPerson({ pushes: false })
    await told.note({ topic: 'run:1' })
    await told.start().look()
    clock.advance(KEPT * DAY)
    const gone = await Promise.all([1, 2, 3].map(() => trim('notifications')))
    expect(gone.reduce((sum, count) => sum + count, 0)).toBe(20)
    expect(await history()).toEqual([])
  })
})

describe('the recipients of a message', () => {
  it('are deleted a day after the last message, and stored again with the next', async () => {
    await told.addPerson({ browsers: ['a/1'] })
    const gateway = told.start()
    await told.note({ severity: 'critical', topic: 'alarm:1' })
    await gateway.look()
    clock.advance(DAY - 1)
    // It is unread, so it is mailed as well.
    await gateway.look()
    expect(await trim('recipients')).toBe(0)
    clock.advance(1)
    expect(await trim('recipients')).toBe(1)
    await told.note({ severity: 'critical', topic: 'alarm:2' })
    await gateway.look()
    expect(told.push.deliveries).toHaveLength(2)
    await gateway.close()
  })

  it('are kept while a message is in transit, however long', async () => {
    await told.addPerson({ browsers: ['a/1'] })
    told.push.resultOf = async () => ({ status: 'retry', after: 12 * 3_600_000 })
    const gateway = told.start()
    await told.note({ severity: 'critical', topic: 'alarm:1' })
    await gateway.look()
    clock.advance(2 * DAY)
    const gone = await Promise.all([1, 2, 3].map(() => trim('recipients')))
    expect(gone).toEqual([0, 0, 0])
    expect(await recipients()).toHaveLength(1)
    await gateway.close()
  })

  it('lose nothing that is stored while they are deleted', async () => {
    await told.addPerson({ browsers: ['a/1'] })
    const gateways = [told.start(), told.start()]
    await told.note({ severity: 'critical', topic: 'alarm:0' })
    await gateways[0]?.look()
    for (let i = 1; i <= 10; i++) {
      clock.advance(2 * DAY)
      await told.note({ severity: 'critical', topic: `alarm:${i}` })
      await Promise.all([trim('recipients'), ...gateways.map(({ look }) => look()), trim('recipients')])
      await Promise.all(gateways.map(({ look }) => look()))
    }
    expect(told.push.deliveries.map(({ message }) => message.topic)).toEqual(
      Array.from({ length: 11 }, (_, i) => `alarm:${i}`),
    )
    for (const gateway of gateways) await gateway.close()
  })
})
