import { z } from 'zod'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { CognitoId, HomeID, Millis, Name, ReportPlanID, Version } from '../kernel/scalars.ts'
import { MAX_REPORT_RECIPIENTS, ReportKind, ReportPeriod, DELIVERY_SKIP_REASONS } from './calls.ts'

export const MAX_REPORT_PLANS = 50

/** Scheduled report by email: of the previous month, or in January of the previous year. */
export const ReportPlan = z.object({
  ReportPlanID,
  ReportPlanName: Name,
  Kind: ReportKind,
  /** One report each; empty means one report of all homes of the company. */
  Homes: z.array(HomeID).max(20, 'tooManyRows'),
  /** Day of the month on which it is sent, after 08:00 in its first home's local time. */
  Day: z.number().int().min(1, 'tooSmall').max(28, 'tooBig'),
  Recipients: z.array(CognitoId).min(1, 'required').max(MAX_REPORT_RECIPIENTS, 'tooManyRecipients'),
  Enabled: z.boolean(),
  Version,
  /** Next send time; null if disabled. */
  NextAt: Millis.nullable(),
  /** Result of the last run; null before the first. */
  Last: z
    .object({
      Period: ReportPeriod,
      Sent: z.number().int(),
      /** Queued emails, e.g. while the mail server is unreachable. */
      Waiting: z.number().int(),
      /** Emails that failed permanently after a week. */
      Failed: z.number().int(),
      Skipped: z.array(z.object({ Name: z.string(), Reason: z.enum(DELIVERY_SKIP_REASONS) })),
    })
    .nullable(),
})
export type ReportPlan = z.infer<typeof ReportPlan>

const Key = ReportPlan.pick({ ReportPlanID: true })
const Given = ReportPlan.pick({
  ReportPlanName: true,
  Kind: true,
  Homes: true,
  Day: true,
  Recipients: true,
  Enabled: true,
})

export const reportPlan = defineResource({
  name: 'reportPlan',
  scope: 'company',
  feature: 'company',
  record: ReportPlan,
  key: ['ReportPlanID'],
  events: eventsOf(Key),
  operations: {
    list: {
      path: '/ListReportPlan',
      summary: 'Report plans of the company by name, with the outcome of the last emails.',
      sites: 'company',
      input: z.object({}),
      results: z.array(ReportPlan),
      shows: ['home', 'user'],
    },
    create: {
      path: '/CreateReportPlan',
      summary: 'Schedules a report by email, each month or each January. At most 50 per company.',
      sites: 'company',
      input: Given,
      results: ReportPlan,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateReportPlan',
      summary: 'Changes a plan; omitted fields keep their values. Rejected if Version is given and outdated.',
      sites: 'company',
      input: Key.extend(Given.partial().shape).extend({ Version: Version.optional() }),
      results: ReportPlan,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteReportPlan',
      summary: 'Deletes a plan; its queued emails are not sent.',
      sites: 'company',
      input: Key,
      results: Key,
      errors: ['NOT_FOUND'],
    },
  },
})
