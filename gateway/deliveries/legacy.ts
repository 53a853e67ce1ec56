import { type Db, sql } from '../kernel/db.ts'

/*
 * The tables `messages`, `booking_letters` and `report_letters`, which gateways of 1.1.0 fill. Their due rows become deliveries: rows that
 * such a gateway has claimed are due later, and each row is moved in one statement, so that it is sent once. A later release drops the
 * tables and this file.
 */

/** Maximum number of rows per statement. */
const BATCH = 500

/** Moves all due rows by a statement that moves at most BATCH. */
async function moveAll(moveBatch: () => Promise<object[]>): Promise<void> {
  while ((await moveBatch()).length === BATCH);
}

/** Moves due notifications of the table `messages`. */
export const moveDueMessages = (db: Db, now: number): Promise<void> =>
  moveAll(() =>
    db.query(sql`
      with due as (
        delete from messages where message_id in (
          select message_id from messages where due_at <= ${now}::bigint order by due_at limit ${BATCH}::int for update skip locked)
        returning *)
      insert into deliveries (id, tenant, kind, recipient, topic, lane, payload, due_at, attempts, created_at, expires_at)
      select d.id, r.tenant, case when starts_with(d.lane, 'life:') then 'life-safety' else 'notification' end, d.recipient, d.topic,
        d.lane, jsonb_build_object('way', d.way, 'target', d.target, 'cognitoId', r.cognito_id, 'notificationIds', d.notification_ids,
          'content', d.content), d.due_at, d.tries, ${now}::bigint, d.until
      from due d join recipients r using (recipient) returning 1 as one`),
  )

/** Moves due emails of the table `booking_letters`. */
export const moveDueBookingLetters = (db: Db, now: number): Promise<void> =>
  moveAll(() =>
    db.query(sql`
      with due as (
        delete from booking_letters where letter_id in (
          select letter_id from booking_letters where due_at <= ${now}::bigint order by due_at, letter_id
          limit ${BATCH}::int for update skip locked)
        returning *)
      insert into deliveries (tenant, kind, recipient, lane, payload, due_at, attempts, created_at)
      select tenant, 'booking', recipient, 'booking', jsonb_build_object('kind', kind, 'booking', booking), due_at, tries, ${now}::bigint
      from due order by due_at, letter_id returning 1 as one`),
  )

/** Moves due emails of the table `report_letters`. Its settled rows stay for the list of plans. */
export const moveDueReportLetters = (db: Db, now: number): Promise<void> =>
  moveAll(() =>
    db.query(sql`
      with due as (
        delete from report_letters where (tenant, plan_id, period, cognito_id) in (
          select tenant, plan_id, period, cognito_id from report_letters where state = 'waiting' and due_at <= ${now}::bigint
          order by due_at limit ${BATCH}::int for update skip locked)
        returning *)
      insert into deliveries (tenant, kind, key, recipient, topic, lane, payload, due_at, attempts, created_at)
      select tenant, 'report', plan_id || '/' || period || '/' || cognito_id, cognito_id::text, plan_id, 'report',
        jsonb_build_object('planId', plan_id, 'period', period, 'cognitoId', cognito_id, 'name', name, 'kind', kind, 'homes', homes),
        due_at, tries, created_at
      from due on conflict (tenant, kind, key) do update set due_at = deliveries.due_at returning 1 as one`),
  )

/** Deletes rows of `messages` by recipient and topic; see `discardTopics`. */
export async function discardMessages(
  tx: Db,
  topics: readonly { recipient: string; topic: string }[],
  { onlyUntried }: { onlyUntried: boolean },
): Promise<void> {
  if (topics.length === 0) return
  await tx.query(sql`
    delete from messages m using jsonb_to_recordset(${JSON.stringify(topics)}::jsonb) as t (recipient text, topic text)
    where m.recipient = t.recipient and m.topic = t.topic and (not ${onlyUntried}::boolean or m.tries = 0)`)
}

/** CognitoIds to which a gateway of 1.1.0 has queued a report of a plan and period. */
export async function readReportMails(
  tx: Db,
  { tenant, planId, period }: { tenant: string; planId: string; period: string },
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ cognitoId: string }>(sql`
    select cognito_id as "cognitoId" from report_letters where tenant = ${tenant} and plan_id = ${planId} and period = ${period}`)
  return new Set(rows.map(({ cognitoId }) => cognitoId))
}

/** Deletes the report emails of a plan. */
export async function deleteReportLetters(tx: Db, tenant: string, planId: string): Promise<void> {
  await tx.query(sql`delete from report_letters where tenant = ${tenant} and plan_id = ${planId}`)
}

/** Deletes settled report emails that were created before a time, epoch ms. */
export async function deleteSettledReportLetters(db: Db, before: number): Promise<void> {
  await db.query(sql`delete from report_letters where created_at < ${before}::bigint and state <> 'waiting'`)
}

/** Deletes the emails of a company to a person, by address and by account. */
export async function deleteLettersTo(
  tx: Db,
  tenant: string,
  { email, accounts }: { email: string; accounts: readonly string[] },
): Promise<void> {
  await tx.query(sql`delete from booking_letters where tenant = ${tenant} and recipient = ${email}`)
  await tx.query(
    sql`delete from report_letters where tenant = ${tenant} and cognito_id = any(${[...accounts]}::uuid[])`,
  )
}
