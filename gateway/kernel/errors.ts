import type { FieldReason } from '../../contract/kernel/reasons.ts'
import type { ErrorCode } from '../../contract/kernel/errors.ts'

/** A failure the caller may know about: its code picks status.code and HTTP status, its text reaches the caller. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  /** Reasons by input path, for INVALID and CONFLICT. */
  readonly fields: Record<string, FieldReason> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    fields?: Record<string, FieldReason>,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'GatewayError'
    this.code = code
    this.fields = fields
  }
}
