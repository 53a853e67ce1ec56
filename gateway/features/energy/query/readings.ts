import type { HistoryRow, HistoryStatus } from '../../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../../../../contract/devices/peripheral.ts'
import {
  nextStart,
  dayOf,
  monthOf,
  QUARTER_MS,
  startOf,
  startOfDay,
} from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import type { Meter } from '../meters/meters.ts'

/** Counts the meters that are still devices, and those of them with a reading younger than their update frequency. */
export async function countReporting(db: Db, meters: readonly Meter[], now: number) {
  const present = meters.filter(({ removedAt }) => removedAt === null)
  const counted = present.filter(({ meterId }) => meterId !== null)
  if (!counted.length) return { Reporting: 0, Total: present.length }
  const maxFrequency = Math.max(...counted.map(({ frequency }) => frequency))
  const [row] = await db.query<{ reporting: number }>(sql`
    select count(*) as reporting
    from unnest(${numberArray(counted.map(({ meterId }) => meterId ?? undefined))}::int[],
      ${numberArray(counted.map(({ frequency }) => now - frequency * 1000))}::bigint[]) as m (id, after)
    cross join lateral (select 1 from readings r where r.meter_id = m.id and r.timestamp > m.after
      and r.timestamp > ${now - maxFrequency * 1000}::bigint limit 1) r`)
  return { Reporting: row?.reporting ?? 0, Total: present.length }
}

/** §4: younger than the meter's update frequency. */
const isCurrent = (timestamp: number, frequency: number, now: number): boolean =>
  now - timestamp < frequency * 1000

/**
 * Reads the last status of each meter (§3 History status per meter), as of the last roll-up. Totals of the hour, day and month are given if
 * the last reading falls in them (§4) and if they are known: the energy of an hour's first minute is unknown before a second reading. While
 * readings wait to be rolled up, the totals of affected meters are unknown.
 */
export async function readMeterStatuses(
  db: Db,
  homes: readonly HomeClock[],
  meters: readonly Meter[],
  now: number,
  isComputed: boolean,
): Promise<HistoryStatus[]> {
  const clocks = new Map(homes.map(({ HomeID, zone }) => [HomeID, clockOf(zone, now)]))
  const counted = meters.flatMap(({ meterId, HomeID }) => {
    const clock = clocks.get(HomeID)
    return meterId === null || !clock ? [] : [{ meterId, ...clock }]
  })
  const rows = await db.query<{
    id: number
    hour: number | null
    day: number | null
    month: number | null
    timestamp: number | null
    counter: number
    power: number | null
    current: number | null
  }>(sql`
    select m.id, r.timestamp, r.accumulate_power as counter, r.power, r.avg_electric_current as current,
      case when translate(substr(d.quality, m.hour_from + 1, m.hour_to - m.hour_from), '-', '') <> '' then
        coalesce(d.cumulative[least(m.hour_to, cardinality(d.cumulative))], 0)
        - coalesce(d.cumulative[least(m.hour_from, cardinality(d.cumulative))], 0) end as hour,
      case when d.measured + d.between + d.estimated + d.corrected > 0 then d.kwh end as day,
      case when t.measured + t.between + t.estimated + t.corrected > 0 then t.kwh end as month
    from unnest(${numberArray(counted.map(({ meterId }) => meterId))}::int[], ${numberArray(counted.map(({ day }) => day))}::int[],
      ${numberArray(counted.map(({ hourFrom }) => hourFrom))}::int[], ${numberArray(counted.map(({ hourTo }) => hourTo))}::int[],
      ${numberArray(counted.map(({ month }) => month))}::int[]) as m (id, day, hour_from, hour_to, month)
    left join meter_last r on r.meter_id = m.id
    left join meter_days d on d.meter_id = m.id and d.day = m.day
      and d.day = any(${[...new Set(counted.map(({ day }) => day))]}::int[])
    left join meter_months t on t.meter_id = m.id and t.month = m.month
      and t.month = any(${[...new Set(counted.map(({ month }) => month))]}::int[])`)
  const known = new Map(rows.map((row) => [row.id, row]))
  const since = Math.min(...counted.map(({ monthStart }) => monthStart))
  const pending = isComputed
    ? new Set<number>()
    : await waitingSince(
        db,
        counted.map(({ meterId }) => meterId),
        since,
      )
  return meters.map(({ HomeID, PeripheralUID, meterId, frequency }) => {
    const of = meterId === null ? undefined : known.get(meterId)
    const at = of?.timestamp ?? null
    const clock = clocks.get(HomeID)
    const within = (begin: number | undefined, value: number | null | undefined) =>
      at !== null && begin !== undefined && at >= begin && !(meterId !== null && pending.has(meterId))
        ? (value ?? null)
        : null
    return {
      PeripheralUID,
      HomeID,
      LastUpdateTimestamp: at,
      HourlyKwh: within(clock?.hourStart, of?.hour),
      DailyKwh: within(clock?.dayStart, of?.day),
      MonthlyKwh: within(clock?.monthStart, of?.month),
      AccumulatePower: of?.counter ?? null,
      AvgElectricCurrent: of?.current ?? null,
      Power: of?.power ?? null,
      PowerMeterUpdateFrequency: frequency || DEFAULT_UPDATE_FREQUENCY,
      IsCurrent: at !== null && isCurrent(at, frequency, now),
    }
  })
}

/** Ids of the meters that have readings since a time that wait to be rolled up. */
async function waitingSince(db: Db, meterIds: readonly number[], since: number): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(sql`
    select distinct meter_id as id from meter_dirty where meter_id = any(${numberArray(meterIds)}::int[])
      and from_timestamp <= through_timestamp and through_timestamp >= ${since}::bigint`)
  return new Set(rows.map(({ id }) => id))
}

/** Current hour, day and month in the home's zone; the hour as 15-minute intervals of the day. */
function clockOf(zone: string, now: number) {
  const [day, month] = [dayOf(now, zone), monthOf(now, zone)]
  const dayStart = startOfDay(day, zone)
  const hourStart = startOf('hour', now, zone)
  return {
    day,
    month,
    dayStart,
    hourStart,
    monthStart: startOf('month', now, zone),
    hourFrom: (hourStart - dayStart) / QUARTER_MS,
    hourTo: (nextStart('hour', hourStart, zone) - dayStart) / QUARTER_MS,
  }
}

/** Condition for a reading (r) that is not quarantined. */
export const IS_NOT_QUARANTINED = sql`not exists (select 1 from quarantined_readings q where q.meter_id = r.meter_id
  and q.timestamp = r.timestamp and q.reason in ('jump', 'glitch', 'dip', 'clock') and q.decision is distinct from 'accepted')`

/**
 * Reads the readings of one meter from a time on, with a cursor if there are more. Quarantined readings are included; the energy of the
 * others is counted from the last accepted reading.
 */
export async function readHistoryRows(
  db: Db,
  meterId: number,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<{ Rows: HistoryRow[]; NextCursor: number | null }> {
  const rows = await db.query<Omit<HistoryRow, 'StartTime' | 'AccumulationTime' | 'kWh'>>(sql`
    (select timestamp as "Timestamp", accumulate_power as "AccumulatePower", power as "Power",
        avg_electric_current as "AvgElectricCurrent", voltage as "Voltage", power_factor as "PowerFactor", 'counted' as "State"
      from readings r where meter_id = ${meterId} and timestamp < ${from}::bigint and ${IS_NOT_QUARANTINED}
      order by timestamp desc limit 1)
    union all
    (select r.timestamp, accumulate_power, power, avg_electric_current, voltage, power_factor,
        case when q.decision = 'accepted' then 'accepted' when q.reason is null or q.reason in ('conflict', 'invalid') then 'counted'
          when q.reason in ('dip', 'clock') then 'explained' else coalesce(q.decision, 'withheld') end
      from readings r left join quarantined_readings q on q.meter_id = r.meter_id and q.timestamp = r.timestamp
      where r.meter_id = ${meterId} and r.timestamp >= ${from}::bigint and r.timestamp < ${to}::bigint
      order by r.timestamp limit ${limit + 1}::int)
    order by 1`)
  const first = rows.findIndex(({ Timestamp }) => Timestamp >= from)
  const begin = first < 0 ? rows.length : first
  let last = rows[begin - 1]
  const Rows = rows.slice(begin, begin + limit).map((row): HistoryRow => {
    const before = last
    const counts = row.State === 'counted' || row.State === 'accepted'
    const kWh = counts && before ? row.AccumulatePower - before.AccumulatePower : undefined
    if (counts) last = row
    return {
      StartTime: before?.Timestamp ?? null,
      AccumulationTime: before ? (row.Timestamp - before.Timestamp) / 1000 : null,
      ...row,
      kWh: kWh === undefined || kWh < 0 ? null : Math.round(kWh * 1e9) / 1e9,
    }
  })
  return { Rows, NextCursor: rows[begin + limit]?.Timestamp ?? null }
}
