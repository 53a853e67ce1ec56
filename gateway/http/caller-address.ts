import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Names for whole networks, as TRUST_PROXY may use them. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** An IPv4 address that a socket writes in the manner of IPv6, as IPv4. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Reads a list of proxies: addresses, networks (10.0.0.0/8) and the names loopback, linklocal and uniquelocal, separated
 * by commas.
 *
 * errors  TypeError naming what is none of these
 */
export function readProxies(list: string): (address: string) => boolean {
  const trusted = new BlockList()
  for (const entry of list.split(',').flatMap((each) => NETWORKS[each.trim()] ?? each.trim())) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    const most = family === 'ipv6' ? 128 : 32
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
    if (!isIP(address) || length < 0 || length > most)
      throw new TypeError(`${entry} is no address or network`)
    trusted.addSubnet(address, length, family)
  }
  return (given) => {
    const address = plain(given)
    return isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}

const ofThisMachine = readProxies('loopback')

/** Whether a host name or address to listen on is reached from this machine alone. */
export const isLoopback = (host: string): boolean => host === 'localhost' || ofThisMachine(host)

/** Whether a request says whom it was forwarded for, and comes from where nobody is trusted to say so. */
export function isForwardedByStranger(trustProxy: false | string): (request: IncomingMessage) => boolean {
  const trusts = trustProxy === false ? () => false : readProxies(trustProxy)
  return ({ socket, headers }) =>
    headers['x-forwarded-for'] !== undefined && !trusts(socket.remoteAddress ?? '')
}

/**
 * Who is behind a request, by the rule that calls follow too: the nearest address that is no trusted proxy, from the
 * connection back through X-Forwarded-For.
 *
 * trustProxy  false: the connection itself; or a list as TRUST_PROXY has it
 */
export function callerAddress(trustProxy: false | string): (request: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? ''
  const trusts = readProxies(trustProxy)
  return ({ socket, headers }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '')
    const chain = [...forwarded.split(',').map((each) => each.trim()), socket.remoteAddress ?? ''].reverse()
    let caller = ''
    for (const address of chain) {
      // What is no address was written by somebody whom nobody checked.
      if (caller !== '' && !isIP(address)) break
      caller = address
      if (!trusts(address)) break
    }
    return caller
  }
}
