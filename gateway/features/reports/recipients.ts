import { SUBJECT_COLUMNS } from '../../domain/identity/subject.ts'
import { ADDRESS } from '../../lib/mail/address.ts'
import { may, type PermissionSubject, SOMEWHERE } from '../../../contract/kernel/permissions.ts'
import type { DELIVERY_SKIP_REASONS } from '../../../contract/reports/calls.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import type { Language } from '../../../contract/kernel/scalars.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** A person who may be sent a report. */
export interface ReportRecipient {
  cognitoId: string
  /** Null for a person whom the company does not have. */
  name: string | null
  email: string
  language: Language
  /** Reason for not sending the report; null if it is sent. */
  reason: (typeof DELIVERY_SKIP_REASONS)[number] | null
}

interface Row extends PermissionSubject {
  cognitoId: string
  FirstName: string
  LastName: string
  nickname: string
  Email: string
  enabled: boolean
  language: string | null
}

/** Reads people of a company, each once, in order of id; unknown ones have the reason `gone`. */
export async function readRecipients(
  db: Db,
  tenant: string,
  cognitoIds: readonly string[],
): Promise<ReportRecipient[]> {
  const rows = await db.query<Row>(sql`
    select u.cognito_id as "cognitoId", u.first_name as "FirstName", u.last_name as "LastName", u.nickname,
      ${ADDRESS} as "Email", u.enabled, ${SUBJECT_COLUMNS}, p.language
    from users u left join personal_configs p using (cognito_id)
    where u.tenant = ${tenant} and u.cognito_id = any(${[...cognitoIds]}::uuid[])`)
  const known = new Map(rows.map((row) => [row.cognitoId, row]))
  return [...new Set(cognitoIds)].map((cognitoId) => {
    const row = known.get(cognitoId)
    if (!row) return { cognitoId, name: null, email: '', language: 'zh-TW', reason: 'gone' }
    const mayRead = may(row, 'electricity', 'Read', SOMEWHERE)
    return {
      cognitoId,
      name: displayName(row),
      email: row.Email,
      language: row.language === 'en-US' ? 'en-US' : 'zh-TW',
      reason: !row.enabled ? 'gone' : mayRead ? null : 'right',
    }
  })
}
