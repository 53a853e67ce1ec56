import { createHash } from 'node:crypto'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'

const HOUR = 3_600_000
const DAY_HOURS = 24

/** Maximum number of emails per hour, and per 24 hours; 0 for no limit. */
export interface MailLimit {
  maxPerHour: number
  maxPerDay: number
}

export const NO_LIMIT: MailLimit = { maxPerHour: 0, maxPerDay: 0 }

/** Email quota of a company: in total, and to one address. */
export interface MailQuota {
  company: MailLimit
  recipient: MailLimit
}

/**
 * Counts an email before it is sent. Called in a transaction, so that a rejected one is not counted.
 *
 * to      recipient address
 * errors  LIMIT_EXCEEDED with `Email: tooManyMails` if the quota of the company or the address is used up
 */
export async function assertMailQuota(
  tx: Db,
  { tenant, to, now, quota }: { tenant: string; to: string; now: number; quota: MailQuota },
): Promise<void> {
  const hour = Math.floor(now / HOUR)
  const address = createHash('sha256').update(`${tenant}/${to.toLowerCase()}`).digest('hex')
  await tx.query(
    sql`delete from mail_counts where tenant = ${tenant} and hour <= ${hour - DAY_HOURS}::bigint`,
  )
  // Always in the same order, to avoid deadlocks with concurrent counts.
  for (const recipient of ['', address])
    await tx.query(sql`insert into mail_counts as m (tenant, recipient, hour, mails)
      values (${tenant}, ${recipient}, ${hour}::bigint, 1)
      on conflict (tenant, recipient, hour) do update set mails = m.mails + 1`)
  const counts = await tx.query<{ recipient: string; inHour: number; inDay: number }>(sql`
    select recipient, coalesce(sum(mails) filter (where hour = ${hour}::bigint), 0)::int as "inHour",
      sum(mails)::int as "inDay"
    from mail_counts where tenant = ${tenant} and recipient in ('', ${address}) group by recipient`)
  for (const { recipient, inHour, inDay } of counts) {
    const limit = recipient === '' ? quota.company : quota.recipient
    if (
      (limit.maxPerHour > 0 && inHour > limit.maxPerHour) ||
      (limit.maxPerDay > 0 && inDay > limit.maxPerDay)
    )
      throw new GatewayError(
        'LIMIT_EXCEEDED',
        recipient === ''
          ? 'The company has sent as many mails as it may for now'
          : 'This address has been sent as many mails as it may for now',
        { Email: 'tooManyMails' },
      )
  }
}

/** Counts an email in a transaction of its own, unless that exceeds the quota; returns whether it may be sent. */
export async function isWithinMailQuota(
  db: Db,
  mail: Parameters<typeof assertMailQuota>[1],
): Promise<boolean> {
  try {
    await db.transaction((tx) => assertMailQuota(tx, mail))
    return true
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'LIMIT_EXCEEDED') return false
    throw error
  }
}
