import { monthOfDay, QUARTER, startOfDay } from '../../contract/rules/periods.ts'
import { type Db, sql } from '../store/db.ts'
import type { EnergyParts } from './energy.ts'
import { epochOf, knownBefore, readHomeDays, sumBefore } from './home-days.ts'
import { linesOfHome } from './lines.ts'
import { metersOf } from './meters.ts'
import { settleHome } from './settle-home.ts'

/** A day of a home. */
export interface ProfileDay {
  /** kWh of each interval of 15 minutes. */
  kWh: Float64Array
  /** How many intervals of its meters are known, and how many there are. */
  known: number
  total: number
}

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
  const lines = linesOfHome(await metersOf(db, tenant, HomeID), 'home')
  await settle(
    db,
    lines.meters.flatMap(({ meterId }) => (meterId === null ? [] : [meterId])),
  )
  const home = { tenant, HomeID, zone, lines }
  if (fromDay < endDay) await settleHome(db, home, monthOfDay(fromDay), monthOfDay(endDay - 1))
  const kept = await readHomeDays(db, home, fromDay, endDay)
  const profile = new Map<number, ProfileDay>()
  for (let day = fromDay; day < endDay; day++) {
    const [start, next] = [startOfDay(day, zone), startOfDay(day + 1, zone)]
    const quarters = (next - start) / QUARTER
    const one: ProfileDay = { kWh: new Float64Array(quarters), known: 0, total: 0 }
    profile.set(day, one)
    const whole = epochOf(lines.epochs, start, next)
    // Where meters change their place within a day each part is of others.
    const parts = whole ? [] : lines.epochs.filter(({ from, to }) => from < next && to > start)
    for (const { members } of whole ? [whole] : parts)
      one.total = Math.max(one.total, members.length * quarters)
    const sums = kept.get(day)
    if (whole && sums) {
      for (let i = 0; i < quarters; i++) one.kWh[i] = sumBefore(sums.kWh, i + 1) - sumBefore(sums.kWh, i)
      one.known = Math.min(one.total, knownBefore(sums, quarters))
    }
    for (const { from, to, members } of parts)
      for (const row of await readDay(
        db,
        members.map(({ meterId }) => meterId),
        day,
      ))
        addDay(one, row, start, from, to)
  }
  return profile
}

interface Row {
  /** kWh from the day's beginning to the end of each interval, of all meters. */
  cumulative: number[]
  known: number
}

/** An interval that a meter has not reached yet adds nothing. */
const readDay = (db: Db, ids: readonly number[], day: number): Promise<Row[]> =>
  db.query<Row>(sql`
    select array_agg(kwh order by quarter) as cumulative, max(known)::int as known from (
      select q.quarter, sum(d.cumulative[least(q.quarter, cardinality(d.cumulative))]) as kwh,
        sum(d.measured + d.estimated + d.corrected) as known
      from meter_days d cross join generate_series(1, 100) as q (quarter)
      where d.meter_id = any(${ids as number[]}::int[]) and d.day = ${day}::int and cardinality(d.cumulative) > 0
      group by q.quarter) s
    having count(*) > 0`)

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
