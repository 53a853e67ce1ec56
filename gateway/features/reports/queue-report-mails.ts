import type { ReportKind } from '../../../contract/reports/calls.ts'
import { firstDayOf, formatDay, monthOf, offsetAt, DAY_MS } from '../../../contract/time/periods.ts'
import { readReportMails } from '../../deliveries/legacy.ts'
import { enqueue } from '../../deliveries/store.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock } from '../../kernel/ports.ts'
import { type ReportRecipient, readRecipients } from './recipients.ts'
import { REPORT_MAIL, type ReportMailPayload } from './report-mail-sender.ts'
import { isPlan, type PlanRow, readPlans } from './plan-rows.ts'

/** Schedule of a report plan. */
interface Rhythm {
  Kind: ReportKind
  /** Day of the month, 1 to 28. */
  Day: number
  /** IANA zone of its first home. */
  zone: string
}

/** Hour of the day at which emails are sent. */
const HOUR_OF_DAY = 8
const HOUR = 3_600_000
/** 08:00 on the plan's day of a month in its zone, epoch ms. */
function dueIn(month: number, { Day, zone }: Rhythm): number {
  const localMs = (firstDayOf(month) + Day - 1) * DAY_MS + HOUR_OF_DAY * HOUR
  return localMs - offsetAt(localMs - offsetAt(localMs, zone), zone)
}

/** Months between two emails. */
const stepOf = ({ Kind }: Rhythm): number => (Kind === 'monthly' ? 1 : 12)

/** Month of the last email that is due by now; January for carbon reports. */
function lastMonth(schedule: Rhythm, now: number): number {
  const month = monthOf(now, schedule.zone)
  const latest = schedule.Kind === 'monthly' ? month : Math.floor(month / 12) * 12
  return dueIn(latest, schedule) <= now ? latest : latest - stepOf(schedule)
}

/** Due time and period of the last email: the previous month, or the previous year. */
export function lastDue(schedule: Rhythm, now: number): { at: number; Period: string } {
  const month = lastMonth(schedule, now)
  const period = formatDay(firstDayOf(month - 1))
  return { at: dueIn(month, schedule), Period: period.slice(0, schedule.Kind === 'monthly' ? 7 : 4) }
}

/** Due time of the next email, epoch ms. */
export const nextDue = (schedule: Rhythm, now: number): number =>
  dueIn(lastMonth(schedule, now) + stepOf(schedule), schedule)

/** Subject of a set of emails. */
interface ReportDelivery {
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
  const before = await readReportMails(tx, { tenant, planId, period: Period })
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

/** Maximum number of plans per batch. */
export const PLANS_PER_BATCH = 20
/** Maximum plausible distance of the next due time; beyond it, the clock was ahead when it was stored. */
const FARTHEST = { monthly: 40 * DAY_MS, carbon: 400 * DAY_MS }

/**
 * Queues the emails of due plans, a row per person; of several missed periods only the last. Existing rows are kept, so that nobody
 * receives an email twice. Returns the number of plans processed.
 */
export async function queueDueReports(
  { db, events }: { db: Db; events: Events },
  { now: read }: Pick<Clock, 'now'>,
): Promise<number> {
  const now = read()
  const sent = await db.transaction(async (tx) => {
    const plans = await readPlans(
      tx,
      sql`enabled and (next_at <= ${now}::bigint or next_at > ${now}::bigint + case kind when 'monthly'
        then ${FARTHEST.monthly}::bigint else ${FARTHEST.carbon}::bigint end)`,
      sql`order by next_at limit ${PLANS_PER_BATCH}::int for update of p skip locked`,
    )
    for (const plan of plans) await writeOf(tx, plan, now)
    return plans
  })
  for (const { tenant, ReportPlanID } of sent)
    events.emit('dataChange', { tenant, name: 'reportPlan.update', record: { ReportPlanID }, by: null })
  return sent.length
}

async function writeOf(tx: Db, plan: PlanRow, now: number): Promise<void> {
  const { tenant, ReportPlanID, Kind, Homes, Recipients, since } = plan
  const { at, Period } = lastDue(plan, now)
  const isDue = plan.nextAt <= now && at >= since
  if (isDue) {
    const people = await readRecipients(tx, tenant, Recipients)
    await queueReportMails(tx, { tenant, planId: ReportPlanID, Kind, Homes, Period }, people, now)
  }
  await tx.query(sql`
    update report_plans set next_at = ${nextDue(plan, now)}::bigint, last_period = ${isDue ? Period : plan.lastPeriod}
    where ${isPlan(tenant, ReportPlanID)}`)
}
