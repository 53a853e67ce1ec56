import { type Db, sql } from '../../store/db.ts'
import { isOne, monthOf } from './store.ts'

/** One message through one channel. */
interface Sending {
  tenant: string
  id: string
  messageId: string
  /** Whether the message is about danger to life: counted, and never held back. */
  isLifeSafety?: boolean | undefined
}

/**
 * Counts what a message costs before it is sent, so that several at a time cost no more together than the budget. One that is tried
 * again is counted once; one of which nobody ever hears whether it arrived stays counted.
 *
 * returns  false when too little is left, unless the message endangers life
 */
export const reserveBudget = (
  db: Db,
  { tenant, id, messageId, isLifeSafety = false }: Sending,
  cost: number,
  now: number,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const month = monthOf(now)
    const [channel] = await tx.query<{ budget: number | null; sent: number; isReserved: boolean }>(sql`
      select monthly_budget as budget, case when month = ${month} then sent else 0 end as sent,
        exists (select from channel_reservations where ${isOne(tenant, id)} and message_id = ${messageId}::uuid) as "isReserved"
      from notification_channels where ${isOne(tenant, id)} for update`)
    if (!channel || channel.isReserved) return true
    if (!isLifeSafety && channel.budget !== null && channel.sent + cost > channel.budget) return false
    await tx.query(sql`update notification_channels set sent = ${channel.sent + cost}::int, month = ${month}
      where ${isOne(tenant, id)}`)
    await tx.query(sql`delete from channel_reservations where ${isOne(tenant, id)} and month <> ${month}`)
    await tx.query(sql`
      insert into channel_reservations (tenant, notification_channel_id, message_id, cost, month)
      values (${tenant}, ${id}, ${messageId}::uuid, ${cost}::int, ${month})`)
    return true
  })

/** Ends what `reserveBudget` began: what was not sent is given back to the month that it was counted in. */
export async function releaseBudget(
  tx: Db,
  { tenant, id, messageId }: Sending,
  isSent: boolean,
): Promise<void> {
  await tx.query(sql`
    with released as (
      delete from channel_reservations where ${isOne(tenant, id)} and message_id = ${messageId}::uuid returning cost, month)
    update notification_channels c set sent = c.sent - r.cost from released r
    where c.tenant = ${tenant} and c.notification_channel_id = ${id} and c.month = r.month and not ${isSent}::boolean`)
}
