import pg from 'pg'
import { GatewayError } from '../kernel/errors.ts'

/** Node.js error codes of an unreachable server; ENOENT is a missing unix socket. */
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])

/** Errors that pg throws without a code, by the start of their message. */
const LOST_CONNECTION_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'No server of DATABASE_URL takes writes',
  'Cannot use a pool after calling end',
]

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/**
 * Whether the connection that raised the error is unusable: socket errors, client timeouts, and the SQLSTATE classes 08 (connection) and
 * 57P (server shutting down).
 */
export const isConnectionLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (error instanceof pg.DatabaseError) return code.startsWith('08') || code.startsWith('57P')
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost)
  return (
    UNREACHABLE_CODES.has(code) || LOST_CONNECTION_MESSAGES.some((start) => error.message.startsWith(start))
  )
}

/**
 * Whether the server that raised the error may no longer be the primary: it shuts down, is a standby, or is unreachable. Other
 * connections to it must not be reused.
 */
export const isServerUnreachable = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return error.code === '25006' || isConnectionLost(error)
  return isConnectionLost(error) && !isLocalTimeout(error as Error)
}

/** Whether no answer arrived in time for any reason: the server may be unreachable or only busy. */
export const isLocalTimeout = ({ message }: Error): boolean =>
  message.startsWith('Query read timeout') ||
  message.startsWith('timeout exceeded') ||
  message.startsWith('Cannot use a pool')

/** Message for a SQLSTATE that means "not now"; undefined for any other. */
const reasonOfCode = (code: string): string | undefined => {
  if (code === '53100') return 'The database disk is full'
  if (code === '53300') return 'The database has no free connection'
  if (code === '40001' || code === '40P01' || code === '55P03') return 'The database is busy'
  if (code === '57014') return 'The database took too long'
  if (code === '25006') return 'The database is read-only'
  if (code.startsWith('28') || code === '3D000') return 'The database refuses the configured sign-in'
  if (/^(08|53|57|58)/.test(code)) return 'The database is not available'
  return undefined
}

/**
 * Converts temporary errors to GatewayError UNAVAILABLE, with the original as its cause; every other error, including constraint
 * violations, is returned unchanged.
 */
export const toGatewayError = (error: unknown): unknown => {
  const reason =
    error instanceof pg.DatabaseError
      ? reasonOfCode(codeOf(error))
      : isConnectionLost(error)
        ? 'The database cannot be reached'
        : undefined
  return reason ? new GatewayError('UNAVAILABLE', reason, undefined, { cause: error }) : error
}

/** Whether a snapshot transaction conflicted with a concurrent change (SQLSTATE 40001), also if wrapped in a GatewayError. */
export const isSerializationFailure = (error: unknown): boolean =>
  codeOf(error instanceof GatewayError ? error.cause : error) === '40001'

/** Whether an exclusion constraint was violated (SQLSTATE 23P01). */
export const isExclusionViolation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23P01'

/** Whether a unique or primary key was violated (SQLSTATE 23505), of the named constraint if given. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === '23505' &&
  (constraint === undefined || error.constraint === constraint)

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
