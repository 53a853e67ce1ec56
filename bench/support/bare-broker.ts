/** Baseline of a message: the broker alone, without accounts, permissions or a database, over TCP and WebSocket. */
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { Aedes } from 'aedes'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { serveParent } from './child.ts'

const broker = await Aedes.createBroker({ concurrency: 0 })
const tcp = createServer({ noDelay: true }, (socket) => void broker.handle(socket))
const http = createHttpServer()
new WebSocketServer({ server: http, perMessageDeflate: false }).on('connection', (socket) =>
  broker.handle(createWebSocketStream(socket)),
)
const listen = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
serveParent({
  mqttUrl: `mqtt://127.0.0.1:${await listen(tcp)}`,
  screenUrl: `ws://127.0.0.1:${await listen(http)}/mqtt`,
})
