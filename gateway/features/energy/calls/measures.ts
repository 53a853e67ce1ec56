import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { isWholeDemand, type CounterSample, counterAt } from '../../../../contract/energy/demand.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { createHomeEnergy } from './home-energy.ts'
import { type TenantHome, mainMeters, slowestOf } from '../meters/main-meters.ts'
import { type Meter, readMeters, readVirtualMeters } from '../meters/meters.ts'
import { IS_NOT_QUARANTINED } from '../query/readings.ts'

const HOUR = 3_600_000
/** Maximum age of a last reading from which the last hour can be derived. */
const MAX_READING_AGE_MS = HOUR / 2

/**
 * Energy that a meter counted in the 60 minutes before its last reading, kWh.
 *
 * returns  null if unknown: the meter has not reported for half an hour, has existed for less than an hour, or its counter fell
 */
async function paceOfMeter(
  db: Db,
  { tenant, homeId }: TenantHome,
  uid: string,
  at: number,
): Promise<number | null> {
  const meter = (await readMeters(db, tenant, homeId)).find(
    ({ PeripheralUID, removedAt }) => PeripheralUID === uid && removedAt === null,
  )
  if (meter?.meterId == null) return null
  const samples = await db.query<CounterSample>(sql`
    select timestamp as "Timestamp", accumulate_power as "kWh" from readings r
    where meter_id = ${meter.meterId} and timestamp > ${at - 3 * HOUR}::bigint and timestamp <= ${at}::bigint and ${IS_NOT_QUARANTINED}
    order by timestamp`)
  const last = samples.at(-1)
  if (!last || at - last.Timestamp > MAX_READING_AGE_MS) return null
  if (samples.some(({ kWh }, i) => i > 0 && kWh < (samples[i - 1]?.kWh ?? 0))) return null
  const before = counterAt(samples, last.Timestamp - HOUR)
  return before === null ? null : last.kWh - before
}

/** Inputs of the demand of a home, or of the sum of a virtual meter. */
interface Sources {
  /** Report interval in seconds, and whether the meter has ever reported. */
  meters: { PeripheralUID: string; frequency: number; isReporting: boolean }[]
  /** Demand that a home's contract allows now, kW; null without a contract and for virtual meters. */
  capacity: number | null
}

/** Reads the contract capacity of a home at a time, kW; null if none is agreed. */
export type CapacityOf = (
  db: Db,
  tenant: string,
  home: { HomeID: string; zone: string },
  at: number,
) => Promise<number | null>

const SUMS = ['HourlyKwh', 'DailyKwh', 'MonthlyKwh'] as const
type Sums = Record<(typeof SUMS)[number], number | null>

type Energy = Pick<ReturnType<typeof createHomeEnergy>, 'readDemand' | 'statusOf' | 'readHome'>

/**
 * Energy measures for automations. A demand is known only if all its meters report, and its share (of the last 15 minutes) only if a
 * capacity is agreed; a sum of a virtual meter only if it is known for each of its meters.
 */
export const demandMeasures = (db: Db, energy: Energy, capacityOf: CapacityOf) => ({
  async readDemand({ tenant, homeId }: TenantHome, at: number) {
    const { Rolling, Forecast, Reporting, Meters } = await (await energy.readDemand(tenant, homeId)).now(at)
    if (!isWholeDemand({ Reporting, Meters })) return { Rolling: null, Forecast: null, Share: null }
    const capacity = await capacityOf(db, tenant, await energy.readHome(tenant, homeId), at)
    const Share = Rolling !== null && capacity !== null && capacity > 0 ? (Rolling / capacity) * 100 : null
    return { Rolling, Forecast, Share }
  },
  async readSums({ tenant, homeId }: TenantHome, uid: string, at: number): Promise<Sums> {
    if (!uid.startsWith(VIRTUAL_PREFIX)) return sumsOfMeter(energy, { tenant, homeId }, uid, at)
    const terms = await ofTerms(db, { tenant, homeId }, uid, (one) =>
      sumsOfMeter(energy, { tenant, homeId }, one, at),
    )
    return Object.fromEntries(SUMS.map((field) => [field, totalOf(terms, (sums) => sums[field])])) as Sums
  },
  /** Components of the demand of a home (`home`) or of a virtual meter at a time. */
  async readSources(home: TenantHome, uid: string, at: number): Promise<Sources> {
    const { tenant, homeId } = home
    if (uid === HOME_SUBJECT) {
      const capacity = await capacityOf(db, tenant, await energy.readHome(tenant, homeId), at)
      return { meters: (await mainMeters(db, home)).map(sourceOf), capacity }
    }
    const counted = new Set((await readVirtualTerms(db, home, uid)).map(({ PeripheralUID }) => PeripheralUID))
    const meters = (await readMeters(db, tenant, homeId)).filter((one) => counted.has(one.PeripheralUID))
    return { meters: meters.map(sourceOf), capacity: null }
  },
  /** Energy that a meter or virtual meter counted in the 60 minutes before its last reading, kWh; null if unknown. */
  async readPace(home: TenantHome, uid: string, at: number): Promise<number | null> {
    if (!uid.startsWith(VIRTUAL_PREFIX)) return paceOfMeter(db, home, uid, at)
    return totalOf(await ofTerms(db, home, uid, (one) => paceOfMeter(db, home, one, at)), (pace) => pace)
  },
})

const sourceOf = ({ PeripheralUID, frequency, meterId }: Meter): Sources['meters'][number] => ({
  PeripheralUID,
  frequency,
  isReporting: meterId !== null,
})

/** Demand for a contract guard; the forecast is known only if all meters of the home's total report. */
export const guardedDemand =
  (db: Db, energy: Pick<Energy, 'readDemand'>) => async (tenant: string, homeId: string, at: number) => {
    const demand = await energy.readDemand(tenant, homeId)
    const { Forecast, Reporting, Meters, AsOf } = await demand.now(at)
    const isKnown = isWholeDemand({ Reporting, Meters })
    const main = await mainMeters(db, { tenant, homeId })
    return {
      forecast: isKnown ? Forecast : null,
      asOf: AsOf,
      slowest: slowestOf(main),
      meters: main.map(({ PeripheralUID }) => PeripheralUID),
    }
  }

interface Term<T> {
  Factor: 1 | -1
  value: T
}

/** Terms of a virtual meter; empty if it does not exist. */
export async function readVirtualTerms(db: Db, { tenant, homeId }: TenantHome, uid: string) {
  const [virtual] = await readVirtualMeters(db, tenant, homeId, [uid])
  return virtual?.Terms ?? []
}

/** Evaluates a function for each meter of a virtual meter. */
async function ofTerms<T>(
  db: Db,
  { tenant, homeId }: TenantHome,
  uid: string,
  valueOf: (uid: string) => Promise<T>,
): Promise<Term<T>[]> {
  const terms = await readVirtualTerms(db, { tenant, homeId }, uid)
  return Promise.all(
    terms.map(async ({ PeripheralUID, Factor }) => ({
      Factor,
      value: await valueOf(PeripheralUID),
    })),
  )
}

/** Weighted sum; null if any value is unknown. */
function totalOf<T>(terms: readonly Term<T>[], of: (value: T) => number | null): number | null {
  const known = terms.map(({ Factor, value }) => ({ Factor, kWh: of(value) }))
  return known.length === 0 || known.some(({ kWh }) => kWh === null)
    ? null
    : known.reduce((sum, { Factor, kWh }) => sum + Factor * (kWh ?? 0), 0)
}

async function sumsOfMeter(
  energy: Energy,
  { tenant, homeId }: TenantHome,
  uid: string,
  at: number,
): Promise<Sums> {
  const {
    HourlyKwh = null,
    DailyKwh = null,
    MonthlyKwh = null,
  } = (await energy.statusOf(tenant, homeId, uid, at)) ?? {}
  return { HourlyKwh, DailyKwh, MonthlyKwh }
}
