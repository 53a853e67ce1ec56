import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEvents } from '../../../../gateway/kernel/events.ts'
import { createIngest, type ReportIngest } from '../../../../gateway/features/status/ingest/ingest.ts'
import { updateStateAlarms } from '../../../support/note-states.ts'
import { quarantineReading } from '../../../../gateway/features/meters/quarantine.ts'
import { type Db, sql } from '../../../../gateway/kernel/db.ts'
import { type Building, createBuilding, encode } from '../../../support/building.ts'
import { type HeldClock, holdClock } from '../../../support/clock.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createTestDb } from '../../../support/postgres.ts'

let db: Db
let drop: () => Promise<void>
let building: Building
let clock: HeldClock
let ingest: ReportIngest
let metrics: Registry
/** Number of updated meters in each message. */
let told: number[]
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
  clock = holdClock()
  const events = createEvents((error) => {
    throw error
  })
  told = []
  events.on('readingsQuarantined', ({ meterIds }) => void told.push(meterIds.length))
  metrics = new Registry()
  ingest = createIngest({
    quarantineReading,
    updateStateAlarms,
    db,
    events,
    clock,
    log: createLogBook(),
    metrics,
  })
  await building.addDevice('meter', '514')
  return () => ingest.close()
})

/** Readings of one meter, at offsets in ms from now. */
const report = (...readings: [ms: number, kwh: unknown][]) =>
  ingest.receive({
    match: { name: 'meterReport', values: { rootId: building.tenant, homeId: building.homeId } },
    payload: encode({
      ThingName: building.thingName,
      Readings: readings.map(([ms, AccumulatePower]) => ({
        PeripheralUID: 'meter',
        Timestamp: clock.now() + ms,
        AccumulatePower,
      })),
    }),
    client: building.hub,
  })
const ofMeter = sql`meter_id in (select meter_id from meters where tenant = `
const dirty = () =>
  db.query<object>(sql`select from_timestamp - ${clock.now()}::bigint as from, through_timestamp - ${clock.now()}::bigint as through
    from meter_dirty where ${ofMeter}${building.tenant}) order by ctid`)
const quarantined = () =>
  db.query<object>(sql`select timestamp - ${clock.now()}::bigint as ms, value, reason from quarantined_readings
    where ${ofMeter}${building.tenant}) order by timestamp`)
const refused = async (reason: string) => {
  const metric = await metrics.getSingleMetric('ingest_refused_total')?.get()
  return metric?.values.find(({ labels }) => labels['reason'] === reason)?.value ?? 0
}

describe('stored readings', () => {
  it('mark the span that they change, including themselves; repeated ones change nothing', async () => {
    await report([-900_000, 1], [0, 3], [-450_000, 2])
    await report([0, 3])
    await report([-900_000, 1], [-100, 2.5])
    expect(await dirty()).toEqual([
      { from: -900_000, through: 0 },
      { from: -100, through: -100 },
    ])
  })
})

describe('rejected readings', () => {
  it('are quarantined if they contradict one in the same or another message', async () => {
    await report([0, 1])
    await report([0, 2])
    await report([1, 3], [1, 4])
    expect(await quarantined()).toEqual([
      { ms: 0, value: 2, reason: 'conflict' },
      { ms: 1, value: 4, reason: 'conflict' },
    ])
    expect(told).toEqual([1, 1])
    await report([0, 2], [1, 3])
    expect(told).toHaveLength(2)
  })

  it('are quarantined if no meter can show them, once the meter is known', async () => {
    await report([0, -5])
    expect(await quarantined()).toEqual([])
    await report([1, 1])
    await report([2, -5], [3, 'a'], [4, 1e13], [5, 2])
    expect(await quarantined()).toEqual([
      { ms: 2, value: -5, reason: 'invalid' },
      { ms: 4, value: 1e13, reason: 'invalid' },
    ])
    expect(await dirty()).toHaveLength(2)
    expect(told).toEqual([1])
  })

  it('are not quarantined if they were rounded in transit', async () => {
    await report([0, 1])
    await ingest.receive({
      match: { name: 'meterReport', values: { rootId: building.tenant, homeId: building.homeId } },
      payload: Buffer.from(
        `{"ThingName":"${building.thingName}","Readings":[
          {"PeripheralUID":"meter","Timestamp":${clock.now() + 1},"AccumulatePower":9007199254740993},
          {"PeripheralUID":"meter","Timestamp":${clock.now() + 2},"AccumulatePower":2}]}`,
      ),
      client: building.hub,
    })
    expect(await quarantined()).toEqual([])
    expect(await refused('inexact')).toBe(1)
  })

  it('are limited to a thousand undecided ones', async () => {
    await report([0, 1])
    await report(...Array.from({ length: 1_000 }, (_, i): [number, number] => [i - 2_000, -1]))
    await report([1, -1])
    expect(await quarantined()).toHaveLength(1_000)
  })
})
