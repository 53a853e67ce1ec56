import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { GatewayError } from '../../kernel/errors.ts'
import { AddressRefused, createSafeRequest } from '../../lib/guarded-request.ts'

/** Timeout of a request, ms. */
const REQUEST_TIMEOUT_MS = 5_000
/** Maximum time to read the body of a response after its status, ms. */
const BODY_TIMEOUT_MS = 1_000
/** Maximum length of a response that is read: enough for the reason of a rejection. */
const MOST_READ = 4_096

/** A response, with the first characters of its body. */
export interface WebhookResponse {
  status: number
  retryAfter: string | undefined
  text: string
}

/** Error for a request without a response, with the reason. */
export class WebhookTimeout extends Error {
  readonly why: 'forbiddenAddress' | 'unreachable'

  constructor(why: WebhookTimeout['why']) {
    super(why)
    this.why = why
  }
}

/** HTTP client for addresses that companies enter. */
export type WebhookClient = ReturnType<typeof createWebhookClient>

/**
 * Reads the start of a response's body, as much as arrives in time. The status has been received before, so a slow or broken body is no
 * failure.
 */
async function readText(answer: IncomingMessage, withinMs: number): Promise<string> {
  let text = ''
  const timer = setTimeout(() => answer.destroy(), withinMs)
  try {
    for await (const chunk of answer) {
      text += (chunk as Buffer).toString()
      if (text.length >= MOST_READ) break
    }
  } catch {
    return text
  } finally {
    clearTimeout(timer)
    answer.destroy()
  }
  return text
}

/**
 * Creates the client.
 *
 * isAllowed     whether the gateway may connect to an IP address
 * bodyWithinMs  time for reading the body of a response, ms
 */
export function createWebhookClient(isAllowed: (address: string) => boolean, bodyWithinMs = BODY_TIMEOUT_MS) {
  const request = createSafeRequest(isAllowed)
  return {
    /**
     * Rejects an address that resolves to the internal network now; every message checks again. A host that cannot be resolved now is
     * accepted.
     *
     * errors  INVALID with `{ Address: 'address' }`
     */
    async refuseAddress(address: string): Promise<void> {
      const { hostname, username, password } = new URL(address)
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      const found = isIP(host)
        ? [{ address: host }]
        : await lookup(host, { all: true }).catch(() => [] as { address: string }[])
      const leadsInside = found.length > 0 && found.every((one) => !isAllowed(one.address))
      if (leadsInside || username || password)
        throw new GatewayError('INVALID', 'The address cannot be used', { Address: 'address' })
    },

    /** Sends JSON, or a GET without a body. Redirects are not followed. Errors: WebhookTimeout. */
    async send(
      address: string,
      { headers = {}, body }: { headers?: Record<string, string>; body?: string },
    ): Promise<WebhookResponse> {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      try {
        const answer = await request(new URL(address), {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            ...headers,
            ...(body !== undefined && {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(body)),
            }),
          },
          signal,
          ...(body !== undefined && { body }),
        })
        const text = await readText(answer, bodyWithinMs)
        return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], text }
      } catch (error) {
        throw new WebhookTimeout(error instanceof AddressRefused ? 'forbiddenAddress' : 'unreachable')
      }
    },
  }
}
