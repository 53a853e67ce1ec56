import { sql, type Db } from '../store/db.ts'

/** Names of fields whose values never reach the audit; a `Path` and a `Link` are secret addresses. */
const SECRET = /password|secret|token|code|jwe|networkkey|cardnumber|uploadurl|^path$|^link$/i
const HIDDEN = '***'
/** Addresses keep what comes before their query: in it others hide their tokens. */
const ADDRESS = /url$/i

/** One line of the audit: who, when, from where, what, before and after. */
export interface AuditEntry {
  /** cognitoId is null where nobody is signed in. */
  actor: { tenant: string; cognitoId: string | null; name: string }
  at: number
  ip: string
  requestId: string
  path: string
  input: unknown
  before: unknown
  after: unknown
}

/** The value with every secret field and the query of every address hidden, at any depth. */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      SECRET.test(key) && each !== null
        ? HIDDEN
        : ADDRESS.test(key) && typeof each === 'string'
          ? each.replace(/[?#].*$/s, `?${HIDDEN}`)
          : redact(each),
    ]),
  )
}

/** Whether a value has a field that the audit would hide. */
export function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => SECRET.test(key) || holdsSecret(each))
}

/** Writes the row in the transaction of the change, so that there is never one without the other. */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { actor } = entry
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(redact(value)))
  await tx.query(sql`
    insert into audit_log (tenant, at, cognito_id, by_name, ip, request_id, path, input, before, after)
    values (${actor.tenant}, ${entry.at}, ${actor.cognitoId}, ${actor.name}, ${entry.ip}, ${entry.requestId},
      ${entry.path}, ${json(entry.input)}, ${json(entry.before)}, ${json(entry.after)})`)
}
