import { isShared } from '../../../contract/dashboards/dashboard.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { sql } from '../../kernel/db.ts'
import { readDashboards } from './dashboard-rows.ts'

/** Deletes a person's unshared dashboards and detaches the shared ones from their owner. Called before the person's row is deleted. */
export async function onOwnerDeleted(context: SignedIn, cognitoId: string): Promise<void> {
  const { db, actor } = context
  const owned = await readDashboards(
    db,
    sql`d.tenant = ${actor.tenant} and d.owner_id = ${cognitoId}::uuid`,
    sql`order by d.dashboard_id for update of d`,
  )
  const unshared = owned.filter(({ Shared }) => !isShared(Shared)).map(({ DashboardID }) => DashboardID)
  await db.query(
    sql`delete from dashboards where tenant = ${actor.tenant} and dashboard_id = any(${unshared}::text[])`,
  )
  for (const { DashboardID } of owned)
    context.change(unshared.includes(DashboardID) ? 'dashboard.remove' : 'dashboard.update', { DashboardID })
}
