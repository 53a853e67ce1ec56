import { isDeepStrictEqual } from 'node:util'
import type { Load } from '../../../contract/automation/alarm-part.ts'
import type { GuardedLoad } from '../../../contract/automation/load-shedding.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { type GuardRule, isSheddingOf, type OpenShedding } from './guards.ts'

/** Number of report intervals after which a meter's value is stale. */
const MAX_MISSED_REPORTS = 3

/** Device of a load as stored now. */
interface LoadDevice {
  place: number
  uid: string
  /** Null before its first report. */
  values: Record<string, unknown> | null
  timestamp: number | null
  isOnline: boolean
  /** Report interval of a meter, seconds. */
  frequency: number
  isMaintained: boolean
}

/** A load of a guard with its present state and its open shedding. */
export interface LoadNow extends GuardedLoad {
  shedding: OpenShedding | undefined
  /** Whether the load was shed but all its online devices report that they are on again, so that something else has set them. */
  wasSetByHand: boolean
}

/**
 * Reads the loads of a guard, in their order.
 *
 * restoredAtBySubject  time of the last restoration of each, from `readRestored`
 * now    epoch ms
 */
export async function readLoads(
  tx: Db,
  { tenant, homeId, shed }: GuardRule,
  open: readonly OpenShedding[],
  restoredAtBySubject: ReadonlyMap<string, number>,
  now: number,
): Promise<LoadNow[]> {
  const { Loads } = shed
  const members = await readMembers(tx, tenant, homeId, Loads, now)
  return Loads.map((load, place) => {
    const devices = members.filter((member) => member.place === place)
    const shedding = open.find((one) => isSheddingOf(one, load))
    const subject = load.PeripheralUID ?? load.GroupID ?? ''
    const is = switchStateOf(devices, load)
    const wasSetByHand =
      shedding?.state === 'off' && is === 'on' && lastReport(devices) > (shedding.confirmedAt ?? Infinity)
    return {
      // A load that is being restored is neither shed nor restored again.
      is: shedding?.givenBackRunId ? 'unknown' : is,
      kw: powerOf(devices, now) ?? load.Kw,
      minOff: load.MinOff,
      maxOff: load.MaxOff,
      givenBackAt: restoredAtBySubject.get(subject) ?? null,
      shedding,
      wasSetByHand,
      ...(shedding && {
        shed: {
          at: shedding.shedAt,
          state: shedding.state,
          confirmedAt: shedding.confirmedAt,
          kw: shedding.kw,
        },
      }),
    }
  })
}

const readMembers = (
  tx: Db,
  tenant: string,
  homeId: string,
  loads: readonly Load[],
  now: number,
): Promise<LoadDevice[]> =>
  tx
    .query<LoadDevice>(
      sql`
    select l.place::int as place, p.peripheral_uid as uid, s.values, s.timestamp, coalesce(t.online, true) as "isOnline",
      p.power_meter_update_frequency as frequency, exists (
        select from maintenances m where m.tenant = p.tenant and m.home_id = p.home_id and m.ended_at is null
          and m.until > ${now}::bigint and (m.scope = 'hub' and m.subject = p.thing_name
            or m.scope = 'device' and m.subject = p.peripheral_uid)) as "isMaintained"
    from unnest(${loads.map(({ PeripheralUID }) => PeripheralUID ?? null)}::text[],
      ${loads.map(({ GroupID }) => GroupID ?? null)}::text[]) with ordinality as l (uid, group_id, place)
    join peripherals p on p.tenant = ${tenant} and p.home_id = ${homeId} and (p.peripheral_uid = l.uid or exists (
      select from group_members g where g.tenant = p.tenant and g.group_id = l.group_id and g.peripheral_uid = p.peripheral_uid))
    left join things t on t.thing_name = p.thing_name
    left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid`,
    )
    .then((rows) => rows.map((row) => ({ ...row, place: row.place - 1 })))

/** Last restoration of each load, by device or group, including loads that the rule no longer names. */
export async function readRestored(
  tx: Db,
  tenant: string,
  automationId: string,
): Promise<Map<string, number>> {
  const rows = await tx.query<{ subject: string; at: number }>(sql`
    select coalesce(peripheral_uid, group_id) as subject, max(coalesce(given_back_at, give_back_planned_at)) as at
    from sheddings where tenant = ${tenant} and automation_id = ${automationId}
      and coalesce(given_back_at, give_back_planned_at) is not null group by 1`)
  return new Map(rows.map(({ subject, at }) => [subject, at]))
}

const isShed = ({ values }: LoadDevice, load: Load): boolean =>
  values !== null &&
  Object.entries(load.Values).every(([field, value]) => isDeepStrictEqual(values[field], value))

/** A load is off if each of its online devices is; offline devices and those in maintenance do not count. */
function switchStateOf(devices: readonly LoadDevice[], load: Load): GuardedLoad['is'] {
  const reporting = devices.filter(
    ({ isOnline, values, isMaintained }) => isOnline && values && !isMaintained,
  )
  if (reporting.length === 0) return 'unknown'
  return reporting.every((device) => isShed(device, load)) ? 'off' : 'on'
}

const lastReport = (devices: readonly LoadDevice[]): number =>
  Math.max(0, ...devices.map(({ timestamp }) => timestamp ?? 0))

/** Present power of the devices together, kW; null unless each has reported it recently. */
function powerOf(devices: readonly LoadDevice[], now: number): number | null {
  let kw = 0
  for (const { values, timestamp, frequency, isOnline } of devices) {
    const watts = values?.['Power']
    const isFresh = timestamp !== null && now - timestamp <= frequency * MAX_MISSED_REPORTS * 1000
    if (typeof watts !== 'number' || !isFresh || !isOnline) return null
    kw += watts / 1000
  }
  return devices.length > 0 ? kw : null
}
