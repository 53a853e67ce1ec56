import { afterEach, beforeEach, expect, it } from 'vitest'
import { Conditions } from '../../../../../contract/rules/automation/condition.ts'
import { decide } from '../../../../../gateway/features/automation/engine/decide.ts'
import { POLL } from '../../../../../gateway/features/automation/runs/carry.ts'
import { keepStateFields } from '../../../../../gateway/features/devices/state-fields.ts'
import { type Db, sql } from '../../../../../gateway/store/db.ts'
import { type Building, createBuilding } from '../../../../support/building.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import { createTestDb } from '../../../../support/postgres.ts'
import { createRunGateways } from '../../../../support/run-gateways.ts'
import { createTestEngine } from './support.ts'

let db: Db
let drop: () => Promise<void>
let building: Building
let clock: HeldClock
let site: ReturnType<typeof createRunGateways>

beforeEach(async () => {
  ;({ db, drop } = await createTestDb({ max: 10 }))
  await keepStateFields(db)
  building = await createBuilding(db)
  for (const uid of ['door', 'lamp']) await building.addDevice(uid, '534')
  clock = holdClock()
  site = createRunGateways(db, building, clock)
})
afterEach(async () => {
  await site.close()
  await drop()
})

/** Gateways with engines whose runs are carried out. */
const start = () => {
  const { runs } = site.start()
  const { engine } = createTestEngine(db, clock)
  return { ...engine, ports: { ...engine.ports, runs } }
}

it('commands the devices of a smart link once, with two gateways that both hear of the report', async () => {
  const { tenant, homeId } = building
  const owner = '22222222-2222-4222-8222-222222222222'
  await db.query(
    sql`insert into users (tenant, cognito_id, email, created_at) values (${tenant}, ${owner}, 'o@x.tw', 0)`,
  )
  const rule = {
    Conditions: Conditions.parse({
      PeripheralUIDs: [{ PeripheralUID: 'door', Field: 'Switch1', Status: 1, Logical: '=' }],
    }),
    Actions: [{ PeripheralUID: 'lamp', Values: { Switch1: 1 }, After: 0, IfOffline: 'fail' }],
    Order: 'together',
    EndDuration: 0,
    EndActions: 'restore',
    Catching: 'latest',
    Grace: 900,
  }
  await db.query(sql`insert into automations
      (tenant, automation_id, home_id, automation_type, automation_name, description, enabled, rule, owner_id, created_at)
    values (${tenant}, 'rule', ${homeId}, 3, 'rule', '', true, ${JSON.stringify(rule)}::jsonb, ${owner}, 0)`)
  const engines = [start(), start()]
  const key = { tenant, automationId: 'rule' }
  await site.setStatus('lamp', { Switch1: 0 })
  await site.setStatus('door', { Switch1: 0 })
  for (const engine of engines) await decide(engine, key)

  clock.advance(1_000)
  await site.setStatus('door', { Switch1: 1 })
  await db.query(
    sql`update device_events set timestamp = ${clock.now()} where field = 'Switch1' and value = 1`,
  )
  await Promise.all(engines.map((engine) => decide(engine, key)))

  await expect.poll(() => db.query(sql`select state from commands`)).toEqual([{ state: 'confirmed' }])
  // Whichever gateway heard of that, the one that carries the run out finds it in the table when it looks next.
  await expect
    .poll(() => {
      clock.advance(POLL)
      return db.query(sql`select state, depth from automation_runs`)
    })
    .toEqual([{ state: 'done', depth: 0 }])
  expect(site.sent).toMatchObject([{ PeripheralUID: 'lamp', Values: { Switch1: 1 } }])
})
