import type { ReportKind } from '../../../contract/reports/calls.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { ReportRecipient } from './people.ts'

/** Subject of a set of emails. */
export interface ReportDelivery {
  tenant: string
  /** Id of a plan, or a unique one if a person sends the report by hand. */
  planId: string
  Kind: ReportKind
  /** Empty for all homes together. */
  Homes: readonly string[]
  Period: string
}

/**
 * Queues an email for each person, and records those who are skipped; a person with an email of this plan and period gets no second one.
 */
export async function queueReportMails(
  tx: Db,
  { tenant, planId, Kind, Homes, Period }: ReportDelivery,
  people: readonly ReportRecipient[],
  now: number,
): Promise<void> {
  const rows = people.map(({ cognitoId, name, reason }) => ({
    cognito_id: cognitoId,
    name: name ?? '',
    state: reason === null ? 'waiting' : 'skipped',
    reason,
  }))
  await tx.query(sql`
    insert into report_letters (tenant, plan_id, period, cognito_id, name, kind, homes, state, reason, due_at, created_at)
    select ${tenant}::uuid, ${planId}, ${Period}, l.cognito_id, l.name, ${Kind}, ${JSON.stringify(Homes)}::jsonb, l.state, l.reason,
      ${now}::bigint, ${now}::bigint
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l (cognito_id uuid, name text, state text, reason text)
    on conflict do nothing`)
}
