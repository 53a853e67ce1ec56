import {
  type Access,
  decide,
  SOMEWHERE,
  type PermissionSubject,
} from '../../../contract/kernel/permissions.ts'
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  type NotificationSettings,
} from '../../../contract/notifications/settings.ts'
import type {
  NotificationAudience,
  OutgoingMessage,
} from '../../domain/notifications/notification-transport.ts'
import { SUBJECT_COLUMNS } from '../../domain/identity/subject.ts'
import { ADDRESS } from '../../lib/mail/address.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { readSettings } from '../../domain/notifications/read-settings.ts'

/** A person who may receive notifications. */
export interface Recipient extends PermissionSubject {
  cognitoId: string
  tenant: string
  email: string
  departmentId: string | null
  language: OutgoingMessage['language']
  /** Whether push notifications are enabled. */
  pushes: boolean
  settings: NotificationSettings
}

interface Row extends Omit<Recipient, 'language' | 'settings'> {
  language: string | null
  settings: unknown
}

// A person who has not accepted the invitation has not consented to notifications.
const select = (where: Sql) => sql`
  select u.cognito_id as "cognitoId", u.tenant, ${ADDRESS} as email, ${SUBJECT_COLUMNS},
    u.department_id as "departmentId", p.language, coalesce(p.notification, false) as pushes, p.notifications as settings
  from users u left join personal_configs p using (cognito_id)
  where u.enabled and ${where} and not exists (select from invitations i where i.cognito_id = u.cognito_id) order by u.cognito_id`

const recipientOf = (row: Row): Recipient => ({
  ...row,
  language: row.language === 'en-US' ? 'en-US' : 'zh-TW',
  settings: row.settings === null ? DEFAULT_NOTIFICATION_SETTINGS : readSettings(row.settings),
})

/** Number of people of a company who belong to an audience and may receive its notices. */
export async function countRecipients(
  db: Db,
  tenant: string,
  audience: NotificationAudience,
): Promise<number> {
  const rows = await db.query<Row>(select(sql`u.tenant = ${tenant}`))
  return rows.filter((row) => isRecipient(recipientOf(row), audience)).length
}

/** Reads the enabled people of a company, and locks them against deletion until the transaction ends. */
export const lockPeople = async (tx: Db, tenant: string): Promise<Recipient[]> =>
  (await tx.query<Row>(sql`${select(sql`u.tenant = ${tenant}`)} for key share of u`)).map(recipientOf)

/** Reads people by CognitoId; deleted and disabled ones are left out. */
export async function loadPeople(
  db: Db,
  cognitoIds: readonly string[],
): Promise<ReadonlyMap<string, Recipient>> {
  if (cognitoIds.length === 0) return new Map()
  const rows = await db.query<Row>(select(sql`u.cognito_id = any(${[...cognitoIds]}::uuid[])`))
  return new Map(rows.map((row) => [row.cognitoId, recipientOf(row)]))
}

/** Whether the policy grants a person the access. */
export const mayReceive = (person: Recipient, access: Access): boolean =>
  decide(access, person, SOMEWHERE) === true

/** Whether a person belongs to an audience and may receive its notices. */
export const isRecipient = (
  person: Recipient,
  { access, users, departments }: NotificationAudience,
): boolean =>
  mayReceive(person, access) &&
  ((users === undefined && departments === undefined) ||
    (users?.includes(person.cognitoId) ?? false) ||
    (person.departmentId !== null && (departments?.includes(person.departmentId) ?? false)))
