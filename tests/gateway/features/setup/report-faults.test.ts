import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEvents, type Events } from '../../../../gateway/kernel/events.ts'
import { createReportFaults } from '../../../../gateway/features/setup/report-faults.ts'
import { GatewayError } from '../../../../gateway/kernel/errors.ts'
import { type Db, sql } from '../../../../gateway/kernel/db.ts'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { type Building, createBuilding } from '../../../support/building.ts'
import { type HeldClock, holdClock } from '../../../support/clock.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createTestDb } from '../../../support/postgres.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

describe('report faults', () => {
  let db: Db
  let drop: () => Promise<void>
  let building: Building
  let clock: HeldClock
  let events: Events
  beforeAll(async () => {
    ;({ db, dropDatabase: drop } = await createTestDb())
  })
  afterAll(() => drop())
  beforeEach(async () => {
    building = await createBuilding(db)
    clock = holdClock()
    events = createEvents((error) => {
      throw error
    })
  })

  const open = (through = db) => createReportFaults({ db: through, events, clock, log: createLogBook() })
  const tell = (field: string, came: unknown) =>
    events.emit('reportFaulty', {
      ...{ tenant: building.tenant, thingName: building.thingName, message: 'status' },
      faults: [{ uid: 'air', field, reason: 'value', value: came }],
    })
  const well = (...fields: string[]) =>
    events.emit('reportWell', { thingName: building.thingName, uid: 'air', fields })
  const rows = () =>
    db.query<Record<string, unknown>>(sql`
      select field, came, count, since, last_at as last, ended_at as ended from report_faults
      where thing_name = ${building.thingName} order by field`)

  it('count from the first, keep the last value, and end when the field is valid', async () => {
    const first = open()
    const since = clock.now()
    tell('Temperature', -127)
    tell('Temperature', { x: 'y'.repeat(100) })
    clock.advance(60_000)
    await first.close()
    const second = open()
    tell('Temperature', 'E\0\uD800')
    await second.close()
    expect(await rows()).toEqual([
      { field: 'Temperature', came: 'E\uFFFD\uFFFD', count: 3, since, last: clock.now(), ended: null },
    ])
    const third = open()
    well('Temperature')
    await third.close()
    expect(await rows()).toMatchObject([{ count: 3, ended: clock.now() }])
  })

  it('of one message stay if the same field of another message is valid', async () => {
    const faults = open()
    const whole = (message: 'status' | 'unmapped') =>
      events.emit('reportFaulty', {
        ...{ tenant: building.tenant, thingName: building.thingName, message },
        faults: [{ uid: '', field: '', reason: 'malformed', value: undefined }],
      })
    whole('status')
    whole('unmapped')
    await faults.close()
    const later = open()
    events.emit('reportWell', {
      ...{ thingName: building.thingName, uid: '', fields: [''], message: 'unmapped' },
    })
    await later.close()
    expect(
      await db.query(sql`select message, ended_at as ended from report_faults
        where thing_name = ${building.thingName} order by message`),
    ).toEqual([
      { message: 'status', ended: null },
      { message: 'unmapped', ended: clock.now() },
    ])
  })

  it('start from one again a day after they ended', async () => {
    const faults = open()
    tell('Temperature', 1)
    well('Temperature')
    await faults.close()
    clock.advance(86_400_001)
    const later = open()
    tell('Temperature', 2)
    await later.close()
    expect(await rows()).toMatchObject([{ came: '2', count: 1, since: clock.now(), ended: null }])
  })

  it('wait for an unavailable database without losing a count', async () => {
    let away = true
    const flaky: Db = {
      ...db,
      query: (query) => (away ? Promise.reject(new GatewayError('UNAVAILABLE', 'away')) : db.query(query)),
    }
    const faults = open(flaky)
    tell('Temperature', 1)
    tell('Temperature', 2)
    await faults.close()
    away = false
    await faults.close()
    expect(await rows()).toMatchObject([{ came: '2', count: 2 }])
  })

  it('are limited to the 500 newest of a hub', async () => {
    const faults = open()
    tell('old', 1)
    clock.advance(1)
    for (let i = 0; i < 500; i++) tell(`field${i}`, 1)
    await faults.close()
    const kept = await rows()
    expect(kept).toHaveLength(500)
    expect(kept.map(({ field }) => field)).not.toContain('old')
  })
})

describe('ListReportFault', () => {
  let world: World
  let root: Caller
  beforeAll(async () => {
    world = await startWorld()
    root = await world.signUp()
  })
  afterAll(() => world.close())

  it('is available to users who may read devices of their hub, and not of another', async () => {
    const { HomeID } = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results
    const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
    const reader = await world.createUser(root, [rights('device', 'Read')])
    expect((await reader.post('/ListReportFault', { HomeID, ThingName })).results).toEqual([])
    const stranger = await world.createUser(root, [rights('room', 'Read')])
    expect((await stranger.post('/ListReportFault', { HomeID, ThingName })).status.code).toBe(
      ERRORS.PERMISSION_DENIED.code,
    )
    const other = await world.signUp()
    expect((await other.post('/ListReportFault', { HomeID, ThingName })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
  })
})
