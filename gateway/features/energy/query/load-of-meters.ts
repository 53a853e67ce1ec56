import { monthOfDay, quartersOfDay, startOfDay } from '../../../../contract/time/periods.ts'
import { QUARTERS_OF_HOUR } from '../../../domain/energy/resolved-hours.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../store/db.ts'
import { parseDoubles } from '../rollup/parse-arrays.ts'
import { flowsOfHome } from '../meters/home-flows.ts'
import { resolveMeters } from './resolve-meters.ts'
import type { EnergyOptions } from './energy.ts'
import { firstDays } from './expected-intervals.ts'
import { groupMeters } from '../meters/meter-groups.ts'
import { emptyDay, type ProfileDay } from '../calls/load-profile.ts'
import type { Member } from '../meters/members.ts'
import { readCountedMeters, type HomeClock, type Meter, readMeters } from '../meters/meters.ts'
import { correctedHoursOf, dayKeyOf, isMeasuredHour } from '../rollup/resolved-hours.ts'

/** Days of meters that one answer reads at most. */
const MOST_DAYS = 40_000
/** Days that are in memory at a time. */
const AT_ONCE = 31

/**
 * The energy of some meters of a home together in each 15 minutes, by day; each is counted as itself, a virtual one by its terms.
 *
 * ids              of meters, virtual ones among them
 * fromDay, endDay  as `dayOf` numbers days, the last exclusive
 * errors           NOT_FOUND; INVALID where that is too much to read
 */
export async function loadOfMeters(
  { db, settle }: Pick<EnergyOptions, 'db' | 'settle'>,
  tenant: string,
  { HomeID, zone }: HomeClock,
  ids: readonly string[],
  fromDay: number,
  endDay: number,
): Promise<Map<number, ProfileDay>> {
  const wanted = await resolveMeters(db, { tenant, HomeID }, await readMeters(db, tenant, HomeID), ids)
  const lines = groupMeters(wanted, 'home', zone)
  const members = lines.epochs.flatMap((epoch) => epoch.members)
  if (members.length * (endDay - fromDay) > MOST_DAYS)
    throw new GatewayError('INVALID', 'So many meters have too many days', {
      PeripheralUIDs: 'tooManyPoints',
    })
  await settle(db, [...new Set(members.map(({ meterId }) => meterId))])
  const first = await firstDays(db, lines.meters, monthOfDay(fromDay), zone)
  // Terms of a virtual meter change with a day.
  const membersOn = (day: number) => {
    const start = startOfDay(day, zone)
    return lines.epochs.find(({ from, to }) => from <= start && start < to)?.members ?? []
  }
  const profile = new Map<number, ProfileDay>()
  for (let day = fromDay; day < endDay; day += AT_ONCE) {
    const rows = await readDays(db, members, day, Math.min(day + AT_ONCE, endDay), zone)
    for (let one = day; one < Math.min(day + AT_ONCE, endDay); one++)
      profile.set(one, dayOfMembers(membersOn(one), rows, first, one, quartersOfDay(one, zone)))
  }
  return profile
}

interface Row {
  /** kWh from the day's beginning to the end of each interval that is known. */
  cumulative: Float64Array
  quality: string
  /** Hours in which a correction of at most one hour lies. */
  corrected: ReadonlySet<number> | undefined
}

async function readDays(
  db: Db,
  members: readonly Member[],
  from: number,
  end: number,
  zone: string,
): Promise<Map<string, Row>> {
  const rows = await db.query<{ meterId: number; day: number; cumulative: Buffer; quality: string }>(sql`
    select meter_id as "meterId", day, array_send(cumulative) as cumulative, quality from meter_days
    where meter_id = any(${numberArray(members.map(({ meterId }) => meterId))}::int[])
      and day >= ${from}::int and day < ${end}::int`)
  const corrected = await correctedHoursOf(
    db,
    rows.filter(({ quality }) => quality.includes('c')),
    zone,
  )
  return new Map(
    rows.map(({ meterId, day, cumulative, quality }) => {
      const key = dayKeyOf(meterId, day)
      return [key, { cumulative: parseDoubles(cumulative), quality, corrected: corrected.get(key) }]
    }),
  )
}

function dayOfMembers(
  members: readonly Member[],
  rows: ReadonlyMap<string, Row>,
  first: ReadonlyMap<number, number>,
  day: number,
  quarters: number,
): ProfileDay {
  const one = emptyDay(quarters)
  const [known, due] = [new Int32Array(quarters), new Int32Array(quarters)]
  for (const { meterId, weight, removed } of members) {
    const row = rows.get(dayKeyOf(meterId, day))
    // Of a removed meter nothing more is expected than it left.
    const expected = removed
      ? (row?.quality.length ?? 0)
      : (first.get(meterId) ?? Infinity) <= day
        ? quarters
        : 0
    one.total += expected
    for (let i = 0; i < expected; i++) (due[i] as number) += 1
    if (!row) continue
    for (let hour = 0; hour * QUARTERS_OF_HOUR < Math.min(quarters, row.quality.length); hour++)
      if (isMeasuredHour(row.quality, hour) || row.corrected?.has(hour))
        for (let i = hour * QUARTERS_OF_HOUR; i < Math.min(quarters, (hour + 1) * QUARTERS_OF_HOUR); i++)
          (one.resolved[i] as number) += 1
    for (let i = 0; i < Math.min(quarters, row.quality.length); i++) {
      const counted = (row.cumulative[i] as number) - (i > 0 ? (row.cumulative[i - 1] as number) : 0)
      ;(one.kWh[i] as number) += weight * counted
      if (row.quality[i] === '-' || row.quality[i] === 'q') continue
      one.known += 1
      if (row.quality[i] !== 'e') one.complete += 1
      ;(known[i] as number) += 1
    }
  }
  for (let i = 0; i < quarters; i++)
    one.isKnown[i] = Number((known[i] as number) > 0 && (known[i] as number) >= (due[i] as number))
  return one
}

/**
 * The energy of each of some meters by itself, by day.
 *
 * meters           as `metersOf` answers them
 * fromDay, endDay  as `dayOf` numbers days, the last exclusive
 * returns          by MeterID; none of a meter that has not had a reading
 */
export async function loadPerMeter(
  { db, settle }: Pick<EnergyOptions, 'db' | 'settle'>,
  zone: string,
  meters: readonly Meter[],
  fromDay: number,
  endDay: number,
): Promise<Map<string, Map<number, ProfileDay>>> {
  const members = meters.flatMap(({ PeripheralUID, meterId, removedAt }) =>
    meterId === null
      ? []
      : [{ key: PeripheralUID, of: { meterId, line: 0, weight: 1 as const, removed: removedAt !== null } }],
  )
  await settle(
    db,
    members.map(({ of }) => of.meterId),
  )
  const first = await firstDays(db, meters, monthOfDay(fromDay), zone)
  const rows = await readDays(
    db,
    members.map(({ of }) => of),
    fromDay,
    endDay,
    zone,
  )
  const days = Array.from({ length: Math.max(0, endDay - fromDay) }, (_, i) => fromDay + i)
  return new Map(
    members.map(({ key, of }) => [
      key,
      new Map(days.map((day) => [day, dayOfMembers([of], rows, first, day, quartersOfDay(day, zone))])),
    ]),
  )
}

/** The first day of which a meter of a home has told anything; undefined where none has. */
export async function firstDayOf(
  { db, settle }: Pick<EnergyOptions, 'db' | 'settle'>,
  tenant: string,
  { HomeID, zone }: HomeClock,
): Promise<number | undefined> {
  // Of a home with a balance also those that see what it buys, which are no loads.
  const { of } = flowsOfHome(await readCountedMeters(db, tenant, HomeID), zone)
  const meters = [...of.import.meters, ...of.consumption.meters]
  const ids = meters.flatMap(({ meterId }) => (meterId === null ? [] : [meterId]))
  await settle(db, ids)
  const [row] = await db.query<{ first: number | null }>(sql`
    select min(d.day) as first from unnest(${numberArray(ids)}::int[]) as m (id)
    cross join lateral (select day from meter_days where meter_id = m.id order by day limit 1) d`)
  return row?.first ?? undefined
}
