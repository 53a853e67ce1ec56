import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { countNodes, hostsOfBus } from '../../../gateway/bus/nodes.ts'

const servers: Server[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done)))))

/** Something that takes connections, and says this at once. */
async function listen(says: string): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).write(says)).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const info = (id: string) => `INFO {"server_id":"${id}","version":"2.9.10"} \r\n`

it('counts each node once that can be reached, by the name that it gives', async () => {
  const [one, two, sameAsOne] = [await listen(info('A')), await listen(info('B')), await listen(info('A'))]
  const gone = await listen(info('C'))
  const last = servers.pop()
  await new Promise((done) => last?.close(done))
  const url = `nats://${[one, two, sameAsOne, gone].map((port) => `127.0.0.1:${port}`).join(',')}`
  expect(await countNodes(url)).toEqual({ named: 4, up: 2 })
})

it('reads hosts with and without a port', () => {
  expect(hostsOfBus('tls://nats.example,10.0.0.1:4223,[fd00::1]:4224')).toEqual([
    { host: 'nats.example', port: 4222 },
    { host: '10.0.0.1', port: 4223 },
    { host: 'fd00::1', port: 4224 },
  ])
})
