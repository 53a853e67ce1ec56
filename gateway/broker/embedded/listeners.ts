import type { IncomingMessage, Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws'
import type { KeyPair } from '../../lib/settings/certificates.ts'
import { consumeProxyHeader } from '../proxy-protocol.ts'

/** Path on the gateway's own address where screens connect. */
export const WEBSOCKET_PATH = '/mqtt'
/** Read and write high-water mark of one connection, in bytes. */
const BUFFER_BYTES = 16 * 1024
const HANDSHAKE_TIMEOUT_MS = 10_000

export interface ListenerOptions {
  accept(stream: Duplex): void
  /** Whether another connection from this address is allowed; counts it if so. */
  admit(address: string): boolean
  release(address: string): void
  /** Whether PROXY headers from an address are trusted; none are by default. */
  isProxy?: ((address: string) => boolean) | undefined
  /** Called when the listener fails to accept a connection, e.g. for lack of file handles; it keeps listening. */
  onError(error: Error): void
  maxPacketBytes: number
}

/** Listens for hubs over TCP or TLS; resolves with the port. */
export async function listenForHubs(
  options: ListenerOptions,
  address: { port: number; host: string | undefined; tls?: KeyPair },
): Promise<{ port: number; close(): Promise<void> }> {
  const { isProxy = () => false } = options
  const accept = (socket: Socket, address: string): void => {
    if (!options.admit(address)) return void socket.destroy()
    socket.once('close', () => options.release(address))
    options.accept(socket)
  }
  const context = address.tls && contextOf(address.tls)
  const acceptSecured = (socket: Socket, address: string): void =>
    context ? startTls(socket, context(), (tlsSocket) => accept(tlsSocket, address)) : accept(socket, address)
  const server = createServer({ highWaterMark: BUFFER_BYTES, noDelay: true, keepAlive: true })
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (!isProxy(address)) return acceptSecured(socket, address)
    consumeProxyHeader(socket, (clientAddress) => acceptSecured(socket, clientAddress))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, () => {
      server.off('error', reject)
      server.on('error', options.onError)
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** TLS context of a key pair, created at once and again whenever the certificate has changed. */
function contextOf(pair: KeyPair): () => SecureContext {
  const readPair = ({ cert, key }: KeyPair) => ({
    cert,
    context: createSecureContext({ cert, key, minVersion: 'TLSv1.2' }),
  })
  let current = readPair(pair)
  return () => (current.cert === pair.cert ? current : (current = readPair(pair))).context
}

/** Performs the TLS handshake; closes the connection if it takes too long. */
function startTls(
  socket: Socket,
  secureContext: SecureContext,
  onSecure: (tlsSocket: TLSSocket) => void,
): void {
  const tlsSocket = new TLSSocket(socket, { isServer: true, secureContext })
  const timer = setTimeout(() => tlsSocket.destroy(), HANDSHAKE_TIMEOUT_MS)
  tlsSocket.once('close', () => clearTimeout(timer))
  // A failed connection is closed without a log line.
  tlsSocket.on('error', () => tlsSocket.destroy())
  tlsSocket.once('secure', () => {
    clearTimeout(timer)
    onSecure(tlsSocket)
  })
}

type AddressOf = (request: IncomingMessage) => string

/** Accepts WebSocket connections at /mqtt of an HTTP server, sub-protocol `mqtt`; ignores other paths. */
export function createWebSocketListener(options: ListenerOptions) {
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
    if (request.url?.split('?')[0] !== WEBSOCKET_PATH) {
      // No other handler would answer this upgrade, so the connection would stay open.
      if (server.listenerCount('upgrade') === 1) socket.destroy()
      return
    }
    const address = addressOf(request)
    if (!options.admit(address)) return void socket.destroy()
    request.socket.once('close', () => options.release(address))
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

/** Byte stream of a WebSocket. A packet that is written in pieces is sent as one message, not as one per piece. */
function streamOf(websocket: WebSocket): Duplex {
  const stream = createWebSocketStream(websocket, { highWaterMark: BUFFER_BYTES })
  stream._writev = (pieces, done) =>
    stream._write(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)), 'binary', done)
  return stream
}
