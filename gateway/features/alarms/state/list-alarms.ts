import type { Alarm, ALARM_STATES, alarms } from '../../../../contract/alarms/calls.ts'
import { homesWith, type PermissionSubject, right } from '../../../../contract/kernel/permissions.ts'
import type { Handler } from '../../../kernel/context.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { type Db, join, type Sql, sql } from '../../../kernel/db.ts'
import { containsAllWords, paginate } from '../../../store/page.ts'
import { inHomes } from '../../../store/sql.ts'
import { READINGS, withLatestReadings } from './readings.ts'

/**
 * Whether the source of alarm `a` can still report its end: a device with a connected hub, a connected hub, or an
 * enabled rule whose device is connected. Needs its hub `t`, its device `p`, that device's hub `o` and its automation
 * `u` as joined tables.
 */
const CAN_SOURCE_REPORT: Sql = sql`case
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

const SUBJECT = sql`coalesce(p.peripheral_name, t.device_name, v.virtual_meter_name, a.subject_name)`
const RULE = sql`coalesce(u.automation_name, a.automation_name)`

/** The columns of `Alarm` in `ALARM_LIST_SOURCE`, at an epoch ms. */
export const columnsAt = (
  now: number,
): Sql => sql`a.alarm_id as "AlarmID", a.home_id as "HomeID", a.kind as "Kind", a.source as "Source",
  a.automation_id as "AutomationID", ${RULE} as "AutomationName", a.peripheral_uid as "PeripheralUID",
  a.peripheral_type as "PeripheralType", a.thing_name as "ThingName", ${SUBJECT} as "SubjectName", a.severity as "Severity",
  a.values as "Values", ${READINGS} as "Readings", a.count as "Count", a.chattering as "Chattering",
  a.raised_at as "RaisedAt", a.reported_at as "ReportedAt", not ${CAN_SOURCE_REPORT} as "SourceLost",
  case when a.acknowledged_at is not null then jsonb_build_object('By', a.acknowledged_by, 'At', a.acknowledged_at,
    'Comment', a.comment) end as "Acknowledged",
  case when a.shelved_until > ${now}::bigint then jsonb_build_object('By', a.shelved_by, 'At', a.shelved_at,
    'Until', a.shelved_until, 'Reason', a.shelved_reason) end as "Shelved",
  case when a.cleared_at is not null then jsonb_build_object('By', a.cleared_by, 'At', a.cleared_at,
    'Reason', a.cleared_reason) end as "Cleared",
  a.comments as "Comments", a.withdrawn as "Withdrawn"`
export const ALARM_LIST_SOURCE = sql`alarms a left join peripherals p on p.tenant = a.tenant and p.peripheral_uid = a.peripheral_uid
  left join things t on t.tenant = a.tenant and t.thing_name = a.thing_name
  left join things o on o.tenant = p.tenant and o.thing_name = p.thing_name
  left join virtual_meters v on v.tenant = a.tenant and v.virtual_meter_id = a.peripheral_uid
  left join automations u on u.tenant = a.tenant and u.automation_id = a.automation_id`

/** Whether alarm `a` is shelved at an epoch ms; null if it never was. The shelving may have expired before the job ends it. */
const isShelvedAt = (now: number): Sql => sql`(a.shelved_until > ${now}::bigint)`

const statesAt = (now: number): Readonly<Record<(typeof ALARM_STATES)[number], Sql>> => ({
  open: sql`a.cleared_at is null`,
  unacknowledged: sql`a.cleared_at is null and ${isShelvedAt(now)} is not true and a.acknowledged_at is null`,
  acknowledged: sql`a.cleared_at is null and ${isShelvedAt(now)} is not true and a.acknowledged_at is not null`,
  shelved: sql`a.cleared_at is null and ${isShelvedAt(now)}`,
  cleared: sql`a.cleared_at is not null`,
  current: IS_CURRENT,
})

/** A condition that alarm `a` is open, or a state of a device that a person cleared and that was not reported again since. */
export const IS_CURRENT = sql`(a.cleared_at is null or a.kind = 'state' and a.cleared_by is not null and exists (select from device_status s
    where s.tenant = a.tenant and s.peripheral_uid = a.peripheral_uid and s.timestamp <= a.reported_at))`

/** A condition that a person may see alarm `a`. */
export function isVisibleTo(subject: PermissionSubject): Sql {
  const [ofDevices, ofRules] = [
    homesWith(subject, right('device', 'Read')),
    homesWith(subject, right('power_meter_alarm', 'Read')),
  ]
  if (ofDevices === null && ofRules === null) return sql`true`
  return sql`case when a.kind in ('rule', 'ahead') then ${inHomes(ofRules, sql`a.home_id`)}
    else ${inHomes(ofDevices, sql`a.home_id`)} end`
}

export const listAlarm: Handler<typeof alarms.listAlarm> = async (input, { db, actor, clock, homes }) => {
  const now = clock.now()
  const { HomeID, State, Severity, Kind, AutomationID, PeripheralUID, AlarmID, Since, Search } = input
  if (HomeID !== undefined) await findHome(db, actor.tenant, HomeID)
  const visibleInHome = sql`a.tenant = ${actor.tenant} and ${isVisibleTo(actor)}
    and ${inHomes(HomeID === undefined ? homes() : [HomeID], sql`a.home_id`)}`
  const where = join(
    [
      visibleInHome,
      ...(State === undefined ? [] : [statesAt(now)[State]]),
      ...(Severity === undefined ? [] : [sql`a.severity = ${Severity}`]),
      ...(Kind === undefined ? [] : [sql`a.kind = ${Kind}`]),
      ...(AutomationID === undefined ? [] : [sql`a.automation_id = ${AutomationID}`]),
      ...(PeripheralUID === undefined ? [] : [sql`a.peripheral_uid = ${PeripheralUID}`]),
      ...(AlarmID === undefined ? [] : [sql`a.alarm_id = ${AlarmID}::uuid`]),
      ...(Since === undefined
        ? []
        : [sql`(a.raised_at >= ${Since}::bigint or a.cleared_at >= ${Since}::bigint)`]),
      containsAllWords(sql`fold_text(concat_ws(' ', ${SUBJECT}, ${RULE}))`, Search),
    ],
    ' and ',
  )
  const page = paginate({
    by: sql`a.place`,
    cast: 'bigint',
    id: sql`a.alarm_id::text`,
    isDescending: true,
    Cursor: input.Cursor,
    Limit: input.Limit,
  })
  const [rows, [count], Counts] = await Promise.all([
    db.query<Alarm & { placeBy: number; placeId: string }>(
      sql`select ${columnsAt(now)}, ${page.place} from ${ALARM_LIST_SOURCE} where ${where} and ${page.after} ${page.order}`,
    ),
    // Names need joins, and only a search uses them.
    db.query<{ total: number }>(
      sql`select count(*) as total from ${Search ? ALARM_LIST_SOURCE : sql`alarms a`} where ${where}`,
    ),
    countOpen(db, visibleInHome, now),
  ])
  const { Rows, ...answer } = page.toPage<Alarm>(rows)
  return {
    ...answer,
    Rows: [...(await withLatestReadings(db, actor.tenant, Rows))],
    Total: count?.total ?? 0,
    Counts,
  }
}

/** Numbers of open alarms that match a condition. */
async function countOpen(db: Db, condition: Sql, now: number) {
  const { unacknowledged, shelved } = statesAt(now)
  const [counts] = await db.query<{
    critical: number
    warning: number
    unacknowledged: number
    shelved: number
  }>(sql`
    select count(*) filter (where a.severity = 'critical') as critical,
      count(*) filter (where a.severity = 'warning') as warning,
      count(*) filter (where ${unacknowledged}) as unacknowledged,
      count(*) filter (where ${shelved}) as shelved
    from alarms a where a.cleared_at is null and ${condition}`)
  return counts ?? { critical: 0, warning: 0, unacknowledged: 0, shelved: 0 }
}
