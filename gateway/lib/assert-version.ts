import { isDeepStrictEqual } from 'node:util'
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

/**
 * Rejects a change of fields that have been changed since the caller read them.
 *
 * expected   values that the caller saw; omitted fields are not checked
 * errors  CONFLICT with `changed` at each field with another value
 */
export function assertUnchanged<T extends object>(
  expected: { [F in keyof T]?: T[F] | undefined } | undefined,
  current: T,
): void {
  const changed = Object.entries(expected ?? {}).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, current[field as keyof T]),
  )
  if (changed.length > 0)
    throw new GatewayError(
      'CONFLICT',
      'Somebody else has changed this record',
      Object.fromEntries(changed.map(([field]) => [field, 'changed'])),
    )
}
