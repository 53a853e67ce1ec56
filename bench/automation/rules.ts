import { randomUUID } from 'node:crypto'
import type { RequestOf } from '../../contract/kernel/define-endpoint.ts'
import { automation } from '../../contract/automation/automation.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import type { Owner } from '../support/company.ts'

type Given = RequestOf<typeof automation.operations.create>

/** A smart link that switches a light when a value of a device crosses a limit, or equals one. */
export const smartLink = (
  HomeID: string,
  AutomationName: string,
  [watched, Field, limit]: readonly [string, string, number],
  light: string,
  on: 0 | 1 = 1,
  Logical: '>' | '=' = '>',
): Given => ({
  HomeID,
  AutomationName,
  AutomationType: 3,
  Conditions: { PeripheralUIDs: [{ PeripheralUID: watched, Field, Logical, Status: limit }] },
  Actions: [{ PeripheralUID: light, Values: { Switch: on } }],
})

/** A schedule that switches a light once. */
export const once = (HomeID: string, AutomationName: string, At: number, light: string): Given => ({
  HomeID,
  AutomationName,
  AutomationType: 2,
  Schedule: { At },
  Actions: [{ PeripheralUID: light, Values: { Switch: 1 } }],
})

export async function saveRules({ call }: Owner, rules: readonly Given[]): Promise<void> {
  for (const rule of rules) await call(automation.operations.create, rule)
}

/**
 * Saves a rule, and stores copies of it on other devices in its home: saving thousands through calls would take longer than the
 * measurement. The gateway reads the copies when it starts.
 *
 * replacements  for each copy, the device that replaces the first
 */
export async function saveCopies(
  { call }: Owner,
  db: Db,
  rule: Given,
  { of: original, instead: replacements }: { of: string; instead: readonly string[] },
): Promise<void> {
  const { AutomationID } = await call(automation.operations.create, rule)
  const copies = replacements.map((uid, i) => ({
    id: randomUUID(),
    uid,
    name: `${rule.AutomationName} ${i}`,
  }))
  await db.query(sql`
    with copies as (
      select * from jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) as c (id text, uid text, name text)
    ), stored as (
      insert into automations (tenant, automation_id, home_id, automation_type, automation_name, description, enabled, rule,
        owner_id, next_run_at, created_at)
      select a.tenant, c.id, a.home_id, a.automation_type, c.name, a.description, a.enabled,
        replace(a.rule::text, ${JSON.stringify(original)}, to_json(c.uid)::text)::jsonb, a.owner_id, a.next_run_at, a.created_at
      from automations a cross join copies c where a.automation_id = ${AutomationID}
      returning tenant, automation_id
    )
    insert into automation_subjects (tenant, automation_id, kind, subject, role)
    select s.tenant, c.id, s.kind, case s.subject when ${original} then c.uid else s.subject end, s.role
    from automation_subjects s cross join copies c join stored on stored.automation_id = c.id
    where s.automation_id = ${AutomationID}`)
}

/** Resolves when every rule has been evaluated since it was created. */
export async function untilArmed(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ open: number }>(sql`
      select count(*)::int as open from automations a
      left join automation_states s on s.tenant = a.tenant and s.automation_id = a.automation_id
      where a.rule ? 'Conditions' and s.version is distinct from a.version`)
    if (row?.open === 0) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
