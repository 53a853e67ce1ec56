import { GatewayError } from '../kernel/errors.ts'
import { isUniqueViolation } from './database-errors.ts'

/**
 * Awaits a write whose name must be unique.
 *
 * errors  CONFLICT with `{ [field]: 'taken' }` if another record already has the name
 */
export async function conflictOnUniqueViolation<T>(
  field: string,
  text: string,
  write: Promise<T>,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isUniqueViolation(error)) throw new GatewayError('CONFLICT', text, { [field]: 'taken' })
    throw error
  }
}
