import type { RegistrationReported } from '../../contract/channels/shadow.ts'
import type { DiscoveredPeripheral } from '../../contract/resources/peripheral.ts'
import { type Db, sql } from '../store/db.ts'

/** What came of an update of `info`: the hub's home, and whether its connection state changed. */
export interface Presence {
  tenant: string
  homeId: string
  changed: boolean
}

/** Writes that a hub was seen, and whether it is online when its shadow says so. Undefined when it does not exist. */
export async function markPresence(
  tx: Db,
  thingName: string,
  online: boolean | undefined,
  at: number,
): Promise<Presence | undefined> {
  const [row] = await tx.query<Presence>(sql`
    update things t set online = coalesce(${online ?? null}::boolean, t.online), seen_at = greatest(t.seen_at, ${at}::bigint)
    from (select thing_name, online from things where thing_name = ${thingName} for no key update) was
    where t.thing_name = was.thing_name
    returning t.tenant, t.home_id as "homeId", t.online <> was.online as changed`)
  return row
}

/** A device whose hub announces another type, or another hub announces it, than was added. */
export interface Mismatch {
  PeripheralUID: string
  reason: 'type' | 'hub'
}

/** Devices of one hub that wait to be added: more than any hub carries, and a bound for one that invents them. */
const MOST_DISCOVERED = 2_000

type Announced = NonNullable<RegistrationReportedValue['Peripherals']>
type RegistrationReportedValue = ReturnType<(typeof RegistrationReported)['parse']>

/**
 * Keeps what a hub announces as discovered, unless somebody has added it already. Devices already added stay as they
 * are; where the announcement contradicts them it is answered as a mismatch. Of too many the oldest are forgotten.
 */
export async function keepDiscoveries(
  tx: Db,
  thingName: string,
  announced: Announced,
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
  const mismatches = await tx.query<Mismatch>(sql`
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
        home_id = excluded.home_id, thing_name = excluded.thing_name
      where (d.peripheral_type, d.peripheral_name, d.thing_name)
        is distinct from (excluded.peripheral_type, excluded.peripheral_name, excluded.thing_name)
    returning peripheral_uid as "PeripheralUID", peripheral_type as "PeripheralType", peripheral_name as "PeripheralName",
      home_id as "HomeID", thing_name as "ThingName", discovered_at as "DiscoveredAt"`)
  if (found.length)
    await tx.query(sql`
      delete from discoveries where tenant = ${tenant} and thing_name = ${thingName} and peripheral_uid in (
        select peripheral_uid from discoveries where tenant = ${tenant} and thing_name = ${thingName}
        order by discovered_at desc, peripheral_uid offset ${MOST_DISCOVERED}::int)`)
  return { tenant, found, mismatches }
}
