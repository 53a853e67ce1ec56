import { type Sql, sql } from '../../kernel/db.ts'

/** Address of `users u` within their company; `email` is a placeholder if another company's account has that address. */
export const ADDRESS = sql`coalesce(u.foreign_address, u.email)`

/** Condition on `users u` by their address within their company. */
export const hasAddress = (email: string): Sql => sql`(u.email = ${email} or u.foreign_address = ${email})`
