import { idArray, numberArray } from '../../../store/array-literal.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { type Db, named, raw, type Sql, sql } from '../../../store/db.ts'

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

/** What lies after a position of each device ($2, $3). */
const AFTER = `from unnest($2::text[], $3::bigint[]) as p (uid, seq)
  join device_events e on e.tenant = $1::uuid and e.peripheral_uid = p.uid and e.seq > p.seq`
const ENTRY = 'p.uid, e.seq, e.timestamp, e.field, e.before, e.value, e.late'

/** Since $4, and an empty row for each change that is older and that rules act on. */
const REPLAY = `select ${ENTRY} ${AFTER} and e.timestamp >= $4::bigint
  union all
  select p.uid, null, null, null, null, null, null from unnest($2::text[], $3::bigint[]) as p (uid, seq)
  join aged_events a on a.tenant = $1::uuid and a.peripheral_uid = p.uid and a.seq > p.seq and a.timestamp < $4::bigint
  order by seq`
const REPLAY_ALL = `select ${ENTRY} ${AFTER} order by e.seq`

/** A change that is written so long after its time is noted in aged_events, in ms; with a day for transactions that are under way. */
const AGED_AFTER_MS = 31 * 86_400_000
const AGED_OR_UNDER_WAY = AGED_AFTER_MS + 86_400_000

/** SQL: the time since which everything lies that was written since a moment (epoch ms by the clock of the database) and is not in aged_events. */
export const agedBefore = (moment: Sql): Sql => sql`(${moment} - ${raw(String(AGED_OR_UNDER_WAY))}::bigint)`
/** SQL: the clock of the database, epoch ms; of the beginning of the transaction. */
export const DATABASE_NOW = sql`(extract(epoch from now()) * 1000)::bigint`

/**
 * What was written about devices after a position of each, in order, but for late changes of long ago.
 *
 * replayedAt  when these positions were brought up to date, epoch ms by the clock of the database
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
  /** The last seq of its log, 0 for an empty one; null where nobody asked. */
  position: number | null
}

/** Where the log of device p stands: any month may hold the last that was written. */
const POSITION = sql`coalesce((select max(e.seq) from device_events e
  where e.tenant = p.tenant and e.peripheral_uid = p.peripheral_uid), 0)`

const present = (tenant: string, uids: readonly string[], position: Sql): Sql => sql`
  select p.peripheral_uid as uid, s.values, s.timestamp, coalesce(t.online, true) as "isOnline",
    case when exists (select from meters m where m.tenant = p.tenant and m.home_id = p.home_id
      and m.peripheral_uid = p.peripheral_uid) then p.power_meter_update_frequency end as frequency, ${position} as position
  from peripherals p
  left join things t on t.thing_name = p.thing_name
  left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid
  where p.tenant = ${tenant} and p.peripheral_uid = any(${[...uids]}::text[])`

/** What devices are like now. Those that are gone are absent. */
export const readPresent = (tx: Db, tenant: string, uids: readonly string[]): Promise<Present[]> =>
  tx.query<Present>(named('automation-present', present(tenant, uids, sql`null::bigint`)))

/** What devices are like now, and where their logs stand: all at one moment. */
export const readPresentAndPositions = (
  tx: Db,
  tenant: string,
  uids: readonly string[],
): Promise<(Present & { position: number })[]> =>
  tx.query<Present & { position: number }>(
    named('automation-present-positions', present(tenant, uids, POSITION)),
  )
