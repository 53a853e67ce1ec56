import { describe, expect, it } from 'vitest'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import { decideRule, computeMeasures } from '../../../../../gateway/features/automation/engine/decide-rule.ts'
import { loadAllRules } from '../../../../../gateway/features/automation/engine/rule-index.ts'
import type { RuleKey } from '../../../../../gateway/features/automation/rules/rule-rows.ts'
import { runDue } from '../../../../../gateway/features/automation/engine/create-engine.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import type { HeldClock } from '../../../../support/clock.ts'
import {
  addAutomation,
  addDevices,
  createTestEngine,
  holdBuilding,
  HOME,
  HUB,
  replanNow,
  report,
  storedRuns,
  TENANT,
} from './support.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Monday, 9:00 in Taipei. */
const START = Date.UTC(2026, 0, 5, 1)

let db: Db
let clock: HeldClock
let gateway: ReturnType<typeof createTestEngine>

holdBuilding(START, ['door', 'lamp'], (held) => void ({ db, clock, gateway } = held))

/** Condition on the door's relay, with further properties of the conditions. */
const whenOn = (more: Record<string, unknown> = {}, condition: Record<string, unknown> = {}) =>
  Conditions.parse({
    PeripheralUIDs: [{ PeripheralUID: 'door', Field: 'Switch1', Status: 1, Logical: '=', ...condition }],
    ...more,
  })

const say = async (Switch1: number, uid = 'door') => {
  await report(db, uid, { Switch1 }, clock.now())
  await decideAll()
}

async function decideAll() {
  const rules = await db.query<{ id: string }>(sql`select automation_id as id from automations`)
  for (const { id } of rules) await decideRule(gateway.engine, { tenant: TENANT, automationId: id })
}

/** Advances the clock in steps and processes what becomes due. */
async function pass(ms: number, step = 5 * SECOND) {
  for (let left = ms; left > 0; left -= step) {
    clock.advance(Math.min(step, left))
    await runDue(gateway.engine, clock.now(), async (keys) => {
      for (const key of keys) await decideRule(gateway.engine, key)
    })
  }
}

const setOnline = async (online: boolean) => {
  await db.query(sql`update things set online = ${online} where thing_name = ${HUB}`)
  await db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
    select tenant, peripheral_uid, ${clock.now()}, 'Online', ${online ? 0 : 1}, ${online ? 1 : 0} from peripherals`)
}

/** Adds a rule while the door is off, and arms it. */
async function add(given: Parameters<typeof addAutomation>[1]): Promise<string> {
  if (!(await db.query(sql`select from device_status where peripheral_uid = 'door'`)).length)
    await report(db, 'door', { Switch1: 0 }, clock.now())
  const id = await addAutomation(db, given)
  await replanNow(db, clock, id)
  await decideAll()
  return id
}

/** Time of each run in seconds from the start, with its cause, and its reason or state. */
const told = async () =>
  (
    await db.query<{ at: number; cause: string; how: string }>(
      sql`select began_at - ${START}::bigint as at, cause, coalesce(reason, state) as how from automation_runs
        order by began_at, edge_no nulls last, cause`,
    )
  ).map(({ at, cause, how }) => `${at / SECOND} ${cause} ${how}`)

describe('a smart link', () => {
  it('is armed by the state when it is created, and runs only when that becomes true again', async () => {
    await report(db, 'door', { Switch1: 1 }, clock.now())
    await add({ Conditions: whenOn() })
    await pass(10 * SECOND)
    expect(await told()).toEqual([])
    await say(0)
    await pass(10 * SECOND)
    await say(1)
    expect(await told()).toEqual(['20 condition planned'])
  })

  it('runs after its conditions have been true for the hold, and not if interrupted', async () => {
    await add({ Conditions: whenOn({ For: 60 }) })
    await say(1)
    await pass(30 * SECOND)
    await say(0)
    await say(1)
    await pass(2 * MINUTE)
    expect(await told()).toEqual(['90 condition planned'])
  })

  it('repeats while it is true, and stops when it is not', async () => {
    await add({ Conditions: whenOn({ Repeat: true, RetriggerInterval: 30 }) })
    await say(1)
    await pass(70 * SECOND)
    await say(0)
    await pass(MINUTE)
    expect(await told()).toEqual([0, 30, 60].map((at) => `${at} condition planned`))
  })

  it('reports runs that came too soon', async () => {
    await add({ Conditions: whenOn({ RetriggerInterval: 60 }) })
    for (const value of [1, 0, 1]) {
      await say(value)
      await pass(5 * SECOND)
    }
    expect(await told()).toEqual(['0 condition planned', '10 condition tooSoon'])
  })

  it('restores the previous state after its end duration, which restarts when it becomes true again', async () => {
    await add({ Conditions: whenOn(), EndDuration: 60 })
    await say(1)
    await pass(30 * SECOND)
    await say(0)
    await pass(40 * SECOND)
    await say(1)
    await pass(10 * SECOND)
    await say(0)
    await pass(5 * MINUTE)
    expect(await told()).toEqual(['0 condition planned', '70 condition planned', '140 end planned'])
    const [first] = gateway.runs.planned
    expect(gateway.runs.planned.at(-1)).toMatchObject({ cause: 'end', restores: first?.runId, actions: [] })
  })

  it('still ends as scheduled if it is disabled meanwhile', async () => {
    const id = await add({ Conditions: whenOn(), EndDuration: 60 })
    await say(1)
    await pass(10 * SECOND)
    await db.query(sql`update automations set enabled = false where automation_id = ${id}`)
    await replanNow(db, clock, id)
    await pass(10 * MINUTE)
    expect(await told()).toEqual(['0 condition planned', '70 end planned'])
  })

  it('runs if it is true when its period opens, and not while it is closed', async () => {
    // 9:10 to 10:00
    const Period = [{ Weekdays: [1], From: 550, To: 600, Days: 'all' }]
    await add({ Conditions: whenOn({ Period }) })
    await say(1)
    await pass(11 * MINUTE, 30 * SECOND)
    expect(await told()).toEqual(['0 condition outsidePeriod', '600 condition planned'])
    await say(0)
    await pass(HOUR, MINUTE)
    await say(1)
    await pass(HOUR, MINUTE)
    expect((await told()).slice(2)).toEqual(['4260 condition outsidePeriod'])
  })

  it('becomes true by time alone when a device is silent, and false when it reports', async () => {
    await add({
      Conditions: whenOn({}, { Field: 'SilentFor', Logical: '>=', Status: 300 }),
      EndDuration: 60,
    })
    await pass(4 * MINUTE)
    await say(0)
    await pass(6 * MINUTE)
    expect(await told()).toEqual(['540 condition planned'])
    await say(0)
    await pass(2 * MINUTE)
    expect((await told()).slice(1)).toEqual(['660 end planned'])
  })

  it('on silence ends with the report that makes another condition true', async () => {
    const silent = { PeripheralUID: 'door', Field: 'SilentFor', Logical: '>=', Status: 300 }
    const on = { PeripheralUID: 'door', Field: 'Switch1', Logical: '=', Status: 1 }
    await add({ Conditions: Conditions.parse({ PeripheralUIDs: [silent, on] }) })
    await pass(6 * MINUTE)
    await say(1)
    expect(await told()).toEqual([])
  })

  it('on silence is evaluated again when its hub reconnects, not as it was before', async () => {
    const silent = { PeripheralUID: 'door', Field: 'SilentFor', Logical: '<', Status: 300 }
    const on = { PeripheralUID: 'lamp', Field: 'Switch1', Logical: '=', Status: 1 }
    await report(db, 'lamp', { Switch1: 0 }, clock.now())
    await add({ Conditions: Conditions.parse({ PeripheralUIDs: [silent, on] }) })
    await pass(MINUTE)
    await setOnline(false)
    await decideAll()
    clock.advance(HOUR)
    await setOnline(true)
    await say(1, 'lamp')
    expect(await told()).toEqual([])
  })

  it('on a value uses the value of the report that changes a state with it', async () => {
    await addDevices(db, ['heater'], '518')
    await report(db, 'heater', { Switch: 0, Power: 0 }, clock.now())
    const idle = { PeripheralUID: 'heater', Field: 'Power', Logical: '<', Status: 5 }
    const on = { PeripheralUID: 'heater', Field: 'Switch', Logical: '=', Status: 1 }
    await add({ Conditions: Conditions.parse({ PeripheralUIDs: [idle, on] }) })
    for (const Power of [2000, 3]) {
      await pass(10 * SECOND)
      await report(db, 'heater', { Switch: 1, Power }, clock.now())
      await decideAll()
    }
    expect(await told()).toEqual(['20 condition planned'])
  })

  it('on a value runs at each crossing, with hysteresis', async () => {
    await addDevices(db, ['room'], '515')
    const Conditions = whenOn(
      {},
      { PeripheralUID: 'room', Field: 'Temperature', Logical: '>', Status: 28, Clear: 26 },
    )
    await report(db, 'room', { Temperature: 25 }, clock.now())
    await add({ Conditions })
    for (const Temperature of [29, 27, 28.5, 25, 29]) {
      await pass(10 * SECOND)
      await report(db, 'room', { Temperature }, clock.now())
      await decideAll()
    }
    expect(await told()).toEqual(['10 condition planned', '50 condition planned'])
  })

  it('on a sum of a meter runs when it crosses its limit, and keeps its state while unknown', async () => {
    const Conditions = whenOn({}, { Field: 'DailyKwh', Logical: '>', Status: 10 })
    await add({ Conditions })
    let kWh: number | null = 9
    gateway.engine.ports.readSums = async () => ({ HourlyKwh: null, DailyKwh: kWh, MonthlyKwh: null })
    await loadAllRules(gateway.engine.ruleIndex, db)
    const [key] = gateway.engine.ruleIndex.rules.values()
    for (const next of [9, 11, null, 12, 9, 11]) {
      kWh = next
      await pass(15 * SECOND)
      await decideRule(gateway.engine, key as RuleKey, await computeMeasures(gateway.engine, key as RuleKey))
    }
    expect(await told()).toEqual(['30 condition planned', '90 condition planned'])
  })

  it('of a paused home runs nothing and reports so', async () => {
    await add({ Conditions: whenOn(), EndDuration: 60 })
    await db.query(sql`insert into automation_pauses (tenant, home_id, until, reason, by_name, at)
      values (${TENANT}, ${HOME}, ${START + HOUR}, 'x', 'x', 0)`)
    await say(1)
    await say(0)
    await pass(5 * MINUTE)
    expect(await told()).toEqual(['0 condition paused'])
    expect(gateway.runs.begun).toEqual([])
  })
})

describe('a restart', () => {
  /** Takes the gateway and its hubs offline for this time. */
  const away = async (ms: number) => {
    await setOnline(false)
    clock.advance(ms)
    await setOnline(true)
    gateway = createTestEngine(db, clock)
  }

  it('continues a hold if it was short', async () => {
    await add({ Conditions: whenOn({ For: 120 }) })
    await say(1)
    await pass(60 * SECOND)
    await away(30 * SECOND)
    await decideAll()
    await pass(MINUTE)
    expect(await told()).toEqual(['120 condition planned'])
  })

  it('restarts the hold if the device was unmonitored for longer', async () => {
    await add({ Conditions: whenOn({ For: 120 }) })
    await say(1)
    await pass(60 * SECOND)
    await away(10 * MINUTE)
    await say(1)
    await pass(5 * MINUTE)
    const runs = await storedRuns(db)
    expect(runs.map(({ state }) => state)).toEqual(expect.arrayContaining(['skipped', 'planned']))
    expect(runs).toHaveLength(2)
    expect((await told()).at(-1)).toBe('780 condition planned')
  })

  it('runs nothing for a hold that expired during downtime unless devices report it is still true', async () => {
    await add({ Conditions: whenOn({ For: 60 }) })
    await say(1)
    clock.advance(10 * MINUTE)
    gateway = createTestEngine(db, clock)
    await pass(30 * SECOND)
    expect(await told()).toEqual([])
    await pass(40 * SECOND)
    expect(await told()).toEqual(['665 condition planned'])
  })

  it('runs overdue end actions late', async () => {
    await add({ Conditions: whenOn(), EndDuration: 60 })
    await say(1)
    await say(0)
    clock.advance(HOUR)
    gateway = createTestEngine(db, clock)
    await pass(10 * SECOND)
    expect((await told()).slice(1)).toEqual(['3605 end planned'])
  })
})

describe('rules that trigger each other', () => {
  /** Executes the begun runs as a confirming device does: the status changes by a command of the run. */
  async function carryOut(done: Set<string>) {
    for (const run of gateway.runs.planned) {
      if (done.has(run.runId) || run.notRun) continue
      done.add(run.runId)
      for (const { PeripheralUID, Values } of run.actions) {
        await db.query(sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source,
            state, history, requested_at, run_id)
          values (${TENANT}, ${`${run.runId}-1`}, ${PeripheralUID ?? ''}, ${HOME}, ${HUB}, ${JSON.stringify(Values)}::jsonb,
            'automation', 'confirmed', '[]', ${clock.now()}, ${run.runId})`)
        await report(db, PeripheralUID ?? '', Values as object, clock.now())
      }
    }
    await decideAll()
  }

  const setting = (uid: string, Switch1: number) => [
    { PeripheralUID: uid, Values: { Switch1 }, After: 0, IfOffline: 'fail' as const },
  ]

  it('stop after a few runs', async () => {
    await report(db, 'lamp', { Switch1: 0 }, clock.now())
    await add({ Conditions: whenOn(), Actions: setting('lamp', 1) })
    await add({ Conditions: whenOn({}, { Status: 0 }), Actions: setting('lamp', 0) })
    await add({ Conditions: whenOn({}, { PeripheralUID: 'lamp' }), Actions: setting('door', 0) })
    await add({ Conditions: whenOn({}, { PeripheralUID: 'lamp', Status: 0 }), Actions: setting('door', 1) })
    const done = new Set<string>()
    await say(1)
    for (let i = 0; i < 30; i++) {
      await carryOut(done)
      await pass(5 * SECOND)
    }
    const rows = (await storedRuns(db)).toSorted((a, b) => a.depth - b.depth)
    expect(rows.map(({ depth, state }) => [depth, state])).toEqual([
      [0, 'planned'],
      [1, 'planned'],
      [2, 'planned'],
      [3, 'planned'],
      [4, 'planned'],
      [5, 'loopStopped'],
    ])
  })

  it('pause if several of them command one device thirty times in a minute', async () => {
    const ids = [await add({ Conditions: whenOn() }), await add({ Conditions: whenOn() })]
    ids.push(await add({ Conditions: whenOn() }))
    const resting = async () => {
      const rows = await db.query<{
        reason: string
      }>(sql`select problem ->> 'Reason' as reason from automations
        where problem is not null`)
      return rows.map(({ reason }) => reason)
    }
    for (let i = 0; i < 10; i++) {
      await db.query(
        sql`update automation_states set state = jsonb_set(state, '{truth,lastFiredAt}', 'null')`,
      )
      await say(1)
      await say(0)
      // Recorded as run execution does.
      await db.query(sql`insert into run_devices (tenant, run_id, peripheral_uid, began_at)
        select tenant, run_id, 'lamp', began_at from automation_runs on conflict do nothing`)
    }
    expect(await resting()).toEqual([])
    expect(gateway.runs.begun).toHaveLength(30)
    await db.query(sql`update automation_states set state = jsonb_set(state, '{truth,lastFiredAt}', 'null')`)
    await say(1)
    expect(await resting()).toEqual(['tooOften', 'tooOften', 'tooOften'])
    expect(gateway.runs.begun).toHaveLength(30)
  })

  it('pause after more than twelve runs a minute, twice as long the second time, then resume', async () => {
    const id = await add({ Conditions: whenOn() })
    const restOf = async () => {
      const [row] = await db.query<{ since: number; until: number } | { since: null }>(
        sql`select (problem ->> 'Since')::bigint as since, (problem ->> 'Until')::bigint as until from automations
          where automation_id = ${id}`,
      )
      return row?.since ? row.until - row.since : null
    }
    /** Device that toggles rapidly, with each change counted. */
    const chatter = async () => {
      for (let i = 0; i < 13; i++) {
        await db.query(sql`update automation_states set
          state = jsonb_set(state, '{truth,lastFiredAt}', 'null') where automation_id = ${id}`)
        await say(1)
        await say(0)
      }
    }
    const changed: unknown[] = []
    gateway.engine.events.on('dataChange', ({ name, record }) => void changed.push({ name, record }))
    await chatter()
    const change = {
      name: 'automation.update',
      record: { HomeID: HOME, AutomationID: id, AutomationType: 3 },
    }
    expect(changed).toEqual([change])
    expect((await told()).at(-1)).toBe('0 condition moreOften')
    expect(gateway.runs.begun).toHaveLength(12)
    expect(await restOf()).toBe(10 * MINUTE)
    await pass(10 * MINUTE, MINUTE)
    expect(await restOf()).toBeNull()
    expect(changed).toEqual([change, change])
    await decideAll()
    await chatter()
    expect(await restOf()).toBe(20 * MINUTE)
  })
})
