import dns from 'node:dns'
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { CameraError } from './fault.ts'

/** A request to a camera: its answer, whatever its status, once the head has come; redirects are answers like others. */
export type Request = (
  url: URL,
  options: { headers: OutgoingHttpHeaders; signal: AbortSignal },
) => Promise<IncomingMessage>

/** All addresses of a host, as dns.lookup with `all` answers them. */
export type Lookup = (
  host: string,
  options: dns.LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: dns.LookupAddress[]) => void,
) => void

/** Ports of other protocols, whose servers might take a request for one of theirs (Fetch standard, "bad port"). */
const FOREIGN_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

const refused = () =>
  new CameraError('network', 'The address is in a network that CAMERA_NETWORKS does not name')

/**
 * Requests that go to allowed addresses alone. A host is looked up once for each and the connection goes to an address
 * of that answer: were it looked up again, a name server could answer with another one (DNS rebinding). So each request
 * has a connection of its own.
 *
 * errors  CameraError `network` before anything is connected, whatever the port; else what node:http tells
 */
export function createRequest(isAllowed: (address: string) => boolean, lookup: Lookup = dns.lookup): Request {
  const lookupAllowed: LookupFunction = (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, all) => {
      if (error) return done(error, [])
      const found = all.filter(({ address }) => isAllowed(address))
      const [first] = found
      if (!first) return done(refused(), [])
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
  // An agent that keeps no connection, but the sessions of TLS.
  const secure = new https.Agent()

  return (url, options) =>
    new Promise((resolve, reject) => {
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
      // What is an address already is never looked up.
      if (isIP(host) && !isAllowed(host)) throw refused()
      if (FOREIGN_PORTS.has(Number(url.port)))
        throw new CameraError('unreachable', 'No camera answers at this port')
      const request =
        url.protocol === 'https:'
          ? https.request(url, { ...options, agent: secure, lookup: lookupAllowed })
          : http.request(url, { ...options, agent: false, lookup: lookupAllowed })
      request.on('response', resolve).on('error', reject).end()
    })
}
