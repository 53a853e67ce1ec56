import { GatewayError } from '../kernel/errors.ts'

/**
 * Rejects a change that is based on an older version of the record.
 *
 * expected   version that the caller saw; not checked if undefined
 * errors  CONFLICT with `{ Version: 'changed' }`
 */
export function assertVersion(expected: number | undefined, { Version }: { Version: number }): void {
  if (expected !== undefined && expected !== Version)
    throw new GatewayError('CONFLICT', 'Somebody else has changed this record', { Version: 'changed' })
}
