import type { IncomingMessage, Server } from 'node:http'
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws'

/** Where screens connect on the gateway's own address. */
export const SCREEN_PATH = '/mqtt'
/** Bytes of one connection that Node reads ahead, and that it takes for writing before it says "full". */
const BUFFER = 16 * 1024

export interface ListenerOptions {
  /** Takes a connection over. */
  accept(stream: Duplex): void
  /** Whether one more connection from this address may come. */
  admit(address: string): boolean
  left(address: string): void
  /** A connection could not be taken, e.g. for want of file handles; the others go on. */
  failed(error: Error): void
  maxPacketBytes: number
}

/** Listens for hubs over TCP or TLS; resolves with the port. */
export async function listenForHubs(
  options: ListenerOptions,
  at: { port: number; host: string | undefined; tls?: { key: string | Buffer; cert: string | Buffer } },
): Promise<{ port: number; close(): Promise<void> }> {
  const server: NetServer = at.tls
    ? createTlsServer({ ...at.tls, highWaterMark: BUFFER, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 })
    : createServer({ highWaterMark: BUFFER, noDelay: true, keepAlive: true })
  server.on(at.tls ? 'secureConnection' : 'connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (!options.admit(address)) return socket.destroy()
    socket.once('close', () => options.left(address))
    options.accept(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at.port, at.host, () => {
      server.off('error', reject)
      server.on('error', options.failed)
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

type AddressOf = (request: IncomingMessage) => string

/** Takes WebSocket connections at /mqtt of an HTTP server, sub-protocol `mqtt`; other paths are not touched. */
export function createScreenDoor(options: ListenerOptions) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxPacketBytes * 2,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false),
  })
  const servers = new Map<Server, (request: IncomingMessage, socket: Duplex, head: Buffer) => void>()

  function upgrade(
    server: Server,
    addressOf: AddressOf,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ) {
    if (request.url?.split('?')[0] !== SCREEN_PATH) {
      // Nobody else listens for upgrades: without an answer the connection would stay.
      if (server.listenerCount('upgrade') === 1) socket.destroy()
      return
    }
    const address = addressOf(request)
    if (!options.admit(address)) return void socket.destroy()
    request.socket.once('close', () => options.left(address))
    sockets.handleUpgrade(request, socket, head, (websocket) => {
      options.accept(streamOf(websocket))
    })
  }

  return {
    attach(server: Server, addressOf: AddressOf = ({ socket }) => socket.remoteAddress ?? '') {
      const listener = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
        upgrade(server, addressOf, request, socket, head)
      servers.set(server, listener)
      server.on('upgrade', listener)
    },
    close() {
      for (const [server, listener] of servers) server.off('upgrade', listener)
      sockets.close()
    },
  }
}

/** A WebSocket's bytes. A packet that is written in pieces goes out as one message, not as one for each piece. */
function streamOf(websocket: WebSocket): Duplex {
  const stream = createWebSocketStream(websocket, { highWaterMark: BUFFER })
  stream._writev = (pieces, done) =>
    stream._write(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)), 'binary', done)
  return stream
}
