import {
  intervalsOf,
  quarterOf,
  type Sample,
  markQuarantined,
} from '../../../../../contract/meters/intervals.ts'
import { isExplained, validateReadings } from '../../../../../contract/meters/validate-readings.ts'
import { QUARTER_MS, startOfDay } from '../../../../../contract/time/periods.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import type { Building } from '../../../../support/building.ts'

/** Inserts a meter of a building directly into the database. */
export async function addMeter(db: Db, { tenant, homeId }: Building, uid: string): Promise<number> {
  const [row] = await db.query<{ meterId: number }>(sql`insert into meters (tenant, home_id, peripheral_uid)
    values (${tenant}, ${homeId}, ${uid}) returning meter_id as "meterId"`)
  return (row as { meterId: number }).meterId
}

/** Stores readings as ingest does: existing ones stay, and new ones are marked dirty. */
export const store = (db: Db, meterId: number, readings: readonly Sample[]) =>
  db.query(sql`
    with stored as (
      insert into readings (meter_id, timestamp, accumulate_power)
      select ${meterId}::int, * from unnest(${readings.map((one) => one.timestamp)}::bigint[],
        ${readings.map((one) => one.kwh)}::float8[])
      on conflict do nothing returning timestamp)
    insert into meter_dirty select ${meterId}::int, min(timestamp), max(timestamp) from stored having count(*) > 0`)

/** Energy, quality and resets of a meter by quarter since 1970, as stored. */
export async function keptIntervals(db: Db, meterId: number, zone: string) {
  const rows = await db.query<{
    day: number
    cumulative: number[]
    quality: string
    resets: number[]
    kwh: number
  }>(sql`
    select day, cumulative, quality, reset_quarters as resets, kwh from meter_days where meter_id = ${meterId} order by day`)
  const kept = new Map<number, { kwh: number; quality: string }>()
  const resets: number[] = []
  for (const { day, cumulative, quality, resets: of } of rows) {
    const first = startOfDay(day, zone) / QUARTER_MS
    for (const [i, sum] of cumulative.entries())
      if (quality[i] !== '-')
        kept.set(first + i, { kwh: sum - (cumulative[i - 1] ?? 0), quality: quality[i] as string })
    resets.push(...of.map((at) => first + at))
  }
  return { kept, resets }
}

/** Intervals computed by the rules from all readings at once. */
export function expectedIntervals(readings: readonly Sample[]) {
  const { accepted, quarantined } = validateReadings([...readings].sort((a, b) => a.timestamp - b.timestamp))
  const kept = new Map<number, { kwh: number; quality: string }>()
  const [first, last] = [accepted[0], accepted.at(-1)]
  if (!first || !last) return { kept, resets: [] }
  const all = markQuarantined(
    intervalsOf(accepted, quarterOf(first.timestamp), quarterOf(last.timestamp) + 1),
    quarantined.flatMap(({ timestamp, reason }) =>
      isExplained(reason) ? [] : [Math.ceil(timestamp / QUARTER_MS) - 1],
    ),
  )
  for (const [i, quality] of all.quality.entries())
    if (quality !== '-') kept.set(all.first + i, { kwh: all.kwh[i] as number, quality })
  return { kept, resets: all.resets }
}
