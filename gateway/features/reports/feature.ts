import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { compareHandler } from './compare-utility-bill.ts'
import type { ReportPorts } from './ports.ts'
import { reportHandlers } from './report-calls.ts'
import { reportPlanHandlers } from './report-plan.ts'
import { deleteOldDeliveries, sendReportMail } from './report-deliveries.ts'
import { utilityBillHandlers } from './utility-bill.ts'
import { PLANS_PER_BATCH, queueDueReports } from './queue-due-reports.ts'

/** Polling interval for due reports, ms. */
const POLL_INTERVAL_MS = 15_000
const DAY = 86_400_000

/** Reports feature: monthly and carbon reports, shown, closed and mailed; and the power company's bills for comparison with ours. */
export const reports = (deps: Deps, ports: ReportPorts) =>
  ({
    handlers: {
      reports: reportHandlers(deps.clock, ports),
      reportPlan: reportPlanHandlers(deps.clock),
      utilityBill: { ...utilityBillHandlers, compare: compareHandler(deps.clock, ports) },
    },
    jobs: [
      {
        name: 'reports that are due',
        every: POLL_INTERVAL_MS,
        async run(stopped) {
          // A full batch means that there may be more.
          for (let done = PLANS_PER_BATCH; done === PLANS_PER_BATCH;)
            done = stopped() ? 0 : await queueDueReports(deps, deps.clock)
        },
      },
      {
        name: 'letters with reports',
        every: POLL_INTERVAL_MS,
        async run(stopped) {
          for (let done = 1; done === 1;) done = stopped() ? 0 : await sendReportMail(deps, ports)
        },
      },
      {
        name: 'old letters with reports',
        every: DAY,
        async run() {
          await deleteOldDeliveries(deps.db, deps.clock.now())
        },
      },
    ],
  }) satisfies Feature
