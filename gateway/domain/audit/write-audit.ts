import type { z } from 'zod'
import { sql, type Db } from '../../kernel/db.ts'
import { isCredentialName, maskCredentials } from '../../lib/payloads/mask-credentials.ts'

/** Audit entry: who, when, from where, what, before and after. */
export interface AuditEntry {
  /** cognitoId is null if no user is signed in. */
  actor: { tenant: string; cognitoId: string | null; name: string }
  at: number
  ip: string
  requestId: string
  path: string
  input: unknown
  before: unknown
  after: unknown
  schemas?: AuditSchemas | undefined
}

/** Schemas that a call declares; their flags mark credentials to mask. */
export interface AuditSchemas {
  input: z.ZodType
  /** Schemas of the results and of the affected record. */
  records: readonly z.ZodType[]
}

/** Inserts the row in the transaction of the change, so that both are committed or neither. */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { actor, schemas } = entry
  const inputSchemas = schemas ? [schemas.input] : []
  // Before and after have the fields of the input, the results or the record.
  const changed = schemas ? [...inputSchemas, ...schemas.records] : []
  const json = (value: unknown, of: readonly z.ZodType[]) =>
    value === undefined ? null : JSON.stringify(maskCredentials(value, of, isCredentialName))
  await tx.query(sql`
    insert into audit_log (tenant, at, cognito_id, by_name, ip, request_id, path, input, before, after)
    values (${actor.tenant}, ${entry.at}, ${actor.cognitoId}, ${actor.name}, ${entry.ip}, ${entry.requestId},
      ${entry.path}, ${json(entry.input, inputSchemas)}, ${json(entry.before, changed)},
      ${json(entry.after, changed)})`)
}
