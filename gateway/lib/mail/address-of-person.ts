import { type Sql, sql } from '../../store/db.ts'

/** Address of `users u` as their company knows it; email is a placeholder if another company's account has that address. */
export const ADDRESS = sql`coalesce(u.foreign_address, u.email)`

/** Condition on `users u`: those whose company knows them by this address. */
export const hasAddress = (email: string): Sql => sql`(u.email = ${email} or u.foreign_address = ${email})`
