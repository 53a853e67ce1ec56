import type { ReportKind } from '../../../contract/reports/calls.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { assertMailQuota, NO_LIMIT } from '../../lib/mail/quota.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { composeReportMail } from './compose-mail.ts'
import { shownReport } from './get-report.ts'
import { readRecipients, type ReportRecipient } from './people.ts'
import type { ReportPorts } from './ports.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Lease of an email, ms: longer than computing the report and a slow mail server may take. */
const LEASE_MS = 10 * MINUTE
/** Delay before an email over the quota is retried, ms. */
const QUOTA_RETRY_MS = 10 * MINUTE
/** Failed emails are retried with increasing delays, and given up after a week. */
const GIVEN_UP = 7 * DAY
const later = (tries: number) => Math.min(HOUR, MINUTE * 2 ** Math.min(tries, 6))
/** Retention of sent emails, needed for the list of plans. */
const KEPT = 400 * DAY

export type ReportMailDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'mail' | 'config' | 'events'>

interface Taken {
  tenant: string
  planId: string
  period: string
  cognitoId: string
  kind: ReportKind
  homes: string[]
  tries: number
  createdAt: number
}

const isLetter = ({ tenant, planId, period, cognitoId }: Taken): Sql =>
  sql`tenant = ${tenant} and plan_id = ${planId} and period = ${period} and cognito_id = ${cognitoId}`

/**
 * Sends one due email; returns the number sent or skipped (0 or 1). It is leased before the attempt, so that a gateway that stops in the
 * meantime loses none: it is then sent again with the same Message-ID, which mail servers recognize.
 */
export async function sendReportMail(deps: ReportMailDeps, ports: ReportPorts): Promise<number> {
  const { db, clock, log, mail, config } = deps
  const now = clock.now()
  const [taken] = await db.query<Taken>(sql`
    update report_letters l set tries = tries + 1, due_at = ${now + LEASE_MS}::bigint
    where (tenant, plan_id, period, cognito_id) in (
      select tenant, plan_id, period, cognito_id from report_letters where state = 'waiting' and due_at <= ${now}::bigint
      order by due_at, tenant, plan_id, cognito_id limit 1 for update skip locked)
    returning tenant, plan_id as "planId", period, cognito_id as "cognitoId", kind, homes, tries, created_at as "createdAt"`)
  if (!taken) return 0
  const [person] = await readRecipients(db, taken.tenant, [taken.cognitoId])
  const reports = person?.reason === null ? await reportsOf(deps, ports, taken, person) : []
  // The person has lost the right, or all the homes were deleted.
  if (!person || person.reason !== null || reports.length === 0)
    return end(deps, taken, 'skipped', person?.reason ?? 'gone')
  if (!(await isWithinQuota(deps, taken, person))) {
    await db.query(
      sql`update report_letters set due_at = ${now + QUOTA_RETRY_MS}::bigint, tries = tries - 1 where ${isLetter(taken)}`,
    )
    return 1
  }
  try {
    await mail.send({
      ...composeReportMail(reports, person, config.publicUrl),
      id: `report-${taken.planId}-${taken.period}-${taken.cognitoId}`,
    })
  } catch (err) {
    log.warn({ err, plan: taken.planId, tries: taken.tries }, 'report not sent')
    if (now - taken.createdAt >= GIVEN_UP) return end(deps, taken, 'failed', null)
    await db.query(
      sql`update report_letters set due_at = ${now + later(taken.tries)}::bigint where ${isLetter(taken)}`,
    )
    return 1
  }
  return end(deps, taken, 'sent', null)
}

/** Computes the reports of an email in the person's language; those of deleted homes are left out. */
async function reportsOf(
  { db, clock }: ReportMailDeps,
  ports: ReportPorts,
  { tenant, homes, kind, period }: Taken,
  { language }: ReportRecipient,
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

/** Counts an email against the company's quota; people of the company are exempt from the limit per address. */
async function isWithinQuota(
  { db, clock, config }: ReportMailDeps,
  { tenant }: Taken,
  { email }: ReportRecipient,
): Promise<boolean> {
  try {
    await db.transaction((tx) =>
      assertMailQuota(tx, {
        tenant,
        to: email,
        now: clock.now(),
        quota: { ...config.mailQuota, recipient: NO_LIMIT },
      }),
    )
    return true
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'LIMIT_EXCEEDED') return false
    throw error
  }
}

async function end(
  { db, events }: ReportMailDeps,
  taken: Taken,
  state: 'sent' | 'skipped' | 'failed',
  reason: string | null,
): Promise<number> {
  await db.query(sql`update report_letters set state = ${state}, reason = ${reason} where ${isLetter(taken)}`)
  const { tenant, planId } = taken
  events.emit('dataChange', { tenant, name: 'reportPlan.update', record: { ReportPlanID: planId }, by: null })
  return 1
}

/** Deletes old emails that are no longer waiting. */
export const deleteOldDeliveries = (db: Db, now: number): Promise<object[]> =>
  db.query(sql`delete from report_letters where created_at < ${now - KEPT}::bigint and state <> 'waiting'`)
