import { isDeepStrictEqual } from 'node:util'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../store/db.ts'

/**
 * Refuses to replace a list by one that was made of another.
 *
 * seen    the list that the new one was made of; undefined for one that is to hold whatever there was
 * errors  CONFLICT with `{ Seen: 'changed' }`
 */
export function refuseUnseen(seen: readonly object[] | undefined, before: readonly object[]): void {
  if (seen !== undefined && !isDeepStrictEqual(seen, before))
    throw new GatewayError('CONFLICT', 'Somebody else has changed this list', { Seen: 'changed' })
}

/** Keeps a company's off-peak days and carbon factors until the transaction ends: of two who replace them at once neither adds to the other's. */
export const lockRules = async (db: Db, tenant: string): Promise<void> => {
  await db.query(sql`select pg_advisory_xact_lock(hashtext('pricing rules'), hashtext(${tenant}))`)
}
