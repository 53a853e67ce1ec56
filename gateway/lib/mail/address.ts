import { type Sql, sql } from '../../kernel/db.ts'
import { isolated } from '../../../contract/kernel/text.ts'

/** Address of `users u` within their company; `email` is a placeholder if another company's account has that address. */
export const ADDRESS = sql`coalesce(u.foreign_address, u.email)`

/** Condition on `users u` by their address within their company. */
export const hasAddress = (email: string): Sql => sql`(u.email = ${email} or u.foreign_address = ${email})`

/**
 * Sanitizes a user-entered name for an email to another user: on one line, and without text that mail programs turn into links, because
 * the gateway is the sender. `https://a.example` becomes `https: //a. example`.
 */
export const plainName = (name: string): string =>
  isolated(
    name
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replaceAll('://', ': //')
      .replace(/(?<=\S)([.@])(?=[\p{L}\p{N}])/gu, '$1 ')
      .trim(),
  )
