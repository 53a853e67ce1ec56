/** Headers of a call's answer: data, not a document, and not cacheable. */
export const CALL_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
/** Maximum number of hosts with cached headers: a gateway has few names, but a Host header may contain anything. */
const MAX_HOSTS = 50

/**
 * Headers of pages and files. Scripts load only from this origin and are never inline; styles may be inline, because the UI kit creates
 * them at run time. Pages may connect to the gateway, its realtime channel on the same host (which not every browser includes in 'self')
 * and the configured user pool.
 *
 * connect   additional origins, e.g. an external user pool
 * returns   headers for a page of a host; an invalid host gets no realtime channel
 */
export function pageHeaders(connect: readonly string[]): (host: string) => Record<string, string> {
  const headersByHost = new Map<string, Record<string, string>>()
  return (hostHeader) => {
    const host = HOST.test(hostHeader) ? hostHeader.toLowerCase() : ''
    const found = headersByHost.get(host)
    if (found) return found
    // ws: also allows wss:, which browsers use over https.
    const headers = headersFor(host ? [`ws://${host}`, ...connect] : connect)
    if (headersByHost.size < MAX_HOSTS) headersByHost.set(host, headers)
    return headers
  }
}

function headersFor(connect: readonly string[]): Record<string, string> {
  const policy = {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    // Players pass unpacked media to the browser as blobs.
    'media-src': ["'self'", 'blob:'],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...connect],
    'worker-src': ["'self'", 'blob:'],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources.join(' ')}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(self), microphone=(), payment=(), usb=()',
  }
}

/**
 * Page headers that only concern documents. Built scripts and style sheets omit them to reduce the size of the first load, which requests
 * dozens of them.
 */
export const DOCUMENT_HEADERS = [
  'content-security-policy',
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
] as const

/** Sent over TLS only; makes browsers stay with TLS. */
export const TRANSPORT_SECURITY = 'max-age=31536000'
