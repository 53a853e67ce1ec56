import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import type { SignedIn } from '../../context.ts'
import { GatewayError } from '../../errors.ts'
import { holdHome } from '../../lib/find-home.ts'
import { type Db, raw, sql } from '../../store/db.ts'

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

/**
 * Deletes a group or a scene that nothing uses, and notes that for the audit.
 *
 * hold    answers it as it is, held until the transaction ends
 * errors  those of `hold`; CONFLICT with `used` at its id, the text names what uses it
 */
export async function removeUnused(
  { db, actor, audit }: SignedIn,
  {
    kind,
    id,
    homeId,
    hold,
  }: { kind: 'group' | 'scene'; id: string; homeId: string; hold(): Promise<object> },
): Promise<void> {
  await holdHome(db, actor.tenant, homeId)
  const before = await hold()
  const names = await usersOf(db, actor.tenant, { kind, id })
  if (names.length > 0)
    throw new GatewayError('CONFLICT', `Used by: ${names.join(', ')}`, {
      [kind === 'group' ? 'GroupID' : 'SceneID']: 'used',
    } satisfies Record<string, FieldReason>)
  await db.query(
    sql`delete from ${raw(`${kind}s`)} where tenant = ${actor.tenant} and ${raw(`${kind}_id`)} = ${id}`,
  )
  audit({ before })
}
