import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** Longest time for a node to name itself, in ms. */
const NAMED_WITHIN = 2_000
const DEFAULT_PORT = 4222

/** Nodes of the bus. */
export interface BusNodes {
  /** Those that BUS_URL names. */
  named: number
  /** Those of them that can be reached: two addresses of one node count once. */
  up: number
}

/** The hosts of BUS_URL. */
export const hostsOfBus = (url: string): { host: string; port: number }[] =>
  url
    .replace(/^\w+:\/\//, '')
    .split(',')
    .map((name) => {
      const [, host = name, port] = /^(.*?)(?::(\d+))?$/.exec(name) ?? []
      return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port ?? DEFAULT_PORT) }
    })

/** Which nodes of BUS_URL can be reached now; never fails. */
export async function countNodes(url: string): Promise<BusNodes> {
  const hosts = hostsOfBus(url)
  const names = await Promise.all(hosts.map(({ host, port }) => nameOfNode(host, port)))
  return { named: hosts.length, up: new Set(names.filter((name) => name !== undefined)).size }
}

/**
 * A node names itself before anybody signs in, also where TLS follows. One that wants TLS first says nothing: then its address is its
 * name, for it took the connection.
 *
 * returns  undefined for one that cannot be reached
 */
function nameOfNode(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    let isConnected = false
    const end = (name: string | undefined) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(name)
    }
    const timer = setTimeout(() => end(isConnected ? `${host}:${port}` : undefined), NAMED_WITHIN)
    socket.once('connect', () => (isConnected = true))
    socket.once('error', () => end(undefined))
    socket.once('close', () => end(undefined))
    createInterface({ input: socket })
      .on('error', () => {})
      .once('line', (line) => end(/"server_id":"([^"]+)"/.exec(line)?.[1] ?? `${host}:${port}`))
  })
}
