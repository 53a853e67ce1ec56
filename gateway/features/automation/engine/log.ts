import { idArray, numberArray } from '../../../store/sql.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { type Db, named, raw, type Sql, sql } from '../../../kernel/db.ts'

/** A change of a state, a counter, or the connection state of a device. */
export interface LogEntry {
  uid: string
  seq: number
  /** By the device's clock, epoch ms. */
  timestamp: number
  field: string
  /** Null for the first known value. */
  before: number | null
  value: number
  /** Whether a newer report had arrived before: no rule acts on a late change. */
  late: boolean
}

/** Entries after a position of each device ($2, $3). */
const AFTER = `from unnest($2::text[], $3::bigint[]) as p (uid, seq)
  join device_events e on e.tenant = $1::uuid and e.peripheral_uid = p.uid and e.seq > p.seq`
const ENTRY = 'p.uid, e.seq, e.timestamp, e.field, e.before, e.value, e.late'

/** Entries since $4, and an empty row for each older one that rules act on. */
const REPLAY = `select ${ENTRY} ${AFTER} and e.timestamp >= $4::bigint
  union all
  select p.uid, null, null, null, null, null, null from unnest($2::text[], $3::bigint[]) as p (uid, seq)
  join aged_events a on a.tenant = $1::uuid and a.peripheral_uid = p.uid and a.seq > p.seq and a.timestamp < $4::bigint
  order by seq`
const REPLAY_ALL = `select ${ENTRY} ${AFTER} order by e.seq`

/**
 * Entries that are written later than this after their time are recorded in aged_events, in ms; plus a day for transactions in progress.
 */
const AGED_AFTER_MS = 31 * 86_400_000
const AGED_OR_UNDER_WAY = AGED_AFTER_MS + 86_400_000

/**
 * SQL: lower bound of the timestamps of entries that were written since a time (epoch ms by the database clock) and are not in aged_events.
 */
export const agedBefore = (moment: Sql): Sql => sql`(${moment} - ${raw(String(AGED_OR_UNDER_WAY))}::bigint)`
/** SQL: database clock at the start of the transaction, epoch ms. */
export const DATABASE_NOW = sql`(extract(epoch from now()) * 1000)::bigint`

/**
 * Reads the log entries of devices after a position of each, in order, without late entries of long ago.
 *
 * replayedAt  time at which these positions were last brought up to date, epoch ms by the database clock
 */
export async function readLog(
  tx: Db,
  tenant: string,
  positions: Readonly<Record<string, number>>,
  replayedAt: number,
): Promise<LogEntry[]> {
  const after = [tenant, idArray(Object.keys(positions)), numberArray(Object.values(positions))]
  const recent = await tx.query<LogEntry | { seq: null }>({
    name: 'automation-replay',
    text: REPLAY,
    values: [...after, replayedAt - AGED_OR_UNDER_WAY],
  })
  const isWhole = (rows: typeof recent): rows is LogEntry[] => rows.every(({ seq }) => seq !== null)
  if (isWhole(recent)) return recent
  return tx.query<LogEntry>({ name: 'automation-replay-all', text: REPLAY_ALL, values: after })
}

/** Current status of a device. */
export interface CurrentStatus {
  uid: string
  /** Null before its first report. */
  values: CommandValues | null
  /** Time of its last report, epoch ms. */
  timestamp: number | null
  /** Whether its hub is connected. */
  isOnline: boolean
  /** Report interval of a meter in seconds; null for other devices. */
  frequency: number | null
  /** Last seq of its log, 0 for an empty one; null if not requested. */
  position: number | null
}

/** Position of the log of device p: any monthly partition may contain the latest entry. */
const POSITION = sql`coalesce((select max(e.seq) from device_events e
  where e.tenant = p.tenant and e.peripheral_uid = p.peripheral_uid), 0)`

const currentStatus = (tenant: string, uids: readonly string[], position: Sql): Sql => sql`
  select p.peripheral_uid as uid, s.values, s.timestamp, coalesce(t.online, true) as "isOnline",
    case when exists (select from meters m where m.tenant = p.tenant and m.home_id = p.home_id
      and m.peripheral_uid = p.peripheral_uid) then p.power_meter_update_frequency end as frequency, ${position} as position
  from peripherals p
  left join things t on t.thing_name = p.thing_name
  left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid
  where p.tenant = ${tenant} and p.peripheral_uid = any(${[...uids]}::text[])`

/** Reads the current status of devices. Deleted devices are absent. */
export const readCurrentStatus = (
  tx: Db,
  tenant: string,
  uids: readonly string[],
): Promise<CurrentStatus[]> =>
  tx.query<CurrentStatus>(named('automation-present', currentStatus(tenant, uids, sql`null::bigint`)))

/** Reads the current status of devices and the positions of their logs in one snapshot. */
export const readCurrentStatusAndPositions = (
  tx: Db,
  tenant: string,
  uids: readonly string[],
): Promise<(CurrentStatus & { position: number })[]> =>
  tx.query<CurrentStatus & { position: number }>(
    named('automation-present-positions', currentStatus(tenant, uids, POSITION)),
  )
