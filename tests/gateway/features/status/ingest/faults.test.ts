import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEvents, type GatewayEvents } from '../../../../../gateway/kernel/events.ts'
import { syncStateFields } from '../../../../../gateway/features/devices/feature.ts'
import { createReportFaults } from '../../../../../gateway/features/setup/report-faults.ts'
import { createIngest, type ReportIngest } from '../../../../../gateway/features/status/ingest/ingest.ts'
import { quarantineReading } from '../../../../../gateway/features/meters/quarantine.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { type Building, createBuilding, encode } from '../../../../support/building.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { updateStateAlarms } from '../../../../support/note-states.ts'
import { createTestDb } from '../../../../support/postgres.ts'
import { PATIENT } from '../../../../support/patient.ts'

let db: Db
let drop: () => Promise<void>
let building: Building
let clock: HeldClock
let ingest: ReportIngest
let faults: ReturnType<typeof createReportFaults>
let faulty: (GatewayEvents['reportFaulty']['faults'][number] & { message: string })[]

beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
  await syncStateFields(db)
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
  clock = holdClock()
  const events = createEvents((error) => {
    throw error
  })
  const log = createLogBook()
  faults = createReportFaults({ db, events, clock, log })
  ingest = createIngest({
    quarantineReading,
    updateStateAlarms,
    db,
    events,
    clock,
    log,
    metrics: new Registry(),
  })
  faulty = []
  events.on(
    'reportFaulty',
    ({ faults: found, message }) => void faulty.push(...found.map((one) => ({ ...one, message }))),
  )
  return () => ingest.close()
})

const send = (name: 'statusReport' | 'meterReport', payload: Uint8Array) =>
  ingest.receive({
    match: { name, values: { rootId: building.tenant, homeId: building.homeId } },
    payload,
    client: building.hub,
  })
const report = (Peripherals: unknown[], Timestamp: unknown = clock.now()) =>
  send('statusReport', encode({ ThingName: building.thingName, Timestamp, Peripherals }))
const readings = (Readings: unknown[]) =>
  send('meterReport', encode({ ThingName: building.thingName, Readings }))
const stored = async (uid: string) =>
  (
    await db.query<{ at: number; values: Record<string, unknown> }>(sql`
      select timestamp as at, values from device_status
      where tenant = ${building.tenant} and peripheral_uid = ${uid}`)
  )[0]
const counters = async (uid: string) =>
  (
    await db.query<{ kwh: number; pf: number | null }>(sql`
      select r.accumulate_power as kwh, r.power_factor as pf from readings r join meters m using (meter_id)
      where m.tenant = ${building.tenant} and m.peripheral_uid = ${uid} order by r.timestamp`)
  ).map(({ kwh, pf }) => [kwh, pf])
/** Stored rows, once all pending writes are complete. */
const kept = async () => {
  await faults.close()
  return db.query<Record<string, unknown>>(sql`
    select peripheral_uid as uid, message, field, reason, came, count, ended_at is null as open
    from report_faults where thing_name = ${building.thingName} order by field, message`)
}

describe('one invalid field of a reading', () => {
  it.each([1.001, -96.9, 'NaN', '0.98 lag', {}, true])(
    '%j loses that field and no counter',
    async (PowerFactor) => {
      await building.addDevice('meter', '514')
      const at = { PeripheralUID: 'meter', Timestamp: clock.now() }
      await readings([{ ...at, AccumulatePower: 1042.3, Power: 1820, PowerFactor }])
      expect(await counters('meter')).toEqual([[1042.3, null]])
      expect((await stored('meter'))?.values).toEqual({
        AccumulatePower: 1042.3,
        Power: 1820,
        PowerFactor: null,
      })
      expect(await kept()).toMatchObject([
        { uid: 'meter', message: 'meter', field: 'PowerFactor', reason: 'value', count: 1, open: true },
      ])
    },
  )

  it('is a number if it is a numeric string', async () => {
    await building.addDevice('meter', '514')
    const Timestamp = String(clock.now())
    await readings([
      {
        PeripheralUID: 'meter',
        Timestamp,
        AccumulatePower: '1042.3187',
        PowerFactor: ' 0.98',
        PhaseShift: '1',
      },
    ])
    expect(await counters('meter')).toEqual([[1042.3187, expect.closeTo(0.98, 5)]])
    expect((await stored('meter'))?.values).toMatchObject({ PhaseShift: 1 })
    expect(faulty).toEqual([])
  })

  it('is unknown without a fault if it is null', async () => {
    await building.addDevice('meter', '514')
    const at = { PeripheralUID: 'meter', Timestamp: clock.now() }
    await readings([{ ...at, AccumulatePower: 5, Voltage: null, AccumulateReturn: null }])
    expect(await counters('meter')).toEqual([[5, null]])
    expect((await stored('meter'))?.values).toMatchObject({ Voltage: null })
    expect(faulty).toEqual([])
  })

  it('keeps the power of a meter with an unusable counter', async () => {
    await building.addDevice('meter', '514')
    const at = { PeripheralUID: 'meter', Timestamp: clock.now() }
    await readings([{ ...at, AccumulatePower: -1, Power: 1820 }])
    expect(await counters('meter')).toEqual([])
    expect((await stored('meter'))?.values).toEqual({ AccumulatePower: null, Power: 1820 })
  })
})

describe('NaN and Infinity, which are not JSON', () => {
  it('lose their own field, and no reading of another meter', async () => {
    await building.addDevice('one', '514')
    await building.addDevice('other', '514')
    const text = `{"ThingName":"${building.thingName}","Readings":[
      {"PeripheralUID":"one","Timestamp":${clock.now()},"AccumulatePower":7,"Power":NaN,"Voltage":-Infinity},
      {"PeripheralUID":"other","Timestamp":${clock.now()},"AccumulatePower":9,"Power":nan}]}`
    await send('meterReport', Buffer.from(text))
    expect(await counters('one')).toEqual([[7, null]])
    expect(await counters('other')).toEqual([[9, null]])
    expect(faulty.map(({ uid, field, value }) => [uid, field, value])).toEqual([
      ['one', 'Power', 'NaN'],
      ['one', 'Voltage', '-Infinity'],
      ['other', 'Power', 'nan'],
    ])
  })

  it('are kept inside strings, and do not repair otherwise invalid JSON', async () => {
    await building.addDevice('sensor', '905')
    const part = `{"PeripheralUID":"sensor","Unit":"NaN \\" inf","Value":inf}`
    const text = `{"ThingName":"${building.thingName}","Timestamp":${clock.now()},"Peripherals":[${part}]}`
    await send('statusReport', Buffer.from(text))
    expect((await stored('sensor'))?.values).toEqual({ Unit: 'NaN " inf', Value: null })
    await send('statusReport', Buffer.from(`${text.slice(0, -1)}, NaN}`))
    expect(faulty.at(-1)).toMatchObject({ uid: '', field: '', reason: 'malformed' })
  })
})

describe('one invalid field of a status', () => {
  it('is unknown from then on, without affecting others', async () => {
    await building.addDevice('air', '753')
    await report([{ PeripheralUID: 'air', Temperature: 21, Humidity: 40 }])
    clock.advance(60_000)
    await report([{ PeripheralUID: 'air', Temperature: -127, Humidity: 41 }])
    expect(await stored('air')).toEqual({ at: clock.now(), values: { Temperature: null, Humidity: 41 } })
    clock.advance(60_000)
    await report([{ PeripheralUID: 'air', Temperature: -127, Humidity: 41 }])
    expect(await kept()).toEqual([
      {
        ...{ uid: 'air', message: 'status', field: 'Temperature', reason: 'value', came: '-127' },
        ...{ count: 2, open: true },
      },
    ])
  })

  it('is valid again with its next value, even after a restart', async () => {
    await building.addDevice('air', '753')
    await report([{ PeripheralUID: 'air', Temperature: -127, Humidity: 41 }])
    expect(await kept()).toMatchObject([{ open: true }])
    const events = createEvents(() => {})
    faults = createReportFaults({ db, events, clock, log: createLogBook() })
    const next = createIngest({
      ...{
        quarantineReading,
        updateStateAlarms,
        db,
        events,
        clock,
        log: createLogBook(),
        metrics: new Registry(),
      },
    })
    ingest = next
    clock.advance(60_000)
    await report([{ PeripheralUID: 'air', Temperature: 22 }])
    expect(await kept()).toMatchObject([{ field: 'Temperature', count: 1, open: false }])
    expect((await stored('air'))?.values).toEqual({ Temperature: 22, Humidity: 41 })
  })

  it('stays faulty if it comes once more, even soon after a valid value', async () => {
    await building.addDevice('light', '516')
    await report([{ PeripheralUID: 'light', Switch: 7 }])
    await vi.waitFor(
      async () => expect(await db.query(sql`select 1 as one from report_faults`)).not.toEqual([]),
      PATIENT,
    )
    await report([{ PeripheralUID: 'light', Switch: 1 }])
    await report([{ PeripheralUID: 'light', Switch: 7 }])
    expect(await kept()).toMatchObject([{ uid: 'light', field: 'Switch', count: 2, open: true }])
  })

  it('affects only one register of a Modbus device or one value of a zone', async () => {
    await building.addDevice('plc', '530')
    await building.addDevice('heat', '525')
    await report([
      { PeripheralUID: 'plc', ModbusValues: { flow: 1.5, level: 'NaN', speed: '7', '1st': 2 } },
      {
        PeripheralUID: 'heat',
        ThermostatTable: [
          { NodeID: 1, Temperature: 21, TargetTemperature: 22 },
          { NodeID: 2, Temperature: 850, TargetTemperature: 23 },
          { Temperature: 20 },
        ],
      },
    ])
    expect((await stored('plc'))?.values).toEqual({ ModbusValues: { flow: 1.5, level: null, speed: 7 } })
    expect((await stored('heat'))?.values).toEqual({
      ThermostatTable: [
        { NodeID: 1, Temperature: 21, TargetTemperature: 22 },
        { NodeID: 2, Temperature: null, TargetTemperature: 23 },
      ],
    })
    expect(faulty.map(({ field }) => field)).toEqual([
      'ModbusValues.level',
      'ModbusValues.1st',
      'ThermostatTable.1.Temperature',
      'ThermostatTable.2',
    ])
  })

  it('does not clear an alarm: unknown is not OK', async () => {
    await building.addDevice('smoke', '756')
    const open = async () =>
      (
        await db.query(
          sql`select 1 as one from alarms where tenant = ${building.tenant} and cleared_at is null`,
        )
      ).length
    await report([{ PeripheralUID: 'smoke', SmokeState: 3 }])
    expect(await open()).toBe(1)
    clock.advance(1_000)
    await report([{ PeripheralUID: 'smoke', SmokeState: 77, Battery: 50 }])
    expect((await stored('smoke'))?.values).toEqual({ SmokeState: null, Battery: 50 })
    expect(await open()).toBe(1)
    clock.advance(1_000)
    await report([{ PeripheralUID: 'smoke', SmokeState: 1 }])
    expect(await open()).toBe(0)
  })

  it('is replaced by the time of the message or its arrival, if it is the time', async () => {
    await building.addDevice('door', '755')
    const at = clock.now() - 5_000
    await report([{ PeripheralUID: 'door', DoorState: 1, Timestamp: 'noon' }], at)
    expect((await stored('door'))?.at).toBe(at)
    await report([{ PeripheralUID: 'door', DoorState: 2 }], null)
    expect(await stored('door')).toEqual({ at: clock.now(), values: { DoorState: 2 } })
    expect(faulty.map(({ uid, field }) => [uid, field])).toEqual([
      ['door', 'Timestamp'],
      ['', 'Timestamp'],
    ])
  })
})

describe('a hub clock that is ahead', () => {
  it('dates states by their arrival, and freezes no device when it is corrected', async () => {
    await building.addDevice('light', '516')
    await building.addDevice('smoke', '756')
    const hour = 3_600_000
    await report(
      [
        { PeripheralUID: 'light', Switch: 1 },
        { PeripheralUID: 'smoke', SmokeState: 3, Timestamp: clock.now() + hour - 2_000 },
      ],
      clock.now() + hour,
    )
    expect(await stored('light')).toEqual({ at: clock.now(), values: { Switch: 1 } })
    expect(await stored('smoke')).toEqual({ at: clock.now() - 2_000, values: { SmokeState: 3 } })
    clock.advance(1_000)
    await report([{ PeripheralUID: 'light', Switch: 0 }])
    expect((await stored('light'))?.values).toEqual({ Switch: 0 })
  })

  it.each([
    ['in the time of Taiwan instead of UTC', (now: number) => now + 8 * 3_600_000],
    ['in microseconds', (now: number) => now * 1_000],
  ])('keeps states with a correct time of their own, in a message dated %s', async (_, dated) => {
    await building.addDevice('light', '516')
    await report([{ PeripheralUID: 'light', Switch: 1 }])
    clock.advance(60_000)
    await report([{ PeripheralUID: 'light', Switch: 0, Timestamp: clock.now() - 3_000 }], dated(clock.now()))
    expect(await stored('light')).toEqual({ at: clock.now() - 3_000, values: { Switch: 0 } })
  })

  it('is reported with its offset until it is correct again', async () => {
    await building.addDevice('light', '516')
    await report([{ PeripheralUID: 'light', Switch: 1 }], clock.now() + 480_000)
    await report([{ PeripheralUID: 'light', Switch: 1 }], clock.now() + 30_000)
    expect(faulty).toEqual([
      { uid: '', message: 'status', field: 'Timestamp', reason: 'clockAhead', value: 480_000 },
    ])
    expect(await kept()).toMatchObject([{ uid: '', came: '480000', count: 1, open: false }])
  })

  it('freezes no meter, and its readings keep their times', async () => {
    await building.addDevice('meter', '514')
    const at = (off: number, AccumulatePower: number) => ({
      ...{ PeripheralUID: 'meter', Timestamp: clock.now() + off, AccumulatePower },
    })
    await readings([at(480_000, 5)])
    clock.advance(60_000)
    await readings([at(-3_600_000, 4)])
    expect((await stored('meter'))?.values).toEqual({ AccumulatePower: 5 })
    await readings([at(0, 6)])
    expect(await stored('meter')).toEqual({ at: clock.now(), values: { AccumulatePower: 6 } })
    expect((await counters('meter')).map(([kwh]) => kwh)).toEqual([4, 6, 5])
  })

  it('rejects readings more than ten minutes ahead, which is reported for the meter', async () => {
    await building.addDevice('meter', '514')
    const at = (off: number) => ({ PeripheralUID: 'meter', Timestamp: clock.now() + off, AccumulatePower: 5 })
    await readings([at(600_001), at(600_000)])
    expect(await counters('meter')).toEqual([[5, null]])
    expect(faulty).toEqual([
      { uid: 'meter', message: 'meter', field: 'Timestamp', reason: 'clockAhead', value: 600_001 },
    ])
  })
})

describe('buffered smoke, reported after a current status', () => {
  const alarms = () =>
    db.query<{ raised: number; isOpen: boolean }>(sql`
      select raised_at as raised, cleared_at is null as "isOpen" from alarms where tenant = ${building.tenant}`)

  it('raises its alarm, which the next differing report clears once', async () => {
    await building.addDevice('smoke', '756')
    const at = clock.now() - 300_000
    await report([{ PeripheralUID: 'smoke', SmokeState: 1 }])
    await report([{ PeripheralUID: 'smoke', SmokeState: 3 }], at)
    expect(await alarms()).toEqual([{ raised: at, isOpen: true }])
    expect((await stored('smoke'))?.values).toEqual({ SmokeState: 1 })
    clock.advance(60_000)
    await report([{ PeripheralUID: 'smoke', SmokeState: 1 }])
    expect(await alarms()).toEqual([{ raised: at, isOpen: false }])
    await report([{ PeripheralUID: 'smoke', SmokeState: 3 }], at)
    expect(await alarms()).toEqual([{ raised: at, isOpen: false }])
  })

  it('raises it in a combined message too, but not for a fault that is over', async () => {
    await building.addDevice('smoke', '756')
    await building.addDevice('old', '756')
    const before = clock.now() - 300_000
    await report([
      { PeripheralUID: 'smoke', SmokeState: 1 },
      { PeripheralUID: 'old', SmokeState: 1 },
      { PeripheralUID: 'smoke', SmokeState: 2, Timestamp: before },
      { PeripheralUID: 'old', SmokeState: 5, Timestamp: before },
    ])
    expect(await alarms()).toEqual([{ raised: before, isOpen: true }])
  })
})
