import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Aedes } from 'aedes'

/** Broker on a free port of this machine without access control, for tests to subscribe to. */
export interface PlainBroker {
  url: string
  broker: Aedes
  /** Open connections. */
  sockets: ReadonlySet<Socket>
  cut(): void
  /** Accepts no further connections; resolves when the last one has ended. */
  stopListening(): Promise<void>
}

export async function startPlainBroker(): Promise<PlainBroker> {
  const broker = await Aedes.createBroker()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    broker.handle(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    broker,
    sockets,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    stopListening: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
