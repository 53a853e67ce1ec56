import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseDay, QUARTER_MS, startOfDay } from '../../../../contract/time/periods.ts'
import { rollUp } from '../../../../gateway/features/energy/rollup/roll-up.ts'
import { learnLimits } from '../../../../gateway/features/energy/rollup/learn-limits.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { silentLog } from '../../../support/postgres.ts'
import { addMeter, addSite, type Site, storeEnergy } from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'
import { store } from '../energy/rollup/meters.ts'

let world: World
let root: Caller
let site: Site
let meterId: number
let count = 0
const at = (date: string) => startOfDay(parseDay(date), 'Asia/Taipei')
const uid = () => `big-${count}`

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())
beforeEach(async () => {
  site = await addSite(root, `Plant ${(count += 1)}`)
  meterId = await addMeter(world, root, site, uid())
})

/** Readings at the ends of quarters from the start of a day, each this many kWh above the previous one. */
const counts = (date: string, steps: readonly number[], first = 1000) => {
  let kwh = first
  return store(
    world.db,
    meterId,
    steps.map((step, i) => ({ timestamp: at(date) + i * QUARTER_MS, kwh: (kwh += step) })),
  )
}
const day = async (date: string): Promise<{ kWh: number | null; Measured: number }> => {
  const { results } = await root.post('/GetEnergySeries', {
    HomeID: site.HomeID,
    From: at(date),
    To: at(date) + 96 * QUARTER_MS,
    Resolution: 'day',
  })
  const { kWh, Coverage } = results.Series[0].Points[0]
  return { kWh, Measured: Coverage.Measured }
}
const quarantined = async () =>
  (await root.post('/ListQuarantinedReading', { HomeID: site.HomeID, PeripheralUID: uid() })).results
const limits = async () =>
  (await root.post('/ListMeterFact', { HomeID: site.HomeID, MeterID: uid() })).results.map(
    ({ Fact, From, Value, By }: Record<string, unknown>) => ({ Fact, From, Value, By }),
  )
/** 60 MW. */
const MEGAWATTS = 15_000

describe('a meter of 60 MW', () => {
  it('counts on its first day after one decision, and on the next without one', async () => {
    await counts('2026-01-04', [0, ...Array.from({ length: 20 }, () => MEGAWATTS)])
    const { Rows, Total } = await quarantined()
    expect(Total).toBe(20)
    const { status } = await root.post('/DecideQuarantinedReading', {
      HomeID: site.HomeID,
      Readings: Rows.map(({ PeripheralUID, Timestamp, Value }: Record<string, unknown>) => ({
        PeripheralUID,
        Timestamp,
        Value,
      })),
      Decision: 'accepted',
      LimitKw: 72_000,
    })
    expect(status).toEqual({ code: 0 })
    expect(await day('2026-01-04')).toEqual({ kWh: 20 * MEGAWATTS, Measured: 20 })
    expect(await limits()).toEqual([
      { Fact: 'limit', From: '2026-01-04', Value: 72_000, By: expect.any(String) },
    ])
    const last = 1000 + 20 * MEGAWATTS
    await store(world.db, meterId, [
      { timestamp: at('2026-01-04') + 21 * QUARTER_MS, kwh: last + MEGAWATTS },
      { timestamp: at('2026-01-04') + 22 * QUARTER_MS, kwh: last + 2 * MEGAWATTS },
    ])
    expect((await day('2026-01-04')).kWh).toBe(22 * MEGAWATTS)
    expect((await quarantined()).Total).toBe(0)
  })

  it('counts from the day of a configured limit, and no longer when that is undone', async () => {
    await counts('2026-01-03', [0, ...Array.from({ length: 191 }, () => MEGAWATTS)])
    const fact = { HomeID: site.HomeID, MeterID: uid(), Fact: 'limit', From: null }
    await root.post('/SetMeterFact', { ...fact, Value: 61_000 })
    expect((await day('2026-01-04')).kWh).toBe(95 * MEGAWATTS)
    await root.post('/DeleteMeterFact', fact)
    expect((await day('2026-01-04')).kWh).toBeNull()
    expect((await quarantined()).Total).toBe(191)
  })

  it('asks for its limit only with accepted readings', async () => {
    const { status } = await root.post('/DecideQuarantinedReading', {
      HomeID: site.HomeID,
      Readings: [{ PeripheralUID: uid(), Timestamp: 1 }],
      Decision: 'dropped',
      LimitKw: 5,
    })
    expect(status.fields).toEqual({ LimitKw: 'unknown' })
  })
})

describe('a persistent jump', () => {
  const proposals = async () => (await quarantined()).Proposals
  const limitTo = (Value: number) =>
    root.post('/SetMeterFact', { HomeID: site.HomeID, MeterID: uid(), Fact: 'limit', Value, From: null })
  const key = () => ({ HomeID: site.HomeID, PeripheralUID: uid() })

  it('is proposed once, its energy is missing meanwhile, and one decision counts all of it', async () => {
    await limitTo(50)
    await counts('2026-01-04', [0, 0.1, 0.1, ...Array.from({ length: 8 }, () => 37.5), 0.1, 0.1], 100)
    expect(await day('2026-01-04')).toEqual({ kWh: expect.closeTo(0.2, 6), Measured: 2 })
    const [proposal, ...others] = await proposals()
    expect(others).toEqual([])
    expect(proposal).toMatchObject({
      PeripheralUID: uid(),
      Kind: 'limit',
      Since: at('2026-01-04') + 3 * QUARTER_MS,
      Count: 10,
      Kw: expect.closeTo(150, 6),
      kWh: expect.closeTo(300.2, 6),
      LimitKw: 180,
    })
    await root.post('/DecideQuarantinedReading', {
      HomeID: site.HomeID,
      Readings: [{ PeripheralUID: uid(), ...proposal.First }],
      Decision: 'accepted',
      LimitKw: proposal.LimitKw,
    })
    expect(await day('2026-01-04')).toEqual({ kWh: expect.closeTo(300.4, 6), Measured: 12 })
    expect(await quarantined()).toEqual({ Rows: [], NextCursor: null, Total: 0, Proposals: [] })
  })

  it("after a drop is proposed as two replacements, which count the counter's movement", async () => {
    await limitTo(50)
    await counts('2026-01-04', [0, 1, 1, -997, 1, 1, 1, 999, 1, 1, 1, 1, 1], 1000)
    const [proposal] = await proposals()
    expect(proposal).toMatchObject({
      Kind: 'replacements',
      Count: 6,
      LimitKw: null,
      kWh: 5 + 999 - 997 - 1 + 1,
    })
    expect(proposal.Replacements).toEqual([
      { At: at('2026-01-04') + 3 * QUARTER_MS, OldKwh: 1002, NewKwh: 5 },
      { At: at('2026-01-04') + 7 * QUARTER_MS, OldKwh: 8, NewKwh: 1005 },
    ])
    for (const { At, ...values } of proposal.Replacements)
      await root.post('/CreateMeterCorrection', { ...key(), Kind: 'replacement', From: At, ...values })
    expect((await day('2026-01-04')).kWh).toBeCloseTo(12, 6)
    expect(await quarantined()).toEqual({ Rows: [], NextCursor: null, Total: 0, Proposals: [] })
  })

  it('is not proposed if the counter was multiplied by 1000', async () => {
    await limitTo(50)
    await counts('2026-01-04', [0, 1, 1, 999_000, ...Array.from({ length: 8 }, () => 1000)], 1000)
    expect(await proposals()).toEqual([])
  })
})

describe('the limit of a meter', () => {
  const learn = () => learnLimits(world.db, silentLog, world.clock.now(), () => false)
  const spread = (kwh: number) => () => kwh

  it('is learned after a week, applies from tomorrow on, and again when it has grown by a quarter', async () => {
    await storeEnergy(world, site, meterId, [at('2025-12-30'), at('2026-01-05')], spread(2))
    await learn()
    expect(await limits()).toEqual([])
    await world.db.query(sql`delete from meter_days where meter_id = ${meterId}`)
    await world.db.query(sql`delete from meter_months where meter_id = ${meterId}`)
    await storeEnergy(world, site, meterId, [at('2025-12-28'), at('2026-01-05')], spread(2))
    await learn()
    const first = { Fact: 'learnt', From: '2026-01-06', Value: 160, By: null }
    expect(await limits()).toEqual([first])
    await learn()
    expect(await limits()).toEqual([first])
  })

  it('quarantines a counter multiplied by 1000 from its day on, and again when recomputed', async () => {
    await root.post('/SetMeterFact', {
      HomeID: site.HomeID,
      MeterID: uid(),
      Fact: 'limit',
      Value: 50,
      From: '2026-01-02',
    })
    await counts('2026-01-01', [0, 30, 30, 30])
    await counts('2026-01-02', [30, 2, 2, 2], 1090)
    expect((await quarantined()).Total).toBe(0)
    await store(world.db, meterId, [{ timestamp: at('2026-01-02') + 4 * QUARTER_MS, kwh: 1_126_000 }])
    expect((await quarantined()).Total).toBe(1)
    const before = await day('2026-01-01')
    await world.db.query(
      sql`insert into meter_dirty values (${meterId}, ${at('2025-12-01')}, ${at('2026-01-04')})`,
    )
    await rollUp(world.db)
    expect(await day('2026-01-01')).toEqual(before)
    expect((await quarantined()).Total).toBe(1)
  })

  it('follows from the rated current of its device from tomorrow on', async () => {
    const rate = (RatedCurrent: number | null) =>
      root.post('/UpdatePeripheralAdvanceInfo', {
        HomeID: site.HomeID,
        PeripheralUID: uid(),
        RatedCurrent,
        Voltage: 220,
        PhaseElectricPower: 1,
      })
    expect((await rate(100)).status).toEqual({ code: 0 })
    const [rated] = await limits()
    expect(rated).toMatchObject({ Fact: 'rated', From: '2026-01-06' })
    expect(rated.Value).toBeCloseTo(26.4, 6)
    await rate(null)
    expect(await limits()).toMatchObject([{ Fact: 'rated', From: '2026-01-06', Value: null }])
  })

  it('is three times the contract capacity of its home for a main meter', async () => {
    const { status } = await root.post('/UpdateHomeTariff', {
      HomeID: site.HomeID,
      Tariffs: [homeTariff()],
    })
    expect(status.code, JSON.stringify(status)).toBe(0)
    await root.post('/SetMeterFact', {
      HomeID: site.HomeID,
      MeterID: uid(),
      Fact: 'role',
      Value: 'gridImport',
      From: null,
    })
    await counts('2026-01-02', [0, 37, 38])
    expect((await quarantined()).Total).toBe(1)
  })
})
