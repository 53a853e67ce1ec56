import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import { CLOCK_TOLERANCE_MS, MAX_CLOCK_AHEAD_MS } from '../../../../contract/devices/status-order.ts'
import type { Db } from '../../../kernel/db.ts'
import { idArray, numberArray } from '../../../store/sql.ts'
import type { Round } from './fold.ts'
import type { QuarantinedReading } from './ports.ts'
import type { Report } from './report.ts'

/** Statuses of one home after reports were merged into them. Parsed on first access. */
export class ChangedHome {
  readonly tenant: string
  readonly homeId: string
  /** Number of statuses. */
  readonly count: number
  /** UIDs of the devices for which the statement wrote an event. */
  readonly changedUIDs: readonly string[]
  private readonly statusesJson: string
  private readonly uidsOf: UidsOf
  private parsed: DeviceStatus[] | undefined

  /** uidsOf  returns the devices of a home whose reports were stored in the same round */
  constructor({ tenant, homeId, count, moved, statuses }: ChangedHomeRow, uidsOf: UidsOf) {
    this.tenant = tenant
    this.homeId = homeId
    this.count = count
    this.changedUIDs = moved ?? []
    this.statusesJson = statuses
    this.uidsOf = uidsOf
  }

  /** UIDs of the devices that reported, including those with an older report. */
  get uids(): readonly string[] {
    return this.uidsOf(this)
  }

  get statuses(): DeviceStatus[] {
    return (this.parsed ??= JSON.parse(this.statusesJson) as DeviceStatus[])
  }
}

type UidsOf = (home: Pick<ChangedHome, 'tenant' | 'homeId'>) => readonly string[]

interface ChangedHomeRow {
  tenant: string
  homeId: string
  count: number
  /** Null for none. */
  moved: string[] | null
  /** JSON array. */
  statuses: string
}

/** $1 to $7 are the columns of readings, $8 to $13 those of statuses, $14 the statuses' updateAt; $15 and later differ by statement. */
const INSERT_READINGS = `insert into readings (meter_id, timestamp, accumulate_power, power, avg_electric_current, voltage, power_factor)
  select * from unnest($1::int[], $2::bigint[], $3::float8[], $4::real[], $5::real[], $6::real[], $7::real[])`

/**
 * A stored time in the future comes from a clock that was ahead: a current report replaces it, so that the device is
 * not stuck until then. A report from a hub's backlog does not.
 */
const IS_FROM_FUTURE = `s.timestamp > $14::bigint + ${CLOCK_TOLERANCE_MS}
    and excluded.timestamp between $14::bigint - ${MAX_CLOCK_AHEAD_MS} and $14::bigint + ${CLOCK_TOLERANCE_MS}`

/**
 * Replaces older statuses only (§4). The trigger that writes events sets `changedUIDs`; on a first report it is null.
 * Builds the screens' records here, one row per home, because parsing one document is far cheaper for the gateway
 * than reading five hundred rows. Rows are in key order, so that two gateways cannot deadlock.
 *
 * rows  source of the statuses' columns in FROM
 */
const mergeStatuses = (rows: string) => `merged as (
  insert into device_status as s (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
  select r.tenant, r.uid, r.home_id, r.type, r.timestamp, r.values, $14::bigint from ${rows}
  on conflict (tenant, peripheral_uid) do update set
    home_id = excluded.home_id, peripheral_type = excluded.peripheral_type, timestamp = excluded.timestamp,
    values = case when excluded.values ? 'ThermostatTable' then merge_status(s.values, excluded.values)
      else s.values || excluded.values end, updated_at = excluded.updated_at, moved = false
  where excluded.timestamp >= s.timestamp or ${IS_FROM_FUTURE}
  returning tenant, home_id, peripheral_uid, peripheral_type, timestamp, values,
    coalesce(moved, exists (select from device_states(s.values))) as moved
)`
const CHANGED = `m.tenant, m.home_id as "homeId", count(*) as count,
  array_agg(m.peripheral_uid) filter (where m.moved) as moved, jsonb_agg(m.values || jsonb_build_object('PeripheralUID', m.peripheral_uid, 'PeripheralType', m.peripheral_type,
    'Timestamp', m.timestamp, 'updateAt', $14::bigint))::text as statuses`

/** Stores a round whose readings are all new, which halves the work; fails with a unique violation if one exists. */
const STORE_NEW = `
with stored as (
  ${INSERT_READINGS}
), dirtied as (
  insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
  select * from unnest($15::int[], $16::bigint[], $17::bigint[])
), ${mergeStatuses(`rows from (
    unnest($8::uuid[], $9::text[], $10::text[], $11::text[], $12::bigint[]), jsonb_array_elements($13)
  ) as r (tenant, uid, home_id, type, timestamp, values)`)}
select ${CHANGED} from merged m group by m.tenant, m.home_id`

/** Stores any round. An existing reading is left unchanged, and so is its device's status. */
const STORE = `
with stored as (
  ${INSERT_READINGS}
  on conflict do nothing
  returning meter_id, timestamp
), dirtied as (
  insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
  select meter_id, min(timestamp), max(timestamp) from stored group by meter_id
), ${mergeStatuses(`rows from (
    unnest($8::uuid[], $9::text[], $10::text[], $11::text[], $12::bigint[], $15::int[]), jsonb_array_elements($13)
  ) as r (tenant, uid, home_id, type, timestamp, meter_id, values)
  where r.meter_id is null or (r.meter_id, r.timestamp) in (select meter_id, timestamp from stored)`)}
select (select count(*) from stored) as stored, ${CHANGED}
from (select) as one left join merged m on true
group by m.tenant, m.home_id`

/** The given readings that are stored with another counter. */
const CONFLICTS = `
select r.meter_id as "meterId", r.timestamp, r.accumulate_power as kwh
from unnest($1::int[], $2::bigint[], $3::float8[]) as r (meter_id, timestamp, accumulate_power)
join readings s on s.meter_id = r.meter_id and s.timestamp = r.timestamp
where s.accumulate_power <> r.accumulate_power`

const byKey = (a: Report, b: Report) => (a.device.key < b.device.key ? -1 : 1)

/** Result of storing a round. */
export interface StoredRound {
  changed: ChangedHome[]
  /** Number of new readings. */
  stored: number
  /** Readings that contradict a stored one. */
  conflicts: QuarantinedReading[]
}

/**
 * Stores one round in one statement, and marks the time range of each meter's new readings for the computation of
 * energy.
 *
 * now  epoch ms, becomes the statuses' updateAt
 */
export async function storeRound(db: Db, round: Round, now: number): Promise<StoredRound> {
  const { statuses, readings } = round
  const values = valuesOf(round, now)
  const rows = await db.query<{ stored: number } & (ChangedHomeRow | { tenant: null })>({
    name: 'ingest-store',
    text: STORE,
    values: [
      ...values,
      numberArray(statuses.map(({ device, reading }) => (reading ? device.meterId : undefined))),
    ],
  })
  const stored = rows[0]?.stored ?? 0
  const uidsOf = uidsByHome(round)
  const changed = rows.filter((row) => row.tenant !== null).map((row) => new ChangedHome(row, uidsOf))
  if (stored === readings.length) return { changed, stored, conflicts: [] }
  const conflicts = await db.query<QuarantinedReading>({
    name: 'ingest-conflicts',
    text: CONFLICTS,
    values: values.slice(0, 3),
  })
  return { changed, stored, conflicts }
}

/**
 * Same as `storeRound`, for a round whose readings are all new; not in a transaction that must continue after an
 * error.
 *
 * errors  a unique violation, with nothing stored, if one of the readings exists
 */
export async function insertNewRound(db: Db, round: Round, now: number): Promise<StoredRound> {
  const rows = await db.query<ChangedHomeRow>({
    name: 'ingest-store-new',
    text: STORE_NEW,
    values: [...valuesOf(round, now), ...spansOf(round.readings)],
  })
  const uidsOf = uidsByHome(round)
  return {
    changed: rows.map((row) => new ChangedHome(row, uidsOf)),
    stored: round.readings.length,
    conflicts: [],
  }
}

/** Lookup of the devices of a home that reported in a round; built on first use. */
function uidsByHome({ statuses }: Round): UidsOf {
  let homes: Map<string, string[]> | undefined
  const groupByHome = () => {
    const byHome = new Map<string, string[]>()
    for (const { device } of statuses) {
      const key = `${device.tenant}/${device.homeId}`
      const uids = byHome.get(key)
      if (uids) uids.push(device.peripheralUID)
      else byHome.set(key, [device.peripheralUID])
    }
    return byHome
  }
  return ({ tenant, homeId }) => (homes ??= groupByHome()).get(`${tenant}/${homeId}`) ?? []
}

/** Parameters $1 to $14 of both statements. */
function valuesOf({ statuses, readings }: Round, now: number): unknown[] {
  statuses.sort(byKey)
  return [
    numberArray(readings.map(({ device }) => device.meterId)),
    numberArray(readings.map(({ timestamp }) => timestamp)),
    numberArray(readings.map(({ reading }) => reading?.AccumulatePower)),
    realArray(readings.map(({ reading }) => reading?.Power)),
    realArray(readings.map(({ reading }) => reading?.AvgElectricCurrent)),
    realArray(readings.map(({ reading }) => reading?.Voltage)),
    realArray(readings.map(({ reading }) => reading?.PowerFactor)),
    idArray(statuses.map(({ device }) => device.tenant)),
    idArray(statuses.map(({ device }) => device.peripheralUID)),
    idArray(statuses.map(({ device }) => device.homeId)),
    idArray(statuses.map(({ device }) => device.type)),
    numberArray(statuses.map(({ timestamp }) => timestamp)),
    JSON.stringify(statuses.map(({ values }) => values)),
    now,
  ]
}

/** Meters, each with the first and last timestamp of its readings. */
function spansOf(readings: readonly Report[]): [meters: string, from: string, through: string] {
  const spans = new Map<number | undefined, { from: number; through: number }>()
  for (const { device, timestamp } of readings) {
    const span = spans.get(device.meterId)
    if (!span) spans.set(device.meterId, { from: timestamp, through: timestamp })
    else if (timestamp < span.from) span.from = timestamp
    else if (timestamp > span.through) span.through = timestamp
  }
  const all = [...spans.values()]
  return [
    numberArray([...spans.keys()]),
    numberArray(all.map(({ from }) => from)),
    numberArray(all.map(({ through }) => through)),
  ]
}

/** A value too small for `real` becomes zero. */
const realArray = (numbers: readonly (number | undefined)[]): string =>
  numberArray(numbers.map((number) => (number !== undefined && Math.abs(number) < 1e-37 ? 0 : number)))
