import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { type BreachVerdict, judgeBreach, readingsOf } from '../../../../contract/attention/breach-verdict.ts'
import { BREACH_HOLD_MS, SEVERITY_OF } from '../../../../contract/alarms/alarm-states.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/rule-alarms.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { type AlarmPorts, applySignals } from '../state/apply-signals.ts'
import { isInMaintenance } from '../state/silent-sources.ts'
import { deviceSubject, type Signal } from '../state/signals.ts'

/** Maximum number of devices evaluated in one statement, and of holds processed in one transaction. */
const BATCH = 500

/** A device whose readings are evaluated. */
interface LimitedDevice {
  tenant: string
  homeId: string
  uid: string
  type: string
  limits: Pick<Peripheral, 'WarningThreshold' | 'ValueLimits'>
  values: DeviceStatus
  /** Time of its last report, epoch ms. */
  at: number
  /** Whether its readings count: its hub is online, and it is not in maintenance. */
  isWatched: boolean
  /** The fields of its open alarm; null without one. */
  open: readonly string[] | null
  /** Time of the last report that a person cleared. */
  settled: number | null
  becomes: 'raised' | 'cleared' | null
}

const LIMITED_DEVICE_COLUMNS = (
  now: number,
) => sql`p.tenant, p.home_id as "homeId", p.peripheral_uid as uid, p.peripheral_type as type,
  jsonb_build_object('WarningThreshold', p.warning_threshold, 'ValueLimits', p.value_limits) as limits,
  s.values || jsonb_build_object('PeripheralUID', p.peripheral_uid, 'PeripheralType', p.peripheral_type,
    'Timestamp', s.timestamp, 'updateAt', s.updated_at) as values,
  s.timestamp as at, t.online and not ${isInMaintenance(now)} as "isWatched",
  (select jsonb_path_query_array(a.readings, '$[*].Field') from alarms a where a.tenant = p.tenant
    and a.source = 'breach:' || p.peripheral_uid and a.cleared_at is null) as open,
  (select max(a.reported_at) from alarms a where a.tenant = p.tenant and a.source = 'breach:' || p.peripheral_uid
    and a.cleared_at is not null and a.cleared_by is not null) as settled`
const FROM = sql`peripherals p join things t on t.thing_name = p.thing_name
  join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid`
const HOLD = sql`alarm_holds h on h.tenant = p.tenant and h.source = 'breach:' || p.peripheral_uid`

/** The hold that the device should have: to raise, to clear, or none. */
function nextStateOf(device: LimitedDevice): { becomes: LimitedDevice['becomes']; verdict: BreachVerdict } {
  const { limits, values, isWatched, open, settled, at } = device
  const { verdict } = judgeBreach(limits, values, new Set(open ?? []))
  if (!isWatched) return { becomes: null, verdict }
  if (open) return { becomes: verdict === 'within' ? 'cleared' : null, verdict }
  const isSettled = settled !== null && at <= settled
  return { becomes: verdict === 'outside' && !isSettled ? 'raised' : null, verdict }
}

/**
 * Evaluates readings reported since a time: for values that left their limits or returned, stores a hold with the due
 * time of the alarm's change. Also evaluates devices with an open alarm or a hold whose limits were removed.
 *
 * since  epoch ms; undefined evaluates all devices with limits
 */
export async function evaluateLimits(
  db: Db,
  ports: AlarmPorts,
  { now, since }: { now: number; since: number | undefined },
): Promise<EmitAlarmTransition[]> {
  const isRecent = since === undefined ? sql`true` : sql`s.updated_at >= ${since}::bigint`
  const isLimited = sql`(p.warning_threshold is not null or p.value_limits is not null)`
  const transitions = await evaluateDevices(db, ports, sql`${isLimited} and ${isRecent}`, now)
  if (since !== undefined) return transitions
  // Few devices: those with an open alarm or a hold but no limits.
  const unlimitedWithAlarm = sql`not ${isLimited} and (p.tenant, p.peripheral_uid) in (
    select a.tenant, a.peripheral_uid from alarms a where a.kind = 'breach' and a.cleared_at is null
    union select o.tenant, o.peripheral_uid from alarm_holds o)`
  return [...transitions, ...(await evaluateDevices(db, ports, unlimitedWithAlarm, now))]
}

async function evaluateDevices(
  db: Db,
  ports: AlarmPorts,
  where: Sql,
  now: number,
): Promise<EmitAlarmTransition[]> {
  const transitions: EmitAlarmTransition[] = []
  let last = { tenant: '00000000-0000-0000-0000-000000000000', uid: '' }
  for (;;) {
    const devices: LimitedDevice[] = await db.query<LimitedDevice>(sql`
      select ${LIMITED_DEVICE_COLUMNS(now)}, h.becomes from ${FROM} left join ${HOLD}
      where ${where} and (p.tenant, p.peripheral_uid) > (${last.tenant}::uuid, ${last.uid}::text)
      order by p.tenant, p.peripheral_uid limit ${BATCH}::int`)
    const evaluated = devices.map((device) => ({ device, ...nextStateOf(device) }))
    await storeHolds(
      db,
      evaluated.filter(({ device, becomes }) => device.becomes !== becomes),
      now,
    )
    const worsened = evaluated.flatMap(({ device, verdict }) =>
      device.open && device.isWatched && verdict === 'outside' ? [device] : [],
    )
    if (worsened.length > 0) transitions.push(...(await updateOpenAlarms(db, ports, worsened, now)))
    const lastDevice = devices[BATCH - 1]
    if (!lastDevice) return transitions
    last = lastDevice
  }
}

/** Inserts or deletes holds. A report by a clock that is ahead, or far behind, counts from its arrival. */
async function storeHolds(
  db: Db,
  changed: readonly { device: LimitedDevice; becomes: LimitedDevice['becomes'] }[],
  now: number,
): Promise<void> {
  const rows = changed.map(({ device: { tenant, homeId, uid, at }, becomes }) => ({
    tenant,
    homeId,
    uid,
    becomes,
    since: at,
    due: Math.min(now, Math.max(at, now - BREACH_HOLD_MS)) + BREACH_HOLD_MS,
  }))
  const [set, removed] = [rows.filter(({ becomes }) => becomes), rows.filter(({ becomes }) => !becomes)]
  if (set.length > 0)
    await db.query(sql`
      insert into alarm_holds (tenant, source, home_id, peripheral_uid, becomes, since, due_at)
      select r.tenant, 'breach:' || r.uid, r."homeId", r.uid, r.becomes, r.since, r.due
      from jsonb_to_recordset(${JSON.stringify(set)}::jsonb)
        as r (tenant uuid, "homeId" text, uid text, becomes text, since bigint, due bigint)
      order by r.tenant, r.uid
      on conflict (tenant, source) do update set becomes = excluded.becomes, since = excluded.since, due_at = excluded.due_at
        where alarm_holds.becomes <> excluded.becomes`)
  if (removed.length > 0)
    await db.query(sql`
      delete from alarm_holds h using jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as r (tenant uuid, uid text)
      where h.tenant = r.tenant and h.source = 'breach:' || r.uid`)
}

/** Updates open alarms: a further field is a change, a worse value is stored. */
async function updateOpenAlarms(
  db: Db,
  ports: AlarmPorts,
  devices: readonly LimitedDevice[],
  now: number,
): Promise<EmitAlarmTransition[]> {
  return db.transaction((tx) =>
    applySignals(
      tx,
      ports,
      devices.map((device) => ({ ...signalOf(device), onlyIfOpen: true })),
      now,
    ),
  )
}

/**
 * Raises and clears alarms whose hold is due, if the state still holds; each hold is processed by one gateway, and
 * deleted in the same transaction.
 */
export async function applyDueHolds(db: Db, ports: AlarmPorts, now: number): Promise<EmitAlarmTransition[]> {
  const transitions: EmitAlarmTransition[] = []
  for (;;) {
    const { taken: count, done: applied } = await db.transaction(async (tx) => {
      const holds = await tx.query<{ tenant: string; source: string; uid: string; becomes: string }>(sql`
        delete from alarm_holds o using (
          select tenant, source from alarm_holds where due_at <= ${now}::bigint
          order by due_at, tenant, source limit ${BATCH}::int for update skip locked) as due
        where o.tenant = due.tenant and o.source = due.source
        returning o.tenant, o.source, o.peripheral_uid as uid, o.becomes`)
      if (holds.length === 0) return { taken: 0, done: [] }
      const devices = await tx.query<LimitedDevice & { held: 'raised' | 'cleared' }>(sql`
        select ${LIMITED_DEVICE_COLUMNS(now)}, k.becomes as held
        from jsonb_to_recordset(${JSON.stringify(holds)}::jsonb) as k (tenant uuid, uid text, becomes text)
        join peripherals p on p.tenant = k.tenant and p.peripheral_uid = k.uid join things t on t.thing_name = p.thing_name
        join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid`)
      const signals = devices.flatMap((device) =>
        nextStateOf(device).becomes === device.held ? [signalOf(device)] : [],
      )
      return { taken: holds.length, done: await applySignals(tx, ports, signals, now) }
    })
    transitions.push(...applied)
    if (count < BATCH) return transitions
  }
}

function signalOf({ tenant, homeId, uid, type, limits, values, open, at }: LimitedDevice): Signal {
  const { breaches } = judgeBreach(limits, values, new Set(open ?? []))
  const state =
    breaches.length > 0
      ? { severity: SEVERITY_OF.breach(), values: {}, readings: readingsOf(breaches), isFire: false }
      : null
  return { ...deviceSubject('breach', { tenant, homeId, uid, type }), state, at }
}
