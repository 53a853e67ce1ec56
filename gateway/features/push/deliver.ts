import type { Clock } from '../../kernel/ports.ts'

/** What became of a request to a push service; status undefined when there was no answer. */
export interface PushResponse {
  status: number | undefined
  /** Milliseconds that it asks to wait; null where it does not say. */
  retryAfter: number | null
}

export interface PushRequest {
  endpoint: string
  headers: Record<string, string>
  body: Uint8Array
}

/** Bytes of an answer that are read, so that its connection can be used again; nothing in them matters. */
const MOST_READ = 1_024

/** Sends one request: no redirect is followed, and who does not answer in `within` ms is away. */
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
    // Its status has been said.
  }
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
export function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null
  if (/^\d+$/.test(text.trim())) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
