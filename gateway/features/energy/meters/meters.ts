import {
  SINCE_ALWAYS,
  type DatedValue,
  type FactValues,
  type MeterUse,
  type StoredFact,
} from '../../../../contract/meters/meter-facts.ts'
import { useOfName } from '../../../../contract/findings/meter-names.ts'
import { capabilityOf, deviceType, deviceTypes } from '../../../../contract/devices/kinds/registry.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import { type FactRow, type FactsOfMeter, factHistories } from '../../../domain/meters/meter-facts.ts'
import { type Db, type Sql, empty, sql } from '../../../kernel/db.ts'
import { inHomes, numberArray } from '../../../store/sql.ts'

/** A meter of a home: a device, or a removed device whose energy still counts for its time. */
export interface Meter {
  HomeID: string
  PeripheralUID: string
  /** Null before its first reading. */
  meterId: number | null
  roomId: number
  /** Null if its type is no longer known. */
  category: string | null
  /** Use that the name of its device denotes, for the time without a configured one. */
  nameUse?: MeterUse
  /** Parent meter; it may have been removed, and then counts for its time. */
  ParentMeter: string | null
  /** Removal time; null while it is a device. */
  removedAt: number | null
  /** Seconds; 0 for a removed meter. */
  frequency: number
  /** Dated history of its place; a fact without history has always been as stated above. */
  places?: Places
  /** Dated terms of a virtual meter, which has no meterId and no readings: the meters that it adds and subtracts. */
  terms?: DatedValue<(readonly [Meter, 1 | -1])[]>[]
}

/** Histories of the facts that determine the lines that a meter belongs to. */
export type Places = Pick<FactsOfMeter, 'role' | 'room' | 'parent' | 'use'>
const PLACES = ['role', 'room', 'parent', 'use'] as const satisfies readonly StoredFact[]

const METER_TYPES = deviceTypes
  .filter(({ type }) => capabilityOf(type, 'meter') !== undefined)
  .map(({ type }) => type)
/** Types that may be meters: devices of these types count as meters once they have a reading. */
const PERHAPS = METER_TYPES.filter((type) => capabilityOf(type, 'modbus') !== undefined)

/**
 * Reads every meter of a home, or of all homes of the company, including removed ones, in order of id. A removed parent remains the parent
 * of an existing meter until another one is assigned.
 */
export async function readMeters(db: Db, tenant: string, homeId?: string): Promise<Meter[]> {
  const ofHome = (alias: Sql) => (homeId === undefined ? empty : sql`and ${alias} = ${homeId}`)
  const rows = await db.query<Omit<Meter, 'category'> & { type: string | null; name: string | null }>(sql`
    select coalesce(p.home_id, m.home_id) as "HomeID", coalesce(m.peripheral_uid, p.peripheral_uid) as "PeripheralUID",
      m.meter_id as "meterId", coalesce(p.room_id, m.room_id, 0) as "roomId",
      coalesce(p.peripheral_type, m.peripheral_type) as type, p.peripheral_name as name,
      case when p.peripheral_uid is null or m.peripheral_uid <> p.peripheral_uid then m.parent_meter
        else coalesce(p.parent_meter, (select a.peripheral_uid from meters a where a.tenant = m.tenant
          and a.home_id = m.home_id and a.peripheral_uid = m.parent_meter and a.removed_at is not null)) end as "ParentMeter",
      case when p.peripheral_uid is null then coalesce(m.removed_at, 0) end as "removedAt",
      coalesce(p.power_meter_update_frequency, 0) as frequency
    from (select * from meters where tenant = ${tenant} ${ofHome(sql`home_id`)}) m
    full join (select * from peripherals
      where tenant = ${tenant} ${ofHome(sql`home_id`)} and peripheral_type = any(${METER_TYPES})) p
      on p.home_id = m.home_id and p.peripheral_uid = split_part(m.peripheral_uid, '.', 1)
    where m.meter_id is not null or not p.peripheral_type = any(${PERHAPS})
    order by 1, 2`)
  const said = await db.query<FactRow & { HomeID: string }>(sql`
    select home_id as "HomeID", meter_key as "MeterID", fact, from_day as from, value from meter_facts
    where tenant = ${tenant} ${ofHome(sql`home_id`)} and fact = any(${[...PLACES]}) order by from_day`)
  const places = new Map<string, Map<string, Places>>()
  for (const [home, facts] of groupBy(said, ({ HomeID }) => HomeID)) places.set(home, factHistories(facts))
  return rows.map(({ type, name, ...meter }) => {
    const of = places.get(meter.HomeID)?.get(meter.PeripheralUID)
    const nameUse = name === null ? null : useOfName(name)
    return {
      ...meter,
      category: type === null ? null : (deviceType(type)?.category ?? null),
      ...(nameUse && { nameUse }),
      ...(of && { places: of }),
    }
  })
}

/** Reads the meters of a home together with those virtual meters that have a role: all meters that can be in its totals. */
export async function readCountedMeters(db: Db, tenant: string, homeId: string): Promise<Meter[]> {
  const meters = await readMeters(db, tenant, homeId)
  const said = await db.query<FactRow>(sql`
    select f.meter_key as "MeterID", f.fact, f.from_day as from, f.value from meter_facts f
    join virtual_meters v on v.tenant = f.tenant and v.home_id = f.home_id and v.virtual_meter_id = f.meter_key
    where f.tenant = ${tenant} and f.home_id = ${homeId} and f.fact = any(${[...PLACES]}) order by f.meter_key, f.from_day`)
  const facts = factHistories(said)
  const ids = [...facts].filter(([, { role }]) => role).map(([id]) => id)
  if (!ids.length) return meters
  const byUid = new Map(meters.map((meter) => [meter.PeripheralUID, meter]))
  const virtual = (await readVirtualMeters(db, tenant, homeId, ids)).map((one): Meter => {
    const terms = termsOf(one, byUid)
    const places = facts.get(one.VirtualMeterID)
    return {
      HomeID: homeId,
      PeripheralUID: one.VirtualMeterID,
      meterId: null,
      roomId: 0,
      category: categoryOf(terms),
      ParentMeter: null,
      removedAt: null,
      frequency: 0,
      ...(places && { places }),
      terms,
    }
  })
  return [...meters, ...virtual]
}

/** Common category of all meters that a virtual one adds; null if they differ. */
function categoryOf(terms: NonNullable<Meter['terms']>): string | null {
  const added = terms.flatMap(({ value }) => value.flatMap(([meter, factor]) => (factor > 0 ? [meter] : [])))
  const categories = new Set(added.map(({ category }) => category))
  return categories.size === 1 ? (added[0]?.category ?? null) : null
}

/** Dated terms of a virtual meter; terms whose meter is unknown are left out. */
export const termsOf = (
  { Terms, History }: Pick<VirtualTerms, 'Terms' | 'History'>,
  meters: ReadonlyMap<string, Meter>,
): NonNullable<Meter['terms']> =>
  (History.length > 0 ? History : [{ from: SINCE_ALWAYS, value: Terms }]).map(({ from, value }) => ({
    from,
    value: value.flatMap(({ PeripheralUID, Factor }) => {
      const meter = meters.get(PeripheralUID)
      return meter ? [[meter, Factor] as const] : []
    }),
  }))

/** Reads homes of the company, in order of name; null means all. */
export const readHomes = (db: Db, tenant: string, homes: readonly string[] | null): Promise<HomeClock[]> =>
  db.query<HomeClock>(sql`select home_id as "HomeID", time_zone as zone from homes
    where tenant = ${tenant} and ${inHomes(homes, sql`home_id`)} order by lower(home_name)`)

/** A virtual meter with its terms. */
interface VirtualTerms {
  VirtualMeterID: string
  Terms: FactValues['terms']
  /** Dated terms; empty if the terms have never changed. */
  History: DatedValue<FactValues['terms']>[]
}

/** Reads those of these ids that are virtual meters of the home. */
export const readVirtualMeters = (
  db: Db,
  tenant: string,
  homeId: string,
  ids: readonly string[],
): Promise<VirtualTerms[]> =>
  db.query<VirtualTerms>(sql`select v.virtual_meter_id as "VirtualMeterID", v.terms as "Terms",
      coalesce((select jsonb_agg(jsonb_build_object('from', f.from_day, 'value', f.value) order by f.from_day)
        from meter_facts f where f.tenant = v.tenant and f.home_id = v.home_id and f.meter_key = v.virtual_meter_id
          and f.fact = 'terms'), '[]'::jsonb) as "History"
    from virtual_meters v
    where v.tenant = ${tenant} and v.home_id = ${homeId} and v.virtual_meter_id = any(${ids as string[]})`)

/** A meter as part of a line of the answer. A meter may be part of several lines. */
export interface Member {
  meterId: number
  /** Index of the line. */
  line: number
  /** 1 (added) or -1 (subtracted) in a total; any integer in a division that contains virtual meters. */
  weight: number
  /** Whether the meter was removed: after its last interval nothing counts as missing. */
  removed: boolean
  /** First day on which it is a part, and the day after the last; absent if it always is. */
  days?: readonly [from: number, to: number]
}

/** Day numbers beyond every real day. */
export const [EARLIEST, LATEST] = [-2_000_000_000, 2_000_000_000]

/** Members as a table `g (meter_id, line, weight, removed, from_day, to_day)`. */
export const tableOf = (members: readonly Member[]): Sql => sql`unnest(
  ${numberArray(members.map(({ meterId }) => meterId))}::int[], ${numberArray(members.map(({ line }) => line))}::int[],
  ${numberArray(members.map(({ weight }) => weight))}::float8[],
  ${numberArray(members.map(({ removed }) => Number(removed)))}::int[],
  ${numberArray(members.map(({ days }) => days?.[0] ?? EARLIEST))}::int[],
  ${numberArray(members.map(({ days }) => days?.[1] ?? LATEST))}::int[])
  as g (meter_id, line, weight, removed, from_day, to_day)`
