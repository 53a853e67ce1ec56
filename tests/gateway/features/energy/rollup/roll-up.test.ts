import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Sample } from '../../../../../contract/meters/intervals.ts'
import { dayOf, monthOf, parseDay, QUARTER_MS, quartersOfDay } from '../../../../../contract/time/periods.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import {
  deleteDroppedReadings,
  expireDays,
  expireReadings,
} from '../../../../../gateway/features/energy/rollup/expire-energy.ts'
import {
  rollUp,
  createRollupJob,
  type RollupJobOptions,
  recomputeMonths,
} from '../../../../../gateway/features/energy/rollup/roll-up.ts'
import { startJobs } from '../../../../../gateway/lib/jobs.ts'
import {
  applyZoneRuleChanges,
  zoneTransitionsOf,
} from '../../../../../gateway/features/energy/rollup/zone-rules.ts'
import { stream } from '../../../../../simulator/scenarios/random.ts'
import { type Building, createBuilding } from '../../../../support/building.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'
import { cases } from '../../../../support/thorough.ts'
import { addMeter, expectedIntervals, keptIntervals, store } from './meters.ts'

const ZONE = 'Asia/Taipei'
const DAY = 86_400_000

let db: Db
let drop: () => Promise<void>
let building: Building
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
})

/** Compares the stored result with the rules applied to all readings at once. */
async function expectTrue(meterId: number, readings: readonly Sample[], zone = ZONE) {
  const [{ kept, resets }, expected] = [await keptIntervals(db, meterId, zone), expectedIntervals(readings)]
  expect([...kept.keys()]).toEqual([...expected.kept.keys()])
  for (const [quarter, { kwh, quality }] of expected.kept) {
    expect(kept.get(quarter)?.quality, `${quarter}`).toBe(quality)
    expect(Math.abs((kept.get(quarter)?.kwh ?? Number.NaN) - kwh)).toBeLessThan(1e-6)
  }
  expect(resets).toEqual(expected.resets)
  const [sums] = await db.query<{ days: number | null; months: number | null }>(sql`select
    (select sum(kwh) from meter_days where meter_id = ${meterId}) as days,
    (select sum(kwh) from meter_months where meter_id = ${meterId}) as months`)
  expect(sums?.months ?? 0).toBeCloseTo(sums?.days ?? 0, 6)
}

/** Readings of some days with gaps, faults, resets and irregular times. */
function someReadings(random: () => number, from: number): Sample[] {
  const readings: Sample[] = []
  let at = from + Math.floor(random() * DAY)
  let kwh = Math.floor(random() * 1000)
  /** Value of the counter during some faulty readings, after which it recovers. */
  let low: { kwh: number } | undefined
  if (random() < 0.2) {
    for (let i = 0; i < 3; i++) readings.push({ timestamp: at + i * 60_000, kwh })
    at += 20 * DAY
  }
  // Added while the counter read 0: it later includes the earlier count.
  if (random() < 0.3) {
    for (let i = 0; i < 1 + random() * 20; i++) readings.push({ timestamp: (at += QUARTER_MS), kwh: 0 })
    at += 60_000
  }
  for (let i = 0; i < 20 + random() * cases(15, 60); i++) {
    const chance = random()
    at +=
      chance < 0.1
        ? Math.floor(random() * 2 * DAY)
        : chance < 0.5
          ? QUARTER_MS - (at % QUARTER_MS)
          : Math.floor(random() * QUARTER_MS * 2) + 1
    kwh += random() * 5
    if (random() < 0.03) kwh = random() * 2
    if (low && random() < 0.3) low = undefined
    else if (!low && random() < 0.08) low = { kwh: random() < 0.7 ? 0 : kwh / 50 }
    const fault = random()
    readings.push({
      timestamp: at,
      kwh: low ? low.kwh : fault < 0.04 ? kwh * 1000 + 1e7 : fault < 0.07 ? kwh / 100 : kwh,
    })
  }
  return readings
}

/** Readings of a meter that reports about hourly, with gaps and changes of its interval. */
function slowReadings(random: () => number, from: number): Sample[] {
  let [at, kwh, minutes] = [from + Math.floor(random() * DAY), 0, 60]
  return Array.from({ length: cases(24, 60) }, () => {
    const chance = random()
    if (chance < 0.05) minutes = [20, 30, 60, 240][Math.floor(random() * 4)] as number
    const silence = chance > 0.9 ? 1 + random() * 4 : 1
    at += Math.floor((minutes * silence + random()) * 60_000)
    kwh += random() * 5
    return { timestamp: at, kwh: random() < 0.02 ? kwh + 1e7 : kwh }
  })
}

const shuffled = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

/** Rolls up energy in the background, as a gateway does. */
function roll(given: Pick<RollupJobOptions, 'clock'> & Partial<RollupJobOptions>) {
  const options = { db, log: createLogBook(), metrics: new Registry(), rollUpHomes: async () => {}, ...given }
  return startJobs([createRollupJob(options)], options)
}

describe('readings in any order', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'give the same days as all at once (%i)',
    async (seed) => {
      const random = stream(seed)
      const meterId = await addMeter(db, building, 'meter')
      const readings = someReadings(random, Date.UTC(2025, 9, 20))
      const arriving = shuffled([...readings, ...readings.slice(0, 5)], seed % 3 === 0 ? () => 0 : random)
      while (arriving.length > 0) {
        await store(db, meterId, arriving.splice(0, 1 + Math.floor(random() * 12)))
        if (random() < 0.8) await rollUp(db)
      }
      await rollUp(db, [meterId])
      await expectTrue(meterId, readings)
      expect(await db.query(sql`select 1 from meter_dirty`)).toEqual([])
    },
  )

  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'of a slow meter give the same days as all at once (%i)',
    async (seed) => {
      const random = stream(1_000 + seed)
      const meterId = await addMeter(db, building, 'meter')
      const readings = slowReadings(random, Date.UTC(2025, 9, 20))
      const arriving = seed % 4 === 0 ? [...readings] : shuffled(readings, random)
      while (arriving.length > 0) {
        await store(db, meterId, arriving.splice(0, 1 + Math.floor(random() * 4)))
        if (random() < 0.9) await rollUp(db)
      }
      await rollUp(db, [meterId])
      await expectTrue(meterId, readings)
      expect(await db.query(sql`select 1 from meter_dirty`)).toEqual([])
    },
  )

  it.each([0, 7 * 60_000])(
    'check a drop by the next reading, whenever it comes (%i ms after the quarter)',
    async (late) => {
      const meterId = await addMeter(db, building, 'meter')
      const readings = [100, 101, 1, 102, 2, 103, 3, 4].map((kwh, i) => ({
        timestamp: Date.UTC(2025, 9, 20) + i * QUARTER_MS + late,
        kwh,
      }))
      for (const [i, one] of readings.entries()) {
        await store(db, meterId, [one])
        await rollUp(db, [meterId])
        await expectTrue(meterId, readings.slice(0, i + 1))
      }
      // The counter was misread twice, and then reset.
      const [sum] = await db.query<{ kwh: number; resets: number }>(
        sql`select sum(kwh) as kwh, sum(resets) as resets from meter_days where meter_id = ${meterId}`,
      )
      expect([Math.round((sum?.kwh ?? 0) * 1e6) / 1e6, Number(sum?.resets)]).toEqual([4, 1])
    },
  )
})

/** Readings every quarter of an hour from a time on, each `kwh` apart. */
const steady = (from: number, count: number, kwh = 1, begin = 0): Sample[] =>
  Array.from({ length: count }, (_, i) => ({ timestamp: from + i * QUARTER_MS, kwh: begin + i * kwh }))
const monthsKept = async (meterId: number) =>
  db.query<{ month: number; kwh: number; missing: number }>(
    sql`select month, kwh, missing from meter_months where meter_id = ${meterId} order by month`,
  )
const daysKept = async (meterId: number) =>
  db.query<{ day: number; kwh: number; measured: number; resets: number }>(
    sql`select day, kwh, measured, resets from meter_days where meter_id = ${meterId} order by day`,
  )

describe('the clock of the home', () => {
  it.each([
    ['2025-03-30', 92],
    ['2025-10-26', 100],
  ])('gives %s its %i quarters', async (day, quarters) => {
    await db.query(sql`update homes set time_zone = 'Europe/Berlin' where home_id = ${building.homeId}`)
    const meterId = await addMeter(db, building, 'meter')
    const from = Date.parse(`${day}T00:00:00Z`) - 2 * DAY
    await store(db, meterId, steady(from, 96 * 4))
    await rollUp(db)
    expect(quartersOfDay(parseDay(day), 'Europe/Berlin')).toBe(quarters)
    const kept = await daysKept(meterId)
    expect(kept.find((one) => one.day === parseDay(day))).toMatchObject({ kwh: quarters, measured: quarters })
  })

  it('divides the same energy into other days when it changes, even without readings', async () => {
    const meterId = await addMeter(db, building, 'meter')
    const readings = [...steady(Date.UTC(2025, 9, 28), 500), ...steady(Date.UTC(2025, 10, 4), 200)]
    await store(db, meterId, readings)
    await rollUp(db)
    await expectTrue(meterId, readings)
    const before = await monthsKept(meterId)
    await db.query(sql`delete from readings where meter_id = ${meterId}`)
    for (const zone of ['America/Santiago', 'Asia/Kathmandu', 'Australia/Lord_Howe', ZONE]) {
      await db.query(sql`update homes set time_zone = ${zone} where home_id = ${building.homeId}`)
      await rollUp(db, [meterId])
      await expectTrue(meterId, readings, zone)
    }
    expect(await monthsKept(meterId)).toEqual(before)
  })
})

describe('zone rules that come with a new runtime', () => {
  it('divide again only the days that differ', async () => {
    // As if Berlin had not changed its clocks in all these years, like Tunis.
    const [berlin, tunis] = ['Europe/Berlin', 'Africa/Tunis']
    await db.query(sql`update homes set time_zone = ${tunis} where home_id = ${building.homeId}`)
    const meterId = await addMeter(db, building, 'meter')
    const readings = steady(Date.UTC(2025, 9, 20, 0, 7), 96 * 12)
    await store(db, meterId, readings)
    await rollUp(db)
    await expectTrue(meterId, readings, tunis)
    const now = Date.UTC(2025, 10, 10)
    await db.query(sql`update homes set time_zone = ${berlin} where home_id = ${building.homeId}`)
    await db.query(sql`update meter_clocks set time_zone = ${berlin} where meter_id = ${meterId}`)
    await db.query(sql`delete from meter_dirty`)
    await db.query(sql`insert into zone_offsets (time_zone, release, until, steps)
      values (${berlin}, '2000a', ${now + 365 * DAY}, ${JSON.stringify(zoneTransitionsOf(tunis, now))}::jsonb)`)
    const written = async () =>
      db.query<{ day: number; version: number }>(
        sql`select day, xmin::text::bigint as version from meter_days where meter_id = ${meterId} order by day`,
      )
    const before = await written()

    await applyZoneRuleChanges(db, now)
    await rollUp(db)
    await expectTrue(meterId, readings, berlin)
    const after = new Map((await written()).map(({ day, version }) => [day, version]))
    // The clocks went back on the 26th: from the 28th on both agree.
    expect(before.filter(({ day, version }) => after.get(day) === version).map(({ day }) => day)).toEqual(
      Array.from({ length: 5 }, (_, i) => parseDay('2025-10-28') + i),
    )
    await applyZoneRuleChanges(db, now)
    expect(await db.query(sql`select 1 from meter_dirty`)).toEqual([])
    // Zone data stored by a gateway of another release changes nothing.
    await db.query(sql`update zone_offsets set release = '9999z', steps = '[[946684800000, 0]]'::jsonb`)
    await applyZoneRuleChanges(db, now)
    expect(await db.query(sql`select 1 from meter_dirty`)).toEqual([])
  })

  it('are the offsets at which the clocks of a zone change', () => {
    const steps = zoneTransitionsOf('Asia/Kathmandu', Date.UTC(2030, 0))
    expect(steps).toEqual([[Date.UTC(2000, 0, 1), 5.75 * 3_600_000]])
    const lordHowe = zoneTransitionsOf('Australia/Lord_Howe', Date.UTC(2026, 0)).filter(
      ([from]) => from > Date.UTC(2025, 0),
    )
    // Between eleven and ten and a half hours ahead: on the first Sundays of April and of October.
    expect(lordHowe).toEqual([
      [Date.UTC(2025, 3, 5, 15), 10.5 * 3_600_000],
      [Date.UTC(2025, 9, 4, 15, 30), 11 * 3_600_000],
    ])
  })
})

describe('days computed by older rules', () => {
  /** Converts intervals to the form before "between readings" existed, marked as the migration does. */
  async function makeOld() {
    await db.query(sql`update meter_days set quality = replace(quality, 'b', 'e'), estimated = estimated + meter_days.between,
      between = 0`)
    await db.query(sql`update meter_months set estimated = estimated + meter_months.between, between = 0`)
    const migration = readFileSync(
      'gateway/store/migrations/0107_count_intervals_between_readings.sql',
      'utf8',
    )
    await db.pool.query(migration.slice(migration.lastIndexOf('insert into meter_remakes')))
  }
  const hourly = (from: number, hours: number): Sample[] =>
    Array.from({ length: hours }, (_, i) => ({ timestamp: from + i * 4 * QUARTER_MS, kwh: i }))
  const lettersOf = async (meterId: number) => {
    const rows = await db.query<{ month: number; measured: number; between: number; estimated: number }>(
      sql`select month, measured, m.between, estimated from meter_months m where meter_id = ${meterId} order by 1`,
    )
    return rows.map(({ measured, between, estimated }) => [measured, between, estimated])
  }
  const remakeAll = async () => {
    for (let left = 1; left > 0;) {
      await recomputeMonths(db)
      await rollUp(db)
      left = (await db.query(sql`select 1 from meter_remakes`)).length
    }
  }

  it('are recomputed in the background, by any number of gateways that may stop anytime', async () => {
    const meterId = await addMeter(db, building, 'meter')
    const readings = hourly(Date.UTC(2025, 7, 1, 0, 20), 24 * 70)
    await store(db, meterId, readings)
    await rollUp(db)
    const before = await lettersOf(meterId)
    await makeOld()
    expect((await lettersOf(meterId)).every(([, between]) => between === 0)).toBe(true)
    const died = db.transaction(async (tx) => {
      await recomputeMonths(tx)
      throw new Error('killed')
    })
    await expect(died).rejects.toThrow('killed')
    await Promise.all([remakeAll(), remakeAll()])
    await rollUp(db)
    expect(await lettersOf(meterId)).toEqual(before)
    await expectTrue(meterId, readings)
    expect(await db.query(sql`select 1 from meter_dirty`)).toEqual([])
  })

  it('are kept if their readings were deleted', async () => {
    const meterId = await addMeter(db, building, 'meter')
    const readings = hourly(Date.UTC(2025, 8, 1), 24 * 60)
    await store(db, meterId, readings)
    await rollUp(db)
    await expireReadings(db, Date.UTC(2025, 9, 20))
    const [[measured, between] = []] = (await lettersOf(meterId)).slice(1)
    await makeOld()
    const [september] = await lettersOf(meterId)
    await remakeAll()
    await db.query(sql`delete from energy_floors`)
    // Readings are retained from 1 October UTC, which is eight hours into that day in Taipei.
    expect(await lettersOf(meterId)).toEqual([september, [measured, (between as number) - 24, 24]])
  })

  it('are updated when a gateway rolls up energy', async () => {
    const meterId = await addMeter(db, building, 'meter')
    await store(db, meterId, hourly(Date.UTC(2025, 9, 1), 48))
    await rollUp(db)
    const before = await lettersOf(meterId)
    await makeOld()
    const clock = holdClock()
    const roller = roll({ clock })
    for (let i = 0; i < 3; i++) clock.advance(20_000)
    await expect
      .poll(async () => {
        clock.advance(20_000)
        return lettersOf(meterId)
      })
      .toEqual(before)
    await roller.close()
  })
})

describe('concurrent roll-ups', () => {
  it('give the result of a single one, while readings come in', async () => {
    const random = stream(7)
    const readings = Array.from({ length: 6 }, () => someReadings(random, Date.UTC(2025, 9, 20)))
    const meterIds: number[] = []
    for (const i of readings.keys()) meterIds.push(await addMeter(db, building, `meter-${i}`))
    await Promise.all([
      ...readings.map(async (some, i) => {
        for (const one of shuffled(some, random)) await store(db, meterIds[i] as number, [one])
      }),
      ...Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 20; i++) await rollUp(db)
      }),
    ])
    await rollUp(db)
    for (const [i, some] of readings.entries()) await expectTrue(meterIds[i] as number, some)
    expect(await db.query(sql`select 1 from meter_dirty`)).toEqual([])
  })

  it('continue in the background, and report the backlog', async () => {
    const meterId = await addMeter(db, building, 'meter')
    const [clock, metrics] = [holdClock(), new Registry()]
    const roller = roll({ clock, metrics })
    await store(db, meterId, steady(Date.UTC(2025, 9, 20), 5))
    expect(await metrics.metrics()).toContain('energy_dirty_spans 1')
    clock.advance(2_000)
    await expect.poll(() => daysKept(meterId)).toMatchObject([{ kwh: 4 }])
    await roller.close()
    expect(await metrics.metrics()).toContain('energy_dirty_spans 0')
  })

  it('pause in proportion to their work', async () => {
    const clock = holdClock()
    const pauses: number[] = []
    const after: typeof clock.after = (ms, run) => {
      pauses.push(ms)
      return clock.after(ms, run)
    }
    const roller = roll({ clock: { ...clock, after }, rollUpHomes: async () => clock.advance(3_000) })
    clock.advance(2_000)
    await expect.poll(() => pauses).toEqual([2_000, 12_000])
    clock.advance(12_000)
    await expect.poll(() => pauses).toEqual([2_000, 12_000, 2_000])
    await roller.close()
  })

  it('report meters with quarantined readings, and stop afterwards', async () => {
    const meterId = await addMeter(db, building, 'meter')
    const told: number[][] = []
    const hear = (meterIds: readonly number[]) => void told.push([...meterIds])
    const start = Date.UTC(2025, 9, 20)
    await store(db, meterId, steady(start, 5))
    await rollUp(db, undefined, hear)
    expect(told).toEqual([])
    await store(db, meterId, [{ timestamp: start + 6 * QUARTER_MS, kwh: 1e9 }])
    await rollUp(db, undefined, hear)
    await rollUp(db, undefined, hear)
    expect(told).toEqual([[meterId]])

    const clock = holdClock()
    const roller = roll({ clock, onQuarantined: hear })
    await store(db, meterId, [{ timestamp: start + 7 * QUARTER_MS, kwh: 2e9 }])
    clock.advance(2_000)
    await expect.poll(() => told).toEqual([[meterId], [meterId]])
    await roller.close()
  })

  it('roll back everything uncommitted', async () => {
    const meterId = await addMeter(db, building, 'meter')
    await store(db, meterId, steady(Date.UTC(2025, 9, 20), 5))
    const died = db.transaction(async (tx) => {
      await rollUp(tx)
      throw new Error('killed')
    })
    await expect(died).rejects.toThrow('killed')
    expect(await daysKept(meterId)).toEqual([])
    await rollUp(db)
    expect(await daysKept(meterId)).toMatchObject([{ kwh: 4 }])
  })
})

describe('retention of readings', () => {
  it('deletes whole months; computed energy stays and continues without a gap', async () => {
    const meterId = await addMeter(db, building, 'meter')
    const readings = steady(Date.UTC(2025, 8, 25, 0, 7), 96 * 10)
    await store(db, meterId, readings)
    await rollUp(db)
    await expireReadings(db, Date.UTC(2025, 9, 20))
    const left = await db.query<{ timestamp: number }>(
      sql`select timestamp from readings where meter_id = ${meterId} order by 1`,
    )
    expect(left[0]?.timestamp).toBe(Date.UTC(2025, 8, 30, 23, 52))
    await expectTrue(meterId, readings)
    // All remaining readings are recomputed, and earlier late readings do not count.
    const late = [{ timestamp: Date.UTC(2025, 8, 26, 12, 1), kwh: 100.5 }]
    await store(db, meterId, late)
    await db.query(sql`insert into meter_dirty values (${meterId}, 0, ${Date.UTC(2026, 0)})`)
    await rollUp(db)
    await expectTrue(meterId, readings)
    await expireReadings(db, Date.UTC(2025, 9, 20))
    await store(db, meterId, steady(Date.UTC(2025, 9, 5, 0, 7), 5, 1, 960))
    await rollUp(db)
    await expectTrue(meterId, [...readings, ...steady(Date.UTC(2025, 9, 5, 0, 7), 5, 1, 960)])

    const months = await monthsKept(meterId)
    await expireDays(db, Date.UTC(2025, 9, 20))
    expect((await daysKept(meterId))[0]?.day).toBe(parseDay('2025-10-01'))
    await db.query(sql`insert into meter_dirty values (${meterId}, 0, ${Date.UTC(2026, 0)})`)
    await rollUp(db)
    expect((await daysKept(meterId))[0]?.day).toBe(parseDay('2025-10-01'))
    expect(await monthsKept(meterId)).toEqual(months)
    await db.query(sql`delete from energy_floors`)
  })
})

describe('a correction whose readings are partly deleted', () => {
  it('keeps the share of the remaining days when late readings come', async () => {
    const meterId = await addMeter(db, building, 'meter')
    // From midnight in Taipei on 29 September, 1 kWh in each quarter; ten times that from then to 3 October.
    const from = Date.UTC(2025, 8, 28, 16)
    await store(db, meterId, steady(from, 96 * 6 + 1))
    await db.query(sql`insert into meter_corrections (correction_id, tenant, home_id, meter_id, kind, from_timestamp,
        to_timestamp, kwh, sharing, created_by, author_name, created_at)
      values (${`cut-${meterId}`}, ${building.tenant}, ${building.homeId}, ${meterId}, 'interval', ${from}, ${from + 4 * DAY},
        ${4 * 960}, 'shape', ${building.tenant}, 'A', 0)`)
    await db.query(sql`insert into meter_dirty values (${meterId}, ${from}, ${from + 4 * DAY})`)
    await rollUp(db)
    const kWh = async () => (await daysKept(meterId)).map((one) => Math.round(one.kwh * 1e6) / 1e6)
    expect(await kWh()).toEqual([960, 960, 960, 960, 96, 96])
    await expireDays(db, Date.UTC(2025, 9, 20))
    await store(db, meterId, [{ timestamp: from + 3 * DAY + 100_000, kwh: 3 * 96 + 1 / 9 }])
    await rollUp(db)
    expect(await kWh()).toEqual([960, 960, 96, 96])
    expect((await monthsKept(meterId)).map(({ kwh }) => Math.round(kwh))).toEqual([1920, 1920 + 192])
    await db.query(sql`delete from energy_floors`)
  })
})

describe('a meter', () => {
  const remembered = async () =>
    db.query<object>(sql`select peripheral_uid as uid, peripheral_name as name, room_id as room, parent_meter as parent,
      removed_at is not null as removed from meters where tenant = ${building.tenant} order by 1`)
  it('keeps its state when it is removed, including its place in the tree', async () => {
    for (const uid of ['main', 'sub']) await building.addDevice(uid, '514')
    await db.query(
      sql`update peripherals set parent_meter = 'main' where tenant = ${building.tenant} and peripheral_uid = 'sub'`,
    )
    for (const uid of ['main', 'sub']) await addMeter(db, building, uid)
    await db.query(
      sql`update peripherals set peripheral_name = 'Lift' where tenant = ${building.tenant} and peripheral_uid = 'sub'`,
    )
    await db.query(sql`delete from peripherals where tenant = ${building.tenant} and peripheral_uid = 'main'`)
    expect(await remembered()).toEqual([
      { uid: 'main', name: 'main', room: 0, parent: null, removed: true },
      { uid: 'sub', name: 'Lift', room: 0, parent: 'main', removed: false },
    ])
    await building.addDevice('main', '514')
    expect(await remembered()).toMatchObject([{ uid: 'main', removed: false }, { parent: 'main' }])
    await db.query(
      sql`update peripherals set parent_meter = null, peripheral_name = 'x' where tenant = ${building.tenant} and peripheral_uid = 'sub'`,
    )
    expect(await remembered()).toMatchObject([{ uid: 'main' }, { uid: 'sub', parent: null }])
  })

  it('loses all its energy when its home is deleted', async () => {
    const meterId = await addMeter(db, building, 'meter')
    await store(db, meterId, [
      ...steady(Date.UTC(2025, 9, 20), 200),
      { timestamp: Date.UTC(2025, 9, 25), kwh: 1e9 },
    ])
    await rollUp(db)
    await db.query(sql`delete from homes where tenant = ${building.tenant}`)
    await deleteDroppedReadings(db)
    for (const table of [
      'readings',
      'meter_days',
      'meter_months',
      'meter_dirty',
      'quarantined_readings',
      'meter_clocks',
      'meter_last',
    ])
      expect(
        (await db.pool.query(`select 1 from ${table} where meter_id = ${meterId}`)).rowCount,
        table,
      ).toBe(0)
  })
})

const REAL = join(import.meta.dirname, '../../../../../../shared/data/citylearn2022_17homes_hourly_kwh.csv')
describe.skipIf(!existsSync(REAL))('a year of real homes', () => {
  /** Counter of each home at the ends of its hours, in millionths of a kWh: whole numbers add up without error. */
  function counters(): { uid: string; micro: number[] }[] {
    const [head = '', ...lines] = readFileSync(REAL, 'utf8').trim().split('\n')
    return head
      .split(',')
      .slice(1)
      .map((uid, column) => {
        let micro = 0
        return {
          uid,
          micro: lines.map((line) => (micro += Math.round(Number(line.split(',')[column + 1]) * 1e6))),
        }
      })
  }
  const begin = Date.UTC(2024, 6, 31, 16)

  it('adds up by day and month to its counter, in any order of readings', async () => {
    const [{ micro } = { micro: [] }] = counters()
    const random = stream(3)
    const readings = micro.map((one, i) => ({ timestamp: begin + i * 4 * QUARTER_MS, kwh: one / 1e6 }))
    const meterId = await addMeter(db, building, 'meter')
    const arriving = shuffled(readings, random)
    while (arriving.length > 0) {
      await store(db, meterId, arriving.splice(0, 1_500))
      await rollUp(db)
    }
    await expectTrue(meterId, readings)
    const last = readings.at(-1)?.timestamp ?? 0
    const [days, months] = [await daysKept(meterId), await monthsKept(meterId)]
    expect([days.at(-1)?.day, months.at(-1)?.month]).toEqual([dayOf(last - 1, ZONE), monthOf(last - 1, ZONE)])
  })

  it('contains every kWh of every counter with late, duplicate and unordered readings and gateway crashes', async () => {
    const homes = counters()
    expect(homes).toHaveLength(17)
    const random = stream(17)
    const meters: { meterId: number; moved: number; arriving: Sample[] }[] = []
    for (const { uid, micro } of homes) {
      const readings = micro.map((one, i) => ({ timestamp: begin + i * 4 * QUARTER_MS, kwh: one / 1e6 }))
      // Weeks are swapped, and one in twenty readings arrives twice.
      const weeks = Array.from({ length: 53 }, (_, i) => readings.slice(i * 168, (i + 1) * 168))
      const arriving = shuffled(weeks, random).flat()
      meters.push({
        meterId: await addMeter(db, building, uid),
        moved: (micro.at(-1) ?? 0) - (micro[0] ?? 0),
        arriving: [...arriving, ...arriving.filter(() => random() < 0.05)],
      })
    }
    for (let round = 0; round < 3; round++) {
      for (const { meterId, arriving } of meters)
        await store(db, meterId, arriving.splice(0, round < 2 ? 3_000 : Infinity))
      const died = db.transaction(async (tx) => {
        await rollUp(
          tx,
          meters.slice(0, 5).map(({ meterId }) => meterId),
        )
        throw new Error('killed')
      })
      await expect(died).rejects.toThrow('killed')
      await rollUp(db)
    }
    for (const { meterId, moved } of meters)
      for (const table of ['meter_days', 'meter_months']) {
        const { rows } = await db.pool
          .query(`select sum(kwh) as kwh, sum(missing) as missing, sum(resets) as resets
          from ${table} where meter_id = ${meterId}`)
        expect(Math.round(rows[0].kwh * 1e6), table).toBe(moved)
        expect([Number(rows[0].missing), Number(rows[0].resets)]).toEqual([0, 0])
      }
  })
})
