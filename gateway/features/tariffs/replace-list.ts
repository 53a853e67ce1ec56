import { isDeepStrictEqual } from 'node:util'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'

/**
 * Rejects the replacement of a list that has changed since the caller read it.
 *
 * seen    list that the caller read; undefined to replace any
 * errors  CONFLICT with `{ Seen: 'changed' }`
 */
export function assertListUnchanged(seen: readonly object[] | undefined, before: readonly object[]): void {
  if (seen !== undefined && !isDeepStrictEqual(seen, before))
    throw new GatewayError('CONFLICT', 'Somebody else has changed this list', { Seen: 'changed' })
}

/** Locks a company's off-peak days and carbon factors until the transaction ends, so that concurrent replacements are not merged. */
export const lockRules = async (db: Db, tenant: string): Promise<void> => {
  await db.query(sql`select pg_advisory_xact_lock(hashtext('pricing rules'), hashtext(${tenant}))`)
}
