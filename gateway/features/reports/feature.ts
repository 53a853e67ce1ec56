import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { compareHandler, utilityBillHandlers } from './utility-bill.ts'
import type { ReportPorts } from './ports.ts'
import { reportHandlers } from './report-calls.ts'
import { reportPlanHandlers } from './report-plan.ts'
import { deleteSettledReportLetters, moveDueReportLetters } from '../../deliveries/legacy.ts'
import { deleteSettled } from '../../deliveries/store.ts'
import { createDeliveryWorker } from '../../deliveries/worker.ts'
import { createReportMailSender, REPORT_MAIL } from './report-mail-sender.ts'
import { PLANS_PER_BATCH, queueDueReports } from './queue-report-mails.ts'

/** Polling interval for due reports, ms. */
const POLL_INTERVAL_MS = 15_000
const DAY = 86_400_000
/** Retention of settled emails in ms, needed for the list of plans. */
const RETENTION_MS = 400 * DAY

/** Reports feature: monthly and carbon reports, shown, closed and mailed; and the power company's bills for comparison with ours. */
export function reports(deps: Deps, ports: ReportPorts) {
  const { db, clock } = deps
  const mails = createDeliveryWorker(deps, createReportMailSender(deps, ports))
  return {
    handlers: {
      reports: reportHandlers(deps.clock, ports),
      reportPlan: reportPlanHandlers(deps.clock),
      utilityBill: { ...utilityBillHandlers, compare: compareHandler(deps.clock, ports) },
    },
    jobs: [
      {
        name: 'reports that are due',
        intervalMs: POLL_INTERVAL_MS,
        async run(stopped) {
          // A full batch means that there may be more.
          for (let done = PLANS_PER_BATCH; done === PLANS_PER_BATCH;)
            done = stopped() ? 0 : await queueDueReports(deps, deps.clock)
        },
      },
      {
        name: 'letters with reports',
        intervalMs: POLL_INTERVAL_MS,
        async run() {
          await moveDueReportLetters(db, clock.now())
          await mails.sendDue()
        },
      },
      {
        name: 'old letters with reports',
        intervalMs: DAY,
        async run() {
          const before = clock.now() - RETENTION_MS
          await deleteSettled(db, REPORT_MAIL, before)
          await deleteSettledReportLetters(db, before)
        },
      },
    ],
    close: mails.close,
  } satisfies Feature
}
