import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import type { Deps } from '../../../../../gateway/features/deps.ts'
import { createEvents } from '../../../../../gateway/kernel/events.ts'
import { createEngine } from '../../../../../gateway/features/automation/engine/create-engine.ts'
import { startJobs } from '../../../../../gateway/lib/jobs.ts'
import { type Db, raw, sql } from '../../../../../gateway/kernel/db.ts'
import { openDb } from '../../../../../gateway/store/db.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import { createIdleDeps } from '../../../../support/idle-deps.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { silentLog, testSocketDir } from '../../../../support/postgres.ts'
import { cases } from '../../../../support/thorough.ts'
import {
  addAutomation,
  createBuilding,
  createRecordingRuns,
  HOME,
  noMeasures,
  plainSun,
  report,
  storedRuns,
  TENANT,
} from './support.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Monday, 7:58 in Taipei. */
const START = Date.UTC(2026, 0, 4, 23, 58)

let database: Awaited<ReturnType<typeof createBuilding>>
let db: Db
let clock: HeldClock
let closing: (() => Promise<void>)[]

beforeEach(async () => {
  database = await createBuilding(['door', 'lamp'])
  db = database.db
  clock = holdClock(START)
  closing = []
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  await database.dropDatabase()
})

/** Complete engine with its jobs and connections. */
async function start(jobs = true) {
  const own = openDb({ socketDir: testSocketDir(), database: database.name, max: 8, log: silentLog })
  const events = createEvents(() => {})
  const runs = createRecordingRuns(clock.now)
  const log = createLogBook()
  const deps: Deps = { ...createIdleDeps(), db: own, clock, events, log, metrics: new Registry() }
  const engine = createEngine(deps, { runs, ...noMeasures }, plainSun)
  await engine.recover()
  await engine.idle()
  const running = jobs ? startJobs(engine.jobs, { clock, log }) : undefined
  const close = async () => {
    await running?.close()
    await engine.close()
    await own.close()
  }
  closing.push(close)
  return { engine, runs, events, db: own, close }
}

type Started = Awaited<ReturnType<typeof start>>

/** Advances the clock second by second and processes what becomes due. */
async function pass(gateways: readonly Started[], seconds: number) {
  for (let i = 0; i < seconds; i++) {
    clock.advance(SECOND)
    for (const { engine } of gateways) await engine.idle()
  }
}

const whenOn = Conditions.parse({
  PeripheralUIDs: [{ PeripheralUID: 'door', Field: 'Switch1', Status: 1, Logical: '=' }],
})

/** Stores a change of the door at this gateway. */
async function say({ events, engine }: Started, Switch1: number) {
  await report(db, 'door', { Switch1 }, clock.now())
  events.emit('statusChanged', {
    tenant: TENANT,
    homeId: HOME,
    uids: [],
    changedUIDs: ['door'],
    statuses: [],
  })
  await engine.idle()
}

/** Saves an automation as a call does. */
async function save(
  [{ engine }]: readonly [Started, ...Started[]],
  given: Parameters<typeof addAutomation>[1],
) {
  const id = await addAutomation(db, given)
  await db.transaction((tx) => engine.replan(tx, [{ tenant: TENANT, automationId: id }]))
  return id
}

/** Saves a smart link on the door, and waits until each gateway has loaded it and it is armed. */
async function saveLink(gateways: readonly [Started, ...Started[]], more: object = {}): Promise<string> {
  const id = await save(gateways, { Conditions: whenOn, ...more })
  await expect
    .poll(async () => {
      for (const one of gateways) await one.engine.idle()
      const [row] = await db.query<{ version: number }>(
        sql`select version from automation_states where automation_id = ${id}`,
      )
      return row?.version === 1 && gateways.every((one) => one.engine.watches('door', TENANT))
    })
    .toBe(true)
  return id
}

/** Rule at the start of a booking at eight. */
async function addRoomRule(): Promise<string> {
  const at = START + 2 * MINUTE
  await db.query(sql`insert into conference_rooms (tenant, conference_room_id, conference_room_name, capacity, home_id,
      equipment, active, release_after)
    values (${TENANT}, 'room', 'r', 4, ${HOME}, '', true, 0)`)
  await db.query(sql`insert into reservations (tenant, record_id, conference_room_id, room_no, start_timestamp,
      end_timestamp, subject, description, host, attendees, private, booked_by_email, sequence)
    select tenant, 'booking', conference_room_id, room_no, ${at}::bigint, ${at + 30 * MINUTE}::bigint, '', '', '', '[]',
      false, '', 0 from conference_rooms`)
  const Booking = { ConferenceRoomID: 'room', When: 'start' as const, Minutes: 0 }
  const id = await addAutomation(db, { Booking })
  await db.query(sql`insert into automation_waits (tenant, automation_id, kind, key, due_at, detail)
    values (${TENANT}, ${id}, 'booking', 'booking/start', ${at}::bigint,
      ${JSON.stringify({ RecordID: 'booking', Moment: at })}::jsonb)`)
  return id
}

/** Ends every connection to the database and blocks new ones; returns a function that allows them again. */
async function cutOff(): Promise<() => Promise<void>> {
  const admin = openDb({ socketDir: testSocketDir(), database: 'postgres', max: 1, log: silentLog })
  const allow = (is: boolean) =>
    admin.query(raw(`alter database "${database.name}" with allow_connections ${is}`))
  await allow(false)
  await admin.query(
    sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${database.name}`,
  )
  return async () => {
    await allow(true)
    await admin.close()
  }
}

describe('the engine of a gateway', () => {
  it('runs a smart link when a report of its device is stored by any gateway', async () => {
    const gateways: [Started, Started] = [await start(), await start()]
    await report(db, 'door', { Switch1: 0 }, clock.now())
    const automationId = await saveLink(gateways)
    for (const one of gateways) {
      clock.advance(10 * SECOND)
      await say(one, 1)
      await say(one, 0)
    }
    expect(await storedRuns(db)).toMatchObject([
      { automationId, edgeNo: 1, state: 'planned' },
      { automationId, edgeNo: 2, state: 'planned' },
    ])
    expect(gateways.map(({ runs }) => runs.begun.length)).toEqual([1, 1])
  })

  const links = cases(120, 500)
  it(`runs each of ${links} smart links on one sensor once per change`, async () => {
    const gateways: [Started, Started] = [await start(), await start()]
    await report(db, 'door', { Switch1: 0 }, clock.now())
    const ids: string[] = []
    for (let i = 0; i < links; i++) ids.push(await addAutomation(db, { Conditions: whenOn }))
    const [{ engine }] = gateways
    await db.transaction((tx) =>
      engine.replan(
        tx,
        ids.map((automationId) => ({ tenant: TENANT, automationId })),
      ),
    )
    await expect
      .poll(async () => {
        for (const one of gateways) await one.engine.idle()
        const [row] = await db.query<{ armed: number }>(
          sql`select count(*) as armed from automation_states where version = 1`,
        )
        return row?.armed === links && gateways.every((one) => one.engine.watches('door', TENANT))
      })
      .toBe(true)
    for (const one of gateways) {
      clock.advance(10 * SECOND)
      await say(one, 1)
      await say(one, 0)
    }
    const runs = await storedRuns(db)
    expect(new Set(runs.map(({ automationId, edgeNo }) => `${automationId} ${edgeNo}`)).size).toBe(2 * links)
    expect(runs).toHaveLength(2 * links)
  })

  it('finds within a minute what no gateway was notified of', async () => {
    const gateways: [Started] = [await start()]
    await report(db, 'door', { Switch1: 0 }, clock.now())
    await saveLink(gateways)
    await report(db, 'door', { Switch1: 1 }, clock.now())
    await pass(gateways, 61)
    await expect.poll(() => storedRuns(db)).toMatchObject([{ state: 'planned', edgeNo: 1 }])
  })

  it('runs once what came due in a 30-second database outage, and loses no timer', async () => {
    const gateways: [Started, Started] = [await start(), await start()]
    const Schedule = {
      Weekdays: [1],
      At: 480,
      Days: 'all' as const,
      Except: [],
      From: null,
      Through: null,
      OffAfter: 0,
    }
    const schedule = await save(gateways, { Schedule })
    const booked = await addRoomRule()
    await report(db, 'door', { Switch1: 0 }, clock.now())
    const link = await saveLink(gateways, { Conditions: { ...whenOn, For: 60 } })
    await pass(gateways, 60)
    await say(gateways[0], 1)
    await pass(gateways, 45)
    const back = await cutOff()
    await pass(gateways, 30)
    await back()
    await pass(gateways, 60)
    await expect.poll(async () => (await storedRuns(db)).length).toBe(3)
    await pass(gateways, 30)
    const runs = await storedRuns(db)
    expect(runs.map(({ automationId, cause, state }) => [automationId, cause, state])).toEqual(
      expect.arrayContaining([
        [schedule, 'schedule', 'planned'],
        [booked, 'booking', 'planned'],
        [link, 'condition', 'planned'],
      ]),
    )
    expect(runs).toHaveLength(3)
  })

  it('runs a schedule within one second of its time, with one gateway or three', async () => {
    const gateways: [Started, Started, Started] = [await start(), await start(), await start()]
    const Schedule = {
      Weekdays: [1],
      At: 480,
      Days: 'all' as const,
      Except: [],
      From: null,
      Through: null,
      OffAfter: 0,
    }
    const automationId = await save(gateways, { Schedule })
    await pass(gateways, 119)
    expect(await storedRuns(db)).toEqual([])
    await pass(gateways, 1)
    await expect
      .poll(() => storedRuns(db))
      .toMatchObject([{ automationId, plannedAt: START + 2 * MINUTE, state: 'planned' }])
    expect(gateways.flatMap(({ runs }) => runs.begun)).toHaveLength(1)
  })

  it('continues what another gateway has begun, and runs what is due at startup', async () => {
    const first = await start()
    await report(db, 'door', { Switch1: 0 }, clock.now())
    await saveLink([first], { EndDuration: 60 })
    await say(first, 1)
    await say(first, 0)
    await first.close()
    clock.advance(5 * MINUTE)
    const second = await start()
    await second.engine.idle()
    expect((await storedRuns(db)).map(({ cause }) => cause)).toEqual(['condition', 'end'])
    expect(second.runs.begun).toHaveLength(1)
  })

  it('evaluates reports without reading the statuses of devices', async () => {
    const gateway = await start()
    await report(db, 'door', { Switch1: 0, Power: 5 }, clock.now())
    const figure = { PeripheralUID: 'door', Field: 'Power', Status: 100, Logical: '>' } as const
    await saveLink([gateway], { Conditions: Conditions.parse({ PeripheralUIDs: [figure] }) })
    clock.advance(SECOND)
    await report(db, 'door', { Power: 101 }, clock.now())
    gateway.events.emit('statusChanged', {
      tenant: TENANT,
      homeId: HOME,
      uids: ['door'],
      changedUIDs: [],
      get statuses(): never {
        throw new Error('Statuses were read')
      },
    })
    gateway.events.emit('statusReported', [
      { device: { key: `${TENANT}/door`, peripheralUID: 'door' }, values: { Power: 101 } },
    ])
    await gateway.engine.idle()
    expect(await storedRuns(db)).toMatchObject([{ state: 'planned', edgeNo: 1 }])
  })

  it('keeps holds through a 30-second database outage, and acts once afterwards', async () => {
    const gateway = await start()
    await report(db, 'door', { Switch1: 0 }, clock.now())
    const Held = Conditions.parse({ ...whenOn, For: 20 })
    await saveLink([gateway], { Conditions: Held })
    await say(gateway, 1)
    await pass([gateway], 10)
    const tables = ['automation_states', 'automation_waits', 'automations']
    for (const table of tables)
      await db.query(sql`alter table ${raw(table)} rename to ${raw(`${table}_away`)}`)
    await pass([gateway], 30)
    for (const table of tables)
      await db.query(sql`alter table ${raw(`${table}_away`)} rename to ${raw(table)}`)
    expect(await storedRuns(db)).toEqual([])
    await pass([gateway], 30)
    expect(await storedRuns(db)).toMatchObject([{ state: 'planned', edgeNo: 1 }])
  })

  it('evaluates notifications after a 30-second database outage', async () => {
    const gateway = await start()
    await report(db, 'door', { Switch1: 0 }, clock.now())
    await saveLink([gateway])
    await report(db, 'door', { Switch1: 1 }, clock.now())
    await db.query(sql`alter table automation_states rename to automation_states_away`)
    gateway.events.emit('statusChanged', {
      tenant: TENANT,
      homeId: HOME,
      uids: [],
      changedUIDs: ['door'],
      statuses: [],
    })
    await pass([gateway], 30)
    expect(await storedRuns(db)).toEqual([])
    await db.query(sql`alter table automation_states_away rename to automation_states`)
    await pass([gateway], 15)
    expect(await storedRuns(db)).toMatchObject([{ state: 'planned', edgeNo: 1 }])
  })
})
