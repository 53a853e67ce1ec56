import type { Events } from '../../kernel/events.ts'
import type { Clock } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { lastDue, nextDue } from './due.ts'
import { readRecipients } from './recipients.ts'
import { isPlan, type PlanRow, readPlans } from './plan-rows.ts'
import { queueReportMails } from './queue-report-mails.ts'

/** Maximum number of plans per batch. */
export const PLANS_PER_BATCH = 20

const DAY = 86_400_000
/** Maximum plausible distance of the next due time; beyond it, the clock was ahead when it was stored. */
const FARTHEST = { monthly: 40 * DAY, carbon: 400 * DAY }

/**
 * Queues the emails of due plans, a row per person; of several missed periods only the last. Existing rows are kept, so that nobody
 * receives an email twice. Returns the number of plans processed.
 */
export async function queueDueReports(
  { db, events }: { db: Db; events: Events },
  { now: read }: Pick<Clock, 'now'>,
): Promise<number> {
  const now = read()
  const sent = await db.transaction(async (tx) => {
    const plans = await readPlans(
      tx,
      sql`enabled and (next_at <= ${now}::bigint or next_at > ${now}::bigint + case kind when 'monthly'
        then ${FARTHEST.monthly}::bigint else ${FARTHEST.carbon}::bigint end)`,
      sql`order by next_at limit ${PLANS_PER_BATCH}::int for update of p skip locked`,
    )
    for (const plan of plans) await writeOf(tx, plan, now)
    return plans
  })
  for (const { tenant, ReportPlanID } of sent)
    events.emit('dataChange', { tenant, name: 'reportPlan.update', record: { ReportPlanID }, by: null })
  return sent.length
}

async function writeOf(tx: Db, plan: PlanRow, now: number): Promise<void> {
  const { tenant, ReportPlanID, Kind, Homes, Recipients, since } = plan
  const { at, Period } = lastDue(plan, now)
  const isDue = plan.nextAt <= now && at >= since
  if (isDue) {
    const people = await readRecipients(tx, tenant, Recipients)
    await queueReportMails(tx, { tenant, planId: ReportPlanID, Kind, Homes, Period }, people, now)
  }
  await tx.query(sql`
    update report_plans set next_at = ${nextDue(plan, now)}::bigint, last_period = ${isDue ? Period : plan.lastPeriod}
    where ${isPlan(tenant, ReportPlanID)}`)
}
