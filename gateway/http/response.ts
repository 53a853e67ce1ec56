import { ERRORS, type ErrorCode } from '../../contract/kernel/errors.ts'
import type { Envelope, Status } from '../../contract/kernel/envelope.ts'
import { GatewayError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports.ts'

export interface HttpResponse {
  http: number
  envelope: Envelope
  /** Seconds after which a retry makes sense. */
  retryAfterSeconds?: number | undefined
}

/** PERMISSION_DENIED with the missing right. */
export class PermissionDenied extends GatewayError {
  readonly missing: { feature: string; operation: string }

  constructor(missing: { feature: string; operation: string }) {
    super('PERMISSION_DENIED', `This needs ${missing.operation} on ${missing.feature}`)
    this.missing = missing
  }
}

/** Too many calls; `retryAfterSeconds` in whole seconds. */
export class RateLimited extends GatewayError {
  readonly retryAfterSeconds: number

  constructor(milliseconds: number) {
    super('LIMIT_EXCEEDED', 'Too many requests, try again later')
    this.retryAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1000))
  }
}

/** Retry delay in seconds if the database or broker is unavailable. */
const UNAVAILABLE_RETRY_SECONDS = 2

/**
 * Response to a failed call: a GatewayError with its code and text, anything else as INTERNAL without details; the stack is logged under
 * the request id.
 */
export function toHttpResponse(error: unknown, requestId: string, log: Log, path: string): HttpResponse {
  if (!(error instanceof GatewayError)) {
    log.error({ requestId, path, err: error }, 'call failed')
    return failure('INTERNAL', 'Internal error', { requestId })
  }
  if (error.code === 'UNAVAILABLE' || error.code === 'INTERNAL')
    log.warn({ requestId, path, code: error.code, err: error.cause ?? error }, 'call unavailable')
  const response = failure(error.code, error.message, { requestId })
  const { status } = response.envelope
  if (error.fields) status.fields = error.fields
  if (error instanceof PermissionDenied) status.missing = error.missing
  if (error instanceof RateLimited) response.retryAfterSeconds = error.retryAfterSeconds
  return response
}

function failure(code: ErrorCode, error: string, extra: Pick<Status, 'requestId'>): HttpResponse {
  return {
    http: ERRORS[code].http,
    envelope: { status: { code: ERRORS[code].code, error, ...extra } },
    retryAfterSeconds: code === 'UNAVAILABLE' ? UNAVAILABLE_RETRY_SECONDS : undefined,
  }
}
