import type { DeviceStatus } from '../../../contract/device-kinds/status.ts'
import { alarmStateOf, hasAlarmStates } from '../../../contract/rules/device/alarm-states.ts'
import { idArray } from '../../store/array-literal.ts'
import { type Db, sql } from '../../store/db.ts'
import { type OpenAlarm, type Step, stepOf } from './alarm-life.ts'
import { isMaintained } from './maintained.ts'

/** Merged statuses of one home. */
export interface HomeStatuses {
  tenant: string
  homeId: string
  statuses: readonly DeviceStatus[]
}

/** A home whose alarms changed. */
export interface HomeOfAlarms {
  tenant: string
  homeId: string
}

interface Stored extends OpenAlarm {
  tenant: string
  uid: string
  isOpen: boolean
  reportedAt: number
}

/** What a report makes of one alarm, as the statements below take it. */
interface Change {
  step: Exclude<Step, 'none'>
  tenant: string
  home_id: string
  uid: string
  type: string
  severity: string | null
  values: object | null
  always: boolean
  at: number
}

/**
 * Raises, changes and ends the alarms of devices by what they report. The caller holds their statuses until its transaction
 * ends, so that reports of one device follow each other; to say the same again changes nothing.
 *
 * homes    statuses as they stand after a report; those that cannot be an alarm are passed over
 * now      epoch ms, by which maintenance has ended or not
 * returns  the homes whose alarms changed
 */
export async function noteStates(
  tx: Db,
  homes: readonly HomeStatuses[],
  now: number,
): Promise<HomeOfAlarms[]> {
  const reported = homes.flatMap(({ tenant, homeId, statuses }) =>
    statuses
      .filter(({ PeripheralType }) => hasAlarmStates(PeripheralType))
      .map((status) => ({ tenant, homeId, status })),
  )
  if (reported.length === 0) return []
  const stored = await findStored(
    tx,
    reported.map(({ tenant, status }) => ({ tenant, uid: status.PeripheralUID })),
  )
  const changes = reported.flatMap(({ tenant, homeId, status }): Change[] => {
    const { PeripheralUID: uid, PeripheralType: type, Timestamp: at } = status
    const ofDevice = stored.get(`${tenant}/${uid}`) ?? []
    const open = ofDevice.find(({ isOpen }) => isOpen)
    const settled = ofDevice.find(({ isOpen }) => !isOpen)?.reportedAt
    const state = alarmStateOf(status)
    const step = stepOf(open, settled, state, at)
    if (step === 'none') return []
    const { Severity: severity = null, Values: values = null, isFire: always = false } = state ?? {}
    return [{ step, tenant, home_id: homeId, uid, type, severity, values, always, at }]
  })
  if (changes.length === 0) return []
  const changed = [
    ...(await clear(
      tx,
      changes.filter(({ step }) => step === 'clear' || step === 'replace'),
    )),
    ...(await update(
      tx,
      changes.filter(({ step }) => step === 'update'),
    )),
    ...(await raise(
      tx,
      changes.filter(({ step }) => step === 'raise' || step === 'replace'),
      now,
    )),
  ]
  return [...new Map(changed.map((home) => [`${home.tenant}/${home.homeId}`, home])).values()]
}

/** Of each device its open alarm, and what a person cleared last. */
async function findStored(
  tx: Db,
  devices: readonly { tenant: string; uid: string }[],
): Promise<ReadonlyMap<string, Stored[]>> {
  const rows = await tx.query<Stored>({
    name: 'alarms-stored',
    text: `select d.tenant, d.uid, a.severity, a.values, a.acknowledged_at is not null as acknowledged,
        a.cleared_at is null as "isOpen", a.reported_at as "reportedAt"
      from unnest($1::uuid[], $2::text[]) as d (tenant, uid), lateral (
        (select * from alarms where tenant = d.tenant and source = 'state:' || d.uid and cleared_at is null)
        union all
        (select * from alarms where tenant = d.tenant and source = 'state:' || d.uid and cleared_by is not null
          order by reported_at desc limit 1)) as a`,
    values: [idArray(devices.map(({ tenant }) => tenant)), idArray(devices.map(({ uid }) => uid))],
  })
  const found = new Map<string, Stored[]>()
  for (const row of rows) {
    const key = `${row.tenant}/${row.uid}`
    found.set(key, [...(found.get(key) ?? []), row])
  }
  return found
}

const recordsOf = (
  changes: readonly Change[],
) => sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as r
  (tenant uuid, home_id text, uid text, type text, severity text, values jsonb, always boolean, at bigint)`
const OPEN = sql`a.tenant = r.tenant and a.source = 'state:' || r.uid and a.cleared_at is null`
const HOME = sql`a.tenant, a.home_id as "homeId"`

/** Ended by a newer report: nobody has to say why. */
const clear = async (tx: Db, changes: readonly Change[]): Promise<HomeOfAlarms[]> =>
  changes.length === 0
    ? []
    : tx.query<HomeOfAlarms>(sql`update alarms a set cleared_at = r.at, reported_at = r.at
        from ${recordsOf(changes)} where ${OPEN} returning ${HOME}`)

const update = async (tx: Db, changes: readonly Change[]): Promise<HomeOfAlarms[]> =>
  changes.length === 0
    ? []
    : tx.query<HomeOfAlarms>(sql`update alarms a set severity = r.severity, values = r.values, reported_at = r.at
        from ${recordsOf(changes)} where ${OPEN} returning ${HOME}`)

const raise = async (tx: Db, changes: readonly Change[], now: number): Promise<HomeOfAlarms[]> =>
  changes.length === 0
    ? []
    : tx.query<HomeOfAlarms>(sql`
        insert into alarms as a (alarm_id, tenant, home_id, source, peripheral_uid, peripheral_type, peripheral_name, severity,
          values, raised_at, reported_at)
        select gen_random_uuid(), r.tenant, r.home_id, 'state:' || r.uid, r.uid, r.type, p.peripheral_name, r.severity, r.values,
          r.at, r.at
        from ${recordsOf(changes)}
        join peripherals p on p.tenant = r.tenant and p.peripheral_uid = r.uid
        where r.always or not ${isMaintained(now)}
        on conflict (tenant, source, key) where cleared_at is null do nothing
        returning ${HOME}`)
