import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { homeTariff } from '../../../../support/home-tariff.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { schedule, smartLink, startBuilding, WEEKDAYS } from '../records/support.ts'

const HOUR = 3_600_000

let world: World
let root: Caller
let HomeID: string
let now: number

beforeAll(async () => {
  const building = await startBuilding()
  ;({ world, root, HomeID } = building)
  const { ThingName } = building
  await addDiscovered(world, root, { HomeID, ThingName, type: '518', uids: ['heater', 'tenant'] })
  await world.db.query(sql`update peripherals set created_at = 0`)
  await world.db.query(sql`update things set online = true`)
  now = world.clock.now()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.db.query(sql`delete from device_events`)
  await world.db.query(sql`delete from readings`)
})

const tried = (input: object, who = root) => who.post('/TryAutomation', { Days: 7, ...input })
const results = async (input: object) => (await tried(input)).results
/** Changes of a field, keyed by hours ago. */
async function changed(uid: string, field: string, values: [hours: number, value: number][]) {
  for (const [hours, value] of values)
    await world.db
      .query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
      values (${root.tenant}, ${uid}, ${now - hours * HOUR}::bigint, ${field}, ${1 - value}, ${value})`)
}
async function meterOf(uid: string): Promise<number> {
  const [meter] = await world.db.query<{
    id: number
  }>(sql`insert into meters (tenant, home_id, peripheral_uid)
    values (${root.tenant}, ${HomeID}, ${uid}) on conflict (tenant, home_id, peripheral_uid)
    do update set peripheral_uid = excluded.peripheral_uid returning meter_id as id`)
  return meter?.id ?? 0
}
async function measured(uid: string, values: [hours: number, watt: number][]) {
  const meterId = await meterOf(uid)
  for (const [hours, watt] of values)
    await world.db.query(sql`insert into readings (meter_id, timestamp, accumulate_power, power)
      values (${meterId}, ${now - hours * HOUR}::bigint, ${100 - hours}, ${watt})`)
}
const link = (more: object = {}) =>
  smartLink(HomeID, {
    Actions: [{ PeripheralUID: 'heater', Values: { Switch: 1 } }],
    EndDuration: 3600,
    ...more,
  })

describe('a smart link that is tried', () => {
  it('returns when it would have run and ended, and how many days are known', async () => {
    await changed('r1', 'Switch', [
      [30, 1],
      [29, 0],
      [5, 1],
      [4, 0],
    ])
    const found = await results(link())
    expect(found).toMatchObject({
      Runs: [
        { At: now - 30 * HOUR, EndedAt: now - 28 * HOUR },
        { At: now - 5 * HOUR, EndedAt: now - 3 * HOUR },
      ],
      Blocked: {},
      CoveredDays: 7,
      Uncovered: null,
      Unknown: [],
      kWh: null,
      Cost: null,
    })
  })

  it('returns what the meters that it switches on would have used, and the cost', async () => {
    await root.post('/UpdateHomeTariff', { HomeID, Tariffs: [homeTariff()] })
    await changed('r1', 'Switch', [
      [5, 1],
      [4, 0],
    ])
    await changed('heater', 'Switch', [
      [50, 1],
      [49, 0],
    ])
    await measured('heater', [
      [60, 0],
      [49.75, 1900],
      [49.25, 2100],
      [40, 0],
    ])
    const found = await results(link())
    expect(found.kWh).toBeCloseTo(2 * 2)
    expect(found.Cost).toBeGreaterThan(4)
    const off = await results(link({ Actions: [{ PeripheralUID: 'heater', Values: { Switch: 0 } }] }))
    expect(off).toMatchObject({ kWh: null, Cost: null })
    const endless = await results(link({ EndDuration: 0 }))
    expect(endless).toMatchObject({ kWh: null, Cost: null })
  })

  it('lists what no history contains, and covers no day of it', async () => {
    const home = { PeripheralUID: 'home', Field: 'DemandRolling', Logical: '>', Status: 5 }
    const found = await results(
      link({
        AutomationType: 5,
        Conditions: {
          PeripheralUIDs: [home, { PeripheralUID: 'r1', Field: 'SilentFor', Logical: '>', Status: 60 }],
        },
      }),
    )
    expect(found).toMatchObject({
      Runs: [],
      CoveredDays: 0,
      Uncovered: 'noHistory',
      Unknown: [
        { PeripheralUID: 'home', Field: 'DemandRolling' },
        { PeripheralUID: 'r1', Field: 'SilentFor' },
      ],
    })
  })

  it('computes the sums of a virtual meter from its meters, known while all of them are', async () => {
    const counted = async (uid: string, values: [hours: number, kWh: number][]) => {
      const meterId = await meterOf(uid)
      for (const [hours, kWh] of values)
        await world.db.query(sql`insert into readings (meter_id, timestamp, accumulate_power, power)
          values (${meterId}, ${now - hours * HOUR}::bigint, ${kWh}, 0)`)
    }
    const { VirtualMeterID } = (
      await root.post('/CreateVirtualMeter', {
        HomeID,
        VirtualMeterName: 'Rest',
        Terms: [
          { PeripheralUID: 'heater', Factor: 1 },
          { PeripheralUID: 'tenant', Factor: -1 },
        ],
      })
    ).results
    // The month began long before: today's data is known from 48 hours ago on.
    const quarters = Array.from({ length: 4 * 48 }, (_, i) => 48 - i / 4)
    await counted(
      'heater',
      quarters.map((hours): [number, number] => [hours, 1000 - 4 * hours]),
    )
    await counted(
      'tenant',
      quarters.filter((hours) => hours > 3).map((hours): [number, number] => [hours, 500 - hours]),
    )
    const sum = { PeripheralUID: VirtualMeterID, Field: 'HourlyKwh', Logical: '>=', Status: 2.25 }
    const found = await results(link({ Conditions: { PeripheralUIDs: [sum] } }))
    expect(found.Unknown).toEqual([])
    // Every full hour sums to 3 kWh, until the tenant's meter fell silent three hours ago.
    expect(found.Runs.length).toBeGreaterThanOrEqual(43)
    expect(found.Runs.length).toBeLessThanOrEqual(46)
    expect(found.Runs.at(-1).At).toBeLessThan(now - 3 * HOUR)
    expect(found.CoveredDays).toBeCloseTo(45 / 24, 0)
  })

  it('knows nothing while the hub was offline', async () => {
    await changed('r1', 'Switch', [
      [100, 0],
      [40, 1],
    ])
    await changed('r1', 'Online', [
      [60, 0],
      [12, 1],
    ])
    const found = await results(link({ EndDuration: 0 }))
    expect(found).toMatchObject({ Runs: [{ At: now - 12 * HOUR, EndedAt: null }], CoveredDays: 5 })
  })
})

describe('a schedule that is tried', () => {
  it('runs on its days, and ends after its hours', async () => {
    const at = schedule(HomeID, { Schedule: { ...WEEKDAYS, OffAfter: 2 } })
    const { Runs, CoveredDays } = await results(at)
    expect(Runs).toHaveLength(5)
    expect(Runs.at(-1)).toEqual({ At: now - HOUR, EndedAt: null })
    expect(Runs[0].EndedAt - Runs[0].At).toBe(2 * HOUR)
    expect(CoveredDays).toBe(7)
  })

  it('by bookings cannot be tried', async () => {
    const ConferenceRoomID = 'nowhere'
    const { Schedule: _, ...rest } = schedule(HomeID)
    expect(await results({ ...rest, Booking: { ConferenceRoomID, When: 'start' } })).toMatchObject({
      Runs: [],
      CoveredDays: 0,
      Uncovered: 'bookings',
    })
  })
})

describe('a dry run', () => {
  it('also requires the right to read devices', async () => {
    const person = await world.createUser(root, [rights('smart_link', 'Read')])
    expect((await tried(link(), person)).status.missing).toEqual({ feature: 'device', operation: 'Read' })
  })

  it('is limited to homes of the own company, 30 days, and rules of its type', async () => {
    const stranger = await world.signUp()
    expect((await tried(link(), stranger)).status.code).toBe(ERRORS.NOT_FOUND.code)
    expect((await tried({ ...link(), Days: 31 })).status.fields).toEqual({ Days: 'tooBig' })
    expect((await tried(link({ Conditions: undefined }))).status.fields).toEqual({ Conditions: 'required' })
  })

  it('does not block other calls, however much is stored', async () => {
    await world.db
      .query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
      select ${root.tenant}, uid, t.at, 'Switch', (t.at / 20000 + 1) % 2, t.at / 20000 % 2
      from unnest(array['r1', 'r3']) as uid
        cross join generate_series(${now - 6 * 24 * HOUR}::bigint, ${now - HOUR}::bigint, 20000) as t (at)`)
    const conditions = ['r1', 'r3'].map((PeripheralUID) => ({
      PeripheralUID,
      Field: 'Switch',
      Logical: '=',
      Status: 1,
    }))
    const trying = tried(link({ AutomationType: 5, Conditions: { PeripheralUIDs: conditions } }))
    const state = { isOver: false }
    const over = trying.then(() => (state.isOver = true))
    let answered = 0
    for (; !state.isOver; answered++) expect((await root.post('/ListHome')).status.code).toBe(0)
    await over
    expect((await trying).results.Runs.length).toBeGreaterThan(1_000)
    expect(answered).toBeGreaterThan(5)
  })

  it('of one company waits for others, and is rejected if too many wait', async () => {
    await changed('r1', 'Switch', [[5, 1]])
    const codes = (await Promise.all(Array.from({ length: 8 }, () => tried(link({ EndDuration: 60 }))))).map(
      ({ status }) => status.code,
    )
    expect(codes.filter((code) => code === 0).length).toBeGreaterThanOrEqual(5)
    expect(codes.filter((code) => code !== 0)).toEqual(
      codes.filter((code) => code !== 0).map(() => ERRORS.LIMIT_EXCEEDED.code),
    )
  })
})
