import { type Db, type Sql, sql } from '../../../kernel/db.ts'

/**
 * Whether the source of alarm `a` can still report its end: a device with a connected hub, a connected hub, or an
 * enabled rule whose device is connected. Needs its hub `t`, its device `p`, that device's hub `o` and its automation
 * `u` as joined tables.
 */
export const CAN_SOURCE_REPORT: Sql = sql`case
  when a.kind = 'hubLost' then coalesce(t.online, false)
  when a.kind in ('rule', 'ahead') then coalesce(u.enabled and u.problem is null, false) and coalesce(o.online, true)
  else coalesce(o.online, false) and exists (select from device_status s
    where s.tenant = a.tenant and s.peripheral_uid = a.peripheral_uid) end`

/**
 * Locks the status of an alarm's device until the transaction ends, so that reports wait, and returns the time of the
 * last report of the device, or the start of the hub's absence, epoch ms.
 *
 * where  one alarm `a`
 */
export async function lockAlarmSource(db: Db, where: Sql): Promise<number | null> {
  const [status] = await db.query<{ timestamp: number }>(sql`
    select s.timestamp from device_status s where (s.tenant, s.peripheral_uid) in (
      select a.tenant, a.peripheral_uid from alarms a where ${where} and a.kind not in ('rule', 'ahead'))
    for no key update of s`)
  if (status) return status.timestamp
  const [absence] = await db.query<{ since: number | null }>(sql`
    select max(h.since) as since from alarms a join hub_absences h on h.thing_name = a.thing_name where ${where}`)
  return absence?.since ?? null
}
