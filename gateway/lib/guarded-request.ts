import dns from 'node:dns'
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

/** Request to a user-provided address: resolves with the response of any status once its head has arrived; redirects are not followed. */
export type SafeRequest = (
  url: URL,
  options: { method?: string; headers: OutgoingHttpHeaders; body?: string; signal: AbortSignal },
) => Promise<IncomingMessage>

/** All addresses of a host, as returned by dns.lookup with `all`. */
export type Lookup = (
  host: string,
  options: dns.LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: dns.LookupAddress[]) => void,
) => void

/** The connection was refused: the address is in a refused network, or the port belongs to another protocol. */
export class AddressRefused extends Error {
  readonly why: 'network' | 'port'

  constructor(reason: 'network' | 'port') {
    super(reason === 'network' ? 'The address is in a refused network' : 'The port is of another protocol')
    this.why = reason
  }
}

/** Ports of other protocols, whose servers might misinterpret a request (Fetch standard, "bad port"). */
const OTHER_PROTOCOL_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/**
 * Creates a request function restricted to allowed addresses. A host is resolved once per request and the connection uses an address of
 * that answer: a second lookup could return another one (DNS rebinding). So each request has its own connection.
 *
 * errors  AddressRefused before anything is connected; else errors of node:http
 */
export function createSafeRequest(
  isAllowed: (address: string) => boolean,
  lookup: Lookup = dns.lookup,
): SafeRequest {
  const lookupAllowed: LookupFunction = (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, all) => {
      if (error) return done(error, [])
      const allowed = all.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return done(new AddressRefused('network'), [])
      return options.all ? done(null, allowed) : done(null, first.address, first.family)
    })
  // Agent without connection reuse, but with TLS session reuse.
  const httpsAgent = new https.Agent()

  return (url, { body, ...options }) =>
    new Promise((resolve, reject) => {
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
      // An IP address is never passed to lookup.
      if (isIP(host) && !isAllowed(host)) throw new AddressRefused('network')
      if (OTHER_PROTOCOL_PORTS.has(Number(url.port))) throw new AddressRefused('port')
      const request =
        url.protocol === 'https:'
          ? https.request(url, { ...options, agent: httpsAgent, lookup: lookupAllowed })
          : http.request(url, { ...options, agent: false, lookup: lookupAllowed })
      request.on('response', resolve).on('error', reject).end(body)
    })
}
