import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createHomeEnergy } from '../../../../../gateway/features/energy/calls/home-energy.ts'
import { slowestMainMeter } from '../../../../../gateway/features/energy/meters/main-meters.ts'
import { demandMeasures } from '../../../../../gateway/features/energy/calls/measures.ts'
import { readCapacity } from '../../../../../gateway/features/tariffs/peaks.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../../support/clock.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { homeTariff } from '../../../../support/home-tariff.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'
import { store } from '../rollup/meters.ts'

const MINUTE = 60_000
/** Wednesday in summer, 10:07 in Taipei: a peak hour of a tariff of two stages. */
const NOW = Date.parse('2026-07-15T02:07:00Z')
/** The Saturday before, at 22:30. */
const SATURDAY = Date.parse('2026-07-11T14:30:00Z')

let world: World
let root: Caller
let HomeID: string
let meters: number[]
let home: { tenant: string; homeId: string }
let measures: ReturnType<typeof demandMeasures>

beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
})
afterAll(() => world.close())
beforeEach(async () => {
  HomeID = (await root.post('/CreateHome', { HomeName: `H${Math.random()}`, TimeZone: 'Asia/Taipei' }))
    .results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  const uids = ['one', 'two'].map((name) => `${name}-${HomeID}`)
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids })
  home = { tenant: root.tenant, homeId: HomeID }
  meters = []
  for (const uid of uids)
    meters.push(
      (
        await world.db.query<{ id: number }>(sql`insert into meters (tenant, home_id, peripheral_uid)
          values (${root.tenant}, ${HomeID}, ${uid}) returning meter_id as id`)
      )[0]?.id as number,
    )
  const energy = createHomeEnergy({ db: world.db, clock: { now: () => Date.now() } })
  measures = demandMeasures(world.db, energy, readCapacity)
})

/** Stores evenly spaced readings at this power, kW, for 30 minutes until a time. */
const count = (meter: number | undefined, kW: number, until = NOW) =>
  store(
    world.db,
    meter as number,
    Array.from({ length: 31 }, (_, i) => ({
      timestamp: until - (30 - i) * MINUTE,
      kwh: 100 + (kW * i) / 60,
    })),
  )
const uidOf = (i: number) => `${['one', 'two'][i]}-${HomeID}`

it('return the last hour of a meter, and of a virtual meter if all its meters are known', async () => {
  const evenly = (meter: number | undefined, kW: number, until = NOW) =>
    store(
      world.db,
      meter as number,
      Array.from({ length: 10 }, (_, i) => ({
        timestamp: until - (9 - i) * 10 * MINUTE,
        kwh: 100 + (kW * i) / 6,
      })),
    )
  await evenly(meters[0], 12)
  expect(await measures.readPace(home, uidOf(0), NOW)).toBeCloseTo(12, 6)
  expect(await measures.readPace(home, uidOf(0), NOW + 31 * MINUTE)).toBeNull()
  expect(await measures.readPace(home, 'nowhere', NOW)).toBeNull()
  const Terms = [0, 1].map((i) => ({ PeripheralUID: uidOf(i), Factor: i === 0 ? 1 : -1 }))
  const asked = { HomeID, VirtualMeterName: 'v', Terms }
  const { VirtualMeterID } = (await root.post('/CreateVirtualMeter', asked)).results
  expect(await measures.readPace(home, VirtualMeterID, NOW)).toBeNull()
  await evenly(meters[1], 4)
  expect(await measures.readPace(home, VirtualMeterID, NOW)).toBeCloseTo(8, 6)
})

it('return the slowest interval of main meters, regardless of sub-meters', async () => {
  const slowest = () => slowestMainMeter(world.db, home)
  const every = (i: number, seconds: number, parent: string | null = null) =>
    world.db
      .query(sql`update peripherals set power_meter_update_frequency = ${seconds}, parent_meter = ${parent}
      where tenant = ${root.tenant} and peripheral_uid = ${uidOf(i)}`)
  await every(0, 60)
  await every(1, 900)
  expect(await slowest()).toBe(900)
  await every(1, 900, uidOf(0))
  expect(await slowest()).toBe(60)
  expect(await slowestMainMeter(world.db, { ...home, homeId: 'none' })).toBeNull()
})

it('return the present power of a home only while all its meters report', async () => {
  await count(meters[0], 20)
  expect(await measures.readDemand(home, NOW)).toEqual({ Rolling: null, Forecast: null, Share: null })
  await count(meters[1], 10)
  const { Rolling, Forecast } = await measures.readDemand(home, NOW)
  expect(Rolling).toBeCloseTo(30, 6)
  expect(Forecast).toBeCloseTo(30, 6)
})

it('divide it by the contract capacity of that hour, as a bill does', async () => {
  await count(meters[0], 20)
  await count(meters[1], 10)
  expect((await measures.readDemand(home, NOW)).Share).toBeNull()
  const Capacities = { regular: 60, saturdaySemiPeak: 20, offPeak: 40 }
  await root.post('/UpdateHomeTariff', { HomeID, Tariffs: [homeTariff({ Capacities })] })
  expect((await measures.readDemand(home, NOW)).Share).toBeCloseTo(50, 6)
})

it('return the capacity of a Saturday night under a two-stage tariff', async () => {
  await count(meters[0], 20, SATURDAY)
  await count(meters[1], 10, SATURDAY)
  const Capacities = { regular: 60, saturdaySemiPeak: 20, offPeak: 40 }
  await root.post('/UpdateHomeTariff', { HomeID, Tariffs: [homeTariff({ Capacities })] })
  const { Share } = await measures.readDemand(home, SATURDAY)
  const limit = (await readCapacity(
    world.db,
    root.tenant,
    { HomeID, zone: 'Asia/Taipei' },
    SATURDAY,
  )) as number
  expect([limit, Share]).toEqual([80, expect.closeTo(37.5, 6)])
})

it('add up the hour, day and month of a meter and of a virtual meter', async () => {
  await count(meters[0], 20)
  await count(meters[1], 12)
  const one = await measures.readSums(home, uidOf(0), NOW)
  expect(one.DailyKwh).toBeCloseTo(10, 6)
  expect(one.HourlyKwh).toBeCloseTo((20 * 7) / 60, 6)
  const Terms = [
    { PeripheralUID: uidOf(0), Factor: 1 },
    { PeripheralUID: uidOf(1), Factor: -1 },
  ]
  const { VirtualMeterID } = (
    await root.post('/CreateVirtualMeter', { HomeID, VirtualMeterName: 'Rest', Terms })
  ).results
  const rest = await measures.readSums(home, VirtualMeterID, NOW)
  expect(rest.MonthlyKwh).toBeCloseTo(4, 6)
  expect(await measures.readSums(home, 'virtual-gone', NOW)).toEqual({
    HourlyKwh: null,
    DailyKwh: null,
    MonthlyKwh: null,
  })
})
