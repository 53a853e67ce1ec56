import type { Intervals, Quality } from '../../../../contract/meters/intervals.ts'
import { dayOf, monthOfDay, QUARTER_MS } from '../../../../contract/time/periods.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { readRetentionFloors } from './energy-floors.ts'
import { LAST_DAY, loadDays, packDay, quartersIn, storeDays, unknown, unpackDay } from './meter-days.ts'

/** The time zone in which a meter's days should be divided, and the one in which they are. */
export interface MeterClock {
  meterId: number
  /** IANA zone of its home. */
  zone: string
  /** Null before the first day. */
  packed: string | null
}

/**
 * Divides a meter's intervals into days again after its home's time zone changed, even if the readings have expired. Also records the zone
 * for a meter's first day.
 */
export async function repack(tx: Db, { meterId, zone, packed }: MeterClock): Promise<void> {
  if (zone === packed) return
  await tx.query(sql`insert into meter_clocks (meter_id, time_zone) values (${meterId}, ${zone})
    on conflict (meter_id) do update set time_zone = excluded.time_zone`)
  if (packed === null) return
  const rows = await loadDays(tx, [{ meterId, from: -LAST_DAY, to: LAST_DAY }])
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return
  const [begin, end] = [quartersIn(first.day, packed).from, quartersIn(last.day, packed).to]
  const [firstDay, lastDay] = [dayOf(begin * QUARTER_MS, zone), dayOf(end * QUARTER_MS, zone)]
  const [from, to] = [quartersIn(firstDay, zone).from, quartersIn(lastDay, zone).to]
  const raw = unknown(from, to)
  for (const row of rows) unpackDay(row, packed, raw)
  const corrected: Intervals = { ...raw, kwh: raw.kwh.slice(), quality: raw.quality.slice() }
  for (const { day, cumulative, quality } of rows) {
    const offset = quartersIn(day, packed).from - from
    for (let i = 0; i < cumulative.length; i++)
      if (quality[i] === 'c') {
        corrected.kwh[offset + i] = (cumulative[i] as number) - (i === 0 ? 0 : (cumulative[i - 1] as number))
        corrected.quality[offset + i] = quality[i] as Quality
      }
  }
  await tx.query(sql`delete from meter_days where meter_id = ${meterId}`)
  await tx.query(
    sql`delete from meter_months where meter_id = ${meterId} and month >= ${monthOfDay(first.day)}::int`,
  )
  const days = []
  const floors = await readRetentionFloors(tx)
  for (let day = Math.max(firstDay, floors.days); day <= lastDay; day++) {
    const packedDay = packDay(meterId, day, zone, raw, corrected)
    if (packedDay) days.push(packedDay)
  }
  await storeDays(tx, days, [])
}
