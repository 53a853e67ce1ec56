import { sql, type Db, type Sql } from '../../kernel/db.ts'

/** A person with the fields that sign-in needs. */
export interface PoolUser {
  cognitoId: string
  /** Company, that is RootCognitoId. */
  tenant: string
  email: string
  emailVerified: boolean
  firstName: string
  lastName: string
  enabled: boolean
  initialized: boolean
  /** Undefined for a person without a password here. */
  passwordHash: string | undefined
  mustChange: boolean
  /** Epoch ms; changes with every new password. */
  passwordChangedAt: number
}

/** Normal form of an address: trimmed and in lower case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()

/** Account of an address. PostgreSQL rejects a NUL; placeholders for addresses of other companies have no account. */
export const findByEmail = async (db: Db, email: string) =>
  email.includes('\0')
    ? undefined
    : find(db, sql`u.email = ${normalEmail(email)} and u.foreign_address is null`)
/** Whether PostgreSQL accepts a text as a uuid. */
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

/** Marks a person's first sign-in as done; false if it was before. */
export async function setInitialized(cognitoId: string, on: Db): Promise<boolean> {
  const marked = await on.query(sql`update users set initialized = true
    where cognito_id = ${cognitoId}::uuid and not initialized returning 1 as one`)
  return marked.length > 0
}
