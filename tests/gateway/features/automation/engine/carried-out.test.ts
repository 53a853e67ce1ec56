import { afterEach, beforeEach, expect, it } from 'vitest'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import { decideRule } from '../../../../../gateway/features/automation/engine/decide-rule.ts'
import type { RuleKey } from '../../../../../gateway/features/automation/rules/rule-rows.ts'
import { POLL_MS } from '../../../../../gateway/features/automation/runs/execute-run.ts'
import { syncStateFields } from '../../../../../gateway/features/devices/feature.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
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
  ;({ db, dropDatabase: drop } = await createTestDb({ max: 10 }))
  await syncStateFields(db)
  building = await createBuilding(db)
  for (const uid of ['door', 'lamp']) await building.addDevice(uid, '534')
  clock = holdClock()
  site = createRunGateways(db, building, clock)
})
afterEach(async () => {
  await site.close()
  await drop()
})

/** Gateway with an engine whose runs are executed. */
function start(options: Parameters<typeof site.start>[0] = {}) {
  const gateway = site.start(options)
  const { engine } = createTestEngine(gateway.db, clock)
  return { ...engine, ports: { ...engine.ports, runs: gateway.runs }, gateway }
}

const RULE = {
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

/** Stores the rule that switches the lamp on when the door opens; returns its key. */
async function addRule(): Promise<RuleKey> {
  const { tenant, homeId } = building
  const owner = '22222222-2222-4222-8222-222222222222'
  await db.query(
    sql`insert into users (tenant, cognito_id, email, created_at) values (${tenant}, ${owner}, 'o@x.tw', 0)`,
  )
  await db.query(sql`insert into automations
      (tenant, automation_id, home_id, automation_type, automation_name, description, enabled, rule, owner_id, created_at)
    values (${tenant}, 'rule', ${homeId}, 3, 'rule', '', true, ${JSON.stringify(RULE)}::jsonb, ${owner}, 0)`)
  await site.setStatus('lamp', { Switch1: 0 })
  await site.setStatus('door', { Switch1: 0 })
  return { tenant, automationId: 'rule' }
}

/** Reports the door's state at the time of the test's clock. */
async function setDoor(Switch1: 0 | 1): Promise<void> {
  await site.setStatus('door', { Switch1 })
  await db.query(sql`update device_events set timestamp = ${clock.now()}
    where seq = (select max(seq) from device_events where peripheral_uid = 'door')`)
}

it('commands the devices of a smart link once with two gateways that both receive the report', async () => {
  const key = await addRule()
  const engines = [start(), start()]
  for (const engine of engines) await decideRule(engine, key)

  clock.advance(1_000)
  await setDoor(1)
  await Promise.all(engines.map((engine) => decideRule(engine, key)))

  await expect.poll(() => db.query(sql`select state from commands`)).toEqual([{ state: 'confirmed' }])
  // The gateway that executes the run finds it in the table at its next poll, whichever gateway received the change.
  await expect
    .poll(() => {
      clock.advance(POLL_MS)
      return db.query(sql`select state, depth from automation_runs`)
    })
    .toEqual([{ state: 'done', depth: 0 }])
  expect(site.sent).toMatchObject([{ PeripheralUID: 'lamp', Values: { Switch1: 1 } }])
})

it('creates one run per change and sends each command once, although a gateway is killed anywhere', async () => {
  const key = await addRule()
  const other = start()
  await decideRule(other, key)
  let isKilled = true
  for (let dies = 1; isKilled; dies++) {
    expect(dies).toBeLessThan(60)
    await setDoor(0)
    await decideRule(other, key)
    clock.advance(60_000)
    await site.setStatus('lamp', { Switch1: 0 })
    await setDoor(1)
    site.sent.length = 0
    const killed = start({ failsAfter: dies })
    await decideRule(killed, key).catch(() => {})
    await decideRule(other, key)
    await expect
      .poll(async () => {
        clock.advance(POLL_MS)
        await other.gateway.runs.sweeping.run()
        return db.query(sql`select state from automation_runs where ended_at is null`)
      })
      .toEqual([])
    isKilled = killed.gateway.isDead()
    const runs = await db.query<{ edge: number }>(
      sql`select edge_no as edge from automation_runs order by edge_no`,
    )
    expect(runs.map(({ edge }) => edge)).toEqual(Array.from({ length: dies }, (_, i) => i + 1))
    const ids = site.sent.map(({ RequestID }) => RequestID)
    expect(ids.length, `killed at statement ${dies}`).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
  }
})
