import { eventValuesOf, hasEvents } from '../../../../contract/devices/kinds/history-fields.ts'
import { idArray, numberArray } from '../../../store/sql.ts'
import type { Db } from '../../../kernel/db.ts'
import type { Device, Report } from './report.ts'

/** Maximum number of reports in one transaction: live reports of their devices wait until it ends. */
const CHUNK_SIZE = 1_000

/** Whether a report may contain states: readings contain none, and most types have none. */
export const hasStateFields = ({ device, reading }: Report): boolean => !reading && hasEvents(device.type)

/** Locks devices and statuses in the order that reports use, to avoid deadlocks; the device first, like a removal. */
const LOCK = `
select from unnest($1::uuid[], $2::text[]) as d (tenant, uid)
join peripherals p on p.tenant = d.tenant and p.peripheral_uid = d.uid
join device_status s on s.tenant = d.tenant and s.peripheral_uid = d.uid
order by d.tenant, d.uid collate "C" for key share of p for no key update of s`

/**
 * Inserts late values into the event log at their time. The values of one field of one device, its neighboring rows
 * and, after the last row, its present value form one sequence in time; only rows that differ from the previous value
 * remain.
 *
 * series  the fields of the reports that the present status has, up to its time
 * known   the rows between, and one before and one after them
 * marked  with `again`: a row with the same time and value already exists
 * told    the sequence: `was` is the previous value; the first row keeps its own, null if unknown
 */
const INSERT_LATE = `
with reported as (
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::float8[]) with ordinality
    as r (tenant, uid, field, timestamp, value, n)
), present as materialized (
  select s.tenant, s.peripheral_uid as uid, v.field, s.timestamp, v.value
  from device_status s cross join lateral device_states(s.values) v
  where (s.tenant, s.peripheral_uid) in (select tenant, uid from reported)
), series as materialized (
  select tenant, uid, field, min(r.timestamp) as first, max(r.timestamp) as last, p.timestamp as until, p.value as present
  from reported r join present p using (tenant, uid, field)
  where r.timestamp < p.timestamp group by tenant, uid, field, p.timestamp, p.value
), known as materialized (
  select s.tenant, s.uid, s.field, e.* from series s cross join lateral (
    (select timestamp, seq, before, value from device_events
      where tenant = s.tenant and peripheral_uid = s.uid and field = s.field and timestamp < s.first
      order by timestamp desc, seq desc limit 1)
    union all
    (select timestamp, seq, before, value from device_events
      where tenant = s.tenant and peripheral_uid = s.uid and field = s.field and timestamp between s.first and s.last)
    union all
    (select timestamp, seq, before, value from device_events
      where tenant = s.tenant and peripheral_uid = s.uid and field = s.field and timestamp > s.last
      order by timestamp, seq limit 1)) as e
), nearby as (
  select tenant, uid, field, timestamp, seq, before, value, 0 as n, false as is_present from known
  union all
  select tenant, uid, field, r.timestamp, null, null, r.value, r.n, false
  from reported r join series s using (tenant, uid, field) where r.timestamp < s.until
  union all
  select tenant, uid, field, until, null, null, present, 0, true from series s
  where not exists (select from known k where k.tenant = s.tenant and k.uid = s.uid and k.field = s.field
    and k.timestamp > s.last)
), marked as (
  select *, seq is null and not is_present
    and bool_or(seq is not null) over (partition by tenant, uid, field, timestamp, value) as again
  from nearby
), ordered as (
  select *, lag(value) over w as previous, row_number() over w as at,
    first_value(before) over (partition by tenant, uid, field order by seq is null, timestamp, seq) as opening
  from marked where not again
  window w as (partition by tenant, uid, field order by is_present, timestamp, seq, n)
), told as (
  select *, case when at = 1 then opening else previous end as was,
    at = 1 and seq is not null or value is distinct from case when at = 1 then opening else previous end as stays
  from ordered
), removed as (
  delete from device_events e using told t
  where t.seq is not null and not t.stays and e.tenant = t.tenant and e.peripheral_uid = t.uid and e.timestamp = t.timestamp and e.seq = t.seq
), mended as (
  update device_events e set before = t.was from told t
  where t.seq is not null and t.stays and t.was is distinct from t.before
    and e.tenant = t.tenant and e.peripheral_uid = t.uid and e.timestamp = t.timestamp and e.seq = t.seq
)
insert into device_events (tenant, peripheral_uid, timestamp, field, before, value, late)
select tenant, uid, timestamp, field, was, value, true from told
where stays and seq is null order by tenant, uid, is_present, timestamp, n
returning tenant, peripheral_uid as uid, timestamp, field, value`

/** A state that a device had before its newest report, and that was not stored. */
export interface LateState {
  device: Device
  timestamp: number
  field: string
  value: number
}

/** Called in the transaction that stores late states and locks the statuses of their devices. */
type OnLateStates = (tx: Db, states: readonly LateState[]) => Promise<void>

/**
 * Records states from reports that arrived after a newer one: inserts each change at its time, and corrects the next
 * change or, if it is none any longer, removes it. Does not touch the status. Idempotent.
 *
 * reports  in order of arrival; those without states are skipped
 * onLate   receives the newly stored states
 */
export async function storeLateStates(
  db: Db,
  reports: readonly Report[],
  onLate: OnLateStates,
): Promise<void> {
  const stateReports = reports.filter(hasStateFields)
  for (let from = 0; from < stateReports.length; from += CHUNK_SIZE)
    await insertLateStates(db, stateReports.slice(from, from + CHUNK_SIZE), onLate)
}

async function insertLateStates(db: Db, reports: readonly Report[], onLate: OnLateStates): Promise<void> {
  const states = reports.flatMap(({ device, timestamp, values }) =>
    eventValuesOf(device.type, values).map(([path, value]) => ({ device, timestamp, path, value })),
  )
  if (states.length === 0) return
  const devices = [...new Map(reports.map(({ device }) => [device.key, device])).values()]
  await db.transaction(async (tx) => {
    await tx.query({
      name: 'ingest-hold-late',
      text: LOCK,
      values: [
        idArray(devices.map(({ tenant }) => tenant)),
        idArray(devices.map(({ peripheralUID }) => peripheralUID)),
      ],
    })
    const inserted = await tx.query<{ tenant: string; uid: string } & Omit<LateState, 'device'>>({
      name: 'ingest-mend-late',
      text: INSERT_LATE,
      values: [
        idArray(states.map(({ device }) => device.tenant)),
        idArray(states.map(({ device }) => device.peripheralUID)),
        idArray(states.map(({ path }) => path)),
        numberArray(states.map(({ timestamp }) => timestamp)),
        numberArray(states.map(({ value }) => value)),
      ],
    })
    const byUid = new Map(devices.map((device) => [`${device.tenant}/${device.peripheralUID}`, device]))
    const lateStates = inserted.flatMap(({ tenant, uid, ...state }) => {
      const device = byUid.get(`${tenant}/${uid}`)
      return device ? [{ ...state, device }] : []
    })
    if (lateStates.length > 0) await onLate(tx, lateStates)
  })
}
