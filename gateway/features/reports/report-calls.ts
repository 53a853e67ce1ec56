import type { reports } from '../../../contract/reports/calls.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { isUniqueViolation } from '../../store/database-errors.ts'
import { sql } from '../../kernel/db.ts'
import { closedReport, readClosedCopy, storeClosedReport, presentReport, shownReport } from './get-report.ts'
import { readRecipients } from './recipients.ts'
import type { ReportPorts } from './ports.ts'
import { queueReportMails } from './queue-report-mails.ts'

/** Handlers of §GetReport and the actions on a report. */
export const reportHandlers = (
  clock: Pick<Clock, 'now'>,
  ports: ReportPorts,
): HandlersOf<typeof reports> => ({
  getReport: (input, { db, actor }) =>
    shownReport(ports, { ...input, db, tenant: actor.tenant, now: clock.now() }),

  closeReport: async (input, context) => {
    const { db, actor, random } = context
    const key = { tenant: actor.tenant, ...input }
    const alreadyClosed = () =>
      new GatewayError('CONFLICT', 'This report is closed already', { Period: 'changed' })
    if (await readClosedCopy(db, key)) throw alreadyClosed()
    const report = await presentReport(ports, { ...key, db, Language: 'zh-TW', now: clock.now() })
    const [lack] = report.Lacks
    if (lack)
      throw new GatewayError('INVALID', `The report cannot be closed: ${lack.Reason}`, {
        Period: 'incomplete',
      })
    const copy = await storeClosedReport(db, key, report, {
      copyId: random.uuid(),
      at: clock.now(),
      by: actor.cognitoId,
      byName: actor.name,
    }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? alreadyClosed() : error
    })
    context.change('report.update', { HomeID: input.HomeID })
    context.audit({ after: { ...input, Hash: copy.hash, kWh: report.kWh, CarbonKg: report.CarbonKg } })
    return closedReport(copy, report)
  },

  reopenReport: async (input, context) => {
    const { db, actor } = context
    const copy = await readClosedCopy(db, { tenant: actor.tenant, ...input }, true)
    if (!copy) throw new GatewayError('NOT_FOUND', 'This report is not closed')
    await db.query(sql`update report_copies set reopened_at = ${clock.now()}::bigint, reopened_by = ${actor.cognitoId}
      where tenant = ${actor.tenant} and copy_id = ${copy.copyId}`)
    context.change('report.update', { HomeID: input.HomeID })
    context.audit({ before: { ...input, Hash: copy.hash } })
    return input
  },

  sendReport: async ({ Recipients, HomeID, Kind, Period }, { db, actor, random }) => {
    const now = clock.now()
    // Validates the request; the report itself is computed when it is sent.
    await presentReport(ports, { db, tenant: actor.tenant, HomeID, Kind, Period, Language: 'zh-TW', now })
    const people = await readRecipients(db, actor.tenant, Recipients)
    if (people.some(({ reason, name }) => reason === 'gone' && name === null))
      throw new GatewayError('NOT_FOUND', 'Nobody of this company has that id', { Recipients: 'notFound' })
    const letters = {
      tenant: actor.tenant,
      planId: `hand-${random.uuid()}`,
      Kind,
      Homes: HomeID === null ? [] : [HomeID],
    }
    await queueReportMails(db, { ...letters, Period }, people, now)
    const skipped = people.filter(({ reason }) => reason !== null)
    return {
      Letters: people.length - skipped.length,
      Skipped: skipped.map(({ name, reason }) => ({ Name: name ?? '', Reason: reason as 'right' | 'gone' })),
    }
  },
})
