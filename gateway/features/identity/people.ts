import { sql, type Db, type Sql } from '../../store/db.ts'

/** A person with what sign-in needs to know. */
export interface PoolUser {
  cognitoId: string
  /** Company, that is RootCognitoId. */
  tenant: string
  email: string
  /** Whether mail to that address was shown to reach the person. */
  emailVerified: boolean
  firstName: string
  lastName: string
  enabled: boolean
  initialized: boolean
  /** Undefined for a person who has no password here. */
  passwordHash: string | undefined
  mustChange: boolean
  /** Epoch ms; changes with every new password. */
  passwordChangedAt: number
}

/** One spelling for each address: trimmed and in lower case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()

/** The account of an address. PostgreSQL rejects a NUL; placeholders of addresses of other companies have no account. */
export const findByEmail = async (db: Db, email: string) =>
  email.includes('\0')
    ? undefined
    : find(db, sql`u.email = ${normalEmail(email)} and u.foreign_address is null`)
/** Whether PostgreSQL would take it for a uuid. */
export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const findById = (db: Db, cognitoId: string) => find(db, sql`u.cognito_id = ${cognitoId}::uuid`)

async function find(db: Db, where: Sql): Promise<PoolUser | undefined> {
  const [person] = await db.query<PoolUser>(sql`
    select u.cognito_id as "cognitoId", u.tenant, u.email, u.email_verified as "emailVerified", u.first_name as "firstName", u.last_name as "lastName",
      u.enabled, u.initialized, c.password_hash as "passwordHash",
      coalesce(c.must_change, false) as "mustChange", coalesce(c.password_changed_at, 0) as "passwordChangedAt"
    from users u left join credentials c using (cognito_id) where ${where}`)
  return person && { ...person, passwordHash: person.passwordHash ?? undefined }
}

/** Notes that a person has signed in for the first time; false when that was noted before. */
export async function setInitialized(cognitoId: string, on: Db): Promise<boolean> {
  const marked = await on.query(sql`update users set initialized = true
    where cognito_id = ${cognitoId}::uuid and not initialized returning 1 as one`)
  return marked.length > 0
}
