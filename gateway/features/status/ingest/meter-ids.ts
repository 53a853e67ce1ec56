import { type Db, sql } from '../../../store/db.ts'
import { idArray } from '../../../store/array-literal.ts'
import type { Device } from './report.ts'

/** Gives every device that has none the number its readings are stored under. */
export async function assignMeterIds(db: Db, devices: Iterable<Device>): Promise<void> {
  const keyOf = (tenant: string, homeId: string, uid: string) => `${tenant}/${homeId}/${uid}`
  const without = new Map<string, Device[]>()
  for (const device of devices) {
    if (device.meterId !== undefined) continue
    const key = keyOf(device.tenant, device.homeId, device.peripheralUID)
    without.set(key, [...(without.get(key) ?? []), device])
  }
  if (without.size === 0) return
  const all = [...without.values()].map(([device]) => device as Device)
  // The empty update makes `returning` answer those that another gateway has just made, too.
  const rows = await db.query<{ tenant: string; homeId: string; uid: string; meterId: number }>(sql`
    insert into meters as m (tenant, home_id, peripheral_uid)
    select * from unnest(
      ${idArray(all.map((device) => device.tenant))}::uuid[],
      ${idArray(all.map((device) => device.homeId))}::text[],
      ${idArray(all.map((device) => device.peripheralUID))}::text[]
    ) as wanted (tenant, home_id, peripheral_uid)
    order by 1, 2, 3
    on conflict (tenant, home_id, peripheral_uid) do update set home_id = m.home_id
    returning tenant, home_id as "homeId", peripheral_uid as uid, meter_id as "meterId"`)
  for (const { tenant, homeId, uid, meterId } of rows)
    for (const device of without.get(keyOf(tenant, homeId, uid)) ?? []) device.meterId = meterId
}
