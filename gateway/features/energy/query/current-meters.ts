import { dayOf } from '../../../../contract/time/periods.ts'
import { type MeterUse, valueOn } from '../../../../contract/meters/meter-facts.ts'
import { defaultRoleOf, type MeterRole } from '../../../../contract/devices/meter-roles.ts'
import { deviceOfMeter } from '../../../../contract/devices/kinds/meter-id.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { type DayFeatures, featuresOf } from '../rollup/day-features.ts'
import { type EnergyDeps, ensureFresh } from '../rollup/freshness.ts'
import { loadPerMeter } from './load-of-meters.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import { type Meter, readMeters } from '../meters/meters.ts'

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
  async standingMeters(tenant: string, home: HomeClock): Promise<CurrentMeter[]> {
    const today = dayOf(deps.clock.now(), home.zone)
    const meters = await standing(deps.db, tenant, home)
    const names = await namesOf(deps.db, tenant, home.HomeID)
    const uses = await usesOf(deps.db, tenant, home.HomeID)
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
  async loadOfEach(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
    ids?: ReadonlySet<string>,
  ) {
    const meters = await standing(deps.db, tenant, home)
    const wanted = ids ? meters.filter(({ PeripheralUID }) => ids.has(PeripheralUID)) : meters
    return loadPerMeter(deps, home.zone, wanted, fromDay, endDay)
  },

  /** Day features of its meters by MeterID, in order of days; unknown days are absent. */
  async dayFeatures(
    tenant: string,
    home: HomeClock,
    fromDay: number,
    endDay: number,
  ): Promise<Map<string, DayFeatures[]>> {
    const meters = await standing(deps.db, tenant, home)
    const idOf = new Map(meters.map(({ meterId, PeripheralUID }) => [meterId, PeripheralUID]))
    const ids = meters.flatMap(({ meterId }) => meterId ?? [])
    await ensureFresh(deps, ids)
    const found = await featuresOf(deps.db, ids, fromDay, endDay)
    return new Map([...found].map(([id, days]) => [idOf.get(id) as string, days]))
  },
})

const standing = async (db: Db, tenant: string, { HomeID }: HomeClock): Promise<Meter[]> =>
  (await readMeters(db, tenant, HomeID)).filter(
    ({ removedAt, meterId }) => removedAt === null && meterId !== null,
  )

/** Latest configured use of each meter, by MeterID. */
async function usesOf(db: Db, tenant: string, HomeID: string): Promise<Map<string, MeterUse>> {
  const rows = await db.query<{ id: string; use: MeterUse }>(sql`
    select meter_key as id, value #>> '{}' as use from meter_facts
    where tenant = ${tenant} and home_id = ${HomeID} and fact = 'use' order by from_day`)
  return new Map(rows.map(({ id, use }) => [id, use]))
}

async function namesOf(db: Db, tenant: string, HomeID: string): Promise<Map<string, string>> {
  const rows = await db.query<{ uid: string; name: string }>(sql`
    select peripheral_uid as uid, peripheral_name as name from peripherals where tenant = ${tenant} and home_id = ${HomeID}`)
  return new Map(rows.map(({ uid, name }) => [uid, name]))
}
