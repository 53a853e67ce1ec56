import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GuardRun } from '../../../../gateway/domain/automation/guard-run.ts'
import { guard } from '../../../../gateway/features/contract-guard/feature.ts'
import type { HomeDemandNow } from '../../../../gateway/features/contract-guard/ports.ts'
import type { NotificationEvent } from '../../../../gateway/domain/notifications/notification-transport.ts'
import { type Db, raw, sql } from '../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../support/clock.ts'
import { createIdleDeps } from '../../../support/idle-deps.ts'
import type { TestDb } from '../../../support/postgres.ts'
import {
  addAutomation,
  addDevices,
  createBuilding,
  HOME,
  report,
  TENANT,
} from '../automation/engine/support.ts'

const QUARTER = 900_000
/** The sixth minute of a quarter of an hour. */
const START = Date.UTC(2026, 6, 6, 6, 6)
const load = (PeripheralUID: string, more: object = {}) => ({
  PeripheralUID,
  Values: { Switch1: 0 },
  Kw: 20,
  MinOff: 60,
  MaxOff: 3600,
  ...more,
})
const addGuard = (db: Db, Loads: object[]) =>
  addAutomation(db, {
    AutomationType: 4,
    Alarm: {
      Severity: 'warning',
      ClearAfter: 60,
      NoData: 'keep',
      Ahead: false,
      Escalate: [],
      Shed: { Loads },
    },
  } as object)

interface Row {
  uid: string
  state: string
  runId: string
  givenBackRunId: string | null
}

/** Guard of relays `ac1`, `ac2`, whose runs the test stores and executes. */
function createGuards(db: Db, clock: ReturnType<typeof holdClock>) {
  const figures: HomeDemandNow & { Limit: number | null } = {
    forecast: 110,
    asOf: clock.now(),
    slowest: 60,
    meters: ['main'],
    Limit: 100,
  }
  const read = { demand: 0 }
  const told: NotificationEvent[] = []
  const planned: GuardRun[] = []
  const begun: string[] = []
  const ports = {
    notify: async (_: Db, notices: readonly NotificationEvent[]) => void told.push(...notices),
    runs: {
      async plan(tx: Db, run: GuardRun) {
        await tx.query(sql`insert into automation_runs
            (tenant, run_id, home_id, automation_id, cause, state, began_at, action_order)
          values (${run.tenant}, ${run.runId}, ${run.homeId}, ${run.automationId}, ${run.cause}, 'planned', ${clock.now()}, 'together')`)
        planned.push(run)
        return true
      },
      begin: (_: string, runId: string) => void begun.push(runId),
    },
    readDemand: async () => {
      read.demand += 1
      return { ...figures }
    },
    readAllowed: async () => ({ Limit: figures.Limit, billed: 130 }),
    readAvoided: async () => [],
  }
  const deps = { ...createIdleDeps(), db, clock }
  const { jobs, close } = guard(deps, ports)
  const decide = () => (jobs[0] as { run(stopped: () => boolean): Promise<unknown> }).run(() => false)
  return {
    figures,
    told,
    planned,
    begun,
    read,
    decide,
    close,
    /** Reports from these devices, as this gateway's ingest emits them. */
    report: (...uids: string[]) =>
      deps.events.emit('statusChanged', {
        tenant: TENANT,
        homeId: HOME,
        uids,
        statuses: [],
        changedUIDs: [],
      }),
    /** Advances the clock to the next decision, 15 s later. */
    async next(ms = 15_000) {
      clock.advance(ms)
      figures.asOf = clock.now()
      await decide()
    },
    rows: () =>
      db.query<Row>(sql`select peripheral_uid as uid, state, run_id as "runId", given_back_run_id as "givenBackRunId"
        from sheddings order by shed_at, peripheral_uid`),
    end: (runId: string, state: string) =>
      db.query(
        sql`update automation_runs set state = ${state}, ended_at = ${clock.now()} where run_id = ${runId}`,
      ),
  }
}

describe('a contract guard', () => {
  let database: TestDb
  let db: Db
  let clock: ReturnType<typeof holdClock>
  beforeAll(async () => {
    database = await createBuilding([], { max: 6 })
    db = database.db
    await addDevices(db, ['ac1', 'ac2'])
  })
  afterAll(() => database.dropDatabase())
  beforeEach(async () => {
    clock = holdClock(START)
    for (const table of ['automations', 'sheddings', 'automation_runs', 'maintenances', 'automation_pauses'])
      await db.query(sql`delete from ${raw(table)}`)
    for (const uid of ['ac1', 'ac2']) {
      await db.query(sql`delete from device_status where peripheral_uid = ${uid}`)
      await report(db, uid, { Switch1: 1 }, START)
    }
  })

  it('sheds nothing based on reports from before meters fell silent', async () => {
    await addGuard(db, [load('ac1', { Kw: 90 })])
    const one = createGuards(db, clock)
    one.figures.asOf = clock.now() - 180_001
    await one.decide()
    expect(one.planned).toEqual([])
    const states = await db.query<{ state: string }>(sql`select state from guard_states`)
    expect(states.map(({ state }) => state)).toEqual(['partialData'])
    one.figures.asOf = clock.now()
    one.report('main')
    await one.next()
    // The report may trigger the decision.
    await expect.poll(() => one.planned).toMatchObject([{ cause: 'shed' }])
  })

  it('sheds the first loads that suffice, restores them in the next quarter, and notifies of both', async () => {
    await addGuard(db, [load('ac1', { Kw: 90 }), load('ac2')])
    const one = createGuards(db, clock)
    await one.decide()
    expect(one.planned).toMatchObject([
      { cause: 'shed', action: { PeripheralUID: 'ac1', Values: { Switch1: 0 } }, restores: null },
    ])
    expect(one.begun).toEqual([one.planned[0]?.runId])
    expect(one.told).toMatchObject([{ kind: 'guardShed', values: { count: 1, kw: 90, forecastKw: 110 } }])

    await one.end(one.planned[0]?.runId ?? '', 'done')
    await report(db, 'ac1', { Switch1: 0 }, clock.now())
    one.figures.forecast = 70
    await one.next()
    expect(await one.rows()).toMatchObject([{ uid: 'ac1', state: 'off' }])
    expect(one.planned, 'nothing is given back in the same quarter').toHaveLength(1)

    one.figures.forecast = 5
    await one.next(QUARTER)
    expect(one.planned[1]).toMatchObject({ cause: 'giveBack', action: null, restores: one.planned[0]?.runId })
    await one.next()
    expect(one.planned, 'it is given back once').toHaveLength(2)
    await one.end(one.planned[1]?.runId ?? '', 'done')
    await one.next()
    expect(await one.rows()).toMatchObject([{ uid: 'ac1', state: 'givenBack' }])
  })

  it('sheds once if two gateways decide at the same time', async () => {
    await addGuard(db, [load('ac1', { Kw: 90 }), load('ac2')])
    const gateways = [createGuards(db, clock), createGuards(db, clock)]
    await Promise.all(gateways.map(({ decide }) => decide()))
    expect(gateways.flatMap(({ planned }) => planned)).toHaveLength(1)
    expect(await gateways[0]?.rows()).toHaveLength(1)
  })

  it('sheds nothing while a main meter is silent, and reports so once if that lasts', async () => {
    await addGuard(db, [load('ac1')])
    const one = createGuards(db, clock)
    one.figures.forecast = null
    await one.decide()
    expect(one.told).toEqual([])
    for (let i = 0; i < 30; i++) await one.next()
    expect(one.told).toMatchObject([{ kind: 'guardPartialData', severity: 'warning' }])
    expect(one.planned).toEqual([])
  })

  it('reports once a quarter what its loads cannot reduce, and sheds all of them', async () => {
    await addGuard(db, [load('ac1'), load('ac2')])
    const one = createGuards(db, clock)
    one.figures.forecast = 400
    await one.decide()
    expect(one.planned.map(({ action }) => action?.PeripheralUID)).toEqual(['ac1', 'ac2'])
    for (const { runId } of one.planned) await one.end(runId, 'done')
    await one.next()
    const said = one.told.filter(({ kind }) => kind === 'guardCannotHold')
    expect(said).toMatchObject([{ severity: 'critical', values: { targetKw: 100, until: START + 540_000 } }])
    for (const { runId } of one.planned) await one.end(runId, 'done')
    await one.next(QUARTER)
    expect(one.told.filter(({ kind }) => kind === 'guardCannotHold')).toHaveLength(2)
  })

  it('does not count a load that did not switch off, and takes the next', async () => {
    await addGuard(db, [load('ac1', { Kw: 90 }), load('ac2', { Kw: 90 })])
    const one = createGuards(db, clock)
    await one.decide()
    await one.end(one.planned[0]?.runId ?? '', 'failed')
    await one.next()
    expect(await one.rows()).toMatchObject([
      { uid: 'ac1', state: 'failed' },
      { uid: 'ac2', state: 'sent' },
    ])
  })

  it('leaves a load alone that someone has switched on again', async () => {
    await addGuard(db, [load('ac1', { Kw: 90 })])
    const one = createGuards(db, clock)
    await one.decide()
    await one.end(one.planned[0]?.runId ?? '', 'done')
    await report(db, 'ac1', { Switch1: 0 }, clock.now() + 1)
    one.figures.forecast = 70
    await one.next()
    await report(db, 'ac1', { Switch1: 1 }, clock.now())
    await one.next()
    expect(await one.rows()).toMatchObject([{ uid: 'ac1', state: 'givenBack', givenBackRunId: null }])
  })

  it('prefers the measured power of a load to its configured power', async () => {
    await addGuard(db, [load('ac1', { Kw: 1 }), load('ac2', { Kw: 1 })])
    await report(db, 'ac1', { Power: 90_000 }, START)
    const one = createGuards(db, clock)
    await one.decide()
    expect(one.planned.map(({ action }) => action?.PeripheralUID)).toEqual(['ac1'])
    expect(one.told).toMatchObject([{ values: { kw: 90 } }])
  })

  it('holds the peak that is billed anyway, if chosen', async () => {
    const Loads = [load('ac1')]
    await addAutomation(db, {
      AutomationType: 4,
      Alarm: { Severity: 'warning', Escalate: [], Shed: { Loads, AllowBilledPeak: true } },
    } as object)
    const one = createGuards(db, clock)
    await one.decide()
    expect(one.planned, '110 kW of 130').toEqual([])
  })

  it('restores what a disabled, changed or deleted rule had shed', async () => {
    for (const change of [
      sql`update automations set enabled = false`,
      sql`update automations set rule = jsonb_set(rule, '{Alarm,Shed,Loads,0,PeripheralUID}', '"ac2"')`,
      sql`delete from automations`,
    ]) {
      await db.query(sql`delete from automations`)
      await db.query(sql`delete from sheddings`)
      await report(db, 'ac1', { Switch1: 1 }, clock.now())
      await addGuard(db, [load('ac1', { Kw: 90 })])
      const one = createGuards(db, clock)
      one.figures.forecast = 110
      await one.decide()
      await one.end(one.planned[0]?.runId ?? '', 'done')
      await report(db, 'ac1', { Switch1: 0 }, clock.now() + 1)
      one.figures.forecast = 50
      await one.next()
      await db.query(change)
      await one.next()
      expect(one.planned, 'it stays off for as long as was promised').toHaveLength(1)
      await one.next(60_000)
      expect(one.planned[1]).toMatchObject({ cause: 'giveBack', restores: one.planned[0]?.runId })
      clock.advance(QUARTER)
    }
  })

  it.each<[what: string, change: ReturnType<typeof sql>]>([
    ['whose rule is switched off', sql`update automations set enabled = false`],
    ['whose rule is gone', sql`delete from automations`],
    [
      'whose home is in maintenance',
      sql`insert into maintenances (maintenance_id, tenant, home_id, scope, subject, until, reason, started_by, started_at)
        values (gen_random_uuid(), ${TENANT}, ${HOME}, 'home', ${HOME}, ${START + 3_600_000}::bigint, 'x', 'y', 0)`,
    ],
    [
      'whose automations rest',
      sql`insert into automation_pauses (tenant, home_id, reason, by_name, at) values (${TENANT}, ${HOME}, 'r', 'b', 0)`,
    ],
  ])('%s restores one load a minute, and each only after its minimum time off', async (_, change) => {
    await addGuard(db, [load('ac1', { Kw: 30, MinOff: 300 }), load('ac2', { Kw: 30, MinOff: 300 })])
    const one = createGuards(db, clock)
    one.figures.forecast = 130
    await one.decide()
    for (const [i, uid] of ['ac1', 'ac2'].entries()) {
      await one.end(one.planned[i]?.runId ?? '', 'done')
      await report(db, uid, { Switch1: 0 }, clock.now())
    }
    await one.next()
    await db.query(change)
    for (let waited = 15_000; waited < 285_000; waited += 15_000) await one.next()
    expect(one.planned, 'not before').toHaveLength(2)
    const backAt: number[] = []
    for (let i = 0; i < 12; i++) {
      const before = one.planned.length
      await one.next()
      for (let n = before; n < one.planned.length; n++) backAt.push(clock.now())
    }
    expect(backAt).toHaveLength(2)
    expect((backAt[1] ?? 0) - (backAt[0] ?? 0)).toBeGreaterThanOrEqual(60_000)
    await db.query(sql`delete from maintenances`)
    await db.query(sql`delete from automation_pauses`)
  })

  it.each<[kind: string, figures: object]>([
    ['guardTooSlow', { slowest: 900 }],
    ['guardNoContract', { Limit: null }],
  ])('that cannot guard reports so once if that lasts (%s)', async (kind, figures) => {
    await addGuard(db, [load('ac1')])
    const one = createGuards(db, clock)
    Object.assign(one.figures, figures)
    await one.decide()
    expect(one.told).toEqual([])
    for (let i = 0; i < 60; i++) await one.next()
    expect(one.told).toMatchObject([{ kind, severity: 'warning', values: { since: START } }])
    expect(one.planned).toEqual([])
  })

  it('without a need to act reads demand every minute, when a main meter reports, and when its quarter is old enough', async () => {
    clock = holdClock(START - 5 * 60_000)
    await addGuard(db, [load('ac1')])
    const one = createGuards(db, clock)
    one.figures.forecast = 50
    for (let i = 0; i < 12; i++) await one.next(5_000)
    expect(one.read.demand, 'one minute').toBe(1)
    await one.next(5_000)
    expect(one.read.demand, 'the next one').toBe(2)

    one.report('ac1', 'another')
    await one.next(5_000)
    expect(one.read.demand, 'no main meter').toBe(2)
    one.report('main')
    await expect.poll(() => one.read.demand).toBe(3)

    clock.advance(2 * 60_000 - (clock.now() - START + 5 * 60_000))
    expect(clock.now() % QUARTER).toBe(180_000)
    await one.next(0)
    expect(one.read.demand, 'the third minute is over').toBe(4)
    await one.close()
  })

  it('decides when a main meter reports, and only once across several gateways', async () => {
    await addGuard(db, [load('ac1', { Kw: 90 })])
    const gateways = [createGuards(db, clock), createGuards(db, clock)]
    for (const one of gateways) {
      one.figures.forecast = 50
      await one.decide()
    }
    clock.advance(10_000)
    for (const one of gateways) {
      one.figures.forecast = 110
      one.report('main')
    }
    const planned = () => gateways.flatMap((one) => one.planned).length
    await expect.poll(planned).toBe(1)
    for (const one of gateways) await one.next(5_000)
    expect(planned()).toBe(1)
    for (const one of gateways) await one.close()
  })

  it('decides once more on a report that arrived while another gateway decided', async () => {
    await addGuard(db, [load('ac1', { Kw: 90 })])
    const [one, other] = [createGuards(db, clock), createGuards(db, clock)]
    for (const gateway of [one, other]) gateway.figures.forecast = 50
    await one.decide()
    await other.decide()
    clock.advance(61_000)
    await other.decide()
    one.figures.forecast = 110
    one.report('main')
    await expect.poll(() => one.read.demand).toBeGreaterThan(1)
    expect(one.planned, 'the other one decided in this moment').toEqual([])
    const later = async () => {
      await one.next(5_000)
      return one.planned.length
    }
    await expect.poll(later).toBe(1)
    for (const gateway of [one, other]) await gateway.close()
  })

  it('does nothing in a home that is in maintenance or paused', async () => {
    await addGuard(db, [load('ac1')])
    await db.query(sql`insert into automation_pauses (tenant, home_id, reason, by_name, at)
      values (${TENANT}, ${HOME}, 'r', 'b', 0)`)
    const one = createGuards(db, clock)
    await one.decide()
    expect(one.planned).toEqual([])
    await db.query(sql`delete from automation_pauses`)
    await one.next()
    expect(one.planned).toHaveLength(1)
  })
})
