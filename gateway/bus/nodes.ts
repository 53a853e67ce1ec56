import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { connect as connectTls } from 'node:tls'

/** Longest time for a node to name itself, in ms. */
const NAME_TIMEOUT_MS = 2_000
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

/** With what a gateway shows nodes who it is: paths of PEM files. */
export interface KeyPairPaths {
  cert?: string | undefined
  key?: string | undefined
}

/** Which nodes of BUS_URL can be reached now; never fails. */
export async function countNodes(url: string, keyPair: KeyPairPaths = {}): Promise<BusNodes> {
  const hosts = hostsOfBus(url)
  const names = await Promise.all(hosts.map(({ host, port }) => nameOfNode(host, port, keyPair)))
  return { named: hosts.length, up: new Set(names.filter((name) => name !== undefined)).size }
}

/**
 * A node names itself before anybody signs in, also where TLS follows. One that wants TLS first says nothing: then its address is its
 * name, for it took the connection.
 *
 * returns  undefined for one that cannot be reached
 */
function nameOfNode(host: string, port: number, keyPair: KeyPairPaths): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    const address = `${host}:${port}`
    let name: string | undefined
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(name)
    }
    let isConnected = false
    const timer = setTimeout(() => {
      if (isConnected) name ??= address
      end()
    }, NAME_TIMEOUT_MS)
    socket.once('connect', () => (isConnected = true))
    socket.once('error', end)
    socket.once('close', end)
    const lines = createInterface({ input: socket })
      .on('error', () => {})
      .once('line', (line) => {
        name = /"server_id":"([^"]+)"/.exec(line)?.[1] ?? address
        lines.close()
        if (line.includes('"tls_required":true')) closeAfterTls(socket, keyPair).catch(end)
        else end()
      })
  })
}

/**
 * Ends a connection as a node wants it that has asked for TLS: one that is cut before is an error in its log, every 15 s from each gateway.
 * Nothing is said on it, so it does not matter who the node is.
 */
async function closeAfterTls(socket: Socket, { cert, key }: KeyPairPaths): Promise<void> {
  const read = (path: string | undefined) => path && readFile(path).catch(() => undefined)
  const [certificate, privateKey] = await Promise.all([read(cert), read(key)])
  const options = { socket, rejectUnauthorized: false }
  const secure = connectTls(
    certificate && privateKey ? { ...options, cert: certificate, key: privateKey } : options,
  )
  secure.once('secureConnect', () => secure.resume().end()).once('error', () => socket.destroy())
}
