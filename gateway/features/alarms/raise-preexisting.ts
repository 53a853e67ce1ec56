import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import { alarmTypes } from '../../../contract/alarms/alarm-states.ts'
import { idArray } from '../../store/sql.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import type { EmitAlarmTransition } from '../../domain/alarms/rule-alarms.ts'
import type { UpdateStateAlarms } from './state/update-state-alarms.ts'

/** Maximum number of devices in one transaction. */
const CHUNK_SIZE = 500
interface DeviceKey {
  tenant: string
  uid: string
}
const FIRST: DeviceKey = { tenant: '00000000-0000-0000-0000-000000000000', uid: '' }

/**
 * Raises and ends alarms by the devices' last reports, as their next report would: for states from before alarms were
 * stored, or suppressed by maintenance. Idempotent.
 *
 * where    condition on device_status `s`
 * `isOngoing` the state was suppressed: people are notified, however old the report is
 * returns  the alarm transitions
 */
export async function raisePreexistingAlarms(
  db: Db,
  updateStateAlarms: UpdateStateAlarms,
  where: Sql,
  now: number,
  isOngoing = false,
): Promise<EmitAlarmTransition[]> {
  const changed: EmitAlarmTransition[] = []
  let last: DeviceKey | undefined = FIRST
  while (last) {
    const keys: DeviceKey[] = await db.query<DeviceKey>(sql`
      select s.tenant, s.peripheral_uid as uid from device_status s
      where s.peripheral_type = any(${alarmTypes}::text[]) and ${where}
        and (s.tenant, s.peripheral_uid) > (${last.tenant}::uuid, ${last.uid}::text)
      order by s.tenant, s.peripheral_uid limit ${CHUNK_SIZE}::int`)
    if (keys.length > 0)
      changed.push(
        ...(await db.transaction((tx) =>
          updateChunk(tx, updateStateAlarms, keys, { now, stands: isOngoing }),
        )),
      )
    last = keys[CHUNK_SIZE - 1]
  }
  return changed
}

/** Locks devices in the same order as reports do, regardless of the database's collation. */
async function updateChunk(
  tx: Db,
  updateStateAlarms: UpdateStateAlarms,
  keys: readonly DeviceKey[],
  { now, stands: isOngoing }: { now: number; stands: boolean },
): Promise<EmitAlarmTransition[]> {
  const rows = await tx.query<{ tenant: string; homeId: string; status: DeviceStatus }>(sql`
    select s.tenant, s.home_id as "homeId", s.values || jsonb_build_object('PeripheralUID', s.peripheral_uid,
      'PeripheralType', s.peripheral_type, 'Timestamp', s.timestamp, 'updateAt', s.updated_at) as status
    from unnest(${idArray(keys.map(({ tenant }) => tenant))}::uuid[], ${idArray(keys.map(({ uid }) => uid))}::text[])
      as k (tenant, uid)
    join device_status s on s.tenant = k.tenant and s.peripheral_uid = k.uid
    order by s.tenant, s.peripheral_uid collate "C" for no key update of s`)
  const homes = rows.map(({ tenant, homeId, status }) => ({ tenant, homeId, statuses: [status] }))
  return updateStateAlarms(tx, homes, now, isOngoing)
}
