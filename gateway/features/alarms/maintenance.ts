import { MAX_MAINTENANCE_MS, Maintenance, type maintenances } from '../../../contract/alarms/calls.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome, lockHome } from '../../domain/homes/find-home.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import { columnsOf, idArray, inHomes } from '../../store/sql.ts'
import { sql, type Db, type Sql } from '../../kernel/db.ts'
import { right } from '../../../contract/kernel/permissions.ts'
import type { Deps } from '../deps.ts'
import type { Job } from '../../kernel/feature.ts'
import type { NotificationEvent, Notify } from '../../domain/notifications/notification-transport.ts'
import { type EmitAlarmTransition, emitAlarmEvents } from '../../domain/alarms/rule-alarms.ts'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import { alarmTypes } from '../../../contract/alarms/alarm-states.ts'
import type { UpdateStateAlarms } from './state/apply-signals.ts'

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
        ...(await db.transaction((tx) => updateChunk(tx, updateStateAlarms, keys, { now, isOngoing }))),
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
  { now, isOngoing }: { now: number; isOngoing: boolean },
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

const COLUMNS = sql`${columnsOf(Maintenance.omit({ By: true }))}, started_by as "By"`

export const createMaintenanceHandlers = (
  updateStateAlarms: UpdateStateAlarms,
): HandlersOf<typeof maintenances> => ({
  listMaintenance: async ({ HomeID }, { db, actor, clock, homes }) => {
    if (HomeID !== undefined) await findHome(db, actor.tenant, HomeID)
    return db.query<Maintenance>(sql`select ${COLUMNS} from maintenances where tenant = ${actor.tenant}
      and ${inHomes(HomeID === undefined ? homes() : [HomeID], sql`home_id`)} and ended_at is null and until > ${clock.now()}::bigint
      order by until, maintenance_id`)
  },

  startMaintenance: async (input, context) => {
    const { db, actor, clock, random } = context
    const { HomeID, Scope, Subject, Until, Reason } = input
    const now = clock.now()
    if (Until <= now) throw new GatewayError('INVALID', 'This moment is over', { Until: 'past' })
    if (Until > now + MAX_MAINTENANCE_MS)
      throw new GatewayError('INVALID', 'Maintenance ends after 90 days at most', { Until: 'tooBig' })
    await lockHome(db, actor.tenant, HomeID)
    await assertSubject(input, context)
    // An expired maintenance that no gateway has ended yet must not block a new one.
    await db.query(sql`update maintenances set ended_at = until where tenant = ${actor.tenant} and scope = ${Scope}
      and subject = ${Subject} and ended_at is null and until <= ${now}::bigint`)
    const after: Maintenance = { ...input, MaintenanceID: random.uuid(), By: actor.name, StartedAt: now }
    await conflictOnUniqueViolation(
      'Subject',
      'This is in maintenance already',
      db.query(sql`insert into maintenances (maintenance_id, tenant, home_id, scope, subject, until, reason, started_by, started_at)
        values (${after.MaintenanceID}, ${actor.tenant}, ${HomeID}, ${Scope}, ${Subject}, ${Until}, ${Reason}, ${actor.name}, ${now})`),
    )
    context.audit({ after })
    context.change('maintenance.update', { HomeID })
    return after
  },

  endMaintenance: async (key, context) => {
    const { db, actor, clock } = context
    const { HomeID, MaintenanceID } = key
    const now = clock.now()
    await lockHome(db, actor.tenant, HomeID)
    const isThis = sql`tenant = ${actor.tenant} and home_id = ${HomeID} and maintenance_id = ${MaintenanceID}`
    const [before] = await db.query<Maintenance & { endedAt: number | null }>(
      sql`select ${COLUMNS}, ended_at as "endedAt" from maintenances where ${isThis} for update`,
    )
    if (!before) throw new GatewayError('NOT_FOUND', `Maintenance ${MaintenanceID} does not exist`)
    const { endedAt, ...record } = before
    if (endedAt !== null)
      throw new GatewayError('CONFLICT', 'This maintenance has ended already', { MaintenanceID: 'changed' })
    await db.query(sql`update maintenances set ended_at = ${now}, ended_by = ${actor.name} where ${isThis}`)
    // Raises the alarms that maintenance suppressed.
    const raised = await raisePreexistingAlarms(
      db,
      updateStateAlarms,
      sql`s.tenant = ${actor.tenant} and s.home_id = ${HomeID}`,
      now,
      true,
    )
    if (raised.length > 0) context.change('alarm.update', { HomeID })
    for (const alarm of raised) context.emit('alarmChanged', alarm)
    context.audit({ before: record })
    context.change('maintenance.update', { HomeID })
    return key
  },
})

/** Asserts that the subject of a maintenance is in the home. Errors: NOT_FOUND, INVALID. */
async function assertSubject(
  { HomeID, Scope, Subject }: Pick<Maintenance, 'HomeID' | 'Scope' | 'Subject'>,
  { db, actor }: SignedIn,
): Promise<void> {
  if (Scope === 'home') {
    if (Subject !== HomeID)
      throw new GatewayError('INVALID', 'The subject is not this home', { Subject: 'invalid' })
    return
  }
  const inHome = sql`tenant = ${actor.tenant} and home_id = ${HomeID}`
  const found = await db.query(
    Scope === 'hub'
      ? sql`select 1 from things where ${inHome} and thing_name = ${Subject}`
      : sql`select 1 from peripherals where ${inHome} and peripheral_uid = ${Subject}`,
  )
  if (found.length === 0)
    throw new GatewayError('NOT_FOUND', `${Subject} does not exist in this home`, { Subject: 'notFound' })
}

/** Maximum delay until the end of a maintenance is noticed, in ms. */
const CHECK_INTERVAL_MS = 15_000

interface EndedMaintenance extends Pick<Maintenance, 'MaintenanceID' | 'Scope' | 'Reason'> {
  tenant: string
  homeId: string
  homeName: string
  /** Name of the device, hub or home; null if deleted. */
  name: string | null
  until: number
}

/** Ends expired maintenances, notifies people, and raises the alarms that maintenance suppressed. */
export const endMaintenance = (
  { db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>,
  { updateStateAlarms, notify }: { updateStateAlarms: UpdateStateAlarms; notify: Notify },
): Job => ({
  name: 'maintenance',
  intervalMs: CHECK_INTERVAL_MS,
  async run() {
    const now = clock.now()
    const { ended, raised } = await db.transaction(async (tx) => {
      const ended = await tx.query<EndedMaintenance>(sql`
        with due as (select maintenance_id from maintenances where ended_at is null and until <= ${now}::bigint
          order by maintenance_id for update skip locked),
        ended as (update maintenances m set ended_at = m.until from due where m.maintenance_id = due.maintenance_id
          returning m.*)
        select m.tenant, m.home_id as "homeId", m.maintenance_id as "MaintenanceID", m.scope as "Scope", m.reason as "Reason",
          m.until, h.home_name as "homeName",
          case m.scope when 'home' then h.home_name when 'hub' then t.device_name else p.peripheral_name end as name
        from ended m join homes h on h.tenant = m.tenant and h.home_id = m.home_id
        left join things t on t.tenant = m.tenant and t.thing_name = m.subject
        left join peripherals p on p.tenant = m.tenant and p.peripheral_uid = m.subject`)
      const raised: EmitAlarmTransition[] = []
      for (const { tenant, homeId } of ended)
        raised.push(
          ...(await raisePreexistingAlarms(
            tx,
            updateStateAlarms,
            sql`s.tenant = ${tenant} and s.home_id = ${homeId}`,
            now,
            true,
          )),
        )
      if (ended.length > 0) await notify(tx, ended.map(noticeOf))
      return { ended, raised }
    })
    for (const { tenant, homeId: HomeID } of ended)
      events.emit('dataChange', { tenant, name: 'maintenance.update', record: { HomeID }, by: null })
    emitAlarmEvents(events, raised)
  },
})

const noticeOf = ({
  tenant,
  homeId,
  MaintenanceID,
  Scope,
  Reason,
  name,
  homeName,
  until,
}: EndedMaintenance): NotificationEvent => ({
  tenant,
  homeId,
  category: 'system',
  severity: 'info',
  kind: 'maintenanceEnded',
  alarmId: null,
  values: { subject: name, home: homeName, scope: Scope, reason: Reason },
  path: `/Alarm/${homeId}?tab=live`,
  to: { access: right('device', 'Read') },
  topic: `maintenance:${MaintenanceID}`,
  at: until,
})
