import { roundEstimate } from '../../../../contract/kernel/numbers.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Finding, SavingHeadline } from '../../../../contract/findings/calls.ts'
import { right } from '../../../../contract/kernel/permissions.ts'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { dayOf, formatDay, parseDay, startOfDay } from '../../../../contract/time/periods.ts'
import { monthly } from '../../../../contract/findings/finding-life.ts'
import { findingsJob } from '../../../../gateway/features/insight/findings/job.ts'
import { createEvents } from '../../../../gateway/kernel/events.ts'
import { dayToAnalyze, dueHomes } from '../../../../gateway/features/insight/findings/job.ts'
import { expiringFindings } from '../../../../gateway/features/insight/findings/expiring.ts'
import { markDirty } from '../../../../gateway/features/energy/rollup/dirty-spans.ts'
import { detectFindings } from '../../../../gateway/features/insight/findings/find-in-home.ts'
import { ALL_KINDS } from '../../../../gateway/features/insight/findings/kinds/all-kinds.ts'
import {
  doneMeasures,
  recordMeasurement,
} from '../../../../gateway/features/insight/findings/measure-done.ts'
import { raw, sql } from '../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../support/clock.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { findingPorts } from '../../../support/finding-ports.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { type Faults, isUsedAt, OFFICE_METERS, officeDay } from '../../../support/made-office.ts'
import { addMeter, addSite, type Site, storeEnergy } from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

const zone = 'Asia/Taipei'
const at = (date: string) => startOfDay(parseDay(date), zone)
/** Thursday, 11 June 2026, 10:07: the last complete day is the 10th. */
const NOW = Date.parse('2026-06-11T02:07:00Z')
const DAY = parseDay('2026-06-10')
/** NT$ per kWh, without any other charge. */
const PRICE = 4

let world: World
let root: Caller
let PlanID: string
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
  const { results } = await root.post('/CreateTariff', {
    TariffName: 'flat',
    Versions: [
      {
        ValidFrom: '2025-01-01',
        ValidThrough: null,
        Kind: 'flat',
        Seasons: [
          {
            Season: 'allYear',
            From: '01-01',
            Through: '12-31',
            Windows: { weekday: [], saturday: [], offPeakDay: [] },
            Prices: { flat: PRICE },
            Tiers: [],
            CapacityRates: {},
          },
        ],
        BasicCharge: { single: 0, three: 0 },
        Surcharge: null,
        MinimumBill: 0,
        PowerFactor: false,
      },
    ],
  })
  PlanID = results.TariffID
})
afterAll(() => world.close())

const ask = async (path: string, input: object, by = root) => {
  const { status, results } = await by.post(path, input)
  expect(status).toMatchObject({ code: 0 })
  return results
}
const errorOf = async (path: string, input: object, by = root) => (await by.post(path, input)).status
const list = async (HomeID: string, input: object = {}): Promise<Finding[]> =>
  (await ask('/ListFinding', { HomeID, ...input })).Rows
const saving = (HomeID?: string): Promise<SavingHeadline> =>
  ask('/GetSaving', HomeID === undefined ? {} : { HomeID })

const partsTotal = ({ Parts = [] }: SavingHeadline) => Parts.reduce((sum, { Amount }) => sum + Amount, 0)

let offices = 0
/** Meters of an office with the same faults, whose days are copied. */
const counted = new Map<string, ReadonlyMap<string, number>>()
async function copyEnergy(from: number, to: number): Promise<void> {
  for (const table of ['meter_days', 'meter_months'])
    await world.db.query(sql`
      insert into ${raw(table)} select (jsonb_populate_record(t, jsonb_build_object('meter_id', ${to}::int))).*
      from ${raw(table)} t where meter_id = ${from}`)
}
/** Office with meters that have counted for 16 weeks. */
async function office(
  faults: Faults,
  { tariff = true, by = root }: { tariff?: boolean; by?: Caller } = {},
): Promise<Site & { uid: (meter: string) => string }> {
  const site = await addSite(by, `office ${(offices += 1)}`)
  const number = offices
  const uid = (meter: string) => `o${number}-${meter}`
  const key = JSON.stringify(faults)
  const ids = new Map<string, number>()
  for (const meter of OFFICE_METERS)
    ids.set(
      meter,
      await addMeter(world, by, site, uid(meter), meter === 'main' ? {} : { parent: uid('main') }),
    )
  const like = counted.get(key)
  counted.set(key, ids)
  const days = new Map<number, ReturnType<typeof officeDay>>()
  for (const meter of OFFICE_METERS) {
    const id = ids.get(meter) as number
    if (like) await copyEnergy(like.get(meter) as number, id)
    else
      await storeEnergy(world, site, id, [at('2026-02-16'), at('2026-06-11')], (time) => {
        const day = dayOf(time, zone)
        const of = days.get(day) ?? officeDay(1, day, faults)
        days.set(day, of)
        return of[meter][(time - startOfDay(day, zone)) / 900_000] as number
      })
  }
  if (tariff)
    await ask(
      '/UpdateHomeTariff',
      { HomeID: site.HomeID, Tariffs: [homeTariff({ PlanID, Capacities: {} })] },
      by,
    )
  return { ...site, uid }
}
/** Searches for findings of a home as the job does. */
const look = (
  site: Site,
  day = DAY,
  changes: Parameters<typeof findingPorts>[2] = {},
  kinds = ALL_KINDS,
  by = root,
) =>
  world.db.transaction((tx) =>
    detectFindings(
      tx,
      { db: world.db, log: world.log, ports: findingPorts(world.db, world.clock, changes), now: NOW, kinds },
      by.tenant,
      site,
      day,
    ),
  )
const NIGHT = { night: { from: DAY - 11, kw: 2 } }

describe('what a home could save', () => {
  it('is unknown before the first check, not zero', async () => {
    const { HomeID } = await addSite(root, 'new')
    expect(await saving(HomeID)).toMatchObject({
      State: 'tooLittle',
      Amount: null,
      AsOf: null,
      Lacks: [{ HomeID, Reason: 'notYet' }],
    })
  })

  it('names past readings that are still loading instead of a day that they will change', async () => {
    const site = await addSite(root, 'loaded')
    const id = await addMeter(world, root, site, 'loaded-main', {})
    await storeEnergy(world, site, id, [at('2026-06-08'), at('2026-06-11')], () => 1)
    expect(await look(site)).toBe('done')
    const enough = formatDay(parseDay('2026-06-08') + 28)
    const lacks = async () => (await saving(site.HomeID)).Lacks
    expect(await lacks()).toMatchObject([{ Reason: 'days', Have: 3, EnoughOn: enough }])

    // Past readings that are not rolled up yet.
    await markDirty(world.db, [{ meterId: id, from: at('2026-05-01'), through: at('2026-06-01') }])
    expect(await lacks()).toMatchObject([{ Reason: 'loading', EnoughOn: null }])
    await world.db.query(sql`delete from meter_dirty where meter_id = ${id}::int`)
    expect(await lacks()).toMatchObject([{ Reason: 'days' }])

    // Days rolled up since the headline was computed.
    await world.db.query(sql`update meter_days set day = day where meter_id = ${id}::int`)
    expect(await lacks()).toMatchObject([{ Reason: 'loading', EnoughOn: null }])
    expect(await look(site)).toBe('done')
    expect(await lacks()).toMatchObject([{ Reason: 'days', Have: 3 }])

    // The newest report of a live meter does not count as past.
    await markDirty(world.db, [{ meterId: id, from: NOW - 900_000, through: NOW }])
    expect(await lacks()).toMatchObject([{ Reason: 'days', Have: 3 }])
    await world.db.query(sql`delete from meter_dirty where meter_id = ${id}::int`)
  })

  it('is the bill without the risen base load, to the cent, and rounded to two digits', async () => {
    const site = await office(NIGHT)
    expect(await look(site)).toBe('done')
    const [row, ...others] = await list(site.HomeID)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      Kind: 'baseNight',
      Place: { RoomID: null, MeterID: site.uid('kitchen') },
      PlaceName: site.uid('kitchen'),
      State: 'open',
      Confidence: 'high',
      Why: { Key: 'baseNight', Values: { Since: formatDay(DAY - 11) } },
      From: formatDay(DAY - 27),
      Through: formatDay(DAY),
      LastSeen: formatDay(DAY),
      Verified: null,
    })
    const proof = await ask('/GetFindingEvidence', { HomeID: site.HomeID, FindingID: row?.FindingID })
    const claimed = proof.Claims.flatMap(({ Days }: { Days: { kWh: number }[] }) =>
      Days.map(({ kWh }) => kWh),
    ).reduce((sum: number, one: number) => sum + one, 0)
    // Twelve days of 2 kW.
    expect(claimed).toBeGreaterThan(400)
    expect(claimed).toBeLessThan(12 * 24 * 2.2)
    expect(row?.kWh).toBeCloseTo(monthly(claimed), 6)
    expect(row?.Amount).toBeCloseTo(monthly(claimed * PRICE), 1)
    expect(row?.Low).toBeLessThanOrEqual(row?.Amount ?? 0)
    expect(row?.High).toBeGreaterThanOrEqual(row?.Amount ?? 0)
    expect(proof.Bill.Was - proof.Bill.Without).toBeCloseTo(claimed * PRICE, 1)
    expect(proof.Days.at(-1).Value).toBeGreaterThan(proof.Days.at(-1).High)
    expect(proof.Days[0].Value).toBeLessThanOrEqual(proof.Days[0].High)

    const found = await saving(site.HomeID)
    expect(found).toMatchObject({
      State: 'found',
      AsOf: formatDay(DAY),
      Partly: false,
      Counts: { open: 1, accepted: 0, done: 0 },
      Lacks: [],
      Proof: { Basis: 'days', Findings: [row?.FindingID] },
    })
    expect(found.Exact).toBeCloseTo(row?.Amount ?? 0, 1)
    expect(found.Amount).toBe(roundEstimate(found.Exact ?? 0))
    expect(found.Top.map(({ FindingID }) => FindingID)).toEqual([row?.FindingID])
  })

  it('can be recomputed from its evidence: the billed energy of each quarter-hour minus its saving', async () => {
    const site = await office({ ...NIGHT, weekend: { from: DAY - 20 } })
    await look(site)
    const { Exact, Proof } = await saving(site.HomeID)
    const [bill] = Proof?.Bills ?? []
    const { Series } = await ask('/GetEnergySeries', {
      HomeID: site.HomeID,
      From: at(formatDay(DAY - 27)),
      To: at(formatDay(DAY + 1)),
      Resolution: 'quarter',
    })
    const counted: number[] = Series[0].Points.map(({ kWh }: { kWh: number }) => kWh)
    const taken = Proof?.UnionDays.flatMap(({ kWh }) => kWh) ?? []
    expect(taken).toHaveLength(28 * 96)
    expect(Proof?.UnionDays[0]?.Date).toBe(formatDay(DAY - 27))
    const cost = (kWh: readonly number[]) =>
      Math.round(Math.round(kWh.reduce((sum, one) => sum + one, 0) * 100) * PRICE) / 100
    expect(bill?.Was).toBe(cost(counted))
    const without = cost(counted.map((kWh, i) => Math.max(0, kWh - (taken[i] ?? 0))))
    expect(bill?.Without).toBe(without)
    expect(Exact).toBe(Math.round(((cost(counted) - without) * 3_000) / 28) / 100)
  })

  it('is zero if nothing is wrong', async () => {
    const site = await office({})
    await look(site)
    expect(await list(site.HomeID)).toEqual([])
    expect(await saving(site.HomeID)).toMatchObject({ State: 'none', Amount: null, Lacks: [], Top: [] })
    // A working day is not a batch that could run at night, either.
    await ask('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs: [homeTariff()] })
    await look(site)
    expect(await list(site.HomeID)).toEqual([])
  })

  it('has no amount without a tariff, and says that it is missing', async () => {
    const site = await office(NIGHT, { tariff: false })
    await look(site)
    const [row] = await list(site.HomeID)
    expect(row).toMatchObject({ Kind: 'baseNight', Amount: null, Low: null, High: null })
    expect(row?.kWh).toBeGreaterThan(300)
    expect(await saving(site.HomeID)).toMatchObject({
      State: 'tooLittle',
      Lacks: [{ Reason: 'tariff' }],
      Top: [],
    })
  })

  it('waits for 28 days with a low power factor too', async () => {
    const site = await addSite(root, 'five days')
    const id = await addMeter(world, root, site, 'five-days')
    await storeEnergy(world, site, id, [at('2026-06-06'), at('2026-06-11')], () => 20)
    const Tariffs = [homeTariff({ Capacities: { regular: 90 }, PowerFactor: 70 })]
    await ask('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs })
    await look(site)
    expect(await list(site.HomeID)).toEqual([])
    expect(await saving(site.HomeID)).toMatchObject({
      State: 'tooLittle',
      Lacks: [{ Reason: 'days', Have: 5, Needed: 28, EnoughOn: '2026-07-04' }],
    })
  })

  it.each<[string, (quarter: number) => 'm' | 'e' | 'c', string]>([
    ['two fifths of the readings are missing', (quarter) => (quarter % 5 < 2 ? 'e' : 'm'), 'coverage'],
    ['the nights were never measured', (quarter) => (quarter < 24 ? 'e' : 'm'), 'coverage'],
  ])('is too little known, not zero, if %s', async (name, quality, Reason) => {
    const site = await addSite(root, name)
    const id = await addMeter(world, root, site, name.replaceAll(' ', '-'))
    await storeEnergy(world, site, id, [at('2026-02-16'), at('2026-06-11')], (time) => [
      1,
      quality(((time + 8 * 3_600_000) / 900_000) % 96),
    ])
    await ask('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs: [homeTariff({ PlanID, Capacities: {} })] })
    await look(site)
    expect(await saving(site.HomeID)).toMatchObject({ State: 'tooLittle', Lacks: [{ Reason }] })
  })

  it('is not zero if the nights of its loads are sums over many hours', async () => {
    const site = await addSite(root, 'night sums')
    const main = await addMeter(world, root, site, 'night-sums')
    await storeEnergy(world, site, main, [at('2026-02-16'), at('2026-06-11')], () => 2)
    for (const name of ['night-sums-a', 'night-sums-b']) {
      const id = await addMeter(world, root, site, name, { parent: 'night-sums' })
      await storeEnergy(world, site, id, [at('2026-02-16'), at('2026-06-11')], (time) => [
        1,
        ((time + 8 * 3_600_000) / 900_000) % 96 < 24 ? 'b' : 'm',
      ])
    }
    await ask('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs: [homeTariff({ PlanID, Capacities: {} })] })
    await look(site)
    expect(await saving(site.HomeID)).toMatchObject({
      State: 'tooLittle',
      Lacks: [{ Reason: 'nights', Have: 1, Needed: 3 }],
    })
  })

  it('counts overlapping savings once, and adds up the others', async () => {
    const site = await office({ ...NIGHT, weekend: { from: DAY - 20 } })
    await look(site)
    const rows = await list(site.HomeID)
    expect(rows.map(({ Kind }) => Kind).toSorted()).toEqual(['baseNight', 'baseWeekend'])
    const sum = rows.reduce((all, { Amount }) => all + (Amount ?? 0), 0)
    const { Exact } = await saving(site.HomeID)
    // The findings concern two meters.
    expect(Exact).toBeCloseTo(sum, 0)
    expect(Exact).toBeGreaterThan(Math.max(...rows.map(({ Amount }) => Amount ?? 0)))
  })

  it('has parts that add up to it as shown, of one home and of the company, unless 1.1.0 computed it', async () => {
    const by = await world.signUp()
    const made = await by.post('/CreateTariff', {
      TariffName: 'flat',
      Versions: (await ask('/ListTariff', {}))[0].Versions,
    })
    const mine = PlanID
    PlanID = made.results.TariffID
    const sites = [
      await office({ ...NIGHT, weekend: { from: DAY - 20 } }, { by }),
      await office(NIGHT, { by }),
    ]
    PlanID = mine
    for (const site of sites) await look(site, DAY, {}, ALL_KINDS, by)
    const answers: SavingHeadline[] = [
      ...(await Promise.all(sites.map(({ HomeID }) => ask('/GetSaving', { HomeID }, by)))),
      await ask('/GetSaving', {}, by),
    ]
    expect(answers.map(({ Parts }) => Parts?.length)).toEqual([2, 1, 3])
    for (const one of answers) expect(partsTotal(one)).toBeCloseTo(one.Exact ?? 0, 2)
    await world.db.query(sql`
      update home_savings set saving = saving - 'counted' where home_id = ${(sites[1] as Site).HomeID}`)
    expect(await ask('/GetSaving', {}, by)).not.toHaveProperty('Parts')
  })

  it('of the company is the sum of its homes', async () => {
    const by = await world.signUp()
    const made = await by.post('/CreateTariff', {
      TariffName: 'flat',
      Versions: (await ask('/ListTariff', {}))[0].Versions,
    })
    const mine = PlanID
    PlanID = made.results.TariffID
    const [a, b] = [await office(NIGHT, { by }), await office({}, { by })]
    PlanID = mine
    await look(a, DAY, {}, ALL_KINDS, by)
    await look(b, DAY, {}, ALL_KINDS, by)
    const [one, all]: SavingHeadline[] = [
      await ask('/GetSaving', { HomeID: a.HomeID }, by),
      await ask('/GetSaving', {}, by),
    ]
    expect(all).toMatchObject({ State: 'found', Exact: one?.Exact, Proof: null, Counts: { open: 1 } })
    expect(all?.Parts).toEqual(one?.Parts)
    expect(one?.Proof).not.toBeNull()
  })
})

describe('kinds of findings', () => {
  it('detect air conditioning of an empty room by its sensor', async () => {
    const site = await addSite(root, 'rooms')
    const { RoomID } = await ask('/CreateRoom', { HomeID: site.HomeID, RoomName: '會議室' })
    const uid = 'empty-cooling'
    const id = await addMeter(world, root, site, uid, { RoomID })
    await ask('/UpdatePeripheralInfo', {
      HomeID: site.HomeID,
      PeripheralUID: uid,
      PeripheralName: '會議室冷氣',
    })
    await addDiscovered(world, root, { ...site, RoomID, type: '529', uids: ['empty-sensor'] })
    const faults = { empty: { from: DAY - 20 } }
    await storeEnergy(world, site, id, [at('2026-04-01'), at('2026-06-11')], (time) => {
      const day = dayOf(time, zone)
      return officeDay(1, day, faults).cooling[(time - startOfDay(day, zone)) / 900_000] as number
    })
    const events: object[] = []
    for (let day = DAY - 40, was = 0; day <= DAY; day++)
      for (let quarter = 0; quarter < 96; quarter++) {
        const is = Number(isUsedAt(day, quarter))
        if (is === was) continue
        events.push({ at: startOfDay(day, zone) + quarter * 900_000, before: was, value: is })
        was = is
      }
    await world.db.query(sql`
      insert into device_events (tenant, peripheral_uid, field, before, value, timestamp)
      select ${root.tenant}, 'empty-sensor', 'MotionState', before, value, at
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (before float8, value float8, at bigint)`)
    await ask('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs: [homeTariff({ PlanID, Capacities: {} })] })
    await look(site)
    const rows = await list(site.HomeID)
    expect(rows.map(({ Kind }) => Kind)).toEqual(['emptyRoom'])
    expect(rows[0]).toMatchObject({
      Place: { RoomID, MeterID: uid },
      PlaceName: '會議室冷氣',
      Confidence: 'high',
    })
    // Six hours of fifteen workdays at 12 kW, less the half hour.
    expect(rows[0]?.kWh).toBeGreaterThan(700)
    expect(rows[0]?.kWh).toBeLessThan(1500)
  })

  it('detect what is left on by the hours of its room', async () => {
    const site = await office({ lights: { from: DAY - 12 } })
    await look(site)
    expect(await list(site.HomeID), 'nobody knows the hours').toEqual([])
    const workdays = { Weekdays: [1, 2, 3, 4, 5], From: 480, To: 1080, Days: 'all' }
    await ask('/SetPlaceFact', {
      HomeID: site.HomeID,
      RoomID: null,
      Fact: 'hours',
      Value: [workdays],
      From: null,
    })
    await look(site)
    const rows = await list(site.HomeID)
    expect(rows.map(({ Kind, Place }) => [Kind, Place.MeterID])).toEqual([['leftOn', site.uid('lights')]])
    expect(rows[0]?.Why.Values['Days']).toBe(9)
  })

  it('detect a high contract, a cheaper plan and a low power factor, billed together', async () => {
    const site = await addSite(root, 'contract')
    const id = await addMeter(world, root, site, 'contract-main')
    await storeEnergy(world, site, id, [at('2025-04-01'), at('2026-06-11')], (time) => {
      const hour = new Date(time + 8 * 3_600_000).getUTCHours()
      return hour >= 8 && hour < 18 ? 5 : 1
    })
    const Tariffs = [homeTariff({ Capacities: { regular: 90 }, PowerFactor: 70 })]
    await ask('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs })
    await look(site)
    const rows = await list(site.HomeID)
    const kinds = new Map(rows.map((row) => [row.Kind, row]))
    expect(kinds.get('contract')).toMatchObject({
      Place: { RoomID: null, MeterID: null },
      kWh: null,
      Why: { Key: 'contractTooHigh', Values: { Now: 90, Then: 20 } },
    })
    expect(kinds.get('powerFactor')?.Amount).toBeGreaterThan(100)
    const compared = await ask('/CompareTariff', { HomeID: site.HomeID, Months: 12 })
    const same = compared.Plans.find(({ PlanID: of }: { PlanID: string }) => of === 'lv_two_stage')
    expect(same.Refused).toBeNull()
    // Equals the result of /CompareTariff, per month.
    expect(kinds.get('contract')?.Amount).toBeCloseTo((compared.Current.Total - same.Best.Total) / 12, 1)
    const found = await saving(site.HomeID)
    const alone = Math.max(...rows.map(({ Amount }) => Amount ?? 0))
    const sum = rows.reduce((all, { Amount }) => all + (Amount ?? 0), 0)
    expect(found.Proof?.Basis).toBe('year')
    expect(found.Proof?.Bills).toHaveLength(12)
    expect(found.Exact).toBeGreaterThanOrEqual(alone - 0.02)
    expect(found.Exact).toBeLessThanOrEqual(sum + 0.02)
    const counted = rows.reduce((all, { Counted }) => all + (Counted ?? 0), 0)
    expect(counted).toBeCloseTo(found.Exact ?? 0, 6)
    expect(found.Parts?.map(({ FindingID }) => FindingID).toSorted()).toEqual(
      rows
        .filter(({ Counted }) => Counted !== undefined)
        .map(({ FindingID }) => FindingID)
        .toSorted(),
    )
    expect(partsTotal(found)).toBeCloseTo(found.Exact ?? 0, 6)
    for (const { Low, High, Amount, Confidence } of rows) {
      expect(Low).toBeLessThanOrEqual(Amount ?? 0)
      expect(High).toBeGreaterThan(Amount ?? 0)
      expect(Confidence).toBe('high')
    }
    const byHand = found.Proof?.Bills.reduce((all, { Was, Without }) => all + Was - Without, 0) ?? 0
    expect(found.Exact).toBeCloseTo(byHand / 12, 1)
  })

  it('report what a silent meter hides, without counting it as a saving', async () => {
    const site = await office({})
    await look(site, DAY, {
      readSilentDevices: async () => [{ PeripheralUID: site.uid('servers'), since: at('2026-06-09') }],
    })
    const rows = await list(site.HomeID)
    expect(rows.map(({ Kind }) => Kind)).toEqual(['silent'])
    // 5 kW day and night.
    expect(rows[0]?.Amount).toBeGreaterThan(5 * 24 * 30 * PRICE * 0.9)
    expect(await saving(site.HomeID)).toMatchObject({ State: 'none', Top: [] })
  })

  it('fail separately, and say so', async () => {
    const site = await office(NIGHT)
    const kinds = ALL_KINDS.map(([kind, find]) =>
      kind === 'plan'
        ? ([kind, () => Promise.reject(new Error('broken'))] as const)
        : ([kind, find] as const),
    )
    expect(await look(site, DAY, {}, kinds)).toBe('partly')
    expect(await list(site.HomeID)).toHaveLength(1)
    expect(await saving(site.HomeID)).toMatchObject({ State: 'found', Partly: true })
  })
})

describe('the life of a finding', () => {
  let site: Awaited<ReturnType<typeof office>>
  let row: Finding
  beforeAll(async () => {
    site = await office(NIGHT)
  })
  beforeEach(async () => {
    await world.db.query(sql`delete from findings where home_id = ${site.HomeID}`)
    await world.db.query(sql`delete from finding_thresholds where home_id = ${site.HomeID}`)
    await look(site)
    row = (await list(site.HomeID))[0] as Finding
  })
  const update = (input: object) =>
    ask('/UpdateFinding', { HomeID: site.HomeID, FindingID: row.FindingID, Version: row.Version, ...input })
  const refusal = (input: object, by = root) =>
    errorOf(
      '/UpdateFinding',
      { HomeID: site.HomeID, FindingID: row.FindingID, Version: row.Version, ...input },
      by,
    )

  it('has one row however often it is checked', async () => {
    const before = await world.db.query(sql`select * from findings where home_id = ${site.HomeID}`)
    await look(site)
    expect(await world.db.query(sql`select * from findings where home_id = ${site.HomeID}`)).toEqual(before)
  })

  it('includes acceptance with an owner and a day, which removes it from the headline', async () => {
    const accepted = await update({ State: 'accepted', Owner: root.cognitoId, Due: '2026-07-01' })
    expect(accepted).toMatchObject({
      State: 'accepted',
      Owner: root.cognitoId,
      Due: '2026-07-01',
      Version: row.Version + 1,
    })
    await look(site)
    expect(await saving(site.HomeID)).toMatchObject({ State: 'none', Counts: { open: 0, accepted: 1 } })
    expect(await list(site.HomeID, { Owner: root.cognitoId })).toHaveLength(1)
    expect(await list(site.HomeID, { Owner: null })).toEqual([])
  })

  it('includes completion on a day, which freezes it and measures it once', async () => {
    const done = await update({ State: 'done', DoneOn: '2026-06-10' })
    expect(done).toMatchObject({ State: 'done', DoneOn: '2026-06-10', Amount: row.Amount })
    await look(site, DAY - 1)
    expect((await list(site.HomeID))[0]).toMatchObject({ Through: row.Through, Amount: row.Amount })
    const measured = {
      Verdict: 'verified',
      From: '2026-06-11',
      Through: '2026-07-08',
      kWh: 1000,
      LowKwh: 800,
      HighKwh: 1200,
      Amount: 4000,
      Low: 3200,
      High: 4800,
    } as const
    const key = { tenant: root.tenant, HomeID: site.HomeID, FindingID: row.FindingID, seen: done.Version }
    const other = await doneMeasures(world.db, root.tenant, site.HomeID, DAY, DAY + 1)
    expect(other).toMatchObject([{ FindingID: row.FindingID, doneOn: DAY, meters: [site.uid('kitchen')] }])
    expect(await recordMeasurement(world.db, { ...key, seen: done.Version - 1 }, measured)).toBe(false)
    expect(await recordMeasurement(world.db, key, measured)).toBe(true)
    expect(await list(site.HomeID, { Filter: 'verified' })).toMatchObject([
      { Verified: measured, State: 'verified' },
    ])
    expect((await saving(site.HomeID)).Verified).toEqual({ Amount: 4000, Count: 1 })
    // The same fault may be found again.
    await look(site)
    expect(await list(site.HomeID)).toHaveLength(1)
  })

  it('includes postponing it until another day, when it returns', async () => {
    expect(await refusal({ State: 'dismissed' })).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { Reason: 'required' },
    })
    expect(await refusal({ State: 'dismissed', Reason: 'later' })).toMatchObject({
      fields: { Until: 'required' },
    })
    expect(await refusal({ State: 'dismissed', Reason: 'later', Until: '2026-06-11' })).toMatchObject({
      fields: { Until: 'tooSmall' },
    })
    await update({ State: 'dismissed', Reason: 'later', Until: '2026-06-12' })
    await look(site)
    expect(await list(site.HomeID)).toEqual([])
    await world.db.query(sql`update findings set until = ${DAY} where home_id = ${site.HomeID}`)
    await look(site)
    expect(await list(site.HomeID)).toMatchObject([{ State: 'open', Reason: null, Until: null }])
  })

  it('mutes an intended finding for a year', async () => {
    expect(await update({ State: 'dismissed', Reason: 'wanted' })).toMatchObject({ Until: '2027-06-11' })
    await look(site)
    expect(await list(site.HomeID)).toEqual([])
    expect(await list(site.HomeID, { Filter: 'dismissed' })).toHaveLength(1)
  })

  it('requires half as much again after it was marked as wrong', async () => {
    await update({ State: 'dismissed', Reason: 'wrong' })
    expect(
      await world.db.query(sql`select factor from finding_thresholds where home_id = ${site.HomeID}`),
    ).toEqual([{ factor: 1.5 }])
    await look(site)
    // The fault exceeds that limit, too, and is found again.
    const again = await list(site.HomeID)
    expect(again).toHaveLength(1)
    expect(again[0]?.FindingID).not.toBe(row.FindingID)
    expect(
      await errorOf('/UpdateFinding', {
        HomeID: site.HomeID,
        FindingID: row.FindingID,
        Version: row.Version + 1,
        State: 'open',
      }),
    ).toMatchObject({ code: ERRORS.CONFLICT.code })
  })

  it('ends after 14 days without being seen', async () => {
    await world.db.query(
      sql`update findings set last_seen = ${DAY - 14}, meter_id = 'gone' where home_id = ${site.HomeID}`,
    )
    await look(site)
    expect(await list(site.HomeID, { Filter: 'expired' })).toHaveLength(1)
    expect(await list(site.HomeID)).toHaveLength(1)
  })

  it('deletes findings that ended by themselves with the measured values, but never completed ones', async () => {
    const age = (state: string) =>
      world.db.query(sql`update findings set state = ${state}, is_live = false, last_seen = ${DAY - 402}
        where finding_id = ${row.FindingID}::uuid`)
    const [trim] = expiringFindings({ db: world.db, clock: world.clock }, 400)
    await age('verified')
    await trim?.deleteBatch()
    expect(await list(site.HomeID, { Filter: 'verified' })).toHaveLength(1)
    await age('expired')
    await trim?.deleteBatch()
    expect(await list(site.HomeID, { Filter: 'expired' })).toEqual([])
  })

  it('rejects another version, home, company or right', async () => {
    expect(await refusal({ Version: row.Version + 1, State: 'accepted' })).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
    expect(await refusal({ State: 'done', DoneOn: '2026-06-12' })).toMatchObject({
      fields: { DoneOn: 'tooBig' },
    })
    expect(await refusal({ Owner: row.FindingID })).toMatchObject({ fields: { Owner: 'notFound' } })
    const other = await world.signUp()
    expect((await refusal({ State: 'accepted' }, other)).code).toBe(ERRORS.NOT_FOUND.code)
    for (const [path, input] of [
      ['/GetSaving', {}],
      ['/ListFinding', {}],
      ['/GetFindingEvidence', { FindingID: row.FindingID }],
    ] as const)
      expect((await errorOf(path, { HomeID: site.HomeID, ...input }, other)).code).toBe(ERRORS.NOT_FOUND.code)
    const reader = await world.createUser(root, [{ FeatureKey: 'electricity', OperationList: ['Read'] }])
    expect(await ask('/ListFinding', { HomeID: site.HomeID }, reader)).toMatchObject({ Total: 1 })
    expect((await refusal({ State: 'accepted' }, reader)).code).toBe(ERRORS.PERMISSION_DENIED.code)
    expect(right('electricity', 'Update')).toEqual({ feature: 'electricity', operation: 'Update' })
  })

  it('is written by one of two concurrent gateways', async () => {
    await world.db.query(sql`delete from findings where home_id = ${site.HomeID}`)
    const done = await Promise.all([look(site), look(site)])
    expect(done).toContain('done')
    expect(await list(site.HomeID)).toHaveLength(1)
  })
})

describe('the check of homes', () => {
  it('runs at 04:10 of their clock, once a day', () => {
    expect(formatDay(dayToAnalyze(Date.parse('2026-06-10T20:09:00Z'), zone))).toBe('2026-06-09')
    expect(formatDay(dayToAnalyze(Date.parse('2026-06-10T20:10:00Z'), zone))).toBe('2026-06-10')
  })

  it('runs again when a person or late energy changed its input', async () => {
    const site = await office(NIGHT)
    const isDue = async () =>
      (await dueHomes(world.db, NOW, 1000)).some(({ HomeID }) => HomeID === site.HomeID)
    expect(await isDue()).toBe(true)
    await look(site)
    expect(await isDue()).toBe(false)
    const [row] = await list(site.HomeID)
    await ask('/UpdateFinding', {
      HomeID: site.HomeID,
      FindingID: row?.FindingID,
      Version: row?.Version,
      State: 'accepted',
    })
    expect(await isDue()).toBe(true)
    await look(site)
    const touch = (day: number) =>
      world.db.query(sql`update meter_days set kwh = kwh where day = ${day}::int
        and meter_id in (select meter_id from meters where home_id = ${site.HomeID})`)
    await touch(DAY - 400)
    expect(await isDue()).toBe(false)
    await touch(DAY - 100)
    expect(await isDue()).toBe(true)
  })

  it('is not run by the job while a backlog of readings waits', async () => {
    const site = await office(NIGHT)
    await world.db.query(sql`update home_savings set day = ${DAY}`)
    await world.db.query(sql`delete from insight_due`)
    await world.db
      .query(sql`insert into meter_dirty select meter_id, ${at('2024-06-01')}::bigint, ${at('2026-06-02')}::bigint
      from meters cross join generate_series(1, 10) where home_id = ${site.HomeID}`)
    const runJob = () => {
      const { db, clock, log } = world
      const events = createEvents((error) => {
        throw error
      })
      return findingsJob({ db, clock, log, events }, findingPorts(db, clock)).run(() => false)
    }
    await runJob()
    expect(await list(site.HomeID)).toEqual([])
    await world.db.query(sql`delete from meter_dirty`)
    await runJob()
    expect(await list(site.HomeID)).toHaveLength(1)
  })

  it('is run by the job, which notifies screens', async () => {
    const site = await office(NIGHT)
    await world.db.query(sql`update home_savings set day = ${DAY}`)
    await world.db.query(sql`delete from insight_due`)
    world.events.length = 0
    await vi.waitFor(() => {
      world.clock.advance(20_000)
      expect(world.events).toContainEqual({
        name: 'dataChange',
        event: expect.objectContaining({ name: 'finding.update', record: { HomeID: site.HomeID } }),
      })
    }, PATIENT)
    expect(await list(site.HomeID)).toHaveLength(1)
  })
})
