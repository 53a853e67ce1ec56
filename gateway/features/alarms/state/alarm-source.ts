import { type Db, type Sql, sql } from '../../../store/db.ts'

/**
 * Whether what raised alarm `a` can tell when it is over: a device of a hub that is there, a hub that is there, a rule that is at work
 * and can hear its device. Beside it stand its hub `t`, its device `p`, that device's hub `o` and its automation `u`.
 */
export const CAN_SOURCE_REPORT: Sql = sql`case
  when a.kind = 'hubLost' then coalesce(t.online, false)
  when a.kind in ('rule', 'ahead') then coalesce(u.enabled and u.problem is null, false) and coalesce(o.online, true)
  else coalesce(o.online, false) and exists (select from device_status s
    where s.tenant = a.tenant and s.peripheral_uid = a.peripheral_uid) end`

/**
 * When the device or hub of an alarm was heard last, epoch ms; its status is held until the transaction ends, so that a report waits.
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
