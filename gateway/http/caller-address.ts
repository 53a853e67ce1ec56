import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { readNetworks } from '../lib/network.ts'

const isLoopbackAddress = readNetworks('loopback')

/** Whether a listening address is only reachable from this machine. */
export const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

/** Whether a request has X-Forwarded-For but comes from an untrusted address. */
export function isUntrustedForwarder(trustProxy: false | string): (request: IncomingMessage) => boolean {
  const isTrusted = trustProxy === false ? () => false : readNetworks(trustProxy)
  return ({ socket, headers }) =>
    headers['x-forwarded-for'] !== undefined && !isTrusted(socket.remoteAddress ?? '')
}

/**
 * Address of the caller, as used for calls: the nearest address that is no trusted proxy, from the connection backward through
 * X-Forwarded-For.
 *
 * trustProxy  false: the connection itself; or a list as in TRUST_PROXY
 */
export function callerAddress(trustProxy: false | string): (request: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted = readNetworks(trustProxy)
  return ({ socket, headers }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '')
    const chain = [...forwarded.split(',').map((each) => each.trim()), socket.remoteAddress ?? ''].reverse()
    let caller = ''
    for (const address of chain) {
      // An invalid address was written by an unverified sender.
      if (caller !== '' && !isIP(address)) break
      caller = address
      if (!isTrusted(address)) break
    }
    return caller
  }
}
