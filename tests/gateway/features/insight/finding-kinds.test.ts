import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../../../contract/findings/calls.ts'
import type { MeterRole } from '../../../../contract/devices/meter-roles.ts'
import { dayOf, formatDay, parseDay, startOfDay, weekdayOf } from '../../../../contract/time/periods.ts'
import { monthly } from '../../../../contract/findings/finding-life.ts'
import { detectFindings } from '../../../../gateway/features/insight/findings/find-in-home.ts'
import { ALL_KINDS } from '../../../../gateway/features/insight/findings/kinds/all-kinds.ts'
import { encode } from '../../../support/building.ts'
import { holdClock } from '../../../support/clock.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { findingPorts } from '../../../support/finding-ports.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import type { QuietBroker } from '../../../support/quiet-broker.ts'
import { addMeter, addSite, type Site, storeEnergy } from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

const zone = 'Asia/Taipei'
const HOUR = 3_600_000
/** Thursday, 11 June 2026: the 28 analysed days have 20 workdays, and prices are those of summer. */
const NOW = Date.parse('2026-06-11T02:07:00Z')
const END = parseDay('2026-06-11')
const FROM = END - 28
const at = (day: number) => startOfDay(day, zone)

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
})
afterAll(() => world.close())

const ask = async (path: string, input: object) => {
  const { status, results } = await root.post(path, input)
  expect(status).toMatchObject({ code: 0 })
  return results
}

/** Time within a day, and the day: input of a synthetic meter. */
interface Moment {
  day: number
  hour: number
  isWorkday: boolean
}
const momentOf = (time: number): Moment => {
  const day = dayOf(time, zone)
  return { day, hour: (time - at(day)) / HOUR, isWorkday: weekdayOf(day) % 6 !== 0 }
}
/** Meter with this power in kW, from a day on. */
async function meter(
  site: Site,
  uid: string,
  kw: (moment: Moment) => number,
  { since = FROM - 14, RoomID = 0 }: { since?: number; RoomID?: number } = {},
): Promise<void> {
  const id = await addMeter(world, root, site, uid, { RoomID })
  await storeEnergy(world, site, id, [at(since), at(END)], (time) => kw(momentOf(time)) / 4)
}
const give = (site: Site, MeterID: string, role: MeterRole) =>
  ask('/SetMeterFact', { HomeID: site.HomeID, MeterID, Fact: 'role', Value: role, From: null })
const agree = (site: Site, changes: Parameters<typeof homeTariff>[0] = {}) =>
  ask('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs: [homeTariff(changes)] })
/** Findings of a home up to yesterday. */
async function lookAt({ HomeID }: Site): Promise<Map<string, Finding>> {
  const options = { db: world.db, log: world.log, ports: findingPorts(world.db, world.clock), now: NOW }
  const did = await world.db.transaction((tx) =>
    detectFindings(tx, { ...options, kinds: ALL_KINDS }, root.tenant, { HomeID, zone }, END - 1),
  )
  expect(did).toBe('done')
  const { Rows } = await ask('/ListFinding', { HomeID })
  return new Map(Rows.map((row: Finding) => [row.Kind, row]))
}
const proofOf = ({ HomeID, FindingID }: Finding) => ask('/GetFindingEvidence', { HomeID, FindingID })

describe('batches in expensive hours', () => {
  it('could run in cheap hours of the same day, for the price difference', async () => {
    const site = await addSite(root, 'mill')
    // From four to six in the afternoon of workdays: expensive hours in summer as before.
    await meter(site, 'mill', ({ hour, isWorkday }) => (isWorkday && hour >= 16 && hour < 18 ? 20 : 0))
    await agree(site)
    const found = await lookAt(site)
    const moved = 20 * 2 * 20
    expect([...found.keys()]).toEqual(['peakShift'])
    const row = found.get('peakShift') as Finding
    expect(row).toMatchObject({
      Place: { RoomID: null, MeterID: 'mill' },
      Confidence: 'low',
      kWh: null,
      Why: { Key: 'peakShift', Values: { Days: 20, kWh: expect.closeTo(monthly(moved), 6) } },
      ToDo: ['shiftBatches'],
    })
    // Low voltage, two stages: 12 workdays of May at 5.39 and 2.15, 8 of June at 5.54 and 2.27.
    expect(row.Amount).toBeCloseTo(monthly(12 * 40 * (5.39 - 2.15) + 8 * 40 * (5.54 - 2.27)), 1)
    expect(row.High).toBe(row.Amount)
    expect(row.Low).toBeCloseTo(0.3 * (row.Amount ?? 0), 6)
    const { Unit, Days, Claims } = await proofOf(row)
    expect([Unit, Claims]).toEqual(['kWh', []])
    expect(Days.map(({ Value }: { Value: number }) => Value)).toEqual(
      Array.from({ length: 28 }, (_, i) => (weekdayOf(FROM + i) % 6 === 0 ? 0 : 40)),
    )
    // Their other dependencies are unknown, so no headline includes them.
    expect(await ask('/GetSaving', { HomeID: site.HomeID })).toMatchObject({ State: 'none' })
  })

  it('cannot be moved if they run in cheap hours, or if a price holds all day', async () => {
    const night = await addSite(root, 'mill at night')
    await meter(night, 'night-mill', ({ hour, isWorkday }) => (isWorkday && hour >= 2 && hour < 4 ? 20 : 0))
    await agree(night)
    expect([...(await lookAt(night)).keys()]).toEqual([])
    const flat = await addSite(root, 'mill at one price')
    await meter(flat, 'flat-mill', ({ hour, isWorkday }) => (isWorkday && hour >= 16 && hour < 18 ? 20 : 0))
    await agree(flat, { PlanID: 'lv_standard' })
    expect([...(await lookAt(flat)).keys()]).toEqual([])
  })

  it('depend on the season: running from six to eight is expensive in May and cheap in June', async () => {
    const site = await addSite(root, 'early mill')
    await meter(site, 'early-mill', ({ hour, isWorkday }) => (isWorkday && hour >= 6 && hour < 8 ? 20 : 0))
    await agree(site)
    const row = (await lookAt(site)).get('peakShift')
    expect(row?.Why.Values).toEqual({ Days: 12, kWh: expect.closeTo(monthly(12 * 40), 6) })
    expect(row?.Amount).toBeCloseTo(monthly(12 * 40 * (5.39 - 2.15)), 1)
  })

  it('are not reported if a person marked them as needed', async () => {
    const site = await addSite(root, 'hall')
    await meter(site, 'circuit-7', ({ hour, isWorkday }) => (isWorkday && hour >= 16 && hour < 18 ? 20 : 0))
    await agree(site)
    const said = {
      HomeID: site.HomeID,
      MeterID: 'circuit-7',
      Fact: 'use',
      Value: 'airConditioning',
      From: null,
    }
    await ask('/SetMeterFact', said)
    expect([...(await lookAt(site)).keys()]).toEqual([])
  })
})

describe('own generation', () => {
  /** Exports 16 kWh from ten to two, and consumes 20 kWh from eight to ten in the evening. */
  async function bakery(name: string, FeedIn: number | null): Promise<Site> {
    const site = await addSite(root, name)
    const uid = (meter: string) => `${name.replace(' ', '-')}-${meter}`
    await meter(site, uid('grid'), () => 8)
    await meter(site, uid('sold'), ({ hour }) => (hour >= 10 && hour < 14 ? 4 : 0))
    await meter(site, uid('sun'), ({ hour }) => (hour >= 8 && hour < 16 ? 6 : 0))
    await meter(site, uid('oven'), ({ hour }) => (hour >= 20 && hour < 22 ? 10 : 0))
    await give(site, uid('grid'), 'gridImport')
    await give(site, uid('sold'), 'gridExport')
    await give(site, uid('sun'), 'generation')
    await agree(site, { PlanID: 'lv_standard', FeedIn })
    return site
  }

  it('could replace purchases at night, up to what is sold that day, for the price difference', async () => {
    const row = (await lookAt(await bakery('bakery', 1.5))).get('selfUse') as Finding
    const kWh = monthly(16 * 28)
    // Low voltage at one price, in summer.
    const gap = 4.08 - 1.5
    expect(row).toMatchObject({
      Place: { RoomID: null, MeterID: 'bakery-oven' },
      Confidence: 'low',
      Why: { Key: 'selfUse', Values: { Days: 28, kWh: expect.closeTo(kWh, 6), Gap: expect.closeTo(gap, 4) } },
    })
    expect(row.Amount).toBeCloseTo(kWh * gap, 1)
    const { Days } = await proofOf(row)
    expect(new Set(Days.map(({ Value }: { Value: number }) => Value))).toEqual(new Set([16]))
  })

  it('is not moved if selling earns more than buying costs, or if that price is unknown', async () => {
    expect((await lookAt(await bakery('dear bakery', 20))).has('selfUse')).toBe(false)
    expect((await lookAt(await bakery('unpriced bakery', null))).has('selfUse')).toBe(false)
  })
})

describe('a balance', () => {
  /** Site that exports more than it imported from eight to noon, unless its meters agree. */
  async function plant(name: string, sold: number): Promise<Site> {
    const site = await addSite(root, name)
    const isMorning = ({ hour }: Moment) => hour >= 8 && hour < 12
    await meter(site, `${name}-grid`, () => 2)
    await meter(site, `${name}-sold`, (moment) => (isMorning(moment) ? sold : 0))
    await meter(site, `${name}-sun`, (moment) => (isMorning(moment) ? 6 : 0))
    await give(site, `${name}-grid`, 'gridImport')
    await give(site, `${name}-sold`, 'gridExport')
    await give(site, `${name}-sun`, 'generation')
    return site
  }

  it('that is off by more than one percent reports wrong wiring or role, without an amount', async () => {
    // 40 kWh of the day were used at other hours, and 4 hours lack 2 kW.
    const row = (await lookAt(await plant('crossed', 10))).get('balanceFault') as Finding
    expect(row).toMatchObject({
      Place: { RoomID: null, MeterID: null },
      PlaceName: null,
      Confidence: 'high',
      Amount: null,
      kWh: null,
      Why: {
        Key: 'balanceFault',
        Values: { kWh: expect.closeTo(8 * 28, 6), Share: expect.closeTo(8 / 32, 6) },
      },
      ToDo: ['checkRoles'],
    })
    const { Days } = await proofOf(row)
    expect(Days[0]).toMatchObject({ Value: expect.closeTo(8, 6), Usual: 0, High: expect.closeTo(0.32, 6) })
  })

  it('that adds up reports nothing', async () => {
    expect((await lookAt(await plant('sound', 5))).has('balanceFault')).toBe(false)
  })
})

describe('air conditioning', () => {
  /** Reports the devices' state at a time, as a hub does. */
  const report = async (site: Site, Timestamp: number, PeripheralUID: string, fields: object) =>
    (world.broker as QuietBroker).hooks?.receive({
      topic: '',
      match: { name: 'statusReport', values: { rootId: root.tenant, homeId: site.HomeID } },
      payload: encode({
        ThingName: site.ThingName,
        Timestamp,
        Peripherals: [{ PeripheralUID, TaiSEIAType: 1, ...fields }],
      }),
      client: { party: 'hub', tenant: root.tenant, homeId: site.HomeID, thingName: site.ThingName },
      retain: false,
    })

  it('below 26 °C for ten hours a week has a saving of low confidence', async () => {
    const site = await addSite(root, 'cold')
    const { RoomID } = await ask('/CreateRoom', { HomeID: site.HomeID, RoomName: '會議室' })
    await addDiscovered(world, root, {
      ...site,
      RoomID,
      type: '527',
      uids: ['cold-ac', 'mild-ac', 'warm-ac'],
    })
    const rename = (PeripheralUID: string, PeripheralName: string) =>
      ask('/UpdatePeripheralInfo', { HomeID: site.HomeID, PeripheralUID, PeripheralName })
    const isOn = ({ hour, isWorkday }: Moment) => isWorkday && hour >= 9 && hour < 18
    await meter(site, 'cold-meter', (moment) => (isOn(moment) ? 10 : 0), { RoomID })
    await rename('cold-meter', '會議室冷氣')
    await rename('cold-ac', '會議室空調')
    await agree(site, { PlanID: 'lv_standard' })
    for (let day = FROM - 1; day < END; day++)
      for (const hour of [9, 18]) {
        const moment = at(day) + hour * HOUR
        const Switch = Number(isOn({ ...momentOf(moment) }))
        await report(site, moment, 'cold-ac', { Switch, ACMode: 0, TargetTemperature: 22 })
        await report(site, moment, 'mild-ac', { Switch, ACMode: 0, TargetTemperature: 26 })
        await report(site, moment, 'warm-ac', { Switch, ACMode: 4, TargetTemperature: 22 })
      }
    const { Rows } = await lookAt(site).then(() =>
      ask('/ListFinding', { HomeID: site.HomeID, Kind: 'setPoint' }),
    )
    expect(Rows).toHaveLength(1)
    expect(Rows[0]).toMatchObject({
      Place: { RoomID, MeterID: 'cold-ac' },
      PlaceName: '會議室空調',
      Confidence: 'low',
      // Nine hours of each of the five workdays of the last week.
      Why: { Key: 'setPoint', Values: { Hours: 45, Celsius: 22, Least: 26 } },
      From: formatDay(FROM),
    })
    // Four degrees at 6 % of the energy of the room's meter.
    expect(Rows[0].kWh).toBeCloseTo(monthly(20 * 9 * 10 * 0.24), 4)
    const { Claims, Unit } = await proofOf(Rows[0])
    expect([Unit, Claims[0].MeterID]).toEqual(['hours', 'cold-meter'])
    expect(await ask('/GetSaving', { HomeID: site.HomeID })).toMatchObject({ State: 'none' })
  })
})

describe('another plan', () => {
  it('of the same supply that costs less is advised with its contract, by plan comparison', async () => {
    const site = await addSite(root, 'night shift')
    await meter(site, 'night-shift', ({ hour }) => (hour < 8 ? 60 : 5), { since: parseDay('2025-04-01') })
    await agree(site, { PlanID: 'lv_standard', Capacities: { regular: 60 } })
    const row = (await lookAt(site)).get('plan') as Finding
    const compared = await ask('/CompareTariff', { HomeID: site.HomeID, Months: 12 })
    const advice = compared.Plans.filter(({ PlanID }: { PlanID: string }) => PlanID.startsWith('lv_'))
      .filter(({ PlanID, Best }: { PlanID: string; Best: unknown }) => PlanID !== 'lv_ev' && Best !== null)
      .toSorted(
        (a: { Best: { Total: number } }, b: { Best: { Total: number } }) => a.Best.Total - b.Best.Total,
      )
    const [best] = advice
    expect(row).toMatchObject({
      Place: { RoomID: null, MeterID: null },
      Confidence: 'high',
      Why: { Key: 'planWithContract', Values: { Now: 'lv_standard', Then: best.PlanID } },
      ToDo: ['checkComparison', 'applyForPlan'],
    })
    expect(best.PlanID).not.toBe('lv_standard')
    const own = compared.Plans.find(({ PlanID }: { PlanID: string }) => PlanID === 'lv_standard')
    // The saving of the best contract on the present plan is no reason to change the plan.
    expect(row.Amount).toBeCloseTo((own.Best.Total - best.Best.Total) / 12, 1)
    expect(best.Total).toBeLessThan(own.Total)
    expect(row.Counted).toBeCloseTo(row.Amount ?? 0, 2)
    const { Unit, Days } = await proofOf(row)
    expect([Unit, Days.length]).toEqual(['TWD', 12])
    const [was, usual] = ['Value', 'Usual'].map((side) =>
      Days.reduce((sum: number, day: Record<string, number>) => sum + (day[side] ?? 0), 0),
    ) as [number, number]
    expect((was - usual) / 12).toBeCloseTo(row.Amount ?? 0, 1)
    const found = await ask('/GetSaving', { HomeID: site.HomeID })
    expect(found).toMatchObject({ State: 'found', Proof: { Basis: 'year', Then: { PlanID: best.PlanID } } })
    expect(found.Exact).toBeCloseTo(row.Amount ?? 0, 1)
  })

  it('is not advised if another contract on the present plan saves as much, and totals add up', async () => {
    const site = await addSite(root, 'day shift')
    // Three stages are best for it; its contract is far too high.
    await meter(site, 'day-shift', ({ hour }) => (hour >= 9 && hour < 16 ? 30 : 4), {
      since: parseDay('2025-04-01'),
    })
    await agree(site, { PlanID: 'lv_three_stage', Capacities: { regular: 95 } })
    const found = await lookAt(site)
    const { Plans } = await ask('/CompareTariff', { HomeID: site.HomeID, Months: 12 })
    const of = (id: string) => Plans.find(({ PlanID }: { PlanID: string }) => PlanID === id)
    const own = of('lv_three_stage')
    for (const id of ['lv_two_stage', 'lv_standard']) {
      expect(of(id).Best.Total).toBeGreaterThan(own.Best.Total)
      // With their own best contract, both would cost less than the present bill.
      expect(of(id).Best.Total).toBeLessThan(own.Total)
    }
    expect([...found.keys()]).toEqual(['contract'])
    const { Exact, Low, High } = await ask('/GetSaving', { HomeID: site.HomeID })
    expect(Exact).toBeCloseTo(found.get('contract')?.Amount ?? 0, 1)
    expect(found.get('contract')?.Counted).toBe(Exact)
    // Bills of months that differ have a range.
    expect(Low).toBeLessThanOrEqual(Exact)
    expect(High).toBeGreaterThanOrEqual(Exact)
  })
})
