import type { Guard, sheddings } from '../../../contract/automation/shedding-calls.ts'
import type { Handler } from '../../kernel/context.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { sql } from '../../store/db.ts'

/** How the contract guards of a home stand. */
export const getGuards: Handler<typeof sheddings.getGuards> = async ({ HomeID }, { db, actor }) => {
  const { tenant } = actor
  await findHome(db, tenant, HomeID)
  const Guards = await db.query<Guard>(sql`
    select g.automation_id as "AutomationID", a.automation_name as "AutomationName", g.state as "State",
      g.forecast as "Forecast", g.target as "Target", g.at as "At"
    from guard_states g join automations a on a.tenant = g.tenant and a.automation_id = g.automation_id
    where g.tenant = ${tenant} and g.home_id = ${HomeID} order by lower(a.automation_name)`)
  return { Guards }
}
