import { describe, expect, it } from 'vitest'
import type { Repeating } from '../../../../../contract/automation/schedule.ts'
import {
  rescheduleRules,
  rescheduleHomes,
} from '../../../../../gateway/features/automation/engine/reschedule.ts'
import { runDueTimers } from '../../../../../gateway/features/automation/engine/run-due-timers.ts'
import { runSchedules } from '../../../../../gateway/features/automation/engine/schedules.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import {
  addAutomation,
  createTestEngine,
  holdBuilding,
  HOME,
  replanNow,
  storedRuns,
  TENANT,
} from './support.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Monday, 7:59 in Taipei. */
const BEFORE = Date.UTC(2026, 0, 5, 23, 59) - DAY
const EIGHT = BEFORE + MINUTE

let db: Db
let clock: HeldClock

holdBuilding(BEFORE, ['lamp', 'fan'], (held) => void ({ db, clock } = held))

const daily = (minute: number, more: Partial<Repeating> = {}): Repeating => ({
  Weekdays: [0, 1, 2, 3, 4, 5, 6],
  At: minute,
  Days: 'all',
  Except: [],
  From: null,
  Through: null,
  OffAfter: 0,
  ...more,
})

const gateway = () => createTestEngine(db, clock)

/** Adds an automation and schedules it. */
async function add(given: Parameters<typeof addAutomation>[1]): Promise<string> {
  const automationId = await addAutomation(db, given)
  await replanNow(db, clock, automationId)
  return automationId
}

const nextOf = async (id: string): Promise<number | null | undefined> => {
  const [row] = await db.query<{ at: number | null }>(
    sql`select next_run_at as at from automations where automation_id = ${id}`,
  )
  return row?.at
}

async function runAll({ engine }: ReturnType<typeof gateway>) {
  while (await runSchedules(engine, clock.now()));
  while (await runDueTimers(engine, clock.now()));
}

describe('schedules', () => {
  it('run once at their time, whichever gateways evaluate them, and again the next day', async () => {
    const id = await add({ Schedule: daily(480) })
    expect(await nextOf(id)).toBe(EIGHT)
    const gateways = [gateway(), gateway(), gateway()]
    await Promise.all(gateways.map(runAll))
    expect(await storedRuns(db)).toEqual([])

    clock.advance(MINUTE)
    await Promise.all(gateways.map(runAll))
    expect(await storedRuns(db)).toMatchObject([
      { automationId: id, cause: 'schedule', plannedAt: EIGHT, state: 'planned' },
    ])
    expect(gateways.flatMap(({ runs }) => runs.begun)).toHaveLength(1)
    expect(await nextOf(id)).toBe(EIGHT + DAY)
  })

  it('all run once if a thousand are due in the same minute with three gateways', async () => {
    for (let i = 0; i < 1_000; i++) await addAutomation(db, { Schedule: daily(480), id: `rule-${i}` })
    const keys = Array.from({ length: 1_000 }, (_, i) => ({ tenant: TENANT, automationId: `rule-${i}` }))
    await db.transaction((tx) => rescheduleRules(tx, keys, { now: clock.now(), engine: gateway().engine }))
    clock.advance(MINUTE)
    const gateways = [gateway(), gateway(), gateway()]
    await Promise.all(gateways.map(runAll))
    const rows = await storedRuns(db)
    expect(rows).toHaveLength(1_000)
    expect(new Set(rows.map(({ automationId }) => automationId)).size).toBe(1_000)
    expect(gateways.flatMap(({ runs }) => runs.begun)).toHaveLength(1_000)
  })

  it('run although one of them prevents preparing all together', async () => {
    for (const id of ['one', 'two']) await add({ Schedule: daily(480), id })
    clock.advance(MINUTE)
    const { engine, runs } = gateway()
    runs.prepare = async (tx) => void (await tx.query(sql`select 1 / 0`))
    await runSchedules(engine, clock.now())
    expect((await storedRuns(db)).map(({ automationId }) => automationId)).toEqual(['one', 'two'])
    expect(runs.begun).toHaveLength(2)
  })

  it('that run once are disabled after they have run', async () => {
    const id = await add({ AutomationType: 2, Schedule: { At: EIGHT, OffAfter: 0 } })
    clock.advance(MINUTE)
    await runAll(gateway())
    expect(await storedRuns(db)).toHaveLength(1)
    expect(await nextOf(id)).toBeNull()
    const [row] = await db.query(sql`select enabled from automations where automation_id = ${id}`)
    expect(row).toEqual({ enabled: false })
  })

  it('do not run again if the clock is set back by a minute or an hour', async () => {
    for (const back of [MINUTE, HOUR]) {
      await db.query(sql`delete from automations`)
      await db.query(sql`delete from automation_runs`)
      clock = holdClock(BEFORE)
      const id = await add({ Schedule: daily(480) })
      clock.advance(MINUTE)
      await runAll(gateway())
      clock = holdClock(EIGHT - back)
      await replanNow(db, clock, id)
      expect(await nextOf(id)).toBe(EIGHT)
      clock.advance(back)
      const second = gateway()
      await runAll(second)
      expect(await storedRuns(db)).toHaveLength(1)
      expect(second.runs.begun).toEqual([])
      expect(await nextOf(id)).toBe(EIGHT + DAY)
    }
  })

  it('switch off after hours what they switched on, even if disabled meanwhile', async () => {
    const id = await add({ Schedule: daily(480, { OffAfter: 2 }) })
    clock.advance(MINUTE)
    await runAll(gateway())
    await db.query(sql`update automations set enabled = false where automation_id = ${id}`)
    await replanNow(db, clock, id)
    clock.advance(2 * HOUR)
    const later = gateway()
    await Promise.all([runAll(later), runAll(later)])
    const [on, off, ...more] = await storedRuns(db)
    expect(more).toEqual([])
    expect(off).toMatchObject({ cause: 'off', plannedAt: EIGHT + 2 * HOUR })
    expect(later.runs.planned).toMatchObject([{ cause: 'off', restores: on?.runId }])
  })

  it('of a paused home are recorded but not run', async () => {
    await add({ Schedule: daily(480, { OffAfter: 1 }) })
    await db.query(sql`insert into automation_pauses (tenant, home_id, until, reason, by_name, at)
      values (${TENANT}, ${HOME}, null, 'x', 'x', 0)`)
    clock.advance(MINUTE)
    const one = gateway()
    await runAll(one)
    clock.advance(2 * HOUR)
    await runAll(one)
    expect(await storedRuns(db)).toMatchObject([{ state: 'skipped', reason: 'paused' }])
    expect(one.runs.begun).toEqual([])
  })
})

describe('after a downtime of', () => {
  const on = [{ PeripheralUID: 'lamp', Values: { Switch1: 1 }, After: 0, IfOffline: 'fail' as const }]
  const off = [{ PeripheralUID: 'lamp', Values: { Switch1: 0 }, After: 0, IfOffline: 'fail' as const }]
  const fan = [{ PeripheralUID: 'fan', Values: { Switch1: 1 }, After: 0, IfOffline: 'fail' as const }]

  it('ten minutes, the last schedule of a field runs and the others are missed', async () => {
    const first = await add({ Schedule: daily(480), Actions: on })
    const last = await add({ Schedule: daily(485), Actions: off })
    const other = await add({ Schedule: daily(481), Actions: fan })
    clock.advance(11 * MINUTE)
    const gateways = [gateway(), gateway(), gateway()]
    await Promise.all(gateways.map(runAll))
    const rows = Object.fromEntries((await storedRuns(db)).map((row) => [row.automationId, row.state]))
    expect(rows).toEqual({ [first]: 'missed', [last]: 'planned', [other]: 'planned' })
    expect(gateways.flatMap(({ runs }) => runs.begun)).toHaveLength(2)
  })

  it('a moment, missed schedules run before the ones due now', async () => {
    const first = await add({ Schedule: daily(480), Actions: on })
    const last = await add({ Schedule: daily(490), Actions: off })
    clock.advance(11 * MINUTE + 30_000)
    await runAll(gateway())
    const rows = Object.fromEntries((await storedRuns(db)).map((row) => [row.automationId, row.state]))
    expect(rows).toEqual({ [first]: 'missed', [last]: 'planned' })
  })

  it('two hours, schedules older than allowed are missed', async () => {
    const late = await add({ Schedule: daily(480) })
    const patient = await add({ Schedule: daily(481), Grace: 3 * 3_600, Actions: fan })
    const strict = await add({ Schedule: daily(598), Catching: 'skip', Actions: fan })
    clock.advance(2 * HOUR)
    await runAll(gateway())
    const rows = Object.fromEntries((await storedRuns(db)).map((row) => [row.automationId, row.state]))
    expect(rows).toEqual({ [late]: 'missed', [patient]: 'planned', [strict]: 'missed' })
  })

  it('three days, each missed time is reported, and the next is tomorrow', async () => {
    const id = await add({ Schedule: daily(480) })
    clock.advance(3 * DAY + 2 * HOUR)
    await runAll(gateway())
    const rows = await storedRuns(db)
    expect(rows.map(({ plannedAt, state }) => [plannedAt, state])).toEqual(
      [0, 1, 2, 3].map((days) => [EIGHT + days * DAY, 'missed']),
    )
    expect(await nextOf(id)).toBe(EIGHT + 4 * DAY)
  })
})

describe('a clock set forward', () => {
  it('by a day skips the times in between and continues with the new time', async () => {
    const id = await add({ Schedule: daily(480) })
    const running = gateway()
    await runAll(running)
    clock.advance(DAY + HOUR)
    await runAll(running)
    await runAll(gateway())
    expect((await storedRuns(db)).map(({ plannedAt, state }) => [plannedAt, state])).toEqual([
      [EIGHT, 'missed'],
      [EIGHT + DAY, 'missed'],
    ])
    expect(running.runs.begun).toEqual([])
    expect(await nextOf(id)).toBe(EIGHT + 2 * DAY)
  })
})

describe('a home with a clock change', () => {
  it('runs at the time of the new zone, not of the old one', async () => {
    const id = await add({ Schedule: daily(480) })
    await db.query(sql`update homes set time_zone = 'Asia/Tokyo' where home_id = ${HOME}`)
    clock.advance(MINUTE)
    const one = gateway()
    await runAll(one)
    expect(await storedRuns(db)).toMatchObject([{ plannedAt: EIGHT, state: 'missed' }])
    expect(await nextOf(id)).toBe(EIGHT + DAY - HOUR)
    await db.query(sql`update homes set time_zone = 'Asia/Taipei' where home_id = ${HOME}`)
    await db.transaction((tx) =>
      rescheduleHomes(
        tx,
        { tenant: TENANT, homeIds: [HOME] },
        { now: clock.now(), engine: gateway().engine },
      ),
    )
    expect(await nextOf(id)).toBe(EIGHT + DAY)
  })

  it('runs once on the days when clocks go back and forward', async () => {
    await db.query(sql`update homes set time_zone = 'Europe/Berlin' where home_id = ${HOME}`)
    // 29 March 2026 has no 2:30, and 25 October two.
    for (const start of [Date.UTC(2026, 2, 28, 12), Date.UTC(2026, 9, 24, 12)]) {
      await db.query(sql`delete from automations`)
      await db.query(sql`delete from automation_runs`)
      clock = holdClock(start)
      await add({ Schedule: daily(150) })
      for (let i = 0; i < 24 * 4; i++) {
        clock.advance(15 * MINUTE)
        await runAll(gateway())
      }
      expect(await storedRuns(db)).toMatchObject([{ state: 'planned' }])
    }
  })
})
