import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import { dependsOnSilentDevice, type SubjectStatus } from './silent-subjects.ts'
import type { Conditions } from '../../../../contract/automation/condition.ts'
import { HUB_LOST_AFTER_MS } from '../../../../contract/alarms/alarm-kinds.ts'
import { idArray } from '../../../store/array-literal.ts'
import { type Db, named, sql } from '../../../kernel/db.ts'
import { isInMaintenance } from './maintenance-status.ts'

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
