import type { ReportKind } from '../../../contract/reports/calls.ts'
import { reportLettersOf } from '../../deliveries/legacy.ts'
import { enqueue } from '../../deliveries/store.ts'
import type { Db } from '../../kernel/db.ts'
import type { ReportRecipient } from './recipients.ts'
import { REPORT_MAIL, type ReportMailPayload } from './report-mail-sender.ts'

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
  const before = await reportLettersOf(tx, { tenant, planId, period: Period })
  const payloadOf = ({ cognitoId, name }: ReportRecipient): ReportMailPayload => ({
    planId,
    period: Period,
    cognitoId,
    name: name ?? '',
    kind: Kind,
    homes: Homes,
  })
  await enqueue(
    tx,
    people
      .filter(({ cognitoId }) => !before.has(cognitoId))
      .map((person) => ({
        tenant,
        kind: REPORT_MAIL,
        key: `${planId}/${Period}/${person.cognitoId}`,
        recipient: person.cognitoId,
        topic: planId,
        lane: REPORT_MAIL,
        payload: payloadOf(person),
        dueAt: now,
        skipReason: person.reason,
      })),
    now,
  )
}
