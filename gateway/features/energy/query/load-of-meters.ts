import { monthOfDay, quartersOfDay, startOfDay, dayOf } from '../../../../contract/time/periods.ts'
import { QUARTERS_OF_HOUR } from '../../../domain/energy/resolved-hours.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { parseDoubles } from '../rollup/parse-arrays.ts'
import { flowsOfHome } from '../meters/home-flows.ts'
import { type EnergyDeps, ensureFresh } from '../rollup/freshness.ts'
import { firstDays } from '../rollup/home-days.ts'
import { groupMeters } from '../meters/meter-groups.ts'
import { type Member, readCountedMeters, type Meter, readMeters } from '../meters/meters.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import { readCorrectedHours, dayKeyOf, isMeasuredHour } from '../rollup/resolved-hours.ts'
import { type MeterUse, valueOn } from '../../../../contract/meters/meter-facts.ts'
import { defaultRoleOf, type MeterRole } from '../../../../contract/devices/meter-roles.ts'
import { deviceOfMeter } from '../../../../contract/devices/kinds/meter-id.ts'
import { type DayFeatures, ensureFeatures } from '../rollup/day-features.ts'
import { resolveMeters } from './resolve-meters.ts'
import { emptyDay, type ProfileDay } from './load-profile.ts'

/** Maximum number of meter days that one answer reads. */
const MAX_DAYS = 40_000
/** Number of days that are in memory at a time. */
const AT_ONCE = 31

/**
 * Sums the energy of some meters of a home per 15 minutes, by day; each is counted as itself, a virtual one by its terms.
 *
 * ids              of meters or virtual meters
 * fromDay, endDay  day numbers (`dayOf`), `endDay` exclusive
 * errors           NOT_FOUND; INVALID if the range is too large
 */
export async function loadOfMeters(
  deps: EnergyDeps,
  tenant: string,
  { HomeID, zone }: HomeClock,
  ids: readonly string[],
  fromDay: number,
  endDay: number,
): Promise<Map<number, ProfileDay>> {
  const { db } = deps
  const requested = await resolveMeters(db, { tenant, HomeID }, await readMeters(db, tenant, HomeID), ids)
  const lines = groupMeters(requested, 'home', zone)
  const members = lines.epochs.flatMap((epoch) => epoch.members)
  if (members.length * (endDay - fromDay) > MAX_DAYS)
    throw new GatewayError('INVALID', 'So many meters have too many days', {
      PeripheralUIDs: 'tooManyPoints',
    })
  await ensureFresh(deps, [...new Set(members.map(({ meterId }) => meterId))])
  const first = await firstDays(db, lines.meters, monthOfDay(fromDay), zone)
  // The terms of a virtual meter may change from day to day.
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
  /** kWh from the start of the day to the end of each known interval. */
  cumulative: Float64Array
  quality: string
  /** Hours with a correction of at most one hour. */
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
  const corrected = await readCorrectedHours(
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
    // A removed meter is expected to have only the intervals that it left.
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
 * Energy of each of some meters by itself, by day.
 *
 * meters           from `readMeters`
 * fromDay, endDay  day numbers (`dayOf`), `endDay` exclusive
 * returns          by MeterID; meters without a reading are absent
 */
async function loadPerMeter(
  deps: EnergyDeps,
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
  const { db } = deps
  await ensureFresh(
    deps,
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

/** First day with known energy of a home; undefined if there is none. */
export async function readFirstDay(
  deps: EnergyDeps,
  tenant: string,
  { HomeID, zone }: HomeClock,
): Promise<number | undefined> {
  const { db } = deps
  // For a home with a balance, include the import meters, which are not loads.
  const { of } = flowsOfHome(await readCountedMeters(db, tenant, HomeID), zone)
  const meters = [...of.import.meters, ...of.consumption.meters]
  const ids = meters.flatMap(({ meterId }) => (meterId === null ? [] : [meterId]))
  await ensureFresh(deps, ids)
  const [row] = await db.query<{ first: number | null }>(sql`
    select min(d.day) as first from unnest(${numberArray(ids)}::int[]) as m (id)
    cross join lateral (select day from meter_days where meter_id = m.id order by day limit 1) d`)
  return row?.first ?? undefined
}

/** A meter of a home as it is today. */
export interface CurrentMeter {
  MeterID: string
  /** Name of its device. */
  name: string
  /** Derived from the type of its device. */
  category: string | null
  /** MeterID of the parent meter; null at the top. */
  parent: string | null
  RoomID: number
  role: MeterRole
  /** Use of its energy; null if not configured. */
  use: MeterUse | null
}

/** Reads the meters of homes one by one, for features that search for problems. */
export const createCurrentMeters = (deps: EnergyDeps) => ({
  /** Meters that exist and have readings. */
  async readStandingMeters(tenant: string, home: HomeClock): Promise<CurrentMeter[]> {
    const today = dayOf(deps.clock.now(), home.zone)
    const meters = await queryStandingMeters(deps.db, tenant, home)
    const names = await readNames(deps.db, tenant, home.HomeID)
    const uses = await readUses(deps.db, tenant, home.HomeID)
    return meters.map(({ PeripheralUID, category, ParentMeter, roomId, places }) => ({
      MeterID: PeripheralUID,
      name: names.get(deviceOfMeter(PeripheralUID).PeripheralUID) ?? PeripheralUID,
      category,
      parent: ParentMeter,
      RoomID: roomId,
      role: (places?.role && valueOn(places.role, today)) ?? defaultRoleOf(PeripheralUID),
      use: uses.get(PeripheralUID) ?? null,
    }))
  },

  /** Energy of each meter, or of the given ones, by day. */
  async readLoads(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
    ids?: ReadonlySet<string>,
  ) {
    const meters = await queryStandingMeters(deps.db, tenant, home)
    const requested = ids ? meters.filter(({ PeripheralUID }) => ids.has(PeripheralUID)) : meters
    return loadPerMeter(deps, home.zone, requested, fromDay, endDay)
  },

  /** Day features of its meters by MeterID, in order of days; unknown days are absent. */
  async readDayFeatures(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<Map<string, DayFeatures[]>> {
    const meters = await queryStandingMeters(deps.db, tenant, home)
    const idOf = new Map(meters.map(({ meterId, PeripheralUID }) => [meterId, PeripheralUID]))
    const ids = meters.flatMap(({ meterId }) => meterId ?? [])
    await ensureFresh(deps, ids)
    const found = await ensureFeatures(deps.db, ids, fromDay, endDay)
    return new Map([...found].map(([id, days]) => [idOf.get(id) as string, days]))
  },
})

const queryStandingMeters = async (db: Db, tenant: string, { HomeID }: HomeClock): Promise<Meter[]> =>
  (await readMeters(db, tenant, HomeID)).filter(
    ({ removedAt, meterId }) => removedAt === null && meterId !== null,
  )

/** Latest configured use of each meter, by MeterID. */
async function readUses(db: Db, tenant: string, HomeID: string): Promise<Map<string, MeterUse>> {
  const rows = await db.query<{ id: string; use: MeterUse }>(sql`
    select meter_key as id, value #>> '{}' as use from meter_facts
    where tenant = ${tenant} and home_id = ${HomeID} and fact = 'use' order by from_day`)
  return new Map(rows.map(({ id, use }) => [id, use]))
}

async function readNames(db: Db, tenant: string, HomeID: string): Promise<Map<string, string>> {
  const rows = await db.query<{ uid: string; name: string }>(sql`
    select peripheral_uid as uid, peripheral_name as name from peripherals where tenant = ${tenant} and home_id = ${HomeID}`)
  return new Map(rows.map(({ uid, name }) => [uid, name]))
}
