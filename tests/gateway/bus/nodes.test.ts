import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterEach, expect, it, vi } from 'vitest'
import { countNodes, hostsOfBus } from '../../../gateway/bus/nodes.ts'
import { hasOpenssl, makeCertificates } from '../../support/certificates.ts'
import { PATIENT } from '../../support/patient.ts'

const servers: Server[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done)))))

/** Server that sends this text on each connection. */
async function listen(says: string): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).write(says)).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const info = (id: string) => `INFO {"server_id":"${id}","version":"2.9.10"} \r\n`

it('counts each reachable node once, by its name', async () => {
  const [one, two, sameAsOne] = [await listen(info('A')), await listen(info('B')), await listen(info('A'))]
  const gone = await listen(info('C'))
  const last = servers.pop()
  await new Promise((done) => last?.close(done))
  const url = `nats://${[one, two, sameAsOne, gone].map((port) => `127.0.0.1:${port}`).join(',')}`
  expect(await countNodes(url)).toEqual({ configured: 4, reachable: 2 })
})

it.skipIf(!hasOpenssl())(
  'closes a connection to a node that requires TLS afterwards, with its certificate',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'nodes-'))
    const { cert, key } = makeCertificates(directory)
    const [certPem, keyPem] = [readFileSync(cert), readFileSync(key)]
    const ends: string[] = []
    const server = createServer((socket) => {
      socket.write('INFO {"server_id":"A","tls_required":true} \r\n')
      const secure = new TLSSocket(socket, { isServer: true, cert: certPem, key: keyPem, requestCert: true, rejectUnauthorized: false }) // prettier-ignore
      secure.once('error', (error: NodeJS.ErrnoException) => ends.push(error.code ?? error.message))
      secure.once('end', () => ends.push(secure.getPeerCertificate().subject ? 'known' : 'unknown'))
      secure.resume()
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const url = `tls://127.0.0.1:${(server.address() as AddressInfo).port}`
    const reached = { configured: 1, reachable: 1 }
    expect(await countNodes(url, { cert, key })).toEqual(reached)
    expect(await countNodes(url)).toEqual(reached)
    expect(await countNodes(url, { cert: key, key: cert })).toEqual(reached)
    await vi.waitFor(() => expect(ends.slice(0, 2)).toEqual(['known', 'unknown']), PATIENT)
    rmSync(directory, { recursive: true })
  },
)

it('parses hosts with and without a port', () => {
  expect(hostsOfBus('tls://nats.example,10.0.0.1:4223,[fd00::1]:4224')).toEqual([
    { host: 'nats.example', port: 4222 },
    { host: '10.0.0.1', port: 4223 },
    { host: 'fd00::1', port: 4224 },
  ])
})
