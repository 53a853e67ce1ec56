import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** Names of Amazon Cognito's errors, as clients of the pool know them. */
export type PoolErrorName =
  | 'CodeMismatchException'
  | 'ExpiredCodeException'
  | 'InternalErrorException'
  | 'InvalidParameterException'
  | 'InvalidPasswordException'
  | 'LimitExceededException'
  | 'NotAuthorizedException'
  | 'ResourceNotFoundException'
  | 'SerializationException'
  | 'TooManyRequestsException'
  | 'UnknownOperationException'

export class PoolError extends Error {
  override readonly name: PoolErrorName
  /** Reason for the field of a POST call, if the name alone does not determine it. */
  readonly reason: FieldReason | undefined

  constructor(name: PoolErrorName, message: string, reason?: FieldReason) {
    super(message)
    this.name = name
    this.reason = reason
  }
}

/** The same error for every failed sign-in, so that it does not reveal whether an address is known. */
export const wrongPassword = (): PoolError =>
  new PoolError('NotAuthorizedException', 'Incorrect username or password.')

/**
 * Maps a pool error to that of POST calls.
 *
 * fields  input fields of the call for a wrong code, a weak and a wrong password
 */
export function asGatewayError(
  error: unknown,
  fields: { code?: string; next?: string; previous?: string } = {},
): unknown {
  if (!(error instanceof PoolError)) return error
  const field = (name: string | undefined, reason: FieldReason) => (name ? { [name]: reason } : undefined)
  switch (error.name) {
    case 'CodeMismatchException':
    case 'ExpiredCodeException':
      return new GatewayError('INVALID', error.message, field(fields.code, 'code'))
    case 'InvalidPasswordException':
      return new GatewayError('INVALID', error.message, field(fields.next, error.reason ?? 'password'))
    case 'LimitExceededException':
    case 'TooManyRequestsException':
      return new GatewayError('LIMIT_EXCEEDED', error.message)
    case 'NotAuthorizedException':
      return fields.previous && error.message === wrongPassword().message
        ? new GatewayError(
            'INVALID',
            'The current password is wrong',
            field(fields.previous, 'wrongPassword'),
          )
        : new GatewayError('UNAUTHENTICATED', error.message)
    default:
      return new GatewayError('INVALID', error.message)
  }
}
