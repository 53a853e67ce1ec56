import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MeterReading } from '../../../../contract/meters/channels.ts'
import type { Finding } from '../../../../contract/findings/calls.ts'
import { dayOf, QUARTER_MS } from '../../../../contract/time/periods.ts'
import { home as homeResource } from '../../../../contract/homes/home.ts'
import { returnIdOf } from '../../../../contract/devices/kinds/meter-id.ts'
import { detectFindings } from '../../../../gateway/features/insight/findings/find-in-home.ts'
import { ALL_KINDS } from '../../../../gateway/features/insight/findings/kinds/all-kinds.ts'
import { measureDone } from '../../../../gateway/features/insight/findings/measure-done.ts'
import type { InsightPorts } from '../../../../gateway/features/insight/logic/ports.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { seedDemoCompany } from '../../../../scripts/demo-company.ts'
import { recordMeasures } from '../../../../scripts/demo-measures.ts'
import { seedOffice } from '../../../../scripts/demo-office.ts'
import type { FleetHub } from '../../../../simulator/building/building.ts'
import { pastOf } from '../../../../simulator/building/past.ts'
import { presence } from '../../../../simulator/scenarios/office.ts'
import { storyOf } from '../../../../simulator/demo/story.ts'
import { startOfDay } from '../../../../simulator/scenarios/taiwan.ts'
import { holdClock } from '../../../support/clock.ts'
import { announceDevices, demoApiOf } from '../../../support/demo-api.ts'
import { findingPorts } from '../../../support/finding-ports.ts'
import { storeEnergy } from '../../../support/stored-energy.ts'
import { cases } from '../../../support/thorough.ts'
import { startWorld, type World } from '../../../support/world.ts'

const zone = 'Asia/Taipei'
const SEED = 1
const DAY = 86_400_000
/** Number of simulated days: those that claims are computed from; if nights have risen, also the days before. */
const CLAIMED = 29
const USUAL = 46
const NIGHTS = ['三樓插座迴路', '二號空壓機']
/** At sites billed for a year, older days of the billed meters repeat these, by weekday. */
const BILLED = ['內湖總部', '台中精機園區工廠']
const AGAIN = 28
const YEAR = 395
/** Meter that measures the saving of a measure: its entire past is simulated. */
const MEASURED = '一號空壓機'

/** Findings that `docs/demo.md` describes as open, verified or seen by the first day: kind and place. */
const PROMISED: Readonly<Record<string, readonly string[]>> = {
  內湖總部: ['baseNight 三樓插座迴路', 'contract'],
  台中精機園區工廠: ['baseNight 二號空壓機', 'powerFactor', 'measure 一號空壓機'],
  高雄分公司: ['peakShift 一號充電樁'],
  台南物流中心: ['emptyRoom 洽談室冷氣', 'leftOn 理貨區照明迴路'],
}

/** Start days with summer prices, then at other times of the year and week. */
const STARTS = [
  '2026-07-13T09:20:00+08:00',
  '2026-11-26T10:05:00+08:00',
  '2026-03-01T18:00:00+08:00',
  '2026-06-09T03:30:00+08:00',
  '2026-10-16T14:00:00+08:00',
  '2026-01-24T12:00:00+08:00',
].map((text) => Date.parse(text))

/** Demo with its past stored, but without the state of its hubs. */
async function startDemo(now: number) {
  const world = await startWorld({ clock: holdClock(now) })
  const { api, owner } = demoApiOf(world)
  const story = storyOf(now)
  const { hubs, addDevices, owner: call } = await seedDemoCompany(api, {}, { now, story })
  await announceDevices(world, owner().tenant, hubs)
  await addDevices()
  await seedOffice(call, now, { wrong: story.terms })
  const sites = await call(homeResource.operations.list, {})
  const billed = sites.filter(({ HomeName }) => BILLED.includes(HomeName)).map(({ HomeID }) => HomeID)
  for (const hub of hubs)
    await storePast(world, owner().tenant, hub, { now, lasts: billed.includes(hub.HomeID) ? YEAR : CLAIMED })
  await recordMeasures(call, story.measures, now)
  return { world, hubs, root: owner() }
}

/** Stores readings of a hub's meters; those not below another meter cover at least `lasts` days. */
async function storePast(
  world: World,
  tenant: string,
  { HomeID, devices }: FleetHub,
  { now, lasts }: { now: number; lasts: number },
): Promise<void> {
  const simulated = devices.some(({ PeripheralName }) => NIGHTS.includes(PeripheralName)) ? USUAL : CLAIMED
  const today = startOfDay(now)
  const below = new Set(devices.flatMap(({ scenario }) => scenario.feeds ?? []))
  const measured = devices.filter(({ PeripheralName }) => PeripheralName === MEASURED)
  const whole = byRegister(readingsOf(measured, now, Infinity))
  for (const [id, told] of byRegister(readingsOf(devices, now, simulated))) {
    const [row] = await world.db.query<{ id: number }>(sql`
      insert into meters (tenant, home_id, peripheral_uid) values (${tenant}, ${HomeID}, ${id}) returning meter_id as id`)
    const all = whole.get(id)
    const first = today - (simulated - 1) * DAY
    const from = all ? today - YEAR * DAY : below.has(id) ? first : Math.min(first, today - (lasts - 1) * DAY)
    const end = Math.floor(now / QUARTER_MS) * QUARTER_MS
    await storeEnergy(world, { zone }, row?.id as number, [from, end], (at) =>
      all
        ? counted(all, at)
        : counted(told, at + Math.max(0, Math.ceil((first - at) / AGAIN / DAY)) * AGAIN * DAY),
    )
  }
}

function readingsOf(devices: FleetHub['devices'], now: number, days: number): MeterReading[] {
  const readings: MeterReading[] = []
  let left = days
  if (devices.length > 0)
    for (const portion of pastOf(devices, now, SEED)) {
      readings.push(...portion)
      if (--left <= 0) break
    }
  return readings
}

/** Counters by time, for each register. */
function byRegister(readings: readonly MeterReading[]): Map<string, Map<number, number>> {
  const found = new Map<string, Map<number, number>>()
  const note = (id: string, at: number, kWh: number | undefined) => {
    if (kWh === undefined) return
    const of = found.get(id) ?? new Map<number, number>()
    found.set(id, of.set(at, kWh))
  }
  for (const { PeripheralUID, Timestamp, AccumulatePower, AccumulateReturn } of readings) {
    note(PeripheralUID, Timestamp, AccumulatePower)
    note(returnIdOf(PeripheralUID), Timestamp, AccumulateReturn)
  }
  return found
}

/** kWh of a quarter; the share of an hour that was read as a whole. */
function counted(counters: ReadonlyMap<number, number>, at: number): number | undefined {
  const [begin, end] = [counters.get(at), counters.get(at + QUARTER_MS)]
  if (begin !== undefined && end !== undefined) return end - begin
  const hour = Math.floor(at / (4 * QUARTER_MS)) * 4 * QUARTER_MS
  const [from, to] = [counters.get(hour), counters.get(hour + 4 * QUARTER_MS)]
  return from === undefined || to === undefined ? undefined : (to - from) / 4
}

/** Reports of presence sensors that match occupancy. */
const presenceOf =
  (hubs: readonly FleetHub[]): InsightPorts['readSeries'] =>
  async (_db, _place, quantities, { from, to }) =>
    quantities.map(({ PeripheralUID }) => {
      const device = hubs.flatMap(({ devices }) => devices).find((one) => one.PeripheralUID === PeripheralUID)
      const room = device?.scenario.rooms?.[0] ?? ''
      const Timestamps = Array.from(
        { length: Math.floor((to - from) / 300_000) },
        (_, i) => from + i * 300_000,
      )
      return {
        Timestamps,
        Values: Timestamps.map((at) => +(presence(SEED, room, at) > 0)),
        Max: null,
        Unknown: [],
      }
    })

describe.each(
  STARTS.slice(0, cases(1, STARTS.length)).map((now) => [new Date(now).toISOString(), now] as const),
)('a demo that begins at %s', (_text, now) => {
  let world: World
  let found: Record<string, string[]>
  let savings: Record<string, SavingOfSite>
  beforeAll(async () => {
    const demo = await startDemo(now)
    world = demo.world
    ;({ found, savings } = await findAll(demo, now))
  })
  afterAll(() => world.close())

  it.each(Object.keys(PROMISED))('shows the promised findings of %s', (home) => {
    expect(found[home]).toEqual(expect.arrayContaining([...(PROMISED[home] as string[])]))
  })

  it('has parts of findings in the headline of a year that are their amounts, as none overlap there', () => {
    const ofYear = Object.values(savings).filter(({ basis }) => basis === 'year')
    expect(ofYear.length).toBeGreaterThan(0)
    for (const { rows, Exact } of ofYear) {
      const counted = rows.filter(({ Counted }) => Counted !== undefined)
      const amounts = counted.map(({ Amount }) => Amount ?? 0)
      for (const { Counted, Amount } of counted) expect(Counted).toBeLessThanOrEqual((Amount ?? 0) + 0.01)
      const sum = amounts.reduce((all, one) => all + one, 0)
      expect(Math.abs(sum - (Exact ?? 0))).toBeLessThan(0.02 * sum)
    }
  })
})

/** Findings and headline of a site. */
interface SavingOfSite {
  rows: readonly Finding[]
  Exact: number | null
  basis: 'year' | 'days' | undefined
}

/** Findings of each site up to the day before: kind and place of open or verified ones, and the headline. */
async function findAll(
  { world, hubs, root }: Awaited<ReturnType<typeof startDemo>>,
  now: number,
): Promise<{ found: Record<string, string[]>; savings: Record<string, SavingOfSite> }> {
  const { db, log } = world
  const ports = findingPorts(db, world.clock, { readSeries: presenceOf(hubs) })
  const found: Record<string, string[]> = {}
  const savings: Record<string, SavingOfSite> = {}
  for (const { HomeID, HomeName } of (await root.post('/ListHome', {})).results) {
    const [home, today] = [{ HomeID, zone }, dayOf(now, zone)]
    await db.transaction((tx) =>
      detectFindings(tx, { db, log, ports, now, kinds: ALL_KINDS }, root.tenant, home, today - 1),
    )
    await measureDone({ db, ports }, root.tenant, home, today)
    const rows: Finding[] = []
    for (const Filter of ['open', 'verified'])
      rows.push(...(await root.post('/ListFinding', { HomeID, Filter })).results.Rows)
    const { Exact, Proof } = (await root.post('/GetSaving', { HomeID })).results
    savings[HomeName] = { rows, Exact, basis: Proof?.Basis }
    found[HomeName] = rows.map(({ Kind, PlaceName }) => [Kind, PlaceName].filter(Boolean).join(' '))
  }
  return { found, savings }
}
