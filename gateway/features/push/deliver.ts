import type { Clock } from '../../kernel/ports.ts'

/** Response of a push service; status undefined if there was none. */
export interface PushResponse {
  status: number | undefined
  /** Requested delay in ms; null if not stated. */
  retryAfter: number | null
}

export interface PushRequest {
  endpoint: string
  headers: Record<string, string>
  body: Uint8Array
}

/** Maximum number of bytes read of a response, so that its connection can be reused; the content is ignored. */
const MOST_READ = 1_024

/** Sends one request without following redirects, with a timeout of `within` ms. */
export async function sendPush(
  { endpoint, headers, body }: PushRequest,
  { clock, within }: { clock: Clock; within: number },
): Promise<PushResponse> {
  const ended = new AbortController()
  const stop = clock.after(within, () => ended.abort())
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: ended.signal,
    })
    await drain(answer)
    return {
      status: answer.status,
      retryAfter: readRetryAfter(answer.headers.get('retry-after'), clock.now()),
    }
  } catch {
    return { status: undefined, retryAfter: null }
  } finally {
    stop()
  }
}

async function drain({ body }: Response): Promise<void> {
  if (!body) return
  const reader = body.getReader()
  let read = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      read += part.value.length
      if (read > MOST_READ) return await reader.cancel()
    }
  } catch {
    // The status is known already.
  }
}

/** Delay of a Retry-After header in ms: seconds, or a date (RFC 9110, 10.2.3). */
export function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null
  if (/^\d+$/.test(text.trim())) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
