import type { DeviceStatus } from '../../../contract/device-kinds/status.ts'
import { alarmTypes } from '../../../contract/rules/device/alarm-states.ts'
import { type Db, type Sql, sql } from '../../store/db.ts'
import { type HomeOfAlarms, noteStates } from './note-states.ts'

/** Devices looked at in one transaction. */
const CHUNK = 500
const FIRST = { tenant: '00000000-0000-0000-0000-000000000000', uid: '' }

/**
 * Raises and ends alarms by what devices said last, as their next report would: what stood before alarms were stored, and what
 * maintenance kept back. What is noted already stays as it is.
 *
 * where    which devices, of device_status `s`
 * stopped  whether to end early
 * returns  the homes whose alarms changed
 */
export async function noteStanding(
  db: Db,
  where: Sql,
  now: number,
  stopped: () => boolean = () => false,
): Promise<HomeOfAlarms[]> {
  const changed: HomeOfAlarms[] = []
  let last = FIRST
  for (;;) {
    if (stopped()) return changed
    const after = last
    const found = await db.transaction(async (tx) => {
      const rows = await tx.query<{ tenant: string; homeId: string; status: DeviceStatus }>(sql`
        select s.tenant, s.home_id as "homeId", s.values || jsonb_build_object('PeripheralUID', s.peripheral_uid,
          'PeripheralType', s.peripheral_type, 'Timestamp', s.timestamp, 'updateAt', s.updated_at) as status
        from device_status s
        where s.peripheral_type = any(${alarmTypes}::text[]) and ${where}
          and (s.tenant, s.peripheral_uid) > (${after.tenant}::uuid, ${after.uid}::text)
        order by s.tenant, s.peripheral_uid limit ${CHUNK}::int for no key update`)
      const homes = rows.map(({ tenant, homeId, status }) => ({ tenant, homeId, statuses: [status] }))
      changed.push(...(await noteStates(tx, homes, now)))
      return rows
    })
    const end = found[CHUNK - 1]
    if (!end) return changed
    last = { tenant: end.tenant, uid: end.status.PeripheralUID }
  }
}
