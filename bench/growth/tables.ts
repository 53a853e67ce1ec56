import { type Db, sql, type Sql } from '../../gateway/kernel/db.ts'
import { createPartitions, type Monthly } from '../../gateway/store/partitions.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { DAY, HOME, openSchema, SILENT, TENANT } from './database.ts'

const DEVICES = 500
/** First day of the stored rows: recent, because old reports are recorded in a second place as well. */
const FROM = Math.floor(Date.now() / DAY - 20) * DAY
/** Consecutive rows belong to many devices, as in a building, so that the indexes grow realistically. */
const AT_ONCE = 10_000

/** A growing table, and the query that creates its rows. */
interface Growing {
  table: string
  what: string
  /** Inserts rows number `from` up to, but not including, `to`. */
  fill(from: number, to: number): Sql
  /** Second table that receives a row with each of its rows. */
  with?: string
}

const device = sql`'device-' || (n % ${DEVICES}::int + 1)`
/** The series of row numbers from `from` up to, but not including, `to`. */
const series = (from: number, to: number): Sql => sql`generate_series(${from}::int, ${to - 1}::int) n`
/** Time of row n, ms: all devices in turn, a round every `round` ms. */
const at = (round: number): Sql =>
  sql`(${FROM}::bigint + (n / ${DEVICES}::int)::bigint * ${round}::bigint + n % ${DEVICES}::int)`

const GROWING: Growing[] = [
  {
    table: 'readings',
    what: 'reading of a meter',
    fill: (
      from,
      to,
    ) => sql`insert into readings (timestamp, accumulate_power, meter_id, power, avg_electric_current, voltage, power_factor)
      select ${at(900_000)}, n * 0.25, n % ${DEVICES}::int, 1000, 4.5, 220, 0.98 from ${series(from, to)}`,
  },
  {
    table: 'meter_days',
    what: 'day of a meter in quarters of an hour',
    fill: (
      from,
      to,
    ) => sql`insert into meter_days (kwh, meter_id, day, measured, estimated, corrected, missing, resets, cumulative, quality)
      select 24, n % ${DEVICES}::int, ${FROM / DAY}::int + n / ${DEVICES}::int, 96, 0, 0, 0, 0,
        array(select q * 0.25 from generate_series(1, 96) q), repeat('m', 96) from ${series(from, to)}`,
  },
  {
    table: 'device_samples',
    what: 'measured value of a minute',
    fill: (from, to) => sql`insert into device_samples (value, series_id, minute, after_ms)
      select 21.5, n % ${DEVICES}::int, ${FROM / 60_000}::int + n / ${DEVICES}::int, 500 from ${series(from, to)}`,
  },
  {
    table: 'device_events',
    what: 'change of state of a device',
    fill: (
      from,
      to,
    ) => sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
      select ${TENANT}::uuid, ${device}, ${at(600_000)}, 'Switch', n % 2, (n + 1) % 2 from ${series(from, to)}`,
  },
  {
    table: 'commands',
    what: 'command, with its key for 32 days',
    with: 'command_keys',
    fill: (
      from,
      to,
    ) => sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, by_name, state,
        history, requested_at, settled_at)
      select ${TENANT}::uuid, gen_random_uuid()::text, ${device}, ${HOME}, 'hub-00000001', '{"Switch": 1}', 'person', '王小明', 'confirmed',
        '[{"State": "accepted", "Reason": null, "Timestamp": 1767225600000}, {"State": "sent", "Reason": null, "Timestamp": 1767225600010},
          {"State": "acknowledged", "Reason": null, "Timestamp": 1767225600100}, {"State": "confirmed", "Reason": null, "Timestamp": 1767225600400}]',
        ${at(3_600_000)}, ${at(3_600_000)} + 400 from ${series(from, to)}`,
  },
  {
    table: 'audit_log',
    what: 'change that a person made, in the audit',
    fill: (
      from,
      to,
    ) => sql`insert into audit_log (tenant, at, cognito_id, by_name, ip, request_id, path, input, before, after)
      select ${TENANT}::uuid, ${at(3_600_000)}, ${TENANT}::uuid, '王小明', '203.0.113.7', gen_random_uuid()::text, '/UpdateRoomInfo',
        '{"HomeID": "home-00000001", "RoomID": 12, "RoomName": "會議室 A"}',
        '{"HomeID": "home-00000001", "RoomID": 12, "RoomName": "會議室", "Area": null, "Version": 3}',
        '{"HomeID": "home-00000001", "RoomID": 12, "RoomName": "會議室 A", "Area": null, "Version": 4}' from ${series(from, to)}`,
  },
  {
    table: 'automation_runs',
    what: 'run of an automation of three devices',
    with: 'run_devices',
    fill: (from, to) => sql`with runs as (
        insert into automation_runs (tenant, run_id, home_id, automation_id, automation_type, name, cause, state, began_at, ended_at,
          action_order, planned, actions)
        select ${TENANT}::uuid, 'run-' || n, ${HOME}, 'automation-' || n % 50, 3, '下班關燈', 'condition', 'done', ${at(3_600_000)},
          ${at(3_600_000)} + 900, 'parallel',
          (select jsonb_agg(jsonb_build_object('PeripheralUID', 'device-' || d, 'Values', jsonb_build_object('Switch', 0))) from generate_series(1, 3) d),
          (select jsonb_agg(jsonb_build_object('uid', 'device-' || d, 'values', jsonb_build_object('Switch', 0),
            'before', jsonb_build_object('Switch', 1), 'first', d, 'waits', false)) from generate_series(1, 3) d)
        from ${series(from, to)} returning tenant, run_id, began_at)
      insert into run_devices (tenant, run_id, peripheral_uid, began_at)
      select tenant, run_id, 'device-' || d, began_at from runs cross join generate_series(1, 3) d`,
  },
]

/** Bytes per row of each growing table with all its indexes, and the time of bulk inserts. */
export async function tables({ quick }: Options): Promise<Figure[]> {
  const rows = quick ? 20_000 : 200_000
  const db = await openSchema(DEVICES)
  await prepareMonths(db)
  const figures: Figure[] = []
  for (const growing of GROWING) figures.push(await grow(db, growing, rows))
  return figures
}

async function prepareMonths(db: Db): Promise<void> {
  const times = Array.from({ length: 3 }, (_, i) => FROM + i * 15 * DAY)
  const all: [Monthly['table'], number][] = [['readings', 1], ['device_samples', 60_000], ['meter_days', DAY], ['commands', 1], ['device_events', 1], ['audit_log', 1]] // prettier-ignore
  for (const [table, unit] of all)
    await createPartitions(db, SILENT, { table, unit }).prepare(times, Date.now())
}

async function grow(db: Db, { table, what, fill, with: other }: Growing, rows: number): Promise<Figure> {
  const names = other ? [table, other] : [table]
  const before = await bytesOf(db, names)
  const startedAt = performance.now()
  for (let n = 0; n < rows; n += AT_ONCE) await db.query(fill(n, n + AT_ONCE))
  const micros = ((performance.now() - startedAt) * 1_000) / rows
  await db.pool.query(`vacuum analyze ${names.join(', ')}`)
  const value = ((await bytesOf(db, names)) - before) / rows
  return {
    what,
    value,
    unit: 'bytes',
    note: `${names.join(' and ')}; ${micros.toFixed(1)} µs each where ${AT_ONCE} are stored at once`,
  }
}

/** Size of tables with their partitions, indexes and TOAST data. */
async function bytesOf(db: Db, names: readonly string[]): Promise<number> {
  const [row] = await db.query<{
    bytes: number
  }>(sql`select sum(pg_total_relation_size(relid))::bigint as bytes
    from unnest(${[...names]}::text[]) as t (name) cross join lateral (
      select relid from pg_partition_tree(t.name::regclass) union select t.name::regclass) as parts (relid)`)
  return row?.bytes ?? Number.NaN
}
