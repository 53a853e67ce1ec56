import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { connect as connectTls } from 'node:tls'

/** Maximum time for a node to send its name, in ms. */
const NAME_TIMEOUT_MS = 2_000
const DEFAULT_PORT = 4222

/** Number of bus nodes. */
export interface BusNodes {
  /** Nodes listed in BUS_URL. */
  configured: number
  /** Reachable ones among them; two addresses of one node count once. */
  reachable: number
}

/** Hosts in BUS_URL. */
export const hostsOfBus = (url: string): { host: string; port: number }[] =>
  url
    .replace(/^\w+:\/\//, '')
    .split(',')
    .map((name) => {
      const [, host = name, port] = /^(.*?)(?::(\d+))?$/.exec(name) ?? []
      return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port ?? DEFAULT_PORT) }
    })

/** Client certificate for NATS: paths of PEM files. */
export interface KeyPairPaths {
  cert?: string | undefined
  key?: string | undefined
}

/** Counts the nodes of BUS_URL that are reachable now; never throws. */
export async function countNodes(url: string, keyPair: KeyPairPaths = {}): Promise<BusNodes> {
  const hosts = hostsOfBus(url)
  const names = await Promise.all(hosts.map(({ host, port }) => nameOfNode(host, port, keyPair)))
  return { configured: hosts.length, reachable: new Set(names.filter((name) => name !== undefined)).size }
}

/**
 * Name that a node sends before authentication, also if TLS follows. A node that requires TLS first sends nothing: its address is used as
 * the name, because it accepted the connection.
 *
 * returns  undefined if unreachable
 */
function nameOfNode(host: string, port: number, keyPair: KeyPairPaths): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    const address = `${host}:${port}`
    let name: string | undefined
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(name)
    }
    let isConnected = false
    const timer = setTimeout(() => {
      if (isConnected) name ??= address
      finish()
    }, NAME_TIMEOUT_MS)
    socket.once('connect', () => (isConnected = true))
    socket.once('error', finish)
    socket.once('close', finish)
    const lines = createInterface({ input: socket })
      .on('error', () => {})
      .once('line', (line) => {
        name = /"server_id":"([^"]+)"/.exec(line)?.[1] ?? address
        lines.close()
        if (line.includes('"tls_required":true')) closeAfterTls(socket, keyPair).catch(finish)
        else finish()
      })
  })
}

/**
 * Completes the TLS handshake before closing, if the node requested TLS: closing earlier causes an error in its log, every 15 s from each
 * gateway. No data is exchanged, so the node's identity is not verified.
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
