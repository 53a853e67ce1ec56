import { idArray, numberArray } from '../../../store/array-literal.ts'
import type { CommandValues } from '../../../../contract/device-kinds/capability.ts'
import { type Db, sql } from '../../../store/db.ts'

/** A change of a state, of a counter, or of whether a device can be heard. */
export interface LogEntry {
  uid: string
  seq: number
  /** By the device, epoch ms. */
  timestamp: number
  field: string
  /** Null for the first value that is known. */
  before: number | null
  value: number
  /** Told by a report that came after a newer one: nothing acts on it. */
  late: boolean
}

/** What was written about devices after a position of each, in order. */
export const readLog = (
  tx: Db,
  tenant: string,
  positions: Readonly<Record<string, number>>,
): Promise<LogEntry[]> =>
  tx.query<LogEntry>({
    name: 'automation-replay',
    text: `select e.peripheral_uid as uid, e.seq, e.timestamp, e.field, e.before, e.value, e.late
      from unnest($2::text[], $3::bigint[]) as p (uid, seq)
      join device_events e on e.tenant = $1::uuid and e.peripheral_uid = p.uid and e.seq > p.seq
      order by e.seq`,
    values: [tenant, idArray(Object.keys(positions)), numberArray(Object.values(positions))],
  })

/** What a device is like now. */
export interface Present {
  uid: string
  /** Null before its first report. */
  values: CommandValues | null
  /** Of its last report, epoch ms. */
  timestamp: number | null
  /** Whether it can be heard. */
  isOnline: boolean
  /** Seconds between two reports of a meter; null for what is none. */
  frequency: number | null
  /** The last seq of its log, 0 for an empty one. */
  position: number
}

/** What devices are like now, and where their logs stand: all at one moment. Devices that are gone are absent. */
export const readPresent = (tx: Db, tenant: string, uids: readonly string[]): Promise<Present[]> =>
  tx.query<Present>(sql`
    select p.peripheral_uid as uid, s.values, s.timestamp, coalesce(t.online, true) as "isOnline",
      case when exists (select from meters m where m.tenant = p.tenant and m.home_id = p.home_id
        and m.peripheral_uid = p.peripheral_uid) then p.power_meter_update_frequency end as frequency,
      coalesce((select max(e.seq) from device_events e
        where e.tenant = p.tenant and e.peripheral_uid = p.peripheral_uid), 0) as position
    from peripherals p
    left join things t on t.thing_name = p.thing_name
    left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid
    where p.tenant = ${tenant} and p.peripheral_uid = any(${[...uids]}::text[])`)
