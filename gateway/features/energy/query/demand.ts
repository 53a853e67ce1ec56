import type { DemandPeak } from '../../../../contract/tariffs/bill-calls.ts'
import { type CounterSample, runningDemand } from '../../../../contract/energy/demand.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { flowsOfHome } from '../meters/home-flows.ts'
import { groupHome, UNTRACKED } from '../meters/meter-groups.ts'
import { type Member, tableOf, readHomes, readCountedMeters } from '../meters/meters.ts'
import { IS_NOT_QUARANTINED } from './readings.ts'

/** Maximum age of readings that are used to compute the last 15 minutes. */
const LOOK_BACK_MS = 3 * QUARTER_MS

/** Demand of a home from the grid, and the share of each load. */
export async function readDemand(db: Db, tenant: string, HomeID: string) {
  const meters = await readCountedMeters(db, tenant, HomeID)
  const [{ zone } = { zone: 'UTC' }] = await readHomes(db, tenant, [HomeID])
  const { epochs } = flowsOfHome(meters, zone).of.import
  const { epochs: divided, keys } = groupHome(meters, 'meter', zone)
  const membersAt = (at: number) => epochs.find(({ from, to }) => from <= at && at < to)?.members ?? []
  return {
    async now(at: number) {
      const members = membersAt(at)
      return { ...(await demandNow(db, members, at)), Meters: members.length }
    },

    /** Contribution of each meter to an interval's demand, in descending order; quarter counts from 0. */
    async readSharesAt(timestamp: number, day: number, quarter: number): Promise<DemandPeak['Meters']> {
      // Excludes the untracked rest: the main meter contributes to every peak.
      const drew = divided
        .find(({ from, to }) => from <= timestamp && timestamp < to)
        ?.members.filter(({ line }) => keys[line] !== UNTRACKED)
      return readShares(db, drew ?? [], keys, day, quarter)
    },
  }
}

/**
 * Present demand of the meters of a home, kW, from readings that are not quarantined. The sum over some of the meters is a lower bound; it
 * is null if no meter reports, and if a silent meter would be subtracted, which leaves no bound at all.
 */
async function demandNow(
  db: Db,
  members: readonly Member[],
  now: number,
): Promise<{ Rolling: number | null; Forecast: number | null; Reporting: number; AsOf: number | null }> {
  const weights = new Map(members.map(({ meterId, weight }) => [meterId, weight]))
  const rows = await db.query<{ meterId: number; timestamp: number; kWh: number; power: number | null }>(sql`
    select meter_id as "meterId", timestamp, accumulate_power as "kWh", power from readings r
    where meter_id = any(${[...weights.keys()]}::int[]) and timestamp > ${now - LOOK_BACK_MS} and timestamp <= ${now} and ${IS_NOT_QUARANTINED}
    order by meter_id, timestamp`)
  const meters = new Map<number, { samples: CounterSample[]; power: number | null }>()
  for (const { meterId, timestamp, kWh, power } of rows) {
    const meter = meters.get(meterId) ?? { samples: [], power }
    meter.samples.push({ Timestamp: timestamp, kWh })
    meter.power = power
    meters.set(meterId, meter)
  }
  let lacksSubtracted = false
  let lacksRolling = false
  const sum = {
    Rolling: null as number | null,
    Forecast: null as number | null,
    Reporting: 0,
    AsOf: null as number | null,
  }
  for (const [meterId, weight] of weights) {
    const { samples, power } = meters.get(meterId) ?? { samples: [], power: null }
    const { Rolling, Forecast } = runningDemand(samples, power, now)
    if (Forecast === null) {
      lacksSubtracted ||= weight < 0
      continue
    }
    if (Rolling === null) lacksRolling = true
    else sum.Rolling = (sum.Rolling ?? 0) + weight * Rolling
    sum.Forecast = (sum.Forecast ?? 0) + weight * Forecast
    sum.Reporting += 1
    const last = samples.at(-1)?.Timestamp ?? now
    sum.AsOf = Math.min(sum.AsOf ?? last, last)
  }
  if (lacksSubtracted) return { ...sum, Rolling: null, Forecast: null }
  return lacksRolling ? { ...sum, Rolling: null } : sum
}

/** Demand of each line in an interval for which every meter is known, in descending order; quarter counts from 0. */
async function readShares(
  db: Db,
  members: readonly Member[],
  keys: readonly string[],
  day: number,
  quarter: number,
): Promise<DemandPeak['Meters']> {
  const rows = await db.query<{ line: number; kw: number }>(sql`
    select g.line, sum(g.weight * 4 * (cumulative[${quarter + 1}::int] - coalesce(cumulative[${quarter}::int], 0))) as kw
    from ${tableOf(members)} left join meter_days d on d.meter_id = g.meter_id and d.day = ${day}::int
      and cardinality(cumulative) > ${quarter}::int
    group by g.line having bool_and(d.meter_id is not null) order by 2 desc limit 10`)
  return rows.map(({ line, kw }) => ({ PeripheralUID: keys[line] as string, kW: kw }))
}
