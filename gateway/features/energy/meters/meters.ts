import {
  SINCE_ALWAYS,
  type DatedValue,
  type FactValues,
  type StoredFact,
} from '../../../../contract/meters/meter-facts.ts'
import { capabilityOf, deviceType, deviceTypes } from '../../../../contract/devices/kinds/registry.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { type FactRow, type FactsOfMeter, factHistories } from '../../../domain/meters/meter-facts.ts'
import { type Db, type Sql, empty, sql } from '../../../store/db.ts'

/** A meter of a home: a device, or one that was and whose energy still counts for its time. */
export interface Meter {
  HomeID: string
  PeripheralUID: string
  /** Null before its first reading. */
  meterId: number | null
  roomId: number
  /** Null when nobody remembers what it was. */
  category: string | null
  /** The meter above it; also one that was removed, for the time that it was there. */
  ParentMeter: string | null
  /** When it was removed; null while it is a device. */
  removedAt: number | null
  /** Seconds; 0 for one that was removed. */
  frequency: number
  /** Where it stood when, by the day; what is not said of it holds as above for all time. */
  places?: Places
  /** Of a virtual meter, which has no number and no readings of its own: the meters that it adds and takes away, by the day. */
  terms?: DatedValue<(readonly [Meter, 1 | -1])[]>[]
}

/** Histories of a meter that say where it stands. */
export type Places = Pick<FactsOfMeter, 'role' | 'room' | 'parent'>
const PLACES = ['role', 'room', 'parent'] as const satisfies readonly StoredFact[]

const METER_TYPES = deviceTypes
  .filter(({ type }) => capabilityOf(type, 'meter') !== undefined)
  .map(({ type }) => type)
/** Types that may be meters, and are when they have counted something. */
const PERHAPS = METER_TYPES.filter((type) => capabilityOf(type, 'modbus') !== undefined)

/**
 * Every meter of a home, or of all the company's homes, removed ones too, in the order of their ids. A removed parent
 * stays above a meter that is still there, as long as that has been given no other.
 */
export async function readMeters(db: Db, tenant: string, homeId?: string): Promise<Meter[]> {
  const ofHome = (alias: Sql) => (homeId === undefined ? empty : sql`and ${alias} = ${homeId}`)
  const rows = await db.query<Omit<Meter, 'category'> & { type: string | null }>(sql`
    select coalesce(p.home_id, m.home_id) as "HomeID", coalesce(m.peripheral_uid, p.peripheral_uid) as "PeripheralUID",
      m.meter_id as "meterId", coalesce(p.room_id, m.room_id, 0) as "roomId",
      coalesce(p.peripheral_type, m.peripheral_type) as type,
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
  return rows.map(({ type, ...meter }) => {
    const of = places.get(meter.HomeID)?.get(meter.PeripheralUID)
    return {
      ...meter,
      category: type === null ? null : (deviceType(type)?.category ?? null),
      ...(of && { places: of }),
    }
  })
}

/** The meters of a home with the virtual ones that were given a role: what its totals are made of. */
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

/** What all meters that a virtual one adds are; null where they are not alike. */
function categoryOf(terms: NonNullable<Meter['terms']>): string | null {
  const added = terms.flatMap(({ value }) => value.flatMap(([meter, factor]) => (factor > 0 ? [meter] : [])))
  const categories = new Set(added.map(({ category }) => category))
  return categories.size === 1 ? (added[0]?.category ?? null) : null
}

/** The terms of a virtual meter that are still known, as they held. */
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

/** The home's clock. */
export interface HomeClock {
  HomeID: string
  zone: string
}

/** A home of the company, or all of them by name. */
export const readHomes = (db: Db, tenant: string, homeId?: string): Promise<HomeClock[]> =>
  db.query<HomeClock>(sql`select home_id as "HomeID", time_zone as zone from homes
    where tenant = ${tenant} ${homeId === undefined ? empty : sql`and home_id = ${homeId}`}
    order by lower(home_name)`)

/** A meter that was added from the readings of others. */
export interface VirtualTerms {
  VirtualMeterID: string
  Terms: FactValues['terms']
  /** Its terms by the day; empty where they have always been these. */
  History: DatedValue<FactValues['terms']>[]
}

/** Those of these ids that are virtual meters of the home. */
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
