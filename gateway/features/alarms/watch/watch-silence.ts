import { capabilityOf, deviceTypes, isMeter } from '../../../../contract/devices/kinds/registry.ts'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import { HUB_LOST_AFTER_MS, meterSilentAfter, SEVERITY_OF } from '../../../../contract/alarms/alarm-states.ts'
import { isSilent } from '../../../../contract/devices/device-health.ts'
import { idArray, numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { type AlarmPorts, applySignals } from '../state/apply-signals.ts'
import { isInMaintenance } from '../state/silent-sources.ts'
import { deviceSubject, type Signal } from '../state/signals.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/rule-alarms.ts'

/** Maximum number of devices in one transaction. */
const BATCH = 500

/** Default time, ms, after which a device of a type counts as silent; meters use their report interval. */
const METERS = deviceTypes.filter(({ type }) => capabilityOf(type, 'meter')).map(({ type }) => type)
const OTHERS = deviceTypes.flatMap(({ type, silentAfter }) =>
  capabilityOf(type, 'meter') || silentAfter === null ? [] : [{ type, after: silentAfter * 3_600_000 }],
)

interface SilentDevice {
  tenant: string
  homeId: string
  uid: string
  type: string
  at: number
  frequency: number
  silentAfter: number | null
  counts: boolean
}

/** A condition that the last report is too old; `p` and `s` are device and status. */
const isQuiet = (now: number) => sql`s.timestamp <= ${now}::bigint - case
  when p.peripheral_type = any(${METERS}::text[]) then 3000 * p.power_meter_update_frequency::bigint
  else coalesce(p.silent_after * 60000::bigint, d.after) end`
const DEFAULTS = sql`unnest(${idArray(OTHERS.map(({ type }) => type))}::text[],
  ${numberArray(OTHERS.map(({ after }) => after))}::bigint[]) as d (type, after)`

/**
 * Raises alarms for meters and sensors that do not report although their hub is online. A hub that has reconnected
 * gets a minute to report its devices; devices of a lost hub raise none. An alarm that a person cleared is not raised
 * again until the next report.
 *
 * since   start of the watch at this gateway, epoch ms
 */
export async function raiseSilent(
  db: Db,
  ports: AlarmPorts,
  { now, since }: { now: number; since: number },
): Promise<EmitAlarmTransition[]> {
  if (now - since < HUB_LOST_AFTER_MS) return []
  const transitions: EmitAlarmTransition[] = []
  // In pages: many silent devices may not qualify for an alarm.
  let last: Pick<SilentDevice, 'tenant' | 'uid'> = { tenant: '00000000-0000-0000-0000-000000000000', uid: '' }
  for (;;) {
    const silentDevices = await readSilentDevices(db, last, now)
    const signals = silentDevices.flatMap((device) => signalOf(device, now))
    if (signals.length > 0)
      transitions.push(
        ...(await db.transaction(async (tx) =>
          applySignals(tx, ports, await lockIfStillSilent(tx, signals), now),
        )),
      )
    const lastDevice = silentDevices[BATCH - 1]
    if (!lastDevice) return transitions
    last = lastDevice
  }
}

/** Silent devices without an alarm for it, by tenant and UID. */
const readSilentDevices = (
  db: Db,
  last: Pick<SilentDevice, 'tenant' | 'uid'>,
  now: number,
): Promise<SilentDevice[]> =>
  db.query<SilentDevice>(sql`
    select s.tenant, s.home_id as "homeId", s.peripheral_uid as uid, s.peripheral_type as type, s.timestamp as at,
      p.power_meter_update_frequency as frequency, p.silent_after as "silentAfter", s.values ? 'AccumulatePower' as counts
    from device_status s
    join peripherals p on p.tenant = s.tenant and p.peripheral_uid = s.peripheral_uid
    join things t on t.thing_name = p.thing_name and t.online
    left join ${DEFAULTS} on d.type = p.peripheral_type
    where ${isQuiet(now)} and not ${isInMaintenance(now)}
      and not exists (select from hub_absences h where h.thing_name = p.thing_name and h.until > ${now - HUB_LOST_AFTER_MS}::bigint)
      and not exists (select from alarms a where a.tenant = s.tenant and a.source = 'silent:' || s.peripheral_uid
        and (a.cleared_at is null or a.cleared_by is not null and a.reported_at >= s.timestamp))
      and (s.tenant, s.peripheral_uid) > (${last.tenant}::uuid, ${last.uid}::text)
    order by s.tenant, s.peripheral_uid limit ${BATCH}::int`)

/** Signal of a device that is silent by the shared rule; none if its silence is only informational. */
function signalOf(
  { tenant, homeId, uid, type, at, frequency, silentAfter, counts }: SilentDevice,
  now: number,
): Signal[] {
  const status: DeviceStatus = {
    PeripheralUID: uid,
    PeripheralType: type,
    Timestamp: at,
    updateAt: at,
    ...(counts && { AccumulatePower: 0 }),
  }
  const device = { PeripheralType: type, SilentAfter: silentAfter, PowerMeterUpdateFrequency: frequency }
  const severity =
    isMeter(device, status) && now - at >= meterSilentAfter(device)
      ? SEVERITY_OF.meterSilent()
      : isSilent(device, at, now)
        ? SEVERITY_OF.silent(device)
        : 'info'
  if (severity === 'info') return []
  const state = { severity, values: {}, readings: [], isFire: false }
  return [{ ...deviceSubject('silent', { tenant, homeId, uid, type }), state, at, isOngoing: true }]
}

/** The devices that have not reported meanwhile; locks their statuses, so that reports wait and only one gateway decides. */
async function lockIfStillSilent(tx: Db, signals: readonly Signal[]): Promise<Signal[]> {
  const rows = await tx.query<{ key: string; at: number }>(sql`
    select s.tenant || '/' || s.peripheral_uid as key, s.timestamp as at
    from unnest(${idArray(signals.map(({ tenant }) => tenant))}::uuid[],
      ${idArray(signals.map(({ peripheralUid }) => peripheralUid ?? ''))}::text[]) as k (tenant, uid)
    join device_status s on s.tenant = k.tenant and s.peripheral_uid = k.uid
    order by s.tenant, s.peripheral_uid collate "C" for no key update of s`)
  const found = new Map(rows.map(({ key, at }) => [key, at]))
  return signals.filter(({ tenant, peripheralUid, at }) => found.get(`${tenant}/${peripheralUid}`) === at)
}

/**
 * Clears the alarms of devices that have reported since, or are not silent by the current settings, and inhibits
 * those of lost hubs: the hub's alarm explains them.
 */
export async function clearSilent(db: Db, ports: AlarmPorts, now: number): Promise<EmitAlarmTransition[]> {
  await db.query(sql`
    update alarms a set inhibited = not t.online
    from peripherals p join things t on t.thing_name = p.thing_name
    where a.kind = 'silent' and a.cleared_at is null and p.tenant = a.tenant and p.peripheral_uid = a.peripheral_uid
      and a.inhibited = t.online`)
  const reporting = await db.query<Pick<SilentDevice, 'tenant' | 'homeId' | 'uid' | 'type' | 'at'>>(sql`
    select a.tenant, a.home_id as "homeId", a.peripheral_uid as uid, a.peripheral_type as type, s.timestamp as at
    from alarms a
    join peripherals p on p.tenant = a.tenant and p.peripheral_uid = a.peripheral_uid
    join device_status s on s.tenant = a.tenant and s.peripheral_uid = a.peripheral_uid
    left join ${DEFAULTS} on d.type = p.peripheral_type
    where a.kind = 'silent' and a.cleared_at is null and not coalesce(${isQuiet(now)}, false)
    order by a.tenant, a.source limit ${BATCH}::int`)
  if (reporting.length === 0) return []
  const signals = reporting.map(({ tenant, homeId, uid, type, at }) => ({
    ...deviceSubject('silent', { tenant, homeId, uid, type }),
    state: null,
    at,
  }))
  return db.transaction((tx) => applySignals(tx, ports, signals, now))
}
