import { sql } from '../../kernel/db.ts'

/** Columns of `users u` that make a row a `PermissionSubject`. */
export const SUBJECT_COLUMNS = sql`u.cognito_id = u.tenant as "isRoot", u.permissions, u.home_grants as "homeGrants"`
