import { isDeepStrictEqual } from 'node:util'
import { GatewayError } from '../kernel/errors.ts'

/**
 * Refuses a change of fields that somebody else has changed since it was begun.
 *
 * given   what the change says that fields said; a field that it leaves out is taken as it comes
 * errors  CONFLICT with `changed` at each field that says something else by now
 */
export function assertUnchanged<T extends object>(
  given: { [F in keyof T]?: T[F] | undefined } | undefined,
  present: T,
): void {
  const changed = Object.entries(given ?? {}).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, present[field as keyof T]),
  )
  if (changed.length > 0)
    throw new GatewayError(
      'CONFLICT',
      'Somebody else has changed this record',
      Object.fromEntries(changed.map(([field]) => [field, 'changed'])),
    )
}
