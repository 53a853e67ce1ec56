import { describe, expect, it } from 'vitest'
import { runDueTimers } from '../../../../../gateway/features/automation/engine/run-due-timers.ts'
import { rescheduleRules } from '../../../../../gateway/features/automation/engine/reschedule.ts'
import { runSchedules } from '../../../../../gateway/features/automation/engine/schedules.ts'
import { setTimers } from '../../../../../gateway/features/automation/engine/timers.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import type { HeldClock } from '../../../../support/clock.ts'
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
/** Monday, 7:59 in Taipei. */
const START = Date.UTC(2026, 0, 4, 23, 59)

let db: Db
let clock: HeldClock
let gateway: ReturnType<typeof createTestEngine>

holdBuilding(START, ['door', 'lamp'], (held) => void ({ db, clock, gateway } = held))

const everyMonday = {
  Schedule: { Weekdays: [1], At: 480, Days: 'all', Except: [], From: null, Through: null, OffAfter: 0 },
} as const

/** Waits until the work is done or blocked by another transaction's lock. */
async function doneOrBlocked(begun: Promise<unknown>): Promise<void> {
  let isDone = false
  void begun.then(() => (isDone = true))
  const blocked = () =>
    db.query(sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  await expect.poll(async () => isDone || (await blocked()).length > 0).toBe(true)
}

/** Engine work while a user saves a rule and ends its pause: both complete, and the remainder is done shortly after. */
async function whileSaved(automationId: string, work: () => Promise<unknown>): Promise<void> {
  let working: Promise<unknown> = Promise.resolve()
  await db.transaction(async (tx) => {
    await tx.query(sql`select from homes where tenant = ${TENANT} and home_id = ${HOME} for key share`)
    await tx.query(sql`select from automations where automation_id = ${automationId} for update`)
    working = work()
    await doneOrBlocked(working)
    await tx.query(sql`update automations set version = version + 1, problem = null
      where automation_id = ${automationId}`)
    await rescheduleRules(tx, [{ tenant: TENANT, automationId }], {
      now: clock.now(),
      engine: createTestEngine(db, clock).engine,
    })
  })
  await working
}

describe('while a person saves an automation', () => {
  it('its pause ends a moment later, and neither blocks the other', async () => {
    const id = await addAutomation(db, everyMonday)
    const problem = { Reason: 'tooOften', Subject: null, Since: START, Until: START }
    await db.query(sql`update automations set problem = ${JSON.stringify(problem)}::jsonb`)
    await setTimers(db, { tenant: TENANT, automationId: id }, [{ kind: 'resume', dueAt: START }])
    await whileSaved(id, () => runDueTimers(gateway.engine, clock.now()))
    await runDueTimers(gateway.engine, clock.now())
    expect(await db.query(sql`select problem, version from automations`)).toEqual([
      { problem: null, version: 2 },
    ])
  })

  it('its due time comes a moment later, and neither blocks the other', async () => {
    const id = await addAutomation(db, everyMonday)
    await replanNow(db, clock, id)
    clock.advance(MINUTE)
    await db.transaction(async (tx) => {
      await tx.query(sql`select from homes where home_id = ${HOME} for update`)
      const working = runSchedules(gateway.engine, clock.now())
      await doneOrBlocked(working)
      await tx.query(sql`select from automations where automation_id = ${id} for update`)
      await working
    })
    await runSchedules(gateway.engine, clock.now())
    expect(await storedRuns(db)).toMatchObject([{ automationId: id, state: 'planned' }])
  })
})
