import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import { BREACH_HOLD_MS } from '../../../../contract/alarms/alarm-states.ts'
import { isVoltageField } from '../../../../contract/devices/warning-threshold.ts'
import { idArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'

/**
 * Time after the clearing of a parent meter's alarm, ms, in which it still explains those of the meters below: their
 * voltage must be back for a minute before their alarms end.
 */
const RECOVERY_GRACE_MS = 2 * BREACH_HOLD_MS

/** A device with measured readings. */
interface MeasuredAlarm {
  tenant: string
  peripheralUid: string | null
  readings: readonly AlarmReading[]
}

const isUndervoltage = ({ Field, Logical, Limit, Value }: AlarmReading): boolean => {
  if (!isVoltageField(Field) || Value === null) return false
  return Array.isArray(Limit) ? Logical === 'outside' && Value < Limit[0] : Logical.startsWith('<')
}
/** Whether undervoltage is the only breach. */
const isVoltageLost = ({ peripheralUid, readings }: MeasuredAlarm): boolean =>
  peripheralUid !== null && readings.length > 0 && readings.every(isUndervoltage)

const VOLTAGE = sql`'^Voltage[0-9]?$'`
/** SQL equivalents: for the stored readings of an alarm `x`, and for the status `s` of a meter `p` that is about to raise one. */
const HAS_LOST = sql`exists (select from jsonb_array_elements(x.readings) as e
  where e ->> 'Field' ~ ${VOLTAGE} and (e ->> 'Logical' in ('<', '<=')
    or e ->> 'Logical' = 'outside' and (e ->> 'Value')::float8 < (e -> 'Limit' ->> 0)::float8))`
const IS_LOSING = sql`exists (select from jsonb_each(s.values) as v
  where v.key ~ ${VOLTAGE} and jsonb_typeof(v.value) = 'number'
    and v.value::text::float8 < (p.warning_threshold ->> 'VoltageLower')::float8)`

/**
 * Whether the voltage loss of each device is explained by a parent meter that has an alarm for it, or is about to:
 * then only the parent's is notified. In their order.
 */
export async function areCausedByMainMeter(
  tx: Db,
  measured: readonly MeasuredAlarm[],
  now: number,
): Promise<readonly boolean[]> {
  const isLost = measured.map(isVoltageLost)
  if (!isLost.includes(true)) return isLost
  const keys = measured.map(({ tenant, peripheralUid }, i) =>
    isLost[i] ? { tenant, uid: peripheralUid } : null,
  )
  const rows = await tx.query<{ i: number }>(sql`
    with recursive asked as (
      select i, tenant, uid from unnest(${idArray(keys.map((key) => key?.tenant ?? null))}::uuid[],
        ${idArray(keys.map((one) => one?.uid ?? null))}::text[]) with ordinality as r (tenant, uid, i) where uid is not null),
    above as (
      select r.i, r.tenant, p.parent_meter as uid from asked r
      join peripherals p on p.tenant = r.tenant and p.peripheral_uid = r.uid where p.parent_meter is not null
      union
      select b.i, b.tenant, p.parent_meter from above b
      join peripherals p on p.tenant = b.tenant and p.peripheral_uid = b.uid where p.parent_meter is not null)
    select distinct b.i::int - 1 as i from above b where
      exists (select from asked r where r.tenant = b.tenant and r.uid = b.uid and r.i <> b.i)
      or exists (select from alarms x where x.tenant = b.tenant and x.peripheral_uid = b.uid and x.kind in ('breach', 'rule')
        and (x.cleared_at is null or x.cleared_at > ${now - RECOVERY_GRACE_MS}::bigint) and ${HAS_LOST})
      or exists (select from alarm_holds h join peripherals p on p.tenant = h.tenant and p.peripheral_uid = h.peripheral_uid
        join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid
        where h.tenant = b.tenant and h.source = 'breach:' || b.uid and h.becomes = 'raised' and ${IS_LOSING})`)
  const explainedIndexes = new Set(rows.map(({ i }) => i))
  return measured.map((_, i) => explainedIndexes.has(i))
}
