/** What a call's answer carries: it is data, never a document, and nobody keeps it. */
export const CALL_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
/** Hosts whose headers are remembered: a gateway has few names, and a Host header may hold anything. */
const REMEMBERED = 50

/**
 * What every page and file carries. Scripts come from here alone and never stand in the page; styles may, because the UI
 * kit writes them at run time. The browser may talk to the gateway, its realtime channel on the same host (which not
 * every browser counts to 'self') and the configured user pool.
 *
 * connect   further origins, e.g. a real user pool
 * returns   the headers for a page of this host; a host that is none gets no realtime channel
 */
export function pageHeaders(connect: readonly string[]): (host: string) => Record<string, string> {
  const known = new Map<string, Record<string, string>>()
  return (given) => {
    const host = HOST.test(given) ? given.toLowerCase() : ''
    const found = known.get(host)
    if (found) return found
    // ws: also allows wss:, as a browser that came over https uses.
    const headers = headersFor(host ? [`ws://${host}`, ...connect] : connect)
    if (known.size < REMEMBERED) known.set(host, headers)
    return headers
  }
}

function headersFor(connect: readonly string[]): Record<string, string> {
  const policy = {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    // Players hand the browser what they have unpacked.
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
 * Of the page headers, those that say something about a document: a built script or style sheet is none, and what pages may
 * do with it is for the page to say. There are dozens on the first load, so they travel without.
 */
export const DOCUMENT_HEADERS = [
  'content-security-policy',
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
] as const

/** Sent over TLS only, where it makes browsers stay with TLS. */
export const TRANSPORT_SECURITY = 'max-age=31536000'
