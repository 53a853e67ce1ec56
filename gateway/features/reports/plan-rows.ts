import { ReportPlan } from '../../../contract/reports/report-plan.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'

import { REPORT_MAIL } from './report-mail-sender.ts'

/** Used if a company has no home. */
const DEFAULT_ZONE = 'Asia/Taipei'

type Given = Omit<ReportPlan, 'Last' | 'NextAt'>

/** A stored plan with its time zone. */
export interface PlanRow extends Given {
  tenant: string
  since: number
  nextAt: number
  lastPeriod: string | null
  zone: string
}

interface Stored extends Omit<PlanRow, 'zone'> {
  zone: string | null
}

export const isPlan = (tenant: string, id: string): Sql => sql`tenant = ${tenant} and report_plan_id = ${id}`

/** Reads plans with the zone of their first existing home, or else of the company's first home. */
export async function readPlans(db: Db, where: Sql, rest: Sql = sql``): Promise<PlanRow[]> {
  const rows = await db.query<Stored>(sql`
    select p.tenant, report_plan_id as "ReportPlanID", report_plan_name as "ReportPlanName", kind as "Kind", homes as "Homes",
      day as "Day", recipients as "Recipients", enabled as "Enabled", version as "Version", since, next_at as "nextAt",
      last_period as "lastPeriod",
      (select h.time_zone from homes h where h.tenant = p.tenant and (jsonb_array_length(p.homes) = 0 or p.homes ? h.home_id)
        order by coalesce((select o from jsonb_array_elements_text(p.homes) with ordinality as e (id, o) where e.id = h.home_id), 0),
          h.created_at, h.home_id limit 1) as zone
    from report_plans p where ${where} ${rest}`)
  return rows.map((row) => ({ ...row, zone: row.zone ?? DEFAULT_ZONE }))
}

/** Plans as shown to users, with the results of their last emails. */
export async function presentPlans(db: Db, tenant: string, plans: readonly PlanRow[]): Promise<ReportPlan[]> {
  const mails = await db.query<{
    planId: string
    period: string
    state: string
    reason: string | null
    name: string
  }>(sql`
    select l."planId", l.period, l.state, l.reason, l.name
    from (
      select topic as "planId", payload ->> 'period' as period, state, reason, payload ->> 'name' as name
      from deliveries where tenant = ${tenant} and kind = ${REPORT_MAIL}
      -- Those that a gateway of 1.1.0 has queued.
      union all select plan_id, period, state, reason, name from report_letters where tenant = ${tenant}) l
    join report_plans p on p.tenant = ${tenant} and p.report_plan_id = l."planId" and p.last_period = l.period
    order by l.name`)
  return plans.map(({ nextAt, lastPeriod, ...row }) => {
    const plan = ReportPlan.omit({ NextAt: true, Last: true }).parse(row)
    const of = mails.filter(({ planId }) => planId === plan.ReportPlanID)
    const count = (state: string) => of.filter((mail) => mail.state === state).length
    return {
      ...plan,
      NextAt: plan.Enabled ? nextAt : null,
      Last:
        lastPeriod === null
          ? null
          : {
              Period: lastPeriod,
              Sent: count('sent'),
              Waiting: count('waiting'),
              Failed: count('failed'),
              Skipped: of
                .filter(({ state }) => state === 'skipped')
                .map(({ name, reason }) => ({ Name: name, Reason: reason === 'right' ? 'right' : 'gone' })),
            },
    }
  })
}
