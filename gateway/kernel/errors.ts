import type { FieldReason } from '../../contract/kernel/reasons.ts'
import type { ErrorCode } from '../../contract/kernel/errors.ts'

/** Error that the caller may see: its code determines status.code and HTTP status, and its text is sent to the caller. */
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
