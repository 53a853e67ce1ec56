import { ERRORS, errorName, OK, type ErrorCode } from '../../contract/kernel/errors.ts'
import type { Envelope } from '../../contract/kernel/envelope.ts'
import type { Right } from '../../contract/kernel/permissions.ts'
import { updateGatewayClock } from '../lib/gateway-clock.ts'

/** Reason why a call failed: the gateway's error code, or NETWORK if it could not be reached. */
export type CallFailure = ErrorCode | 'NETWORK'

/** A failed call. Not shown as it is: `describeFailure` in `failure.ts` returns the localized message. */
export class CallError extends Error {
  readonly failure: CallFailure
  /** status.code; 0 if the gateway was not reached. */
  readonly code: number
  /** Reason key by field path, e.g. { HomeName: 'required' }. */
  readonly fields: Readonly<Record<string, string>>
  /** The missing right, if the failure is PERMISSION_DENIED. */
  readonly missing: Right | undefined
  readonly requestId: string | undefined

  constructor(
    failure: CallFailure,
    text: string,
    details: Partial<Omit<CallError, 'failure' | 'code'>> = {},
  ) {
    super(text)
    this.name = 'CallError'
    this.failure = failure
    this.code = failure === 'NETWORK' ? 0 : ERRORS[failure].code
    this.fields = details.fields ?? {}
    this.missing = details.missing
    this.requestId = details.requestId
  }
}

/** The CallError in an error: the error itself, or the cause of Refine's error. */
export function callErrorIn(error: unknown): CallError | undefined {
  if (error instanceof CallError) return error
  const cause = (error as { cause?: unknown } | null | undefined)?.cause
  return cause instanceof CallError ? cause : undefined
}

export interface PostOptions {
  method?: 'POST' | 'GET'
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/**
 * Sends a request to the gateway, and returns the results in the envelope (§7).
 *
 * errors  CallError; an abort passes through as it is
 */
export async function post(path: string, body: unknown, options: PostOptions = {}): Promise<unknown> {
  const method = options.method ?? 'POST'
  const askedAt = Date.now()
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
      ...(options.signal && { signal: options.signal }),
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new CallError('NETWORK', error instanceof Error ? error.message : 'unreachable')
  }
  updateGatewayClock(response.headers.get('date'), askedAt)
  const { status, results } = await envelopeOf(response)
  if (status.code === OK) return results
  throw new CallError(errorName(status.code), status.error ?? '', {
    ...(status.fields && { fields: status.fields }),
    missing: status.missing as Right | undefined,
    requestId: status.requestId,
  })
}

/** Parses the envelope. A proxy's page instead of it means UNAVAILABLE with HTTP 502 to 504, else INTERNAL. */
async function envelopeOf(response: Response): Promise<Envelope> {
  try {
    const answer = (await response.json()) as Partial<Envelope> | null
    if (typeof answer?.status?.code === 'number') return answer as Envelope
  } catch {
    // Not JSON.
  }
  const isUnavailable = response.status >= 502 && response.status <= 504
  throw new CallError(isUnavailable ? 'UNAVAILABLE' : 'INTERNAL', `HTTP ${response.status}`)
}
