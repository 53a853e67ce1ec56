import fc from 'fast-check'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventValuesOf } from '../../../../../contract/devices/kinds/history-fields.ts'
import { createEvents } from '../../../../../gateway/kernel/events.ts'
import { updateStateAlarms } from '../../../../support/note-states.ts'
import { syncStateFields } from '../../../../../gateway/features/devices/feature.ts'
import { quarantineReading } from '../../../../../gateway/features/meters/quarantine.ts'
import { createIngest, type ReportIngest } from '../../../../../gateway/features/status/ingest/ingest.ts'
import { markPresence, markAllOffline } from '../../../../../gateway/features/status/shadow/effects.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { openDb } from '../../../../../gateway/store/db.ts'
import { type Building, createBuilding, encode } from '../../../../support/building.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb, silentLog, type TestDb, testSocketDir } from '../../../../support/postgres.ts'

let test: TestDb
let db: Db
let other: Db
let building: Building
/** Two gateways on one database. */
let gateways: ReportIngest[]
let moved: string[]
const clock = holdClock()
const START = clock.now() - 86_400_000

beforeAll(async () => {
  test = await createTestDb()
  db = test.db
  other = openDb({ socketDir: testSocketDir(), database: test.name, max: 3, log: silentLog })
  await syncStateFields(db)
})
afterAll(async () => {
  await other.close()
  await test.dropDatabase()
})
beforeEach(async () => {
  building = await createBuilding(db)
  moved = []
  gateways = [db, other].map(startIngest)
})
afterEach(async () => {
  for (const ingest of gateways) await ingest.close()
})

function startIngest(on: Db): ReportIngest {
  const events = createEvents((error) => {
    throw error
  })
  events.on('statusChanged', (changed) => void moved.push(...changed.changedUIDs))
  const metrics = new Registry()
  return createIngest({
    quarantineReading,
    updateStateAlarms,
    db: on,
    events,
    clock,
    log: createLogBook(),
    metrics,
  })
}

interface Said {
  uid?: string
  /** Seconds after the start. */
  at: number
  values: Record<string, unknown>
  through?: number
}

const send = (
  { uid = 'light', at, values, through = 0 }: Said,
  { tenant, homeId, thingName, hub } = building,
) =>
  gateways[through]?.receive({
    match: { name: 'statusReport', values: { rootId: tenant, homeId } },
    payload: encode({
      ThingName: thingName,
      Timestamp: START,
      Peripherals: [{ PeripheralUID: uid, Timestamp: START + at * 1_000, ...values }],
    }),
    client: hub,
  })
const sendAll = async (all: readonly Said[]) => {
  for (const one of all) await send(one)
}

interface Row {
  at: number
  field: string
  before: number | null
  value: number
}
/** Log of a device ordered by its clock; without `late`. */
const logOf = (uid = 'light', { tenant } = building) =>
  db.query<Row>(sql`select (timestamp - ${START}::bigint) / 1000 as at, field, before, value from device_events
    where tenant = ${tenant} and peripheral_uid = ${uid} order by timestamp, seq`)
const lateOf = async (uid = 'light') =>
  (
    await db.query<{ at: number }>(sql`select (timestamp - ${START}::bigint) / 1000 as at from device_events
      where tenant = ${building.tenant} and peripheral_uid = ${uid} and late order by timestamp, seq`)
  ).map(({ at }) => at)
const row = (at: number, before: number | null, value: number, field = 'Switch1'): Row => ({
  at,
  field,
  before,
  value,
})
const byField = (rows: readonly Row[]) => {
  const fields = new Map<string, Row[]>()
  for (const one of rows) fields.set(one.field, [...(fields.get(one.field) ?? []), one])
  return fields
}
/** Expected log of the reports in order of their timestamps. */
function changesOf(reports: readonly Said[]): Row[] {
  const known = new Map<string, number>()
  return reports.flatMap(({ at, values }) =>
    Object.entries(values as Record<string, number>).flatMap(([field, value]) => {
      const before = known.get(field) ?? null
      known.set(field, value)
      return before === value ? [] : [row(at, before, value, field)]
    }),
  )
}

const light = (Switch1: number) => ({ Switch1 })
const at = fc.integer({ min: 0, max: 40 })
const onOff = fc.constantFrom(0, 1)
const full = fc.record({ Switch1: onOff, Switch2: onOff })
const report = fc.record({ at, values: full, through: fc.constantFrom(0, 1) })
const ascending = fc
  .array(report, { minLength: 1, maxLength: 15 })
  .map((all) => all.toSorted((a, b) => a.at - b.at))
const moments = fc
  .uniqueArray(report, { minLength: 2, maxLength: 15, selector: (one) => one.at })
  .map((all) => all.toSorted((a, b) => a.at - b.at))
const together = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 })

/** Sends reports in groups, each as messages that arrive together at one gateway. */
async function sendGroups(all: readonly Said[], lengths: readonly number[], to: Building) {
  for (let from = 0, i = 0; from < all.length; i++) {
    const group = all.slice(from, (from += lengths[i % lengths.length] ?? 1))
    const through = group[0]?.through ?? 0
    await Promise.all(group.map((one) => send({ ...one, through }, to)))
  }
}
const withLight = async () => {
  const made = await createBuilding(db)
  await made.addDevice('light', '535')
  return made
}
const sorted = (rows: readonly Row[]) =>
  [...byField(rows)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, of]) => of)

describe('the log of a device', () => {
  it('starts with a baseline, and keeps two changes in one second apart', async () => {
    await building.addDevice('light', '535')
    await sendAll([
      { at: 1, values: light(0) },
      { at: 2, values: light(1) },
      { at: 2, values: light(0) },
      { at: 3, values: light(0) },
    ])
    expect(await logOf()).toEqual([row(1, null, 0), row(2, 0, 1), row(2, 1, 0)])
  })

  it('has every reported change in order, in any batches and on any gateway', async () => {
    await fc.assert(
      fc.asyncProperty(ascending, together, async (reports, lengths) => {
        const made = await withLight()
        await sendGroups(reports, lengths, made)
        expect(sorted(await logOf('light', made))).toEqual(sorted(changesOf(reports)))
      }),
      { numRuns: 30 },
    )
  })

  it('has every change of a constantly changing device, those beyond a batch as late', async () => {
    await building.addDevice('light', '535')
    const reports = Array.from({ length: 400 }, (_, i) => ({ at: i, values: light(i % 2) }))
    await Promise.all(reports.map((one) => send(one)))
    expect(await logOf()).toEqual(changesOf(reports))
    expect((await lateOf()).length).toBeGreaterThan(0)
  })

  it('is the same as live if a hub reports the present first and then its buffer', async () => {
    await fc.assert(
      fc.asyncProperty(moments, fc.nat(), together, async (reports, cut, lengths) => {
        const made = await withLight()
        const before = reports.slice(0, cut % (reports.length - 1))
        await sendGroups(before, [1], made)
        await sendGroups(reports.slice(-1), [1], made)
        const kept = reports.slice(before.length, -1)
        await sendGroups(kept, lengths, made)
        await sendGroups(kept, lengths, made)
        expect(sorted(await logOf('light', made))).toEqual(sorted(changesOf(reports)))
      }),
      { numRuns: 30 },
    )
  })

  it('is a chain up to the present status in any order of reports', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 20 }), async (reports) => {
        const made = await withLight()
        for (let from = 0; from < reports.length; from += 5)
          await Promise.all(reports.slice(from, from + 5).map((one) => send(one, made)))
        const [status] = await db.query<{ values: Record<string, number> }>(
          sql`select values from device_status where tenant = ${made.tenant}`,
        )
        for (const [field, rows] of byField(await logOf('light', made))) {
          expect(rows.map(({ before }) => before)).toEqual([
            null,
            ...rows.slice(0, -1).map(({ value }) => value),
          ])
          expect(rows.every(({ before, value }) => before !== value)).toBe(true)
          expect([field, rows.at(-1)?.value]).toEqual([field, status?.values[field]])
        }
      }),
      { numRuns: 50 },
    )
  })

  it('has states of zones by number, but not measured values', async () => {
    await building.addDevice('climate', '525')
    const table = (...ThermostatTable: object[]) => ({ ThermostatTable })
    const zone = (NodeID: number, Switch: number, Temperature: number) => ({ NodeID, Switch, Temperature })
    await sendAll([
      { uid: 'climate', at: 1, values: table(zone(3, 0, 20), zone(4, 0, 20)) },
      { uid: 'climate', at: 2, values: table(zone(3, 1, 20)) },
      { uid: 'climate', at: 4, values: table({ NodeID: 4, Temperature: 21 }) },
      { uid: 'climate', at: 5, values: table(zone(4, 1, 22)) },
      { uid: 'climate', at: 3, values: table(zone(4, 1, 22)) },
    ])
    const [three, four] = [3, 4].map((node) => `ThermostatTable.${node}.Switch`) as [string, string]
    expect(await logOf('climate')).toEqual([
      row(1, null, 0, three),
      row(1, null, 0, four),
      row(2, 0, 1, three),
      row(3, 0, 1, four),
    ])
  })

  it('has each press of a button', async () => {
    await building.addDevice('bell', '903')
    for (const [i, Presses] of [7, 8, 8, 9].entries())
      await send({ uid: 'bell', at: i, values: { Press: 1, Presses } })
    expect(await logOf('bell')).toEqual([
      row(0, null, 1, 'Press'),
      row(0, null, 7, 'Presses'),
      row(1, 7, 8, 'Presses'),
      row(3, 8, 9, 'Presses'),
    ])
  })

  it('is empty for a meter', async () => {
    await building.addDevice('meter', '514')
    await sendAll([
      { uid: 'meter', at: 1, values: { AccumulatePower: 1, PhaseShift: 0 } },
      { uid: 'meter', at: 2, values: { AccumulatePower: 2, PhaseShift: 1 } },
      { uid: 'meter', at: 0, values: { AccumulatePower: 0, PhaseShift: 1 } },
    ])
    expect(await logOf('meter')).toEqual([])
    expect(moved).toEqual([])
  })

  it('selects the same fields by the contract as by the stored status', async () => {
    const values = {
      Switch1: 1,
      Presses: 3,
      Power: 5,
      ThermostatTable: [{ NodeID: 2, Switch: 1, Temperature: 20, TargetTemperature: 21 }, { NodeID: 5 }],
    }
    const taken = await db.query<{ field: string; value: number }>(
      sql`select * from device_states(${JSON.stringify(values)}::jsonb)`,
    )
    const told = ['535', '903', '525'].flatMap((type) => eventValuesOf(type, values))
    expect(new Map(taken.map(({ field, value }) => [field, value]))).toEqual(new Map(told))
  })
})

describe('a late report', () => {
  beforeEach(async () => {
    await building.addDevice('light', '535')
  })

  it('inserts its change in order and corrects the next, and the status stays', async () => {
    await sendAll([
      { at: 1, values: light(0) },
      { at: 9, values: light(1) },
      { at: 5, values: light(1) },
    ])
    expect(await logOf()).toEqual([row(1, null, 0), row(5, 0, 1)])
    await send({ at: 3, values: light(1) })
    await send({ at: 4, values: light(0) })
    expect(await logOf()).toEqual([row(1, null, 0), row(3, 0, 1), row(4, 1, 0), row(9, 0, 1)])
    expect(await lateOf()).toEqual([3, 4, 9])
    const [status] = await db.query(sql`select (timestamp - ${START}::bigint) / 1000 as at from device_status
      where tenant = ${building.tenant}`)
    expect(status).toEqual({ at: 9 })
  })

  it('of a state that has ended since is followed by its end', async () => {
    await sendAll([
      { at: 1, values: light(0) },
      { at: 9, values: light(0) },
      { at: 5, values: light(1) },
    ])
    expect(await logOf()).toEqual([row(1, null, 0), row(5, 0, 1), row(9, 1, 0)])
    expect(await lateOf()).toEqual([5, 9])
  })

  it('from before the first becomes the baseline', async () => {
    await sendAll([
      { at: 9, values: light(0) },
      { at: 5, values: light(1) },
      { at: 3, values: light(1) },
    ])
    expect(await logOf()).toEqual([row(3, null, 1), row(9, 1, 0)])
  })

  it('continues a log of an older version', async () => {
    await sendAll([
      { at: 1, values: light(0) },
      { at: 9, values: light(1) },
    ])
    await db.query(sql`delete from device_events where tenant = ${building.tenant} and before is null`)
    await sendAll([
      { at: 5, values: light(0) },
      { at: 7, values: light(1) },
    ])
    expect(await logOf()).toEqual([row(7, 0, 1)])
  })

  it('keeps two changes in one second, and a repeated report changes nothing', async () => {
    const kept = [
      { at: 5, values: light(1) },
      { at: 5, values: light(0) },
    ]
    await sendAll([{ at: 1, values: light(0) }, { at: 9, values: light(0) }, ...kept, ...kept])
    expect(await logOf()).toEqual([row(1, null, 0), row(5, 0, 1), row(5, 1, 0)])
  })

  it('of a field missing from the present status adds nothing', async () => {
    await sendAll([
      { at: 9, values: light(0) },
      { at: 5, values: { Switch2: 1 } },
    ])
    expect(await logOf()).toEqual([row(9, null, 0)])
  })

  it('is not announced as a status change', async () => {
    await sendAll([
      { at: 1, values: light(0) },
      { at: 9, values: light(0) },
    ])
    moved = []
    await send({ at: 5, values: light(1) })
    expect(moved).toEqual([])
  })
})

describe('the announced status changes', () => {
  it('are what the stored status changed, by the gateway that stored it, once', async () => {
    await building.addDevice('light', '535')
    await building.addDevice('air', '753')
    await send({ at: 1, values: light(0) })
    await send({ uid: 'air', at: 1, values: { PM25: 3 } })
    expect(moved).toEqual(['light'])
    moved = []
    await send({ at: 2, values: light(1), through: 1 })
    await send({ at: 3, values: light(1), through: 0 })
    await send({ uid: 'air', at: 2, values: { PM25: 4 } })
    expect(moved).toEqual(['light'])
  })

  it('name a device once with several changes in one batch', async () => {
    await building.addDevice('light', '535')
    await send({ at: 1, values: light(0) })
    moved = []
    await Promise.all([1, 0].map((value, i) => send({ at: 2 + i, values: light(value) })))
    expect(moved).toContain('light')
    expect(await logOf()).toEqual([row(1, null, 0), row(2, 0, 1), row(3, 1, 0)])
  })
})

describe('the connection state of a hub', () => {
  const online = (thingName: string) =>
    db.query<
      Row & { uid: string }
    >(sql`select peripheral_uid as uid, (timestamp - ${START}::bigint) / 1000 as at, field, before,
      value from device_events where field = 'Online' and (tenant, peripheral_uid) in
      (select tenant, peripheral_uid from peripherals where thing_name = ${thingName}) order by 1, 2, seq`)
  const mark = (thingName: string, is: boolean | undefined, second: number) =>
    db.transaction((tx) => markPresence(tx, thingName, is, START + second * 1_000))

  beforeEach(async () => {
    await building.addDevice('light', '535')
    await building.addDevice('meter', '514')
  })

  it('is logged once for each of its devices when it changes', async () => {
    const { thingName } = building
    await building.addHub(`other-${thingName}`)
    await building.addDevice('elsewhere', '535', `other-${thingName}`)
    await mark(thingName, true, 1)
    expect(await online(thingName)).toEqual([])
    await mark(thingName, false, 2)
    await mark(thingName, false, 3)
    await mark(thingName, undefined, 4)
    await mark(thingName, true, 5)
    const each = [
      { at: 2, field: 'Online', before: 1, value: 0 },
      { at: 5, field: 'Online', before: 0, value: 1 },
    ]
    expect(await online(thingName)).toEqual(
      ['light', 'meter'].flatMap((uid) => each.map((one) => ({ uid, ...one }))),
    )
    expect(await online(`other-${thingName}`)).toEqual([])
  })

  it('is logged with the change or not at all', async () => {
    const { thingName } = building
    const failed = db.transaction(async (tx) => {
      await markPresence(tx, thingName, false, START)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await online(thingName)).toEqual([])
  })

  it('waits for a report being stored, so that the log has commit order', async () => {
    const { thingName } = building
    await send({ at: 1, values: light(0) })
    await db.transaction(async (reporting) => {
      await reporting.query(
        sql`select from device_status where tenant = ${building.tenant} for no key update`,
      )
      const meanwhile = other.transaction(async (tx) => {
        await tx.query(sql`set local lock_timeout = '20ms'`)
        await markPresence(tx, thingName, false, START)
      })
      await expect(meanwhile).rejects.toThrow('The database is busy')
    })
    await mark(thingName, false, 2)
    expect(await online(thingName)).toHaveLength(2)
  })

  it('remains a chain when a clock was set back, and when a gateway starts', async () => {
    const { thingName } = building
    await mark(thingName, false, 10)
    await mark(thingName, true, 8)
    await markAllOffline(db, START + 20_000)
    await markAllOffline(other, START + 30_000)
    const ofLight = (await online(thingName)).filter(({ uid }) => uid === 'light')
    expect(ofLight.map(({ before, value }) => [before, value])).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ])
    expect(ofLight.map((one) => one.at)).toEqual([10, 10, expect.any(Number)])
  })
})
