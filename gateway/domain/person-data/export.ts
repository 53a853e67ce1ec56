import type { PermissionSubject } from '../../../contract/kernel/permissions.ts'
import { MAX_EXPORTED_ROWS, type PersonData } from '../../../contract/people/person-data-calls.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { idsOf, type Person } from './person.ts'
import { isReadableBy } from './readable-notifications.ts'

type Row = Record<string, unknown>

/**
 * Reads everything that is stored about a person; no keys, hashes or encrypted values.
 *
 * caller          omits, and counts, notifications that the caller has no right to read
 * photoAddressOf  short-lived address of a stored photo
 */
export async function exportPerson(
  db: Db,
  person: Person,
  {
    caller,
    now,
    photoAddressOf,
  }: { caller: PermissionSubject; now: number; photoAddressOf(url: string): string },
): Promise<PersonData> {
  const data: PersonData = { ExportedAt: now, Sections: {}, LeftOut: {} }
  for (const [section, query] of Object.entries(sectionsOf(person, caller))) {
    const rows = await db.query<{ row: Row }>(sql`select to_jsonb(found) as row from (${query}) found
      limit ${MAX_EXPORTED_ROWS}::int`)
    data.Sections[section] = rows.map(({ row }) => readable(row) as Row)
    if (rows.length < MAX_EXPORTED_ROWS) continue
    const [count] = await db.query<{ total: number }>(sql`select count(*) as total from (${query}) found`)
    const leftOut = (count?.total ?? 0) - rows.length
    if (leftOut > 0) data.LeftOut[section] = leftOut
  }
  for (const row of data.Sections['Employee'] ?? [])
    if (typeof row['photo_url'] === 'string') row['photo_url'] = photoAddressOf(row['photo_url'])
  const [unreadable] = await db.query<{ total: number }>(sql`
    select count(*) as total from notifications
    where tenant = ${person.tenant} and cognito_id = ${person.account ?? null}::uuid and not ${isReadableBy(caller)}`)
  if (unreadable?.total)
    data.LeftOut['Notifications'] = (data.LeftOut['Notifications'] ?? 0) + unreadable.total
  return data
}

/** Newest first, so that a limit omits the oldest. */
function sectionsOf(person: Person, caller: PermissionSubject): Record<string, Sql> {
  const { tenant, email, account = null, employee, visits } = person
  const ofAccount = (table: Sql, columns: Sql, order = sql`1`) =>
    sql`select ${columns} from ${table} where tenant = ${tenant} and cognito_id = ${account}::uuid order by ${order} desc`
  const audit = (where: Sql) => sql`
    select at, path, by_name, ip, input, before, after from audit_log
    where tenant = ${tenant} and ${where} order by at desc, audit_id desc`
  const accounts = [...(account ? [account] : []), ...person.formerAccounts]
  const by = sql`coalesce(cognito_id = any(${accounts}::uuid[]), false)`
  const needles = [email, ...idsOf(person), ...person.phones]
  const mentionsPerson = sql`exists (select from unnest(${needles}::text[]) needle
    where strpos(lower(concat_ws(' ', input::text, before::text, after::text)), needle) > 0)`
  return {
    Profile: ofAccount(
      sql`users left join departments using (tenant, department_id)`,
      sql`cognito_id, coalesce(foreign_address, email) as email, first_name, last_name, nickname, department, enabled, rank, initialized, created_at, signed_out_at`,
    ),
    Rights: sql`select p ->> 'FeatureKey' as feature, p -> 'OperationList' as operations
      from users, jsonb_array_elements(permissions) p where tenant = ${tenant} and cognito_id = ${account}::uuid`,
    PersonalSettings: ofAccount(
      sql`personal_configs`,
      sql`notification, notifications, custom_dashboard, decimal_precision, language, setup, saved_views`,
    ),
    SignIns: audit(sql`${by} and path in ('/SignIn', '/SignInFailed', '/SignOutEverywhere')`),
    Sessions: ofAccount(sql`sessions`, sql`created_at, last_used_at, expires_at, user_agent, address`),
    PushSubscriptions: ofAccount(
      sql`push_subscriptions`,
      sql`created_at, last_sent_at, failed_at, user_agent, service`,
    ),
    Notifications: ofAccount(
      sql`(select * from notifications where ${isReadableBy(caller)}) as readable`,
      sql`at, category, severity, kind, home_id, values, read_at`,
    ),
    Bookings: sql`
      select r.start_timestamp, r.end_timestamp, c.conference_room_name, r.subject, r.description, r.host, r.attendees,
        r.booked_by is not distinct from ${account}::uuid and r.booked_by is not null as booked_by_this_person
      from reservations r left join conference_rooms c using (tenant, conference_room_id)
      where r.tenant = ${tenant} and (r.booked_by = ${account}::uuid or r.booked_by_email = ${email} or r.attendees @> ${JSON.stringify([email])}::jsonb)
      order by r.start_timestamp desc`,
    CalendarFeeds: ofAccount(sql`booking_links`, sql`created_at, kind, conference_room_id`),
    Employee: sql`
      select employee_id, employee_name, email, card_number, department, active, photo_url, created_at
      from employees left join departments using (tenant, department_id)
      where tenant = ${tenant} and employee_id = ${employee?.id ?? null}::text`,
    Visits: sql`
      select visitor_id, visitor_name, company, email, phone, ext, purpose, valid_from, valid_until, checked_in_at, checked_out_at,
        revoked_at, created_at
      from visitors where tenant = ${tenant} and visitor_id = any(${[...visits]}::text[]) order by valid_from desc`,
    VisitorsReceived: sql`
      select visitor_name, company, valid_from, valid_until from visitors
      where tenant = ${tenant} and host_employee_id = ${employee?.id ?? null}::text order by valid_from desc`,
    Scans: sql`
      select timestamp, thing_name, home_id, allow, reason, movement from scan_events
      where tenant = ${tenant} and person_id = any(${idsOf(person)}::text[]) order by timestamp desc`,
    Automations: sql`select automation_name, description, enabled, created_at from automations
      where tenant = ${tenant} and owner_id = ${account}::uuid order by created_at desc`,
    Dashboards: sql`select name, everyone from dashboards where tenant = ${tenant} and owner_id = ${account}::uuid order by name`,
    AuditByThisPerson: audit(by),
    AuditAboutThisPerson: audit(sql`not (${by}) and ${mentionsPerson}`),
  }
}

const TIME_FIELD = /(^|_)(at|since|timestamp|from|until)$/
const FIRST_TIME = Date.UTC(2000, 0, 1)

/** Formats the times of a row as ISO 8601. */
const readable = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      TIME_FIELD.test(field) && typeof value === 'number' && value >= FIRST_TIME
        ? new Date(value).toISOString()
        : value,
    ]),
  )
