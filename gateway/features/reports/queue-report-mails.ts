import type { ReportKind } from '../../../contract/reports/calls.ts'
import { type Db, sql } from '../../store/db.ts'
import type { ReportRecipient } from './people.ts'

/** What some letters are about. */
export interface ReportDelivery {
  tenant: string
  /** Of a plan, or one of its own where somebody sends by hand. */
  planId: string
  Kind: ReportKind
  /** Empty is all homes together. */
  Homes: readonly string[]
  Period: string
}

/** A letter each, and a note of whom nothing is sent to; a person who has one of this plan and period gets no other. */
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
