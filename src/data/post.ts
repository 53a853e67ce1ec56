import { ERRORS, errorName, OK, type ErrorCode } from '../../contract/kernel/errors.ts'
import type { Envelope } from '../../contract/kernel/envelope.ts'
import type { Right } from '../../contract/kernel/permissions.ts'
import { updateGatewayClock } from '../lib/gateway-clock.ts'

/** Why a call did not succeed: the gateway's word for it, or that the gateway could not be reached. */
export type CallFailure = ErrorCode | 'NETWORK'

/** A call that did not succeed. Never shown as it is: `describe` in `failure.ts` puts it into the person's words. */
export class CallError extends Error {
  readonly failure: CallFailure
  /** status.code; 0 when the gateway was not reached. */
  readonly code: number
  /** Reason key by field path, e.g. { HomeName: 'required' }. */
  readonly fields: Readonly<Record<string, string>>
  /** The right that is missing, when the failure is PERMISSION_DENIED. */
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

/** The failed call behind an error: the error itself, or what Refine's error was made of. */
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
 * One call of the gateway: sends the body, opens the envelope, answers its results (§7).
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

/** A proxy's page instead of an envelope: 502 to 504 mean that the gateway is away, anything else is a fault. */
async function envelopeOf(response: Response): Promise<Envelope> {
  try {
    const answer = (await response.json()) as Partial<Envelope> | null
    if (typeof answer?.status?.code === 'number') return answer as Envelope
  } catch {
    // no JSON
  }
  const away = response.status >= 502 && response.status <= 504
  throw new CallError(away ? 'UNAVAILABLE' : 'INTERNAL', `HTTP ${response.status}`)
}
