import type { RegistrationReported } from '../../../../contract/devices/channels/shadow.ts'
import { ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import type { DiscoveredPeripheral } from '../../../../contract/devices/peripheral.ts'
import { idArray, numberArray } from '../../../store/sql.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import type { StoredShadow } from './store.ts'

/** Result of an update of `info`: the hub's home, and whether its connection state changed. */
export interface PresenceUpdate {
  tenant: string
  homeId: string
  changed: boolean
}

/** Records that a hub was seen, and its online state if the shadow states it; undefined if the hub does not exist. */
export async function markPresence(
  tx: Db,
  thingName: string,
  online: boolean | undefined,
  at: number,
): Promise<PresenceUpdate | undefined> {
  const [row] = await tx.query<PresenceUpdate & { online: boolean }>(sql`
    update things t set online = coalesce(${online ?? null}::boolean, t.online), seen_at = greatest(t.seen_at, ${at}::bigint)
    from (select thing_name, online from things where thing_name = ${thingName} for no key update) was
    where t.thing_name = was.thing_name
    returning t.tenant, t.home_id as "homeId", t.online <> was.online as changed, t.online`)
  if (row?.changed) {
    await recordAbsences(tx, [{ tenant: row.tenant, thingName, at }], row.online)
    await recordOnlineEvents(tx, [{ thingName, at }], row.online)
  }
  return row && { tenant: row.tenant, homeId: row.homeId, changed: row.changed }
}

/** Most hubs last changed within this time, ms; only for the others are older events searched. */
const RECENT_MS = 40 * 86_400_000

/** The last online event of device d. */
const lastOnline = (condition: Sql): Sql => sql`select e.timestamp, e.value from device_events e
  where e.tenant = d.tenant and e.peripheral_uid = d.uid and e.field = ${ONLINE} and ${condition}
  order by e.timestamp desc, e.seq desc limit 1`

/**
 * Inserts an online or offline event for each device of these hubs. An event is never dated before the previous one,
 * whatever the clock. Locks the devices' statuses in the order of reports, so that the log of a device has the order
 * of commits.
 */
const recordOnlineEvents = (
  tx: Db,
  hubs: readonly { thingName: string; at: number }[],
  online: boolean,
): Promise<unknown> =>
  tx.query(sql`
    with told as (select p.tenant, p.peripheral_uid as uid, h.at from peripherals p
      join unnest(${idArray(hubs.map(({ thingName }) => thingName))}::text[],
        ${numberArray(hubs.map(({ at }) => at))}::bigint[]) as h (thing_name, at) using (thing_name)),
    held as materialized (select s.tenant, s.peripheral_uid as uid from device_status s
      where (s.tenant, s.peripheral_uid) in (select tenant, uid from told)
      order by s.tenant, s.peripheral_uid collate "C" for no key update of s)
    insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
    select d.tenant, d.uid, greatest(d.at, last.timestamp), ${ONLINE}, coalesce(last.value, 1 - now.value), now.value
    from told d left join held using (tenant, uid)
    cross join (select ${online ? 1 : 0}::float8 as value) as now
    left join lateral (${lastOnline(sql`e.timestamp >= d.at - ${RECENT_MS}::bigint`)}) as lately on true
    left join lateral (${lastOnline(sql`lately.value is null`)}) as older on true
    cross join lateral (select coalesce(lately.timestamp, older.timestamp) as timestamp,
      coalesce(lately.value, older.value) as value) as last
    where last.value is distinct from now.value`)

/** Locks the home of a hub until the transaction ends. */
export const lockHomeOfHub = (tx: Db, thingName: string) =>
  tx.query(sql`select 1 from homes where (tenant, home_id) in
    (select tenant, home_id from things where thing_name = ${thingName}) for key share`)

/** A hub that went online or offline, with its new state. */
export interface PresenceChange {
  tenant: string
  homeId: string
  thingName: string
  at: number
  /** Its info shadow. */
  shadow: StoredShadow
}

/** A hub that went online or offline, at an epoch ms. */
export interface HubConnectionChange {
  thingName: string
  at: number
  /** Whether the hub went offline because its gateway ended. */
  hasGatewayEnded?: boolean
}

/**
 * Writes that hubs went online or offline, for those whose state changes: in their rows, info shadows and absences,
 * and the logs of their devices. Call it in a transaction that locks their rows.
 *
 * changes  time of each change, epoch ms
 * now   epoch ms
 */
export async function writePresence(
  tx: Db,
  changes: readonly HubConnectionChange[],
  online: boolean,
  now: number,
): Promise<PresenceChange[]> {
  const names = idArray(changes.map(({ thingName }) => thingName))
  const times = numberArray(changes.map(({ at }) => at))
  const changed = await tx.query<Omit<PresenceChange, 'shadow'> & StoredShadow>(sql`
    with went as (select * from unnest(${names}::text[], ${times}::bigint[]) as w (thing_name, at)),
    changed as (
      update things t set online = ${online}, seen_at = greatest(t.seen_at, w.at) from went w
      where t.thing_name = w.thing_name and t.online <> ${online} returning t.tenant, t.home_id, t.thing_name, w.at),
    written as (
      insert into shadows as s (tenant, thing_name, shadow_name, reported, metadata, version, updated_at)
      select tenant, thing_name, 'info', jsonb_build_object('online', ${online}::boolean),
        jsonb_build_object('reported', jsonb_build_object('online', jsonb_build_object('timestamp', ${Math.floor(now / 1000)}::bigint))), 1, ${now}::bigint
      from changed order by thing_name
      on conflict (thing_name, shadow_name) do update set version = s.version + 1, updated_at = excluded.updated_at,
        reported = coalesce(s.reported, '{}') || excluded.reported,
        metadata = s.metadata || jsonb_build_object('reported',
          coalesce(s.metadata -> 'reported', '{}') || (excluded.metadata -> 'reported'))
      returning s.thing_name, s.desired, s.reported, s.metadata, s.version, s.updated_at)
    select c.tenant, c.home_id as "homeId", c.thing_name as "thingName", c.at, w.desired, w.reported, w.metadata, w.version,
      w.updated_at as "updatedAt"
    from changed c join written w using (thing_name)`)
  if (changed.length === 0) return []
  const endedWithGateway = new Set(
    changes.flatMap((change) => (change.hasGatewayEnded ? change.thingName : [])),
  )
  await recordAbsences(
    tx,
    changed.map((change) => ({ ...change, hasGatewayEnded: endedWithGateway.has(change.thingName) })),
    online,
  )
  await recordOnlineEvents(tx, changed, online)
  return changed.map(({ tenant, homeId, thingName, at, ...shadow }) => ({
    tenant,
    homeId,
    thingName,
    at,
    shadow,
  }))
}

/** Ends or begins the absences of hubs. */
const recordAbsences = (
  tx: Db,
  hubs: readonly (HubConnectionChange & { tenant: string })[],
  isOnline: boolean,
): Promise<unknown> => {
  const names = idArray(hubs.map(({ thingName }) => thingName))
  const times = numberArray(hubs.map(({ at }) => at))
  return tx.query(
    // `greatest`, because the gateway of a reconnected hub may have read its clock before the other gateway wrote the absence.
    isOnline
      ? sql`update hub_absences a set until = greatest(a.since, w.at) from unnest(${names}::text[], ${times}::bigint[]) as w (thing_name, at)
          where a.thing_name = w.thing_name and a.until is null`
      : sql`insert into hub_absences (tenant, thing_name, since, with_gateway)
          select * from unnest(${idArray(hubs.map(({ tenant }) => tenant))}::uuid[], ${names}::text[], ${times}::bigint[],
            ${hubs.map(({ hasGatewayEnded = false }) => hasGatewayEnded)}::boolean[])
          on conflict (thing_name, since) do update set until = null, with_gateway = excluded.with_gateway`,
  )
}

/**
 * Sets every hub without a connection offline; returns the changes. Their absence begins with the last write in the
 * database: no gateway received anything afterwards.
 */
export const markAllOffline = (db: Db, at: number): Promise<PresenceChange[]> =>
  db.transaction(async (tx) => {
    const isDisconnected = sql`t.online and not exists (select from hub_connections c where c.thing_name = t.thing_name)`
    await tx.query(
      sql`select 1 from things t where ${isDisconnected} order by t.thing_name collate "C" for no key update`,
    )
    const offline = await tx.query<{ thingName: string; at: number }>(sql`
      with heard as (select max(updated_at) as at from device_status where updated_at <= ${at}::bigint)
      select t.thing_name as "thingName", coalesce(least(greatest(t.seen_at, heard.at), ${at}::bigint), ${at}::bigint) as at
      from things t, heard where ${isDisconnected}`)
    return offline.length > 0
      ? writePresence(
          tx,
          offline.map((hub) => ({ ...hub, hasGatewayEnded: true })),
          false,
          at,
        )
      : []
  })

/** A device that was added with another type, or that belongs to another hub, which added or announced it first. */
export interface Mismatch {
  PeripheralUID: string
  reason: 'type' | 'hub'
}

/** A firmware version that a hub reports, of itself ('') or of a device. */
export interface ReportedFirmware {
  uid: string
  version: string
}

/** Versions in an update of a shadow: the hub's own in `info`, its devices' in `registration`. */
export const reportedFirmware = (
  own: unknown,
  devices: readonly { PeripheralUID: string; FirmwareVersion?: string | undefined }[] | undefined,
): ReportedFirmware[] => [
  ...(typeof own === 'string' && own !== '' ? [{ uid: '', version: own }] : []),
  ...(devices ?? []).flatMap(({ PeripheralUID, FirmwareVersion }) =>
    FirmwareVersion ? [{ uid: PeripheralUID, version: FirmwareVersion }] : [],
  ),
]

/** Stores the firmware versions that a hub reports of itself and of its added or discovered devices. */
export async function storeFirmware(
  tx: Db,
  thingName: string,
  reports: readonly ReportedFirmware[],
  at: number,
): Promise<void> {
  // One insert cannot touch a row twice: the last of a repeated device counts.
  const list = JSON.stringify([...new Map(reports.map((report) => [report.uid, report])).values()])
  await tx.query(sql`
    insert into firmware_reports (tenant, thing_name, peripheral_uid, firmware_version, reported_at)
    select t.tenant, t.thing_name, a.uid, a.version, ${at}::bigint
    from jsonb_to_recordset(${list}::jsonb) as a (uid text, version text)
    join things t on t.thing_name = ${thingName}
    where a.uid = ''
      or exists (select from peripherals p where p.thing_name = t.thing_name and p.peripheral_uid = a.uid)
      or exists (select from discoveries d where d.thing_name = t.thing_name and d.peripheral_uid = a.uid)
    order by a.uid
    on conflict (thing_name, peripheral_uid) do update
      set firmware_version = excluded.firmware_version, reported_at = excluded.reported_at`)
}

/** Maximum number of discovered devices of one hub: more than any hub has, and a bound for one that invents them. */
const MAX_DISCOVERED = 2_000

type AnnouncedDevices = NonNullable<RegistrationReportedValue['Peripherals']>
type RegistrationReportedValue = ReturnType<(typeof RegistrationReported)['parse']>

/**
 * Stores the devices that a hub announces as discovered, unless they were added, or announced first by another hub,
 * which keeps them until they are removed there. Returns contradictions as mismatches. Deletes the oldest discoveries
 * beyond the maximum.
 */
export async function storeDiscoveries(
  tx: Db,
  thingName: string,
  announced: AnnouncedDevices,
  at: number,
): Promise<{ tenant: string; found: DiscoveredPeripheral[]; mismatches: Mismatch[] } | undefined> {
  const [thing] = await tx.query<{ tenant: string; homeId: string }>(
    sql`select tenant, home_id as "homeId" from things where thing_name = ${thingName}`,
  )
  if (!thing) return undefined
  const { tenant, homeId } = thing
  // One insert cannot touch a row twice: the last of a repeated device counts.
  const devices = [...new Map(announced.map((device) => [device.PeripheralUID, device])).values()]
  const list = JSON.stringify(
    devices.map((d) => ({
      uid: d.PeripheralUID,
      type: d.PeripheralType,
      name: d.PeripheralName ?? d.PeripheralUID,
    })),
  )
  const addedMismatches = await tx.query<Mismatch>(sql`
    select p.peripheral_uid as "PeripheralUID", case when p.thing_name <> ${thingName} then 'hub' else 'type' end as reason
    from jsonb_to_recordset(${list}::jsonb) as a (uid text, type text)
    join peripherals p on p.tenant = ${tenant} and p.peripheral_uid = a.uid
    where p.thing_name <> ${thingName} or p.peripheral_type <> a.type`)
  const found = await tx.query<DiscoveredPeripheral>(sql`
    insert into discoveries as d (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, discovered_at)
    select ${tenant}::uuid, a.uid, a.type, a.name, ${homeId}, ${thingName}, ${at}::bigint
    from jsonb_to_recordset(${list}::jsonb) as a (uid text, type text, name text)
    where not exists (select from peripherals p where p.tenant = ${tenant} and p.peripheral_uid = a.uid)
    order by a.uid
    on conflict (tenant, peripheral_uid) do update
      set peripheral_type = excluded.peripheral_type, peripheral_name = excluded.peripheral_name,
        home_id = excluded.home_id
      where d.thing_name = excluded.thing_name and (d.peripheral_type, d.peripheral_name, d.home_id)
        is distinct from (excluded.peripheral_type, excluded.peripheral_name, excluded.home_id)
    returning peripheral_uid as "PeripheralUID", peripheral_type as "PeripheralType", peripheral_name as "PeripheralName",
      home_id as "HomeID", thing_name as "ThingName", discovered_at as "DiscoveredAt"`)
  if (found.length)
    await tx.query(sql`
      delete from discoveries where tenant = ${tenant} and thing_name = ${thingName} and peripheral_uid in (
        select peripheral_uid from discoveries where tenant = ${tenant} and thing_name = ${thingName}
        order by discovered_at desc, peripheral_uid offset ${MAX_DISCOVERED}::int)`)
  // After the insert, which waits for another hub that announces the same device concurrently.
  const otherMismatches = await tx.query<Mismatch>(sql`
    select d.peripheral_uid as "PeripheralUID", 'hub' as reason from jsonb_to_recordset(${list}::jsonb) as a (uid text)
    join discoveries d on d.tenant = ${tenant} and d.peripheral_uid = a.uid where d.thing_name <> ${thingName}`)
  return { tenant, found, mismatches: [...addedMismatches, ...otherMismatches] }
}
