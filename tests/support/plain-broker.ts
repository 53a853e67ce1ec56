import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Aedes } from 'aedes'

/** A broker on a free port of this machine that lets everybody do everything, for tests to listen in on. */
export interface PlainBroker {
  url: string
  broker: Aedes
  /** The connections there are. */
  sockets: ReadonlySet<Socket>
  /** Cuts every connection. */
  cut(): void
  /** Takes no further connections; resolves when the last one is gone. */
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
