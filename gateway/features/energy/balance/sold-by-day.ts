import { startOfDay } from '../../../../contract/time/periods.ts'
import { partOf } from '../../../../contract/devices/meter-roles.ts'
import { numberArray } from '../../../store/sql.ts'
import { sql } from '../../../kernel/db.ts'
import { meterIdsOf } from '../query/context.ts'
import { type EnergyDeps, ensureFresh } from '../rollup/freshness.ts'
import { epochOf, sumBefore, readHomeDays } from '../rollup/home-days.ts'
import { groupRole } from '../meters/meter-groups.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import { readCountedMeters } from '../meters/meters.ts'

/**
 * Energy that a home sold on each day: its surplus, and in addition all generation of plants that sell everything.
 *
 * fromDay, endDay  day numbers (`dayOf`), `endDay` exclusive; must have been rolled up before (`rollUpHome`)
 * returns          kWh of the days on which any is known; `all` is null for a home without such a plant
 */
export async function soldByDay(
  deps: EnergyDeps,
  tenant: string,
  { HomeID, zone }: HomeClock,
  fromDay: number,
  endDay: number,
): Promise<{ surplus: Map<number, number>; all: Map<number, number> | null }> {
  const { db } = deps
  const storedDays = await readHomeDays(db, { tenant, HomeID }, fromDay, endDay, partOf('export'))
  const surplus = new Map([...storedDays].map(([day, { kWh }]) => [day, sumBefore(kWh, kWh.length)]))
  const lines = groupRole(await readCountedMeters(db, tenant, HomeID), 'soldGeneration', zone)
  if (lines.meters.length === 0) return { surplus, all: null }
  const ids = meterIdsOf(lines.meters)
  await ensureFresh(deps, ids)
  const rows = await db.query<{ meterId: number; day: number; kWh: number }>(sql`
    select meter_id as "meterId", day, kwh as "kWh" from meter_days
    where meter_id = any(${numberArray(ids)}::int[])
      and day >= ${fromDay}::int and day < ${endDay}::int`)
  const all = new Map<number, number>()
  for (const { meterId, day, kWh } of rows) {
    const epoch = epochOf(lines.epochs, startOfDay(day, zone), startOfDay(day + 1, zone))
    if (epoch?.members.some((member) => member.meterId === meterId)) all.set(day, (all.get(day) ?? 0) + kWh)
  }
  return { surplus, all }
}
