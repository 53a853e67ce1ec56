import { deleteReportLetters } from '../../deliveries/legacy.ts'
import { deleteTopic } from '../../deliveries/store.ts'
import { REPORT_MAIL } from './report-mail-sender.ts'
import { MAX_REPORT_PLANS, type reportPlan } from '../../../contract/reports/report-plan.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { nextDue } from './queue-report-mails.ts'
import { readRecipients } from './recipients.ts'
import { isPlan, type PlanRow, readPlans, presentPlans } from './plan-rows.ts'

const TAKEN = 'Another plan already has that name'

/** Handlers of report plans. */
export const reportPlanHandlers = (clock: Pick<Clock, 'now'>): HandlersOf<typeof reportPlan.operations> => ({
  list: async (_, { db, actor }) =>
    presentPlans(
      db,
      actor.tenant,
      await readPlans(db, sql`p.tenant = ${actor.tenant}`, sql`order by lower(report_plan_name)`),
    ),

  create: async (input, context) => {
    const { db, actor, random } = context
    const { tenant } = actor
    await assertKnownRecipients(db, tenant, input)
    await db.query(sql`select from companies where tenant = ${tenant} for no key update`)
    const [count] = await db.query<{ all: number }>(
      sql`select count(*) as all from report_plans where tenant = ${tenant}`,
    )
    if ((count?.all ?? 0) >= MAX_REPORT_PLANS)
      throw new GatewayError('LIMIT_EXCEEDED', `A company has at most ${MAX_REPORT_PLANS} plans of reports`)
    const [id, now] = [random.uuid(), clock.now()]
    await conflictOnUniqueViolation(
      'ReportPlanName',
      TAKEN,
      db.query(sql`
        insert into report_plans (tenant, report_plan_id, report_plan_name, kind, homes, day, recipients, enabled, since, next_at)
        values (${tenant}, ${id}, ${input.ReportPlanName}, ${input.Kind}, ${JSON.stringify(input.Homes)}::jsonb, ${input.Day}::int,
          ${JSON.stringify([...new Set(input.Recipients)])}::jsonb, ${input.Enabled}, ${now}::bigint, ${now}::bigint)`),
    )
    const after = await setNext(context, id, now)
    context.change('reportPlan.add', { ReportPlanID: id })
    context.audit({ after })
    return after
  },

  update: async ({ ReportPlanID: id, Version, ...changes }, context) => {
    const { db, actor } = context
    const now = clock.now()
    const row = await lockPlan(id, context)
    assertVersion(Version, row)
    await assertKnownRecipients(db, actor.tenant, changes)
    const next = { ...row, ...changes }
    // Periods that became due while the plan was disabled are not sent afterwards.
    const since = next.Enabled && !row.Enabled ? now : row.since
    await conflictOnUniqueViolation(
      'ReportPlanName',
      TAKEN,
      db.query(sql`
        update report_plans set report_plan_name = ${next.ReportPlanName}, kind = ${next.Kind},
          homes = ${JSON.stringify(next.Homes)}::jsonb, day = ${next.Day}::int,
          recipients = ${JSON.stringify([...new Set(next.Recipients)])}::jsonb, enabled = ${next.Enabled},
          version = version + 1, since = ${since}::bigint where ${isPlan(actor.tenant, id)}`),
    )
    const [before] = await presentPlans(db, actor.tenant, [row])
    const after = await setNext(context, id, now)
    context.change('reportPlan.update', { ReportPlanID: id })
    context.audit({ before, after })
    return after
  },

  remove: async ({ ReportPlanID: id }, context) => {
    const { db, actor } = context
    const row = await lockPlan(id, context)
    const [before] = await presentPlans(db, actor.tenant, [row])
    await deleteTopic(db, { tenant: actor.tenant, kind: REPORT_MAIL, topic: id })
    await deleteReportLetters(db, actor.tenant, id)
    await db.query(sql`delete from report_plans where ${isPlan(actor.tenant, id)}`)
    context.change('reportPlan.remove', { ReportPlanID: id })
    context.audit({ before })
    return { ReportPlanID: id }
  },
})

/** Stores and returns a plan with its next due time in the zone of its first home. */
async function setNext({ db, actor }: SignedIn, id: string, now: number) {
  const [row] = await readPlans(db, isPlan(actor.tenant, id))
  const nextAt = nextDue(row as PlanRow, now)
  await db.query(sql`update report_plans set next_at = ${nextAt}::bigint where ${isPlan(actor.tenant, id)}`)
  const [plan] = await presentPlans(db, actor.tenant, [{ ...(row as PlanRow), nextAt }])
  return plan as NonNullable<typeof plan>
}

/** Reads a plan and locks its row until the transaction ends. Errors: NOT_FOUND. */
async function lockPlan(id: string, { db, actor }: Pick<SignedIn, 'db' | 'actor'>): Promise<PlanRow> {
  const [row] = await readPlans(db, isPlan(actor.tenant, id), sql`for update of p`)
  if (!row) throw new GatewayError('NOT_FOUND', `Report plan ${id} does not exist`)
  return row
}

/** Errors: NOT_FOUND naming the first home or person that the company does not have. */
async function assertKnownRecipients(
  db: Db,
  tenant: string,
  {
    Homes = [],
    Recipients = [],
  }: { Homes?: readonly string[] | undefined; Recipients?: readonly string[] | undefined },
): Promise<void> {
  const homes = await db.query<{ id: string }>(
    sql`select home_id as id from homes where tenant = ${tenant} and home_id = any(${[...Homes]}::text[])`,
  )
  const unknownIndex = Homes.findIndex((id) => !homes.some((home) => home.id === id))
  if (unknownIndex >= 0)
    throw new GatewayError('NOT_FOUND', `Home ${Homes[unknownIndex]} does not exist`, {
      [`Homes.${unknownIndex}`]: 'notFound',
    })
  const people = await readRecipients(db, tenant, Recipients)
  const unnamed = people.find(({ name }) => name === null)
  if (unnamed)
    throw new GatewayError('NOT_FOUND', `Nobody of this company is ${unnamed.cognitoId}`, {
      [`Recipients.${Recipients.indexOf(unnamed.cognitoId)}`]: 'notFound',
    })
}
