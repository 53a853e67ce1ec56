import { startOfDay } from '../../../../contract/time/periods.ts'
import { partOf } from '../../../../contract/devices/meter-roles.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { epochOf, sumBefore } from '../rollup/home-days.ts'
import { readHomeDays } from '../rollup/read-home-days.ts'
import { groupRole } from '../meters/meter-groups.ts'
import { type HomeClock, readCountedMeters } from '../meters/meters.ts'

/**
 * Energy that a home sold on each day: its surplus, and in addition all generation of plants that sell everything.
 *
 * fromDay, endDay  day numbers (`dayOf`), `endDay` exclusive; must have been rolled up before (`rollUpHome`)
 * returns          kWh of the days on which any is known; `all` is null for a home without such a plant
 */
export async function soldByDay(
  { db, settle }: { db: Db; settle(db: Db, meterIds: readonly number[]): Promise<boolean> },
  tenant: string,
  { HomeID, zone }: HomeClock,
  fromDay: number,
  endDay: number,
): Promise<{ surplus: Map<number, number>; all: Map<number, number> | null }> {
  const kept = await readHomeDays(db, { tenant, HomeID }, fromDay, endDay, partOf('export'))
  const surplus = new Map([...kept].map(([day, { kWh }]) => [day, sumBefore(kWh, kWh.length)]))
  const lines = groupRole(await readCountedMeters(db, tenant, HomeID), 'soldGeneration', zone)
  if (lines.meters.length === 0) return { surplus, all: null }
  await settle(
    db,
    lines.meters.flatMap(({ meterId }) => meterId ?? []),
  )
  const rows = await db.query<{ meterId: number; day: number; kWh: number }>(sql`
    select meter_id as "meterId", day, kwh as "kWh" from meter_days
    where meter_id = any(${numberArray(lines.meters.flatMap(({ meterId }) => meterId ?? []))}::int[])
      and day >= ${fromDay}::int and day < ${endDay}::int`)
  const all = new Map<number, number>()
  for (const { meterId, day, kWh } of rows) {
    const epoch = epochOf(lines.epochs, startOfDay(day, zone), startOfDay(day + 1, zone))
    if (epoch?.members.some((member) => member.meterId === meterId)) all.set(day, (all.get(day) ?? 0) + kWh)
  }
  return { surplus, all }
}
