import dns from 'node:dns'
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { plainAddress, readNetworks } from './network.ts'

/** Request to a user-provided address: resolves with the response of any status once its head has arrived; redirects are not followed. */
type SafeRequest = (
  url: URL,
  options: { method?: string; headers: OutgoingHttpHeaders; body?: string; signal: AbortSignal },
) => Promise<IncomingMessage>

/** All addresses of a host, as returned by dns.lookup with `addresses`. */
export type Lookup = (
  host: string,
  options: dns.LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, allowed: dns.LookupAddress[]) => void,
) => void

/** The connection was refused: the address is in a refused network, or the port belongs to another protocol. */
export class AddressRefused extends Error {
  readonly reason: 'network' | 'port'

  constructor(reason: 'network' | 'port') {
    super(reason === 'network' ? 'The address is in a refused network' : 'The port is of another protocol')
    this.reason = reason
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

/**
 * Networks that are always refused: this machine, link-local (including cloud metadata), "this network", multicast, reserved and
 * benchmark networks and protocol assignments (RFC 6890), site-local IPv6 (RFC 3879), and encodings or tunnels of IPv4 in IPv6:
 * compatible, translated (RFC 2765), locally translated (RFC 8215), Teredo and 6to4. The embedded addresses are not checked, because no
 * legitimate target uses them.
 */
const isRejected = readNetworks(
  [
    'loopback,linklocal,0.0.0.0/8,192.0.0.0/24,198.18.0.0/15,224.0.0.0/4,240.0.0.0/4',
    '::/96,::ffff:0:0:0/96,64:ff9b:1::/48,2001::/32,2002::/16,fec0::/10,ff00::/8',
  ].join(),
)

/** Metadata services of clouds: AWS, Google and Azure (IPv4), AWS and Google (IPv6), Alibaba, Oracle, Azure's agent. */
const isMetadataService = readNetworks(
  '169.254.169.254,fd00:ec2::/32,fd20:ce::254,100.100.100.200,192.0.0.192,168.63.129.16',
)

/** Converts a NAT64 address (RFC 6052, 2.1) to its IPv4 address; others are returned unchanged. */
const withoutNat64 = (address: string): string => {
  const [, low] = /^64:ff9b::([\da-f]+(?::[\da-f]+)?)$/.exec(address) ?? []
  return low === undefined ? address : plainAddress(`::ffff:${low.includes(':') ? low : `0:${low}`}`)
}

/** Network interfaces of this machine, as in node:os. */
export type Interfaces = ReturnType<typeof networkInterfaces>

/** Networks of this machine, including its own addresses. */
const ownNetworks = (interfaces: Interfaces): string =>
  Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .map(({ address, cidr }) => cidr ?? address)
    .join(',')

/**
 * Creates the rule for camera addresses. Anyone who may add devices enters them, so the gateway's own machine and networks are refused
 * unless its operator lists them, and metadata services unless listed by their exact address: a network that contains one was meant for
 * cameras.
 *
 * named       addresses and networks as in CAMERA_NETWORKS; empty for none
 * interfaces  those of this machine, read on every check, because they change
 * returns     whether the gateway may connect to an address; false for an invalid one
 * errors      TypeError if `named` is invalid
 */
export function allowNetworks(
  named: string,
  interfaces: () => Interfaces = networkInterfaces,
): (address: string) => boolean {
  const isNamed = named === '' ? () => false : readNetworks(named)
  const namedAddresses = new Set(named.split(',').map((each) => plainAddress(each.trim())))
  return (given) => {
    if (isIP(given) === 0) return false
    const address = withoutNat64(plainAddress(given))
    if (isMetadataService(address)) return namedAddresses.has(address)
    if (isNamed(address)) return true
    const own = ownNetworks(interfaces())
    return !isRejected(address) && (own === '' || !readNetworks(own)(address))
  }
}

/** Addresses reachable only locally: private networks (RFC 1918, 4193) and shared address space of providers (RFC 6598). */
const isPrivate = readNetworks('uniquelocal,100.64.0.0/10')

/**
 * Creates the rule for addresses that a company enters: those of the internet, and those that the operator lists.
 *
 * named  as in WEBHOOK_NETWORKS; empty for none
 */
export function allowExternalOnly(
  named: string,
  interfaces: () => Interfaces = networkInterfaces,
): (address: string) => boolean {
  const isAllowed = allowNetworks(named, interfaces)
  const isNamed = named === '' ? () => false : readNetworks(named)
  return (address) =>
    isAllowed(address) && (isNamed(address) || !isPrivate(withoutNat64(plainAddress(address))))
}
