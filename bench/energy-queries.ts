import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { insight } from '../contract/energy/insight-calls.ts'
import { meterData } from '../contract/energy/meter-data-calls.ts'
import { homeTariff } from '../contract/tariffs/home-tariff-calls.ts'
import { resources } from '../contract/index.ts'
import type { AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import { dayOf, firstDayOf, monthOfDay, startOfDay } from '../contract/time/periods.ts'
import { taipowerPlan } from '../contract/tariffs/taipower-plans.ts'
import type { TariffVersion } from '../contract/tariffs/tariff-terms.ts'
import { storeDaySums } from '../gateway/features/energy/rollup/day-sums.ts'
import { createPartitions } from '../gateway/store/partitions.ts'
import { type Db, sql } from '../gateway/kernel/db.ts'
import { openDb } from '../gateway/store/db.ts'
import { socketDirOf } from '../gateway/store/embedded.ts'
import { atEnd } from './support/clean-up.ts'
import { makeDevices, makeHome, type Owner, portions, signUpOwner } from './support/company.ts'
import { ensureBuilt, type GatewayUnderTest, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { cpuOf, descendantsOf } from './support/process-figures.ts'
import { alternate, median, percentile } from './support/statistics.ts'

export const name = 'energy-queries'
export const bar =
  '1,000 meters x 1 year x 15 min: calls p95 under 50 ms, at ten times the rows at most 1.5 x; a year re-priced under 2 s, also by meter'

export const METERS = 1_000
const METERS_PER_HUB = 250
export const ZONE = 'Asia/Taipei'
const DAY = 86_400_000
/** Days of a year, and the first tenth of them. */
const DAYS = 365
const SMALL_HISTORY_DAYS = 37
/** Number of distinct day profiles in the year. */
const SHAPES = 64
export const PLAN = 'residential_three_stage'
/** Interval in ms. */
const LOOK_EVERY = 500
export const SILENT = { warn: () => {}, info: () => {}, error: () => {} }

type MeasuredCall = [what: string, endpoint: AnyEndpoint, input: object]

/** Setup of a measurement: a gateway with a home of a thousand meters, and the caller. */
interface Bench {
  gateway: GatewayUnderTest
  owner: Owner
  call: Caller
  HomeID: string
  calls: readonly MeasuredCall[]
  rounds: number
}

/** Measures the calls about a home of a thousand meters with a year of energy. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('meter', METERS, ['514', '528'])
  const { HomeID } = await makeHome(gateway, owner, '總部', portions(devices, METERS_PER_HUB))
  const externalUrl = process.env['DATABASE_URL']
  const place = externalUrl ? { connectionString: externalUrl } : { socketDir: socketDirOf(directory) }
  const db = openDb({ ...place, max: 1, statementTimeoutMs: 0, log: SILENT })
  atEnd(() => db.close())

  const today = dayOf(Date.now(), ZONE)
  await storeMeters(db, HomeID)
  const uids = devices.map(({ PeripheralUID }) => PeripheralUID)
  const bench: Bench = {
    gateway,
    owner,
    call: createCaller(gateway, owner),
    HomeID,
    calls: callsOf(HomeID, uids, today),
    rounds: quick ? 30 : 150,
  }
  await setTariff(bench, PLAN)
  await storeDays(db, today - SMALL_HISTORY_DAYS, today)
  const small = await measureCalls(bench)
  await storeDays(db, today - DAYS, today - SMALL_HISTORY_DAYS - 1)
  const large = await measureCalls(bench)
  const explained = await measureExplained(bench, today)
  const balance = await measureBalance(bench, db, today)
  const moveTimes = await measureMoves(bench, db, today)
  return [
    ...callFigures(bench, small, large),
    explained,
    balance,
    moveTimes,
    ...(await measurePricing(bench, quick ? 3 : 6)),
  ]
}

/** A year of a site's balance by day, compared with its total without roles. */
async function measureBalance({ call, HomeID, rounds }: Bench, db: Db, today: number): Promise<Figure> {
  const year = {
    HomeID,
    From: startOfDay(today - 364, ZONE),
    To: startOfDay(today + 1, ZONE),
    Resolution: 'day',
  }
  const time = async (endpoint: AnyEndpoint) => {
    // The first call computes the home's new sums.
    await call(endpoint, year)
    const seen: number[] = []
    for (let i = 0; i < Math.ceil(rounds / 3); i++) seen.push(await timeOf(() => call(endpoint, year)))
    return median(seen)
  }
  const total = await time(meterData.getEnergySeries)
  await db.query(sql`
    with five as (select *, row_number() over (order by meter_id)::int as i from meters
      where home_id = ${HomeID} order by meter_id limit 5)
    insert into meter_facts (tenant, home_id, meter_key, fact, from_day, value, at)
    select tenant, home_id, peripheral_uid, 'role', 0,
      (array['"gridImport"', '"gridExport"', '"generation"', '"storageDischarge"', '"storageCharge"'])[i]::jsonb, 0 from five`)
  const value = await time(meterData.getEnergyBalance)
  await db.query(sql`delete from meter_facts where home_id = ${HomeID} and fact = 'role'`)
  return {
    what: 'a year of the balance by day',
    value,
    unit: 'ms',
    reference: { what: 'the total of the home without roles', value: total },
    bar: { of: 'ratio', max: 2 },
    note: 'median',
  }
}

/** Number of meters that are moved to another room in the year. */
const MOVES = 200

/** A year by room, before and after many meters were moved. */
async function measureMoves({ call, HomeID, rounds }: Bench, db: Db, today: number): Promise<Figure> {
  const ask = () =>
    call(meterData.getEnergySeries, {
      HomeID,
      From: startOfDay(today - 340, ZONE),
      To: startOfDay(today, ZONE),
      Resolution: 'month',
      By: 'room',
    })
  const time = async () => {
    await ask()
    const seen: number[] = []
    for (let i = 0; i < Math.ceil(rounds / 3); i++) {
      const started = performance.now()
      await ask()
      seen.push(performance.now() - started)
    }
    return median(seen)
  }
  const emptyTime = await time()
  await db.query(sql`
    with moved as (select *, row_number() over (order by meter_id)::int as i from meters
      where home_id = ${HomeID} order by meter_id limit ${MOVES}::int)
    insert into meter_facts (tenant, home_id, meter_key, fact, from_day, value, at)
    select tenant, home_id, peripheral_uid, 'room', 0, '0'::jsonb, 0 from moved
    union all select tenant, home_id, peripheral_uid, 'room', ${today}::int - 345 + i * 345 / ${MOVES}::int, '1'::jsonb, 0
    from moved`)
  return {
    what: `a year by room after ${MOVES} moves`,
    value: await time(),
    unit: 'ms',
    reference: { what: 'after none', value: emptyTime },
    bar: { of: 'ratio', max: 1.5 },
    note: 'months, median',
  }
}

const callsOf = (HomeID: string, uids: readonly string[], today: number): MeasuredCall[] => [
  ['24 hours of a home', meterData.getAggregationSummationData, { HomeID, PeriodType: 1 }],
  [
    'days of a month of 50 meters',
    meterData.getAggregationSummationData,
    {
      HomeID,
      PeriodType: 2,
      Timestamp: startOfDay(firstDayOf(monthOfDay(today)) - 1, ZONE),
      PeripheralUIDs: uids.slice(0, 50),
    },
  ],
  [
    '12 months of all meters together',
    meterData.getEnergySeries,
    { HomeID, From: startOfDay(today - 340, ZONE), To: startOfDay(today, ZONE), Resolution: 'month' },
  ],
  ['last status of all meters', meterData.getLastHistoryStatusData, { HomeID }],
]

/** Sets a plan or a custom tariff for the home. */
export const setTariff = (
  { owner, HomeID }: Pick<Bench, 'owner' | 'HomeID'>,
  PlanID: string,
): Promise<unknown> =>
  owner.call(homeTariff.updateHomeTariff, {
    HomeID,
    Tariffs: [
      {
        PlanID,
        Capacities: {},
        Phases: 'three',
        PowerFactor: null,
        BillingDay: 1,
        BillingMonths: 1,
        FirstMonth: 1,
        FeedIn: null,
        ValidFrom: '2020-01-01',
        ValidThrough: null,
      },
    ],
  })

async function measureCalls({ gateway, call, calls, rounds }: Bench): Promise<Cost[]> {
  const costs: Cost[] = []
  // The first call, or the gateway once a minute, computes a home's new sums: here a whole year.
  for (const [, endpoint, input] of calls) await call(endpoint, input)
  for (const [, endpoint, input] of calls)
    costs.push(await costOf(gateway, rounds, () => call(endpoint, input)))
  return costs
}

/** few, many  costs of the calls with a tenth of the intervals and with all */
function callFigures({ calls, rounds }: Bench, small: readonly Cost[], large: readonly Cost[]): Figure[] {
  const rows = (days: number) => `${((METERS * days * 96) / 1e6).toFixed(1)} M intervals`
  return [
    ...calls.map(([what], i): Figure => ({
      what: `${what}, p95`,
      value: large[i]?.p95 ?? Number.NaN,
      unit: 'ms',
      bar: { of: 'value', max: 50 },
      note: `${rows(DAYS)} of ${METERS} meters, over HTTP, ${rounds} calls; ${textOf(large[i])}`,
    })),
    ...calls.map(([what], i): Figure => ({
      what: `${what}, at ten times the intervals`,
      value: large[i]?.p95 ?? Number.NaN,
      unit: 'ms',
      reference: { what: rows(SMALL_HISTORY_DAYS), value: small[i]?.p95 ?? Number.NaN },
      note: `with ${rows(SMALL_HISTORY_DAYS)}: ${textOf(small[i])}`,
      bar: { of: 'ratio', max: 1.5 },
    })),
  ]
}

/** Explanation of the difference between the last two whole months by meter, compared with the two months by meter. */
async function measureExplained({ call, HomeID, rounds }: Bench, today: number): Promise<Figure> {
  const month = monthOfDay(today) - 1
  const [before, from, to] = [month - 1, month, month + 1].map((one) => startOfDay(firstDayOf(one), ZONE))
  const range = (From: number | undefined, To: number | undefined) => ({ HomeID, From, To, By: 'meter' })
  const series = (input: object) => call(meterData.getEnergySeries, { ...input, Resolution: 'day' })
  const { a, b } = await alternate(
    Math.ceil(rounds / 10),
    () => timeOf(() => call(insight.explainChange, range(from, to))),
    () =>
      timeOf(async () => {
        await Promise.all([series(range(from, to)), series(range(before, from))])
      }),
  )
  return {
    what: 'a month explained by 1,000 meters',
    value: a,
    unit: 'ms',
    reference: { what: 'two months by meter and day', value: b },
    bar: { of: 'ratio', max: 2 },
  }
}

/** Changes the hours of a custom tariff repeatedly: every sum by band is recomputed. */
async function measurePricing(bench: Bench, rounds: number): Promise<Figure[]> {
  const { gateway, owner, call } = bench
  const [version] = taipowerPlan(PLAN)?.Versions.slice(-1) ?? []
  const versionsAt = (minute: number) => [
    { ...(version as TariffVersion), ...shifted(version as TariffVersion, minute) },
  ]
  const { TariffID } = await owner.call(resources.tariff.operations.create, {
    TariffName: 'Ours',
    Versions: versionsAt(0),
  })
  await setTariff(bench, TariffID)
  const [, endpoint, input] = bench.calls[2] as MeasuredCall
  const divided = ['meter', 'room'] as const
  const first: number[] = []
  const firstBy = new Map(divided.map((By) => [By, [] as number[]]))
  for (let round = 1; round <= rounds; round++) {
    await owner.call(resources.tariff.operations.update, { TariffID, Versions: versionsAt(round * 15) })
    first.push(await timeOf(() => call(endpoint, input)))
    for (const [By, times] of firstBy) times.push(await timeOf(() => call(endpoint, { ...input, By })))
  }
  const again = await costOf(gateway, bench.rounds, () => call(endpoint, input))
  return [
    {
      what: 'a year of 1,000 meters priced again, first answer',
      value: Math.max(...first),
      unit: 'ms',
      bar: { of: 'value', max: 2_000 },
      note: `slowest of ${first.length}; then p95 ${again.p95.toFixed(1)} ms, ${textOf(again)}`,
    },
    ...[...firstBy].map(([By, times]): Figure => ({
      what: `the same by ${By}, first answer`,
      value: Math.max(...times),
      unit: 'ms',
      bar: { of: 'value', max: 2_000 },
      note: `slowest of ${times.length}, median ${median(times).toFixed(0)} ms; from the sums that are kept of days that are alike`,
    })),
  ]
}

/** The plan with every limit of its weekday bands some minutes later, except those at midnight. */
function shifted({ Seasons }: TariffVersion, minutes: number): Partial<TariffVersion> {
  const nextMinute = (minute: number) => (minute === 0 || minute === 1440 ? minute : minute + minutes)
  return {
    ValidFrom: '2020-01-01',
    ValidThrough: null,
    Seasons: Seasons.map((season) => ({
      ...season,
      Windows: {
        ...season.Windows,
        weekday: season.Windows.weekday.map((window) => ({
          ...window,
          FromMinute: nextMinute(window.FromMinute),
          ThroughMinute: nextMinute(window.ThroughMinute),
        })),
      },
    })),
  }
}

/** Inserts ids of the meters, their last readings, and a year of months. */
export async function storeMeters(db: Db, homeId: string): Promise<void> {
  await db.query(sql`insert into meters (tenant, home_id, peripheral_uid)
    select tenant, home_id, peripheral_uid from peripherals where home_id = ${homeId}
    on conflict do nothing`)
  const now = Date.now()
  const readings = Array.from({ length: 3 * 96 }, (_, i) => now - 60_000 - i * 900_000)
  await createPartitions(db, SILENT, { table: 'readings', unit: 1 }).prepare(readings, now)
  await db.query(sql`insert into readings (meter_id, timestamp, accumulate_power, power, avg_electric_current)
    select meter_id, t, t / 1e9, 100, 1 from meters, unnest(${readings}::bigint[]) as t`)
  // Marked for a check without new days: their days come from `storeDays`.
  await db.query(
    sql`insert into meter_dirty (meter_id, from_timestamp, through_timestamp) select meter_id, 1, 0 from meters`,
  )
}

/** Inserts days `from` to `through` of every meter, each with one of a few profiles, and the months of the year. */
export async function storeDays(db: Db, from: number, through: number): Promise<void> {
  const days = Array.from({ length: through - from + 1 }, (_, i) => from + i)
  await createPartitions(db, SILENT, { table: 'meter_days', unit: DAY }).prepare(
    days.map((day) => day * DAY),
    Date.now(),
  )
  await db.query(sql`
    with shapes as materialized (
      select s, array_agg(c order by q) as cumulative, max(c) as kwh from (
        select s, q, sum(0.1 + 0.01 * ((s * 7 + q * 13) % 11)) over (partition by s order by q) as c
        from generate_series(0, ${SHAPES - 1}::int) s, generate_series(1, 96) q) x group by s)
    insert into meter_days (meter_id, day, kwh, measured, estimated, corrected, missing, resets, cumulative, quality)
    select m.meter_id, d, s.kwh, 96, 0, 0, 0, 0, s.cumulative, repeat('m', 96)
    from unnest(${days}::int[]) as d, meters m join shapes s on true where s.s = (m.meter_id * 31 + d) % ${SHAPES}::int`)
  await db.query(sql`insert into meter_months (meter_id, month, kwh, measured, estimated, corrected, missing, resets)
    select meter_id, extract(year from date)::int * 12 + extract(month from date)::int - 1, sum(kwh), sum(measured), 0, 0, 0, 0
    from (select *, date '1970-01-01' + day as date from meter_days) d group by 1, 2
    on conflict (meter_id, month) do update set kwh = excluded.kwh, measured = excluded.measured`)
  // Background work of the gateway and its database; in production, days arrive one by one, not a year of them together.
  await storeDaySums(db, Date.now(), () => false)
  await db.pool.query(
    'vacuum analyze meter_days, meter_day_sums, meter_months, readings, meters, peripherals',
  )
  await db.pool.query('checkpoint')
  // After a year of rows in one insert, autovacuum starts, too.
  while (
    (await db.query(sql`select 1 from pg_stat_activity where backend_type = 'autovacuum worker'`)).length
  )
    await sleep(LOOK_EVERY)
}

/** Sends a call; returns the number of bytes of its answer. */
export type Caller = (endpoint: AnyEndpoint, input: object) => Promise<number>

/**
 * Sends calls as a screen does, and discards the answer after its last byte: parsing and garbage collection of the caller
 * are not costs of the gateway.
 */
export function createCaller({ url }: GatewayUnderTest, { token }: Owner): Caller {
  const agent = new Agent({ keepAlive: true })
  const headers = {
    'content-type': 'application/json',
    'accept-encoding': 'gzip',
    authorization: `Bearer ${token}`,
  }
  return ({ path }, input) =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method: 'POST', agent, headers }, (answer) => {
        let bytes = 0
        answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve(bytes)
            : reject(new Error(`${path}: HTTP ${answer.statusCode}`)),
        )
        answer.on('error', reject)
      })
      sent.on('error', reject).end(JSON.stringify(input))
    })
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Cost of a call, in ms. */
interface Cost {
  /** 95th percentile. */
  p95: number
  median: number
  /** CPU time of the gateway and its database, per call. */
  cpu: number
}

const textOf = (cost: Cost | undefined): string =>
  `median ${cost?.median.toFixed(1)} ms, ${cost?.cpu.toFixed(1)} ms of CPU in the gateway and its database`

/** Times calls, one after the other, after a warm-up. */
async function costOf(
  { pid }: GatewayUnderTest,
  rounds: number,
  work: () => Promise<unknown>,
): Promise<Cost> {
  for (let i = 0; i < 5; i++) await work()
  const times: number[] = []
  const cpu = () => [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + cpuOf(one), 0) / 1000
  const before = cpu()
  for (let i = 0; i < rounds; i++) times.push(await timeOf(work))
  return { p95: percentile(times, 0.95), median: median(times), cpu: (cpu() - before) / rounds }
}
