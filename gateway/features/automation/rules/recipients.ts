import type { FieldReason } from '../../../../contract/kernel/reasons.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, sql } from '../../../store/db.ts'
import { recipientsOf, type RuleOfAutomation } from './stored-rule.ts'

/**
 * Makes sure that a rule tells people, departments and channels of its own company. Whom it told before may have gone since.
 *
 * errors  NOT_FOUND with notFound at each who is not there
 */
export async function assertRecipientsInCompany(
  db: Db,
  tenant: string,
  rule: RuleOfAutomation,
  before?: RuleOfAutomation,
): Promise<void> {
  const known = new Set(before ? namesOf(before).map(({ id }) => id) : [])
  const named = namesOf(rule).filter(({ id }) => !known.has(id))
  if (named.length === 0) return
  const ids = named.map(({ id }) => id)
  const rows = await db.query<{ id: string }>(sql`
    select cognito_id::text as id from users where tenant = ${tenant} and cognito_id::text = any(${ids}::text[])
    union all select department_id::text from departments
    where tenant = ${tenant} and department_id::text = any(${ids}::text[])
    union all select notification_channel_id from notification_channels
    where tenant = ${tenant} and notification_channel_id = any(${ids}::text[])`)
  const found = new Set(rows.map(({ id }) => id))
  const missing = named.filter(({ id }) => !found.has(id))
  if (missing.length > 0)
    throw new GatewayError(
      'NOT_FOUND',
      'Who is told is not of the company',
      Object.fromEntries(missing.map(({ path }): [string, FieldReason] => [path, 'notFound'])),
    )
}

const namesOf = (rule: RuleOfAutomation): { path: string; id: string }[] => [
  ...recipientsOf(rule).flatMap(({ path, to }) => [
    ...to.Users.map((id, i) => ({ path: `${path}.Users.${i}`, id: String(id) })),
    ...to.Departments.map((id, i) => ({ path: `${path}.Departments.${i}`, id: String(id) })),
  ]),
  ...(rule.Alarm?.Escalate ?? []).flatMap(({ Channels = [] }, step) =>
    Channels.map((id, i) => ({ path: `Alarm.Escalate.${step}.Channels.${i}`, id })),
  ),
]
