import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DeviceStatus } from '../../../../../contract/devices/kinds/status.ts'
import { createEvents, type Events, type GatewayEvents } from '../../../../../gateway/kernel/events.ts'
import { createIngest, type ReportIngest } from '../../../../../gateway/features/status/ingest/ingest.ts'
import { updateStateAlarms } from '../../../../support/note-states.ts'
import { quarantineReading } from '../../../../../gateway/features/meters/quarantine.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { type Building, createBuilding, encode } from '../../../../support/building.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'
import { createTestDb } from '../../../../support/postgres.ts'

let db: Db
let drop: () => Promise<void>
let building: Building
let clock: HeldClock
let events: Events
let metrics: Registry
let ingest: ReportIngest
let told: Omit<GatewayEvents['statusChanged'], 'changedUIDs' | 'uids'>[]

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
  told = []
  events.on('statusChanged', ({ tenant, homeId, statuses }) => void told.push({ tenant, homeId, statuses }))
  return () => ingest.close()
})

const report = (Peripherals: unknown, extra: object = {}, client = building.hub) =>
  ingest.receive({
    match: { name: 'statusReport', values: { rootId: building.tenant, homeId: building.homeId } },
    payload: encode({ ThingName: building.thingName, Timestamp: clock.now(), Peripherals, ...extra }),
    client,
  })
const readings = (Readings: unknown[], client = building.hub) =>
  ingest.receive({
    match: { name: 'meterReport', values: { rootId: building.tenant, homeId: building.homeId } },
    payload: encode({ ThingName: building.thingName, Readings }),
    client,
  })
const stored = async (
  uid: string,
): Promise<(Record<string, unknown> & { Timestamp: number }) | undefined> => {
  const [row] = await db.query<{ timestamp: number; values: Record<string, unknown> }>(
    sql`select timestamp, values from device_status where tenant = ${building.tenant} and peripheral_uid = ${uid}`,
  )
  return row && { ...row.values, Timestamp: row.timestamp }
}
const counters = (uid: string) =>
  db.query<{ timestamp: number; kwh: number }>(sql`
    select r.timestamp, r.accumulate_power as kwh from readings r join meters m using (meter_id)
    where m.tenant = ${building.tenant} and m.peripheral_uid = ${uid} order by 1`)
const refused = async (reason: string) => {
  const metric = await metrics.getSingleMetric('ingest_refused_total')?.get()
  return metric?.values.find(({ labels }) => labels['reason'] === reason)?.value ?? 0
}

describe('a status report', () => {
  it('is stored together with its alarm or not at all', async () => {
    const failing = createIngest({
      quarantineReading,
      updateStateAlarms: () => Promise.reject(new Error('no alarm')),
      db,
      events,
      clock,
      log: createLogBook(),
      metrics: new Registry(),
    })
    const send = (uid: string, values: object) =>
      failing.receive({
        match: { name: 'statusReport', values: { rootId: building.tenant, homeId: building.homeId } },
        payload: encode({
          ThingName: building.thingName,
          Timestamp: clock.now(),
          Peripherals: [{ PeripheralUID: uid, ...values }],
        }),
        client: building.hub,
      })
    await building.addDevice('fire', '756')
    await building.addDevice('lamp', '534')
    await expect(send('fire', { SmokeState: 3 })).rejects.toThrow('no alarm')
    expect(await stored('fire')).toBeUndefined()
    await send('lamp', { Switch1: 1 })
    expect(await stored('lamp')).toMatchObject({ Switch1: 1 })
    await failing.close()
  })

  it('is published with the devices that reported', async () => {
    const named: (readonly string[])[] = []
    events.on('statusChanged', ({ uids }) => void named.push(uids))
    await building.addDevice('one', '516')
    await building.addDevice('other', '516')
    await report([
      { PeripheralUID: 'other', Switch: 1 },
      { PeripheralUID: 'one', Switch: 0 },
    ])
    expect(named).toEqual([['one', 'other']])
  })

  it('is published as reported, except where the database has a newer report', async () => {
    const said: unknown[] = []
    events.on('statusReported', (reports) => {
      for (const { device, values } of reports) said.push([device.key, values])
    })
    await building.addDevice('late', '534')
    await building.addDevice('timely', '534')
    await report([{ PeripheralUID: 'late', Switch1: 1 }])
    await report(
      [
        { PeripheralUID: 'late', Switch2: 1 },
        { PeripheralUID: 'timely', Switch2: 0, Timestamp: clock.now() },
      ],
      { Timestamp: clock.now() - 1_000 },
    )
    await report([{ PeripheralUID: 'late', Switch1: 0 }], { Timestamp: clock.now() - 1_000 })
    expect(said).toEqual([
      [`${building.tenant}/late`, { Switch1: 1 }],
      [`${building.tenant}/timely`, { Switch2: 0 }],
    ])
  })

  it('is stored when the promise resolves, and published to the screens of the home', async () => {
    await building.addDevice('light', '534')
    await report([{ PeripheralUID: 'light', Switch1: 1, Switch2: 0 }])
    expect(await stored('light')).toEqual({ Switch1: 1, Switch2: 0, Timestamp: clock.now() })
    const status: DeviceStatus = {
      PeripheralUID: 'light',
      PeripheralType: '534',
      Timestamp: clock.now(),
      updateAt: clock.now(),
      Switch1: 1,
      Switch2: 0,
    }
    expect(told).toEqual([{ tenant: building.tenant, homeId: building.homeId, statuses: [status] }])
  })

  it('is merged and never replaces a newer Timestamp, in seconds or milliseconds', async () => {
    await building.addDevice('light', '534')
    const seconds = Math.floor(clock.now() / 1000)
    await report([{ PeripheralUID: 'light', Timestamp: seconds, Switch1: 1 }])
    await report([{ PeripheralUID: 'light', Timestamp: seconds * 1000 + 1, Switch2: 1 }])
    await report([{ PeripheralUID: 'light', Timestamp: seconds, Switch1: 0 }])
    expect(await stored('light')).toEqual({ Switch1: 1, Switch2: 1, Timestamp: seconds * 1000 + 1 })
    expect(told).toHaveLength(2)
  })

  it('loses only invalid and unknown devices, and devices of other hubs', async () => {
    await building.addHub(`${building.thingName}-2`)
    await building.addDevice('good', '516')
    await building.addDevice('broken', '516')
    await building.addDevice('foreign', '516', `${building.thingName}-2`)
    await building.addDevice('strange', '9999')
    await report([
      { PeripheralUID: 'broken', Switch: 'on' },
      { PeripheralUID: 'nobody', Switch: 1 },
      { PeripheralUID: 'foreign', Switch: 1 },
      { PeripheralUID: 'strange', Switch: 1 },
      { PeripheralUID: 'no such id!' },
      'nonsense',
      null,
      { PeripheralUID: 'good', Switch: 1 },
    ])
    expect(await stored('good')).toMatchObject({ Switch: 1 })
    expect(await stored('broken')).toMatchObject({ Switch: null })
    expect(told.flatMap(({ statuses }) => statuses.map((one) => one.PeripheralUID))).toEqual([
      'broken',
      'good',
    ])
    expect(await refused('notAdded')).toBe(1)
    expect(await refused('foreignDevice')).toBe(1)
    expect(await refused('unknownType')).toBe(1)
    expect(await refused('values')).toBe(4)
  })

  it('is rejected if it names another hub or another home', async () => {
    await building.addDevice('light', '516')
    await report([{ PeripheralUID: 'light', Switch: 1 }], { ThingName: 'another' })
    await report([{ PeripheralUID: 'light', Switch: 1 }], {}, { ...building.hub, homeId: 'another' })
    expect(await stored('light')).toBeUndefined()
    expect(await refused('foreignHub')).toBe(1)
    expect(await refused('foreignHome')).toBe(1)
  })

  it('is rejected for a device of another home, even if only the home is certain', async () => {
    await building.addDevice('light', '516')
    await ingest.receive({
      match: { name: 'statusReport', values: { rootId: building.tenant, homeId: 'next-door' } },
      payload: encode({
        ThingName: building.thingName,
        Timestamp: clock.now(),
        Peripherals: [{ PeripheralUID: 'light', Switch: 1 }],
      }),
      client: { ...building.hub, homeId: 'next-door' },
    })
    expect(await stored('light')).toBeUndefined()
    expect(await refused('foreignDevice')).toBe(1)
  })

  it('loses a number that was rounded in transit, by name', async () => {
    await building.addDevice('meter', '514')
    await report([
      { PeripheralUID: 'meter', AccumulatePower: 2 ** 53 + 2, Power: 5 },
      { PeripheralUID: 'meter', Timestamp: clock.now() - 1, AccumulatePower: 1e13 },
    ])
    expect(await stored('meter')).toMatchObject({ AccumulatePower: null, Power: 5 })
    expect(await refused('inexact')).toBe(1)
    expect(await refused('values')).toBe(1)
  })

  it.each([
    ['no JSON', Buffer.from('{')],
    ['no UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
    ['nothing', Buffer.alloc(0)],
    ['another shape', encode([1, 2])],
    [
      'too many devices',
      encode({ ThingName: 'x', Timestamp: 1, Peripherals: Array.from({ length: 1001 }, () => ({})) }),
    ],
  ])('of %s is counted and acknowledged', async (_, payload) => {
    const values = { rootId: building.tenant, homeId: building.homeId }
    await ingest.receive({ match: { name: 'statusReport', values }, payload, client: building.hub })
    expect(await refused('malformed')).toBe(1)
  })

  it('counts as soon as the device is added, and until it is removed', async () => {
    await report([{ PeripheralUID: 'late', Switch: 1 }])
    expect(await refused('notAdded')).toBe(1)
    await building.addDevice('late', '516')
    const key = { HomeID: building.homeId, PeripheralUID: 'late' }
    events.emit('dataChange', {
      tenant: building.tenant,
      name: 'peripheral.add',
      record: aPeripheral({ ...key, PeripheralType: '516' }),
      by: null,
    })
    await report([{ PeripheralUID: 'late', Switch: 1 }])
    expect(await stored('late')).toMatchObject({ Switch: 1 })
    await db.query(sql`delete from peripherals where tenant = ${building.tenant}`)
    events.emit('dataChange', { tenant: building.tenant, name: 'peripheral.remove', record: key, by: null })
    await report([{ PeripheralUID: 'late', Switch: 1 }])
    expect(await refused('notAdded')).toBe(2)
  })

  it('for a device that was removed unnoticed loses only that device', async () => {
    await building.addDevice('gone', '516')
    await building.addDevice('stays', '516')
    await report([{ PeripheralUID: 'gone', Switch: 0 }])
    await db.query(sql`delete from peripherals where tenant = ${building.tenant} and peripheral_uid = 'gone'`)
    await report([
      { PeripheralUID: 'gone', Switch: 1 },
      { PeripheralUID: 'stays', Switch: 1 },
    ])
    expect(await stored('stays')).toMatchObject({ Switch: 1 })
    expect(await refused('notAdded')).toBe(1)
  })
})

describe('a meter reading', () => {
  it('of a meter without voltage gets its power from the configured line', async () => {
    await building.addDevice('clamp', '513')
    await db.query(sql`update peripherals set voltage = 380, phase_electric_power = 3
      where tenant = ${building.tenant} and peripheral_uid = 'clamp'`)
    const Timestamp = clock.now()
    await readings([{ PeripheralUID: 'clamp', Timestamp, AccumulatePower: 1, AvgElectricCurrent: 10 }])
    expect((await stored('clamp'))?.['Power']).toBeCloseTo(6581.8, 1)
    await readings([
      {
        PeripheralUID: 'clamp',
        Timestamp: Timestamp + 1,
        AccumulatePower: 1,
        AvgElectricCurrent: 10,
        Power: 5,
      },
    ])
    expect(await stored('clamp')).toMatchObject({ Power: 5 })
  })

  it('is stored once however often it comes, and updates the live status', async () => {
    await building.addDevice('meter', '514')
    const reading = {
      PeripheralUID: 'meter',
      Timestamp: clock.now(),
      AccumulatePower: 12.345678,
      Power: 220.5,
    }
    await readings([reading, reading])
    await readings([reading])
    expect(await counters('meter')).toEqual([{ timestamp: clock.now(), kwh: 12.345678 }])
    expect(await stored('meter')).toEqual({
      AccumulatePower: 12.345678,
      Power: 220.5,
      Timestamp: clock.now(),
    })
    expect(told).toHaveLength(1)
  })

  it('that comes late is stored without changing the live status', async () => {
    await building.addDevice('meter', '514')
    const now = clock.now()
    await readings([{ PeripheralUID: 'meter', Timestamp: now, AccumulatePower: 2 }])
    await readings([{ PeripheralUID: 'meter', Timestamp: now - 86_400_000 * 40, AccumulatePower: 1 }])
    expect((await counters('meter')).map(({ kwh }) => kwh)).toEqual([1, 2])
    expect(await stored('meter')).toMatchObject({ AccumulatePower: 2, Timestamp: now })
  })

  it('that contradicts a stored one of the same time is excluded from readings and status', async () => {
    await building.addDevice('meter', '514')
    const at = { PeripheralUID: 'meter', Timestamp: clock.now() }
    await readings([{ ...at, AccumulatePower: 5 }])
    await readings([{ ...at, AccumulatePower: 6 }])
    await readings([
      { ...at, AccumulatePower: 7 },
      { ...at, AccumulatePower: 8 },
    ])
    expect((await counters('meter')).map(({ kwh }) => kwh)).toEqual([5])
    expect(await stored('meter')).toMatchObject({ AccumulatePower: 5 })
    expect(await refused('conflictingReading')).toBe(3)
  })

  it('has a second register, which is a separate meter', async () => {
    await building.addDevice('meter', '514')
    const at = (Timestamp: number) => ({ PeripheralUID: 'meter', Timestamp })
    const now = clock.now()
    await readings([
      { ...at(now), AccumulatePower: 5, AccumulateReturn: 2 },
      { ...at(now - 900_000), AccumulatePower: 4, AccumulateReturn: 1.5 },
      { ...at(now - 1_800_000), AccumulatePower: 3 },
    ])
    await readings([{ ...at(now), AccumulatePower: 5, AccumulateReturn: 2 }])
    expect((await counters('meter')).map(({ kwh }) => kwh)).toEqual([3, 4, 5])
    expect((await counters('meter.return')).map(({ kwh }) => kwh)).toEqual([1.5, 2])
    expect(await stored('meter')).toMatchObject({ AccumulatePower: 5, AccumulateReturn: 2 })
    const [meter] = await db.query<{ type: string; name: string }>(sql`
      select peripheral_type as type, peripheral_name as name from meters
      where tenant = ${building.tenant} and peripheral_uid = 'meter.return'`)
    expect(meter?.type).toBe('514')
  })

  it('counts if only its second register is impossible or contradictory', async () => {
    await building.addDevice('meter', '514')
    const now = clock.now()
    await readings([{ PeripheralUID: 'meter', Timestamp: now, AccumulatePower: 5, AccumulateReturn: 1 }])
    await readings([
      { PeripheralUID: 'meter', Timestamp: now, AccumulatePower: 5, AccumulateReturn: 9 },
      { PeripheralUID: 'meter', Timestamp: now + 1, AccumulatePower: 6, AccumulateReturn: -1 },
    ])
    expect((await counters('meter')).map(({ kwh }) => kwh)).toEqual([5, 6])
    expect((await counters('meter.return')).map(({ kwh }) => kwh)).toEqual([1])
    const kept = await db.query<{ reason: string; value: number }>(sql`
      select q.reason, q.value from quarantined_readings q join meters m using (meter_id)
      where m.tenant = ${building.tenant} and m.peripheral_uid = 'meter.return' order by 1`)
    expect(kept).toEqual([
      { reason: 'conflict', value: 9 },
      { reason: 'invalid', value: -1 },
    ])
  })

  it('that is invalid, of no meter or out of range loses no other reading', async () => {
    await building.addDevice('meter', '514')
    await building.addDevice('light', '516')
    const at = { PeripheralUID: 'meter', Timestamp: clock.now() }
    await readings([
      { ...at, AccumulatePower: -1 },
      { ...at, AccumulatePower: 'one' },
      { ...at },
      { ...at, PeripheralUID: 'light', AccumulatePower: 1 },
      { ...at, Timestamp: -5, AccumulatePower: 1 },
      { ...at, AccumulatePower: 5e-324, Power: 1e-300, PowerFactor: -1e-300 },
    ])
    expect(await counters('meter')).toEqual([{ timestamp: clock.now(), kwh: 5e-324 }])
    expect(await refused('values')).toBe(3)
    expect(await refused('notAMeter')).toBe(1)
    expect(await refused('timestamp')).toBe(1)
  })

  it('is stored in the partition of its month, and far older ones in the default one', async () => {
    await building.addDevice('meter', '514')
    const at = (Timestamp: number, AccumulatePower: number) => ({
      PeripheralUID: 'meter',
      Timestamp,
      AccumulatePower,
    })
    await readings([at(clock.now(), 3), at(Date.UTC(2025, 11, 31, 23, 59), 2), at(Date.UTC(1999, 0, 1), 1)])
    const rows = await db.query<{ name: string }>(sql`
      select r.tableoid::regclass::text as name from readings r join meters m using (meter_id)
      where m.tenant = ${building.tenant} order by r.timestamp`)
    expect(rows.map(({ name }) => name)).toEqual(['readings_default', 'readings_2025_12', 'readings_2026_01'])
  })

  it('stays with its home when the meter is removed, and continues when it is added again', async () => {
    await building.addDevice('meter', '514')
    await readings([{ PeripheralUID: 'meter', Timestamp: clock.now(), AccumulatePower: 1 }])
    await db.query(sql`delete from peripherals where tenant = ${building.tenant}`)
    await building.addDevice('meter', '514')
    await readings([{ PeripheralUID: 'meter', Timestamp: clock.now() + 1, AccumulatePower: 2 }])
    expect((await counters('meter')).map(({ kwh }) => kwh)).toEqual([1, 2])
    expect(await stored('meter')).toMatchObject({ AccumulatePower: 2 })
  })
})

describe('closing', () => {
  it('stores received messages and rejects new ones', async () => {
    await building.addDevice('meter', '514')
    await readings([{ PeripheralUID: 'meter', Timestamp: clock.now(), AccumulatePower: 1 }])
    const last = readings([{ PeripheralUID: 'meter', Timestamp: clock.now() + 1, AccumulatePower: 2 }])
    await ingest.flush()
    await last
    await ingest.close()
    await expect(
      readings([{ PeripheralUID: 'meter', Timestamp: clock.now() + 2, AccumulatePower: 3 }]),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect((await counters('meter')).map(({ kwh }) => kwh)).toEqual([1, 2])
  })
})
