import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import { GatewayError } from '../../errors.ts'
import { type Db, sql } from '../../store/db.ts'

/** Names of the scenes and automations that act on a group or run a scene; most of them, if there are many. */
export async function usersOf(
  db: Db,
  tenant: string,
  subject: { kind: 'group' | 'scene'; id: string },
): Promise<string[]> {
  const actions = JSON.stringify([{ GroupID: subject.id }])
  const rows = await db.query<{ name: string }>(sql`
    (select scene_name as name from scenes
      where tenant = ${tenant} and ${subject.kind} = 'group' and actions @> ${actions}::jsonb order by 1 limit 10)
    union all
    (select distinct a.automation_name from automation_subjects s join automations a using (tenant, automation_id)
      where s.tenant = ${tenant} and s.kind = ${subject.kind} and s.subject = ${subject.id} order by 1 limit 10)`)
  return rows.map(({ name }) => name)
}

/** Refuses to delete what is used. Errors: CONFLICT with `used` at the field, its text names what uses it. */
export async function refuseUsed(
  db: Db,
  tenant: string,
  subject: { kind: 'group' | 'scene'; id: string },
  field: 'GroupID' | 'SceneID',
): Promise<void> {
  const names = await usersOf(db, tenant, subject)
  if (names.length > 0)
    throw new GatewayError('CONFLICT', `Used by: ${names.join(', ')}`, {
      [field]: 'used',
    } satisfies Record<string, FieldReason>)
}
