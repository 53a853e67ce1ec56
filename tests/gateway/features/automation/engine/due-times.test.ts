import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AutomationProblem } from '../../../../../contract/automation/automation.ts'
import type { Repeating } from '../../../../../contract/automation/schedule.ts'
import { decideRule } from '../../../../../gateway/features/automation/engine/decide-rule.ts'
import { runDueTimers } from '../../../../../gateway/features/automation/engine/run-due-timers.ts'
import { rescheduleHomes } from '../../../../../gateway/features/automation/engine/reschedule.ts'
import { runSchedules } from '../../../../../gateway/features/automation/engine/schedules.ts'
import { setTimers } from '../../../../../gateway/features/automation/engine/timers.ts'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { openDb } from '../../../../../gateway/store/db.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import { createKillPoints, points } from '../../../../support/kill-points.ts'
import { silentLog, testSocketDir } from '../../../../support/postgres.ts'
import {
  addAutomation,
  addDevices,
  createTestEngine,
  holdBuilding,
  HOME,
  plainSun,
  replanNow,
  report,
  storedRuns,
  TENANT,
} from './support.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Monday, 7:59 in Taipei. */
const BEFORE = Date.UTC(2026, 0, 4, 23, 59)
const EIGHT = BEFORE + MINUTE

let db: Db
let name: string
let clock: HeldClock

holdBuilding(BEFORE, ['lamp', 'door'], (held) => void ({ db, name, clock } = held))

const daily = (At: Repeating['At'], more: Partial<Repeating> = {}): Repeating => ({
  Weekdays: [0, 1, 2, 3, 4, 5, 6],
  At,
  Days: 'all',
  Except: [],
  From: null,
  Through: null,
  OffAfter: 0,
  ...more,
})
const gateway = () => createTestEngine(db, clock)
const nextOf = async (id: string) =>
  (
    await db.query<{ at: number | null }>(
      sql`select next_run_at as at from automations where automation_id = ${id}`,
    )
  )[0]?.at
async function add(given: Parameters<typeof addAutomation>[1]): Promise<string> {
  const id = await addAutomation(db, given)
  await replanNow(db, clock, id)
  return id
}
const replanHome = () =>
  db.transaction((tx) =>
    rescheduleHomes(tx, { tenant: TENANT, homeIds: [HOME] }, { now: clock.now(), engine: gateway().engine }),
  )
async function runAll({ engine }: ReturnType<typeof gateway> = gateway()) {
  while (await runSchedules(engine, clock.now()));
  while (await runDueTimers(engine, clock.now()));
}
const suspend = async (id: string, Reason: AutomationProblem['Reason']) => {
  const problem: AutomationProblem = { Reason, Subject: null, Since: clock.now(), Until: null }
  await db.query(
    sql`update automations set problem = ${JSON.stringify(problem)}::jsonb where automation_id = ${id}`,
  )
  await replanNow(db, clock, id)
}

describe('a due time that was not handled yet', () => {
  it('runs although the home, the rule or a pause resumes before it is evaluated', async () => {
    for (const replanAgain of [replanHome, (id: string) => replanNow(db, clock, id)]) {
      await db.query(sql`delete from automations`)
      await db.query(sql`delete from automation_runs`)
      clock = holdClock(BEFORE)
      const id = await add({ Schedule: daily(480) })
      clock.advance(MINUTE + 5_000)
      await replanAgain(id)
      expect(await nextOf(id)).toBe(EIGHT)
      await runAll()
      expect(await storedRuns(db)).toMatchObject([{ plannedAt: EIGHT, state: 'planned' }])
      expect(await nextOf(id)).toBe(EIGHT + DAY)
    }
  })

  it('runs once while some gateways evaluate it and others reschedule it', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => add({ Schedule: daily(480) })))
    clock.advance(MINUTE)
    await Promise.all([
      runAll(),
      replanHome(),
      ...ids.map((id) => replanNow(db, clock, id)),
      runAll(),
      replanHome(),
    ])
    await runAll()
    const runs = await storedRuns(db)
    expect(runs.map(({ automationId }) => automationId).toSorted()).toEqual(ids.toSorted())
    expect(new Set(runs.map(({ state, plannedAt }) => `${state} ${plannedAt}`))).toEqual(
      new Set([`planned ${EIGHT}`]),
    )
    for (const id of ids) expect(await nextOf(id)).toBe(EIGHT + DAY)
  })

  it('is recorded as missed if the schedule was moved or disabled before it was evaluated', async () => {
    const moved = await add({ Schedule: daily(480) })
    const off = await add({ Schedule: daily(480) })
    clock.advance(MINUTE + 1_000)
    await db.query(
      sql`update automations set rule = jsonb_set(rule, '{Schedule,At}', '540') where automation_id = ${moved}`,
    )
    await db.query(sql`update automations set enabled = false where automation_id = ${off}`)
    for (const id of [moved, off]) await replanNow(db, clock, id)
    await runAll()
    const runs = await storedRuns(db)
    expect(runs).toHaveLength(2)
    for (const run of runs) expect(run).toMatchObject({ plannedAt: EIGHT, state: 'missed' })
    expect(await nextOf(moved)).toBe(EIGHT + HOUR)
    expect(await nextOf(off)).toBeNull()
  })
})

describe('a hazardous output', () => {
  it('is never caught up, even if the rule or a scene changed later says so', async () => {
    await addDevices(db, ['contact'], '517')
    const close = { PeripheralUID: 'contact', Values: { Switch: 1 }, After: 0, IfOffline: 'fail' as const }
    await db.query(sql`insert into scenes (tenant, scene_id, home_id, scene_name, icon, actions, action_order)
      values (${TENANT}, 's', ${HOME}, 's', 'scene', ${JSON.stringify([close])}::jsonb, 'together')`)
    const scene = { SceneID: 's', After: 0, IfOffline: 'fail' as const }
    for (const action of [close, scene])
      await add({ Schedule: daily(480), Actions: [action], Catching: 'latest', Grace: 3600 })
    await add({ id: 'lamp', Schedule: daily(480), Grace: 3600 })
    clock.advance(10 * MINUTE)
    await runAll()
    const runs = await storedRuns(db)
    expect(runs.filter(({ automationId }) => automationId !== 'lamp').map(({ state }) => state)).toEqual([
      'missed',
      'missed',
    ])
    expect(runs.find(({ automationId }) => automationId === 'lamp')).toMatchObject({ state: 'planned' })
  })

  it('still runs on time', async () => {
    await addDevices(db, ['contact'], '517')
    const Actions = [
      { PeripheralUID: 'contact', Values: { Switch: 1 }, After: 0, IfOffline: 'fail' as const },
    ]
    await add({ Schedule: daily(480), Actions })
    clock.advance(MINUTE + 30_000)
    await runAll()
    expect(await storedRuns(db)).toMatchObject([{ state: 'planned' }])
  })
})

describe('a day without sunrise or sunset', () => {
  it('leaves one trace of a solar schedule, which runs on the next regular day', async () => {
    const polar = gateway()
    let hasSun = false
    polar.engine.sunOf = (home) => (day) => (hasSun ? plainSun(home)(day) : null)
    const id = await addAutomation(db, { Schedule: daily({ Sun: 'sunset', Offset: 0 }) })
    const look = () =>
      db.transaction((tx) =>
        rescheduleHomes(tx, { tenant: TENANT, homeIds: 'all' }, { now: clock.now(), engine: polar.engine }),
      )
    await look()
    clock.advance(HOUR)
    await look()
    expect(await storedRuns(db)).toMatchObject([{ automationId: id, state: 'skipped', reason: 'noSun' }])
    hasSun = true
    await look()
    expect(await nextOf(id)).toBeGreaterThan(clock.now())
  })
})

describe('a rule without permission to act', () => {
  it('leaves a trace at each of its times, and runs again once permitted', async () => {
    const id = await add({ Schedule: daily(480, { OffAfter: 1 }) })
    for (const [Reason, reason] of [
      ['noRight', 'noRight'],
      ['deviceGone', 'broken'],
      ['loop', 'resting'],
    ] as const) {
      await suspend(id, Reason)
      clock = holdClock((await nextOf(id)) ?? 0)
      await runAll()
      expect((await storedRuns(db)).at(-1)).toMatchObject({ state: 'skipped', reason })
    }
    expect(await db.query(sql`select 1 from automation_waits`)).toEqual([])
    await db.query(sql`update automations set problem = null where automation_id = ${id}`)
    await replanNow(db, clock, id)
    clock = holdClock((await nextOf(id)) ?? 0)
    await runAll()
    expect((await storedRuns(db)).map(({ state }) => state)).toEqual([
      'skipped',
      'skipped',
      'skipped',
      'planned',
    ])
  })

  it('leaves at most one trace of its conditions every ten minutes, whatever devices report', async () => {
    const whenOn = Conditions.parse({
      PeripheralUIDs: [{ PeripheralUID: 'door', Field: 'Switch1', Status: 1, Logical: '=' }],
    })
    await report(db, 'door', { Switch1: 0 }, clock.now())
    const automationId = await add({ Conditions: whenOn, EndDuration: 60 })
    const { engine } = gateway()
    const look = () => decideRule(engine, { tenant: TENANT, automationId })
    await look()
    await suspend(automationId, 'noRight')
    await look()
    const flap = async (times: number) => {
      for (let i = 0; i < times; i++)
        for (const Switch1 of [1, 0]) {
          clock.advance(10_000)
          await report(db, 'door', { Switch1 }, clock.now())
          await look()
        }
    }
    await flap(20)
    const [first, ...more] = await storedRuns(db)
    expect(first).toMatchObject({ state: 'skipped', reason: 'noRight', cause: 'condition' })
    expect(more).toEqual([])
    clock.advance(10 * MINUTE)
    await flap(1)
    expect(await storedRuns(db)).toHaveLength(2)
    const [trace] = await db.query(sql`select conditions from automation_runs limit 1`)
    expect(trace).toMatchObject({
      conditions: [{ PeripheralUID: 'door', Value: 1, Verdict: true, Needed: { Logical: '=', Status: 1 } }],
    })
  })

  it('still ends what it had begun', async () => {
    const whenOn = Conditions.parse({
      PeripheralUIDs: [{ PeripheralUID: 'door', Field: 'Switch1', Status: 1, Logical: '=' }],
    })
    await report(db, 'door', { Switch1: 0 }, clock.now())
    const automationId = await add({ Conditions: whenOn, EndDuration: 60 })
    const { engine } = gateway()
    const look = () => decideRule(engine, { tenant: TENANT, automationId })
    await look()
    clock.advance(10_000)
    await report(db, 'door', { Switch1: 1 }, clock.now())
    await look()
    await suspend(automationId, 'noRight')
    await look()
    clock.advance(60_000)
    await look()
    await look()
    expect((await storedRuns(db)).map(({ cause, state }) => [cause, state])).toEqual([
      ['condition', 'planned'],
      ['end', 'planned'],
    ])
  })
})

describe('after a downtime of any length', () => {
  it('sets a field as the last due schedule that may still run, and records all others', async () => {
    const schedules = fc.array(
      fc.record({
        at: fc.integer({ min: 480, max: 510 }),
        Catching: fc.constantFrom('latest' as const, 'skip' as const),
        Grace: fc.constantFrom(0, 300, 900, 3600),
        Switch1: fc.constantFrom(0, 1),
      }),
      { minLength: 1, maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(schedules, fc.integer({ min: 60, max: 3600 }), async (given, seconds) => {
        await db.query(sql`delete from automations`)
        await db.query(sql`delete from automation_runs`)
        clock = holdClock(BEFORE)
        for (const [i, { at, Switch1, ...more }] of given.entries()) {
          const Actions = [
            { PeripheralUID: 'lamp', Values: { Switch1 }, After: 0, IfOffline: 'fail' as const },
          ]
          await add({ id: `s${i}`, Schedule: daily(at), Actions, ...more })
        }
        clock.advance(seconds * 1_000)
        const now = clock.now()
        await Promise.all([runAll(), runAll()])
        const due = given
          .map((one, i) => ({ ...one, id: `s${i}`, late: now - (BEFORE + (one.at - 479) * MINUTE) }))
          .filter(({ late }) => late >= 0)
        const [last] = due
          .filter(
            ({ late, Catching, Grace }) => late < MINUTE || (Catching === 'latest' && late <= Grace * 1_000),
          )
          .toSorted((a, b) => a.late - b.late || (a.id < b.id ? 1 : -1))
        const runs = await storedRuns(db)
        expect(runs).toHaveLength(due.length)
        const ran = runs.filter(({ state }) => state === 'planned').map(({ automationId }) => automationId)
        expect(ran.at(-1)).toBe(last?.id)
        expect(new Set(runs.map(({ state }) => state)).has('skipped')).toBe(false)
      }),
      { numRuns: 25 },
    )
  })
})

describe('after a gateway crash', () => {
  /**
   * Ends a gateway's connection after each of its statements, after `prepare`; another gateway then finishes the work. Ending before a
   * statement equals ending after the previous one.
   */
  async function survive(prepare: () => Promise<void>, check: () => Promise<void>): Promise<number> {
    const options = {
      socketDir: testSocketDir(),
      database: name,
      max: 4,
      statementTimeoutMs: 0,
      log: silentLog,
    }
    const own = openDb(options)
    const killing = createKillPoints({ db: own, name })
    let killed = 0
    try {
      for (const point of points()) {
        if (point.when === 'before') continue
        await db.query(sql`delete from automations`)
        await db.query(sql`delete from automation_runs`)
        await db.query(sql`delete from automation_waits`)
        clock = holdClock(BEFORE)
        await prepare()
        const doomed = createTestEngine(own, clock)
        const isReached = await killing.kill(point, () => runAll(doomed).catch(() => {}))
        if (!isReached) break
        killed += 1
        await runAll()
        await check()
      }
    } finally {
      await killing.close()
      await own.close()
    }
    return killed
  }

  it('due schedules run once each, and end once', async () => {
    const killed = await survive(
      async () => {
        for (const id of ['a', 'b']) await add({ id, Schedule: daily(480, { OffAfter: 2 }) })
        clock.advance(MINUTE)
      },
      async () => {
        const runs = await storedRuns(db)
        expect(runs.map(({ automationId, plannedAt, state }) => [automationId, plannedAt, state])).toEqual([
          ['a', EIGHT, 'planned'],
          ['b', EIGHT, 'planned'],
        ])
        for (const id of ['a', 'b']) expect(await nextOf(id)).toBe(EIGHT + DAY)
        const offs = await db.query<{ key: string }>(
          sql`select key from automation_waits where kind = 'off' and due_at = ${EIGHT + 2 * HOUR}::bigint`,
        )
        expect(offs.map(({ key }) => key).toSorted()).toEqual(runs.map(({ runId }) => runId).toSorted())
      },
    )
    expect(killed).toBeGreaterThan(5)
  })

  it('the last of the missed schedules runs once, and the others are recorded once', async () => {
    const killed = await survive(
      async () => {
        for (const [id, at] of [
          ['a', 480],
          ['b', 485],
        ] as const)
          await add({ id, Schedule: daily(at) })
        clock.advance(12 * MINUTE)
      },
      async () => {
        expect((await storedRuns(db)).map(({ automationId, state }) => [automationId, state])).toEqual([
          ['a', 'missed'],
          ['b', 'planned'],
        ])
        expect(await nextOf('a')).toBe(EIGHT + DAY)
        expect(await nextOf('b')).toBe(EIGHT + 5 * MINUTE + DAY)
      },
    )
    expect(killed).toBeGreaterThan(5)
  })

  it('due end actions run once, and a paused rule acts again', async () => {
    const killed = await survive(
      async () => {
        await add({ id: 'a', Schedule: daily(720) })
        await add({ id: 'b', Schedule: daily(720) })
        await suspend('b', 'loop')
        const key = { tenant: TENANT, automationId: 'a' }
        await db.transaction((tx) => setTimers(tx, key, [{ kind: 'off', key: 'run', dueAt: clock.now() }]))
        const resting = { tenant: TENANT, automationId: 'b' }
        await db.transaction((tx) => setTimers(tx, resting, [{ kind: 'resume', dueAt: clock.now() }]))
      },
      async () => {
        expect(await storedRuns(db)).toMatchObject([{ automationId: 'a', cause: 'off' }])
        expect(await db.query(sql`select 1 from automation_waits`)).toEqual([])
        const [b] = await db.query(sql`select problem from automations where automation_id = 'b'`)
        expect(b).toEqual({ problem: null })
      },
    )
    expect(killed).toBeGreaterThan(5)
  })
})
