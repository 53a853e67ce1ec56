import { GatewayError } from '../kernel/errors.ts'

/**
 * Refuses a change that was begun on an older record than the present one.
 *
 * given   the version that the change names; undefined for one that names none and is taken as it comes
 * errors  CONFLICT with `{ Version: 'changed' }`
 */
export function assertVersion(given: number | undefined, { Version }: { Version: number }): void {
  if (given !== undefined && given !== Version)
    throw new GatewayError('CONFLICT', 'Somebody else has changed this record', { Version: 'changed' })
}
