import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { plainAddress, readNetworks } from './read-networks.ts'

/**
 * Never a camera of an open network: this machine, the link (where clouds answer for metadata, too), "this network", multicast,
 * reserved and benchmark networks and protocol assignments (RFC 6890), site-local IPv6 (RFC 3879), and the ways to write or tunnel
 * IPv4 as IPv6: compatible, translated (RFC 2765), locally translated (RFC 8215), Teredo and 6to4. What these stand for is not
 * checked, since nothing that is wanted is behind them.
 */
const REFUSED = readNetworks(
  [
    'loopback,linklocal,0.0.0.0/8,192.0.0.0/24,198.18.0.0/15,224.0.0.0/4,240.0.0.0/4',
    '::/96,::ffff:0:0:0/96,64:ff9b:1::/48,2001::/32,2002::/16,fec0::/10,ff00::/8',
  ].join(),
)

/** Where clouds tell a machine its keys: AWS, Google and Azure alike, AWS and Google by IPv6, Alibaba, Oracle, Azure's agent. */
const METADATA = readNetworks(
  '169.254.169.254,fd00:ec2::/32,fd20:ce::254,100.100.100.200,192.0.0.192,168.63.129.16',
)

/** An IPv4 address that an IPv6 network translates (NAT64; RFC 6052, 2.1), as IPv4; what is none stays as it is. */
const untranslated = (address: string): string => {
  const [, low] = /^64:ff9b::([\da-f]+(?::[\da-f]+)?)$/.exec(address) ?? []
  return low === undefined ? address : plainAddress(`::ffff:${low.includes(':') ? low : `0:${low}`}`)
}

/** The network interfaces of this machine, as node:os tells them. */
export type Interfaces = ReturnType<typeof networkInterfaces>

/** The networks that this machine is part of, its own addresses among them. */
const ownNetworks = (interfaces: Interfaces): string =>
  Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .map(({ address, cidr }) => cidr ?? address)
    .join(',')

/**
 * Makes the rule which addresses a camera may have. Anybody who may add devices names them, so the gateway's own
 * machine and networks are refused unless its operator names them, and metadata unless it is named by its very address:
 * a network that holds it was meant for cameras.
 *
 * named       addresses and networks as CAMERA_NETWORKS has them; empty for none
 * interfaces  this machine's, asked for each time, since they come and go
 * returns     whether the gateway may connect to an address; false for what is no address
 * errors      TypeError when `named` is no such list
 */
export function allowNetworks(
  named: string,
  interfaces: () => Interfaces = networkInterfaces,
): (address: string) => boolean {
  const isNamed = named === '' ? () => false : readNetworks(named)
  const namedAlone = new Set(named.split(',').map((each) => plainAddress(each.trim())))
  return (given) => {
    if (isIP(given) === 0) return false
    const address = untranslated(plainAddress(given))
    if (METADATA(address)) return namedAlone.has(address)
    if (isNamed(address)) return true
    const own = ownNetworks(interfaces())
    return !REFUSED(address) && (own === '' || !readNetworks(own)(address))
  }
}

/** Addresses that only machines nearby can reach: private networks (RFC 1918, 4193) and those that providers share (RFC 6598). */
const PRIVATE = readNetworks('uniquelocal,100.64.0.0/10')

/**
 * Makes the rule which addresses may be sent to that a company names: those of the internet, and what the operator names.
 *
 * named  as WEBHOOK_NETWORKS has them; empty for none
 */
export function allowExternalOnly(
  named: string,
  interfaces: () => Interfaces = networkInterfaces,
): (address: string) => boolean {
  const isAllowed = allowNetworks(named, interfaces)
  const isNamed = named === '' ? () => false : readNetworks(named)
  return (address) =>
    isAllowed(address) && (isNamed(address) || !PRIVATE(untranslated(plainAddress(address))))
}
