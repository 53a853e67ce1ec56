import { afterEach, describe, expect, it } from 'vitest'
import type { Conditions } from '../../../../../contract/automation/condition.ts'
import { decideRule } from '../../../../../gateway/features/automation/engine/decide-rule.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { openDb } from '../../../../../gateway/store/db.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createKillPoints, points } from '../../../../support/kill-points.ts'
import { silentLog, testSocketDir } from '../../../../support/postgres.ts'
import { cases } from '../../../../support/thorough.ts'
import {
  addAutomation,
  createBuilding,
  createTestEngine,
  replanNow,
  report,
  storedRuns,
  TENANT,
} from './support.ts'

const START = Date.UTC(2026, 0, 5, 1)
const UIDS = ['a', 'b', 'c']

let database: Awaited<ReturnType<typeof createBuilding>> | undefined
afterEach(async () => {
  await database?.dropDatabase()
  database = undefined
})

/** Pseudorandom numbers in [0, 1) that repeat for a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const isOn = (uids: readonly string[], logical: 'AND' | 'OR'): Conditions => ({
  PeripheralUIDs: uids.map((PeripheralUID) => ({ PeripheralUID, Field: 'Switch1', Status: 1, Logical: '=' })),
  Logical: logical,
  RetriggerInterval: 5,
  Repeat: false,
  For: 0,
  Period: [],
})

/** Number of times the conditions became true according to the database log, from known values only. */
async function edgesOf(
  db: Db,
  uids: readonly string[],
  logical: 'AND' | 'OR',
  first: number,
): Promise<number> {
  const rows = await db.query<{ uid: string; value: number; seq: number }>(
    sql`select peripheral_uid as uid, value, seq from device_events where field = 'Switch1' order by seq`,
  )
  const values = new Map<string, number>()
  let edges = 0
  let was = false
  for (const { uid, value, seq } of rows) {
    values.set(uid, value)
    const on = uids.filter((one) => values.get(one) === 1).length
    const truth = logical === 'AND' ? on === uids.length : on > 0
    if (seq > first && truth && !was) edges++
    was = truth
  }
  return edges
}

describe('a rule with reports from any gateway', () => {
  it('runs once per change in the log, with one to three gateways and late or duplicate notices', async () => {
    database = await createBuilding(UIDS)
    const { db } = database
    const seeds = cases(9, 24)
    let turns = 0
    for (let seed = 1; seed <= seeds; seed++) {
      const random = seeded(seed)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      const clock = holdClock(START)
      await db.query(sql`delete from automations`)
      await db.query(sql`delete from automation_runs`)
      await db.query(sql`delete from device_status`)
      await db.query(sql`delete from device_events`)
      const uids = UIDS.slice(0, 1 + (seed % 3))
      const logical = pick(['AND', 'OR'] as const)
      for (const uid of uids) await report(db, uid, { Switch1: 0 }, clock.now())
      const automationId = await addAutomation(db, { Conditions: isOn(uids, logical) })
      const gateways = Array.from({ length: 1 + Math.floor(random() * 3) }, () => createTestEngine(db, clock))
      const ask = () => decideRule(pick(gateways).engine, { tenant: TENANT, automationId })
      await ask()
      const [armed] = await db.query<{ seq: number }>(sql`select max(seq) as seq from device_events`)

      /** Change notifications in transit: the number of reports by which each is delayed. */
      let late: number[] = []
      for (let i = 0; i < 40; i++) {
        clock.advance(6_000)
        await report(db, pick(uids), { Switch1: random() < 0.5 ? 1 : 0 }, clock.now())
        if (random() < 0.8) late.push(Math.floor(random() * 5))
        if (random() < 0.2) late.push(Math.floor(random() * 5))
        const arrived = late.filter((left) => left === 0)
        late = late.filter((left) => left > 0).map((left) => left - 1)
        await Promise.all(arrived.map(ask))
        // The sweep bounds the delay to one minute.
        if (i % 8 === 7) await ask()
      }
      await ask()
      const edges = await edgesOf(db, uids, logical, armed?.seq ?? 0)
      turns += edges
      const rows = await storedRuns(db)
      expect({ seed, runs: rows.map(({ state }) => state) }).toEqual({
        seed,
        runs: Array.from({ length: edges }, () => 'planned'),
      })
      expect(rows.map(({ edgeNo }) => edgeNo)).toEqual(rows.map((_, n) => n + 1))
      expect(gateways.flatMap(({ runs }) => runs.begun).toSorted()).toEqual(
        rows.map(({ runId }) => runId).toSorted(),
      )
    }
    expect(turns).toBeGreaterThan(4 * seeds)
  })

  it('stores each change as skipped if notices are later than the limit for reports', async () => {
    database = await createBuilding(['a'])
    const { db } = database
    const clock = holdClock(START)
    await report(db, 'a', { Switch1: 0 }, clock.now())
    const automationId = await addAutomation(db, { Conditions: isOn(['a'], 'AND') })
    const { engine, runs } = createTestEngine(db, clock)
    await decideRule(engine, { tenant: TENANT, automationId })
    for (const Switch1 of [1, 0, 1, 0]) {
      clock.advance(10_000)
      await report(db, 'a', { Switch1 }, clock.now())
    }
    clock.advance(300_000)
    await decideRule(engine, { tenant: TENANT, automationId })
    await decideRule(engine, { tenant: TENANT, automationId })
    expect((await storedRuns(db)).map(({ state, reason }) => [state, reason])).toEqual([
      ['skipped', 'late'],
      ['skipped', 'late'],
    ])
    expect(runs.begun).toEqual([])
  })

  it('runs once although the gateway is killed at any of its statements', async () => {
    database = await createBuilding(['a'])
    const { db } = database
    const clock = holdClock(START)
    const killed = openDb({ socketDir: testSocketDir(), database: database.name, max: 2, log: silentLog })
    const kills = createKillPoints({ db: killed, name: database.name })
    await report(db, 'a', { Switch1: 0 }, clock.now())
    const automationId = await addAutomation(db, { Conditions: isOn(['a'], 'AND'), EndDuration: 60 })
    const key = { tenant: TENANT, automationId }
    const { engine } = createTestEngine(db, clock)
    const { engine: mortal } = createTestEngine(killed, clock)
    let edges = 0
    for (const point of points()) {
      await replanNow(db, clock, automationId)
      await report(db, 'a', { Switch1: 0 }, clock.now())
      await decideRule(engine, key)
      clock.advance(61_000)
      await report(db, 'a', { Switch1: 1 }, clock.now())
      edges += 1
      const reached = await kills.kill(point, () => decideRule(mortal, key).catch(() => {}))
      await decideRule(createTestEngine(db, clock).engine, key)
      const rows = (await storedRuns(db)).filter(({ cause }) => cause === 'condition')
      expect({ ...point, runs: rows.length }).toEqual({ ...point, runs: edges })
      if (!reached) break
    }
    expect(edges).toBeGreaterThan(8)
    await kills.close()
    await killed.close()
  })
})
