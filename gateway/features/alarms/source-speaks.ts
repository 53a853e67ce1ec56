import type { AlarmKind } from '../../../contract/procedures/alarms.ts'
import { type Db, type Sql, sql } from '../../store/db.ts'

/**
 * Whether what raised an alarm can tell when it is over: a device of a hub that is there, a hub that is there, a rule that is at work
 * and can hear its device.
 *
 * where    one alarm `a`
 * returns  beside it when the device or hub was heard last, epoch ms; its status is held, so that a report waits
 */
export async function sourceSpeaks(db: Db, where: Sql): Promise<{ speaks: boolean; saidAt: number | null }> {
  const [status] = await db.query<{ timestamp: number }>(sql`
    select s.timestamp from device_status s where (s.tenant, s.peripheral_uid) in (
      select a.tenant, a.peripheral_uid from alarms a where ${where} and a.kind not in ('rule', 'ahead'))
    for no key update of s`)
  const [source] = await db.query<{
    kind: AlarmKind
    hubOnline: boolean | null
    deviceOnline: boolean | null
    hasDevice: boolean
    ruleWorks: boolean
    since: number | null
  }>(sql`
    select a.kind, t.online as "hubOnline", o.online as "deviceOnline", a.peripheral_uid is not null as "hasDevice",
      u.enabled and u.problem is null as "ruleWorks",
      (select max(h.since) from hub_absences h where h.thing_name = a.thing_name) as since
    from alarms a
    left join things t on t.tenant = a.tenant and t.thing_name = a.thing_name
    left join peripherals p on p.tenant = a.tenant and p.peripheral_uid = a.peripheral_uid
    left join things o on o.thing_name = p.thing_name
    left join automations u on u.tenant = a.tenant and u.automation_id = a.automation_id
    where ${where}`)
  const saidAt = status?.timestamp ?? source?.since ?? null
  if (!source) return { speaks: false, saidAt }
  const { kind, hubOnline, deviceOnline, ruleWorks } = source
  if (kind === 'hubLost') return { speaks: hubOnline ?? false, saidAt }
  // Of a virtual meter and of a home nobody is a hub.
  if (kind === 'rule' || kind === 'ahead')
    return { speaks: (ruleWorks ?? false) && (deviceOnline ?? true), saidAt }
  return { speaks: status !== undefined && (deviceOnline ?? false), saidAt }
}
