import type { automations } from '../../../../contract/automation/calls.ts'
import type { Handler } from '../../../kernel/context.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { sql } from '../../../kernel/db.ts'
import type { RuleOfAutomation } from '../rules/stored-rule.ts'
import type { AutomationPorts } from '../records/ports.ts'
import { blockerOf } from './condition-findings.ts'
import { readSubjects } from './read-subjects.ts'

/** Enabled and ready rules of a home whose conditions can never become true, with the first reason of each. */
export const listBlocked =
  ({ sourcesOf }: Pick<AutomationPorts, 'sourcesOf'>): Handler<typeof automations.listBlockedAutomation> =>
  async ({ HomeID, AutomationType }, { db, actor, clock }) => {
    await findHome(db, actor.tenant, HomeID)
    const rows = await db.query<{ id: string; rule: RuleOfAutomation }>(sql`
      select automation_id as id, rule from automations
      where tenant = ${actor.tenant} and home_id = ${HomeID} and automation_type = ${AutomationType}::int and enabled
        and problem is null and rule ? 'Conditions'
      order by lower(automation_name), automation_id`)
    const rules = rows.map(({ rule }) => rule)
    const facts = await readSubjects(
      db,
      sourcesOf,
      { tenant: actor.tenant, homeId: HomeID },
      rules,
      clock.now(),
    )
    return rows.flatMap(({ id, rule }) => {
      const blocker = blockerOf(rule, facts)
      return blocker ? [{ AutomationID: id, Kind: blocker.Kind, PeripheralUID: blocker.PeripheralUID }] : []
    })
  }
