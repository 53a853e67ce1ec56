import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { Conditions } from '../../../../contract/automation/condition.ts'
import { HUB_LOST_AFTER_MS } from '../../../../contract/alarms/alarm-states.ts'
import { idArray } from '../../../store/sql.ts'
import { type Db, named, sql } from '../../../kernel/db.ts'
import {
  joined,
  type TruthValue,
  evaluateCondition,
} from '../../../../contract/automation/evaluate-conditions.ts'

/** A condition that peripheral `p` is in maintenance, itself or with its hub or home. `now` in epoch ms. */
export const isInMaintenance = (now: number) => sql`exists (
  select from maintenances m where m.tenant = p.tenant and m.home_id = p.home_id and m.ended_at is null
    and m.until > ${now}::bigint and (m.scope = 'home' or m.scope = 'hub' and m.subject = p.thing_name
      or m.scope = 'device' and m.subject = p.peripheral_uid))`

/** An alarm with its readings; only alarms of rules are examined. */
interface AlarmOfRule {
  tenant: string
  automationId: string | null
  readings: readonly AlarmReading[]
}

/**
 * Whether each alarm is of a rule and depends on silent sources, in their order.
 *
 * now  epoch ms
 */
export async function alarmsOnSilentSources(
  tx: Db,
  alarms: readonly AlarmOfRule[],
  now: number,
): Promise<readonly boolean[]> {
  if (!alarms.some(({ automationId }) => automationId !== null)) return alarms.map(() => false)
  const rows = await tx.query<{
    i: number
    logical: Conditions['Logical']
    subjects: SubjectStatus[] | null
  }>(
    named(
      'alarms-unheard',
      sql`
    select r.i::int - 1 as i, coalesce(u.rule #>> '{Conditions,Logical}', 'AND') as logical,
      (select jsonb_agg(jsonb_build_object(
          'isMaintained', exists (select from maintenances m where m.tenant = u.tenant and m.home_id = u.home_id
            and m.ended_at is null and m.until > ${now}::bigint and m.scope = 'home') or ${isInMaintenance(now)},
          'isAway', t.thing_name is not null and (not t.online or exists (select from hub_absences h
            where h.thing_name = t.thing_name and h.until > ${now - HUB_LOST_AFTER_MS}::bigint))) order by c.place)
        from jsonb_array_elements(u.rule #> '{Conditions,PeripheralUIDs}') with ordinality as c (condition, place)
        left join peripherals p on p.tenant = u.tenant and p.peripheral_uid = c.condition ->> 'PeripheralUID'
        left join things t on t.thing_name = p.thing_name) as subjects
    from unnest(${idArray(alarms.map(({ tenant }) => tenant))}::uuid[],
      ${idArray(alarms.map(({ automationId }) => automationId))}::text[]) with ordinality as r (tenant, automation, i)
    join automations u on u.tenant = r.tenant and u.automation_id = r.automation`,
    ),
  )
  const results = alarms.map(() => false)
  for (const { i, logical, subjects } of rows)
    results[i] = dependsOnSilentDevice(logical, subjects ?? [], alarms[i]?.readings ?? [])
  return results
}

/** Subject of a condition of a rule. */
export interface SubjectStatus {
  isMaintained: boolean
  /** Whether its hub is offline, or has reconnected too recently for its devices to have reported. */
  isAway: boolean
}

/**
 * Whether the alarm of a rule depends on silent sources: devices in maintenance, and missing values of devices whose
 * hub is offline. Their conditions count as unknown. So a rule that joins conditions by AND is muted while any of its
 * devices is in maintenance, because it cannot be true without that one; by OR only while no other device makes it
 * true.
 *
 * subjects, readings  of each condition, in order
 */
export function dependsOnSilentDevice(
  logical: Conditions['Logical'],
  subjects: readonly SubjectStatus[],
  readings: readonly AlarmReading[],
): boolean {
  const isSilent = ({ isMaintained, isAway }: SubjectStatus, i: number): boolean =>
    isMaintained || (isAway && (readings[i]?.Field === 'SilentFor' || (readings[i]?.Value ?? null) === null))
  const areSilent = subjects.map(isSilent)
  if (!areSilent.includes(true)) return false
  const truthValues = subjects.map((_, i) => truthOf(readings[i]))
  if (
    joined(
      logical,
      truthValues.map((verdict, i) => (areSilent[i] ? undefined : verdict)),
    ) === true
  )
    return false
  if (joined(logical, truthValues) === true) return true
  // The alarm was raised because values are unknown: for silent sources alone that is expected.
  return !truthValues.some((verdict, i) => !areSilent[i] && verdict === undefined)
}

function truthOf(reading: AlarmReading | undefined): TruthValue {
  if (!reading || reading.Value === null) return undefined
  const { Logical, Limit: Status, Value } = reading
  return evaluateCondition({ Logical, Status }, Value, undefined)
}
