import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { readNetworks } from '../lib/read-networks.ts'

const ofThisMachine = readNetworks('loopback')

/** Whether a host name or address to listen on is reached from this machine alone. */
export const isLoopback = (host: string): boolean => host === 'localhost' || ofThisMachine(host)

/** Whether a request says whom it was forwarded for, and comes from where nobody is trusted to say so. */
export function isUntrustedForwarder(trustProxy: false | string): (request: IncomingMessage) => boolean {
  const trusts = trustProxy === false ? () => false : readNetworks(trustProxy)
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
  const trusts = readNetworks(trustProxy)
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
