import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { createNatsTransport } from '../../../gateway/bus/nats.ts'
import { createLogBook } from '../../support/log-book.ts'
import { hasNats, startNats } from './nats-server.ts'
import { behavesAsABus } from './same-bus.ts'
import { PATIENT } from '../../support/patient.ts'

const installed = hasNats()
if (!installed) console.warn('SKIPPED: the bus over NATS needs nats-server (apt install nats-server)')

describe.skipIf(!installed)('over NATS', () => {
  behavesAsABus(async () => {
    const server = await startNats()
    const lines: { close(): void }[] = []
    return {
      async join() {
        const line = await openLine(Number(new URL(server.url).port))
        lines.push(line)
        const transport = createNatsTransport({
          url: `nats://127.0.0.1:${line.port}`,
          inbox: `bd.test.reply.${lines.length}`,
          name: 'test',
          log: createLogBook(),
        })
        return { ...transport, setCut: line.cut }
      },
      async stop() {
        for (const line of lines) line.close()
        await server.stop()
      },
    }
  })
})

/** TCP proxy to the server that can be cut and restored. */
async function openLine(to: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy()
    const inner = connect(to, '127.0.0.1')
    for (const [from, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {}).on('close', () => other.destroy())
      from.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut(on: boolean) {
      isCut = on
      if (on) for (const socket of sockets) socket.destroy()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe.skipIf(!installed)('a gateway on NATS', () => {
  it('knows the nodes it can reach, and what they have not confirmed', async () => {
    const server = await startNats()
    const transport = createNatsTransport({
      url: `${server.url},127.0.0.1:1`,
      inbox: 'bd.test.reply.x',
      name: 'test',
      log: createLogBook(),
    })
    await transport.start({ onMessage: () => {}, onStateChange: () => {} })
    await vi.waitFor(
      () => expect(transport.readState?.().nodes).toEqual({ configured: 2, reachable: 1 }),
      PATIENT,
    )
    const megabyte = Buffer.alloc(1024 * 1024 - 1024)
    const taken = Array.from({ length: 10 }, () => transport.publish('bd.test.all', megabyte))
    // More than 8 MB is not buffered for a network that may never accept it.
    expect(taken.lastIndexOf(true)).toBe(7)
    expect(transport.readState?.().pending).toBe(8 * megabyte.length)
    await vi.waitFor(() => expect(transport.readState?.().pending).toBe(0), PATIENT)
    expect(transport.publish('bd.test.all', megabyte)).toBe(true)
    await transport.close()
    await server.stop()
  })
})
