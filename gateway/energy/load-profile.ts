import { dayOf, QUARTER, quartersOfDay, startOfDay } from '../../contract/rules/periods.ts'
import { type Db, sql } from '../store/db.ts'
import type { EnergyParts } from './energy.ts'
import { linesOfHome } from './lines.ts'
import { metersOf } from './meters.ts'

/** A day of a home. */
export interface ProfileDay {
  /** kWh of each interval of 15 minutes. */
  kWh: Float64Array
  /** How many intervals of its meters are known, and how many there are. */
  known: number
  total: number
}

/** So many days are read at a time. */
const CHUNK = 62

/**
 * The energy of a home in each 15 minutes, by day; sub-meters are not counted twice.
 *
 * fromDay, endDay  as `dayOf` numbers days, the last exclusive
 * returns          every day of the range, of zeros where nothing is known
 */
export async function loadProfile(
  { db, settle }: Pick<EnergyParts, 'db' | 'settle'>,
  tenant: string,
  { HomeID, zone }: { HomeID: string; zone: string },
  fromDay: number,
  endDay: number,
): Promise<Map<number, ProfileDay>> {
  const { epochs, meters } = linesOfHome(await metersOf(db, tenant, HomeID), 'home')
  await settle(
    db,
    meters.flatMap(({ meterId }) => (meterId === null ? [] : [meterId])),
  )
  const profile = new Map<number, ProfileDay>()
  for (let day = fromDay; day < endDay; day++)
    profile.set(day, { kWh: new Float64Array(quartersOfDay(day, zone)), known: 0, total: 0 })
  for (const { from, to, members } of epochs) {
    const first = Math.max(fromDay, Number.isFinite(from) ? dayOf(from, zone) : fromDay)
    const end = Math.min(endDay, Number.isFinite(to) ? dayOf(to - 1, zone) + 1 : endDay)
    const ids = members.map(({ meterId }) => meterId)
    for (let day = first; day < end; day++) {
      const one = profile.get(day)
      if (one) one.total = Math.max(one.total, ids.length * one.kWh.length)
    }
    for (let begin = first; begin < end && ids.length; begin += CHUNK)
      for (const row of await readDays(db, ids, begin, Math.min(end, begin + CHUNK)))
        addDay(profile.get(row.day) as ProfileDay, row, startOfDay(row.day, zone), from, to)
  }
  return profile
}

interface Row {
  day: number
  /** kWh from the day's beginning to the end of each interval, of all meters. */
  cumulative: number[]
  known: number
}

/** An interval that a meter has not reached yet adds nothing. */
const readDays = (db: Db, ids: readonly number[], from: number, end: number): Promise<Row[]> =>
  db.query<Row>(sql`
    select day, array_agg(kwh order by quarter) as cumulative, max(known)::int as known from (
      select d.day, q.quarter, sum(d.cumulative[least(q.quarter, cardinality(d.cumulative))]) as kwh,
        sum(d.measured + d.estimated + d.corrected) as known
      from meter_days d cross join generate_series(1, 100) as q (quarter)
      where d.meter_id = any(${ids as number[]}::int[]) and d.day >= ${from}::int and d.day < ${end}::int
        and cardinality(d.cumulative) > 0
      group by d.day, q.quarter) s
    group by day`)

/** Adds the intervals of a day that lie within [from, to). */
function addDay(one: ProfileDay, row: Row, start: number, from: number, to: number): void {
  const { kWh } = one
  for (let i = 0; i < kWh.length; i++) {
    const at = start + i * QUARTER
    if (at < from || at >= to) continue
    kWh[i] = (kWh[i] ?? 0) + (row.cumulative[i] ?? 0) - (i > 0 ? (row.cumulative[i - 1] ?? 0) : 0)
  }
  one.known = Math.min(one.total, Math.max(one.known, row.known))
}
