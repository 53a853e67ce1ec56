import type { ReportKind } from '../../../contract/reports/calls.ts'
import type { Sender } from '../../deliveries/worker.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { isWithinMailQuota, NO_LIMIT } from '../../lib/mail/quota.ts'
import { composeReportMail } from './compose-mail.ts'
import { shownReport } from './get-report.ts'
import { readRecipients, type ReportRecipient } from './recipients.ts'
import type { ReportPorts } from './ports.ts'

/** Kind of the deliveries; their topic is the plan. */
export const REPORT_MAIL = 'report'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type ReportMailDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'mail' | 'config' | 'events'>

/** Payload of a delivery; the report is computed when it is sent. */
export interface ReportMailPayload {
  /** Id of a plan, or a unique one if a person sends the report by hand. */
  planId: string
  period: string
  cognitoId: string
  /** Name of the person, as shown in the list of plans. */
  name: string
  kind: ReportKind
  /** Empty for all homes together. */
  homes: readonly string[]
}

/** Sends emails with reports, one at a time; failed ones are given up after a week. Results are kept for the list of plans. */
export const createReportMailSender = (
  deps: ReportMailDeps,
  ports: ReportPorts,
): Sender<ReportMailPayload> => ({
  kind: REPORT_MAIL,
  // The lease is longer than computing the report and a slow mail server may take.
  policy: {
    leaseMs: 10 * MINUTE,
    firstDelayMs: 2 * MINUTE,
    maxDelayMs: HOUR,
    giveUpAfterMs: 7 * DAY,
  },
  concurrency: { total: 1, perLane: 1 },
  keepsSettled: true,
  async send({ tenant, payload }) {
    const { db, clock, mail, config } = deps
    const [person] = await readRecipients(db, tenant, [payload.cognitoId])
    const reports = person?.reason === null ? await reportsOf(deps, ports, { tenant, payload, person }) : []
    // The person has lost the right, or all the homes were deleted.
    if (!person || person.reason !== null || reports.length === 0)
      return { is: 'skipped', reason: person?.reason ?? 'gone' }
    // People of the company are exempt from the limit per address.
    const quota = { ...config.mailQuota, recipient: NO_LIMIT }
    if (!(await isWithinMailQuota(db, { tenant, to: person.email, now: clock.now(), quota })))
      return { is: 'overQuota' }
    await mail.send({
      ...composeReportMail(reports, person, config.publicUrl),
      id: `report-${payload.planId}-${payload.period}-${payload.cognitoId}`,
    })
    return { is: 'sent' }
  },
  onSettled({ tenant, payload: { planId } }) {
    const record = { ReportPlanID: planId }
    deps.events.emit('dataChange', { tenant, name: 'reportPlan.update', record, by: null })
  },
  logFields: ({ payload: { planId } }) => ({ plan: planId }),
})

/** Computes the reports of an email in the person's language; those of deleted homes are left out. */
async function reportsOf(
  { db, clock }: ReportMailDeps,
  ports: ReportPorts,
  {
    tenant,
    payload: { homes, kind, period },
    person: { language },
  }: { tenant: string; payload: ReportMailPayload; person: ReportRecipient },
) {
  const found = []
  for (const HomeID of homes.length ? homes : [null])
    try {
      found.push(
        await shownReport(ports, {
          db,
          tenant,
          HomeID,
          Kind: kind,
          Period: period,
          Language: language,
          now: clock.now(),
        }),
      )
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'NOT_FOUND') throw error
    }
  return found
}
