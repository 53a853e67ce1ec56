import { setTimeout as wait } from 'node:timers/promises'
import { homeTariff as tariffs } from '../../contract/tariffs/home-tariff-calls.ts'
import { automation } from '../../contract/automation/automation.ts'
import { HOME_SUBJECT } from '../../contract/automation/condition.ts'
import { FIRST_DECISION_MS } from '../../contract/automation/load-shedding.ts'
import { QUARTER_MS } from '../../contract/time/periods.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import { homeTariff } from '../../tests/support/home-tariff.ts'
import { databaseOf } from '../automation/database.ts'
import { makeDevices, makeHome, type Owner, signUpOwner } from '../support/company.ts'
import { type GatewayUnderTest, startGateway, temporaryDirectory } from '../support/gateway.ts'
import { connectInstantHub, type InstantHub } from '../support/instant-hub.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median, percentile } from '../support/statistics.ts'

/** Minimum remainder of a quarter of an hour, ms, for shedding a load to be worthwhile. */
const LEAVES = 180_000
const TIMEOUT_MS = 60_000
/** Contract capacity in kW, and power of the meter before and after in W. */
const CONTRACT = 100
const CALM = 20_000
const TOO_MUCH = 900_000

interface Site {
  HomeID: string
  hub: InstantHub
  meter: string
  load: string
  kWh: number
}

/**
 * For each of several homes in turn: the time from the main meter's report of an excessive forecast until the load, a device that
 * executes commands immediately, is confirmed off. Waits for a suitable part of the quarter of an hour first.
 */
export async function contractGuard({ quick }: Options): Promise<Figure[]> {
  const count = quick ? 6 : 30
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const owner = await signUpOwner(gateway.url)
  const db = databaseOf(directory)
  const sites: Site[] = []
  for (let i = 0; i < count; i++) sites.push(await makeSite(gateway, owner, i))
  await db.query(sql`update peripherals set power_meter_update_frequency = 30 where peripheral_type = '514'`)
  for (const site of sites) await guard(owner, site)

  await untilWorthActing(count * 1_000)
  for (const site of sites) await report(site, CALM)
  await untilWatching(db, count)
  const times: number[] = []
  for (const [i, site] of sites.entries()) {
    // Varies the offset within the five-second interval of the guards.
    await wait((i * 370) % 1_000)
    const at = Date.now()
    await report(site, TOO_MUCH)
    times.push((await confirmedAt(db, site)) - at)
  }
  await gateway.stop()
  return [
    {
      what: 'forecast crosses to load confirmed off, 95th percentile',
      value: percentile(times, 0.95),
      unit: 'ms',
      bar: { of: 'value', max: 20_000 },
      note: `${times.length} homes, median ${Math.round(median(times))} ms, slowest ${Math.round(Math.max(...times))} ms`,
    },
  ]
}

async function makeSite(gateway: GatewayUnderTest, owner: Owner, i: number): Promise<Site> {
  const devices = [...makeDevices(`meter${i}`, 1, ['514']), ...makeDevices(`load${i}`, 1, ['516'])]
  const { HomeID, hubs } = await makeHome(gateway, owner, `home ${i}`, [devices])
  const [meter, load] = devices.map(({ PeripheralUID }) => PeripheralUID)
  const hub = await connectInstantHub(gateway, hubs[0]!)
  await hub.report([{ PeripheralUID: load, Switch: 1 }])
  const site = { HomeID, hub, meter: meter!, load: load!, kWh: 1_000 }
  // The counter at the beginning of the quarter of an hour, so that it is known completely.
  await report(site, CALM, Date.now() - 2 * QUARTER_MS)
  return site
}

/** Report of the main meter; its counter does not change, so that only the power counts. */
const report = ({ hub, meter, kWh }: Site, Power: number, Timestamp = Date.now()) =>
  hub.readings([{ PeripheralUID: meter, Timestamp, AccumulatePower: kWh, Power }])

async function guard({ call }: Owner, { HomeID, load }: Site): Promise<void> {
  await call(tariffs.updateHomeTariff, {
    HomeID,
    Tariffs: [homeTariff({ Capacities: { regular: CONTRACT } })],
    Sure: true,
  })
  await call(automation.operations.create, {
    HomeID,
    AutomationType: 4,
    AutomationName: 'guard',
    Conditions: {
      PeripheralUIDs: [
        { PeripheralUID: HOME_SUBJECT, Field: 'DemandForecast', Logical: '>', Status: CONTRACT },
      ],
    },
    Actions: [],
    Alarm: {
      Severity: 'warning',
      Shed: { Loads: [{ PeripheralUID: load, Values: { Switch: 0 }, Kw: 1_000 }] },
    },
  })
}

/** Resolves in a quarter of an hour whose forecast counts, with enough of it left. */
async function untilWorthActing(needed: number): Promise<void> {
  const into = Date.now() % QUARTER_MS
  if (into >= FIRST_DECISION_MS && into < QUARTER_MS - LEAVES - needed) return
  await wait(((FIRST_DECISION_MS - into + QUARTER_MS) % QUARTER_MS) + 1_000)
}

/** Resolves when every guard has decided that nothing needs to be done. */
async function untilWatching(db: Db, count: number): Promise<void> {
  const late = performance.now() + 2 * TIMEOUT_MS
  for (;;) {
    const [row] = await db.query<{ ready: number }>(
      sql`select count(*)::int as ready from guard_states where state = 'watching'`,
    )
    if (row?.ready === count) return
    if (performance.now() > late) throw new Error(`${row?.ready} of ${count} guards watch`)
    await wait(200)
  }
}

async function confirmedAt(db: Db, { HomeID }: Site): Promise<number> {
  const late = performance.now() + TIMEOUT_MS
  for (;;) {
    const [row] = await db.query<{ at: number }>(sql`
      select confirmed_at as at from sheddings where home_id = ${HomeID} and confirmed_at is not null`)
    if (row) return row.at
    if (performance.now() > late) throw new Error('A load was not shed')
    await wait(100)
  }
}
