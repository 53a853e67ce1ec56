import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { generate } from 'mqtt-packet'
import { afterEach, describe, expect, it } from 'vitest'
import { createEmbeddedBroker } from '../../../gateway/broker/embedded/embedded.ts'
import { parseProxyHeader } from '../../../gateway/broker/proxy-protocol.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { hasOpenssl, makeCertificates } from '../../support/certificates.ts'
import { createLogBook } from '../../support/log-book.ts'
import { createEars, createFigures, secretOf } from './rig.ts'

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
/** PROXY protocol version 2 header for a client at an IPv4 address. */
const version2 = (address: string, command = 0x21) => {
  const addresses = Buffer.from([...address.split('.').map(Number), 10, 0, 0, 1, 0x1f, 0x90, 0x22, 0xb3])
  return Buffer.concat([SIGNATURE, Buffer.from([command, 0x11, 0, addresses.length]), addresses])
}
const version1 = (address: string) => Buffer.from(`PROXY TCP4 ${address} 10.0.0.1 8080 8883\r\n`)

describe('a PROXY line', () => {
  it('identifies the client behind a proxy, in either version, or the proxy itself', () => {
    expect(parseProxyHeader(version1('203.0.113.7'))).toEqual({
      address: '203.0.113.7',
      length: version1('203.0.113.7').length,
    })
    expect(parseProxyHeader(version2('203.0.113.7'))).toEqual({ address: '203.0.113.7', length: 28 })
    expect(parseProxyHeader(version2('203.0.113.7', 0x20))).toEqual({ address: undefined, length: 28 })
    expect(parseProxyHeader(Buffer.from('PROXY UNKNOWN\r\n'))).toEqual({ address: undefined, length: 15 })
  })

  it('is awaited while incomplete, and rejected if invalid, with any bytes', () => {
    for (const whole of [version1('203.0.113.7'), version2('203.0.113.7')])
      for (let length = 1; length < whole.length; length++)
        expect(parseProxyHeader(whole.subarray(0, length))).toBeUndefined()
    const long = Buffer.concat([SIGNATURE, Buffer.from([0x21, 0x11, 0x27, 0x10])])
    for (const wrong of [
      Buffer.from('GET / HTTP/1.1\r\n'),
      Buffer.from([0x10, 0x20]),
      Buffer.from(`PROXY ${'x'.repeat(10_000)}`),
      Buffer.from('PROXY TCP4 1.2.3.4\r\n'),
      long,
      version2('203.0.113.7', 0x31),
    ])
      expect(parseProxyHeader(wrong)).toBe('wrong')
  })
})

describe('hubs behind a load balancer', () => {
  let broker: ReturnType<typeof createEmbeddedBroker> | undefined
  afterEach(() => broker?.close())

  async function start(isProxy: boolean, tls?: { cert: Buffer; key: Buffer }) {
    const figures = createFigures()
    broker = createEmbeddedBroker({
      screenKey: Buffer.alloc(32, 5),
      tcp: { port: 0, host: '127.0.0.1' },
      ...(tls && { tls: { port: 0, host: '127.0.0.1', pair: tls } }),
      isProxy: () => isProxy,
      limits: { connectionsPerAddress: 1 },
      clock: systemClock,
      log: createLogBook(),
      metrics: figures,
    })
    await broker.start(createEars())
    return { figures, ports: broker.ports() }
  }
  let clients = 0
  const hello = () =>
    generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: `client-${++clients}`,
      keepalive: 60,
      username: 'hub-1',
      password: Buffer.from(secretOf('hub-1')),
    })
  /** First response to a header and a CONNECT in one segment: a CONNACK, or the end of the connection. */
  async function say(port: number, header: Buffer): Promise<string> {
    const socket = connectTcp(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(Buffer.concat([header, hello()]))
    return Promise.race([
      once(socket, 'data').then(([bytes]: Buffer[]) => (bytes?.[3] === 0 ? 'welcome' : 'refused')),
      once(socket, 'close').then(() => 'closed'),
    ])
  }

  it('are counted by their own addresses', async () => {
    const { figures, ports } = await start(true)
    expect(await say(ports.tcp ?? 0, version2('203.0.113.1'))).toBe('welcome')
    expect(await say(ports.tcp ?? 0, version1('203.0.113.2'))).toBe('welcome')
    expect(await say(ports.tcp ?? 0, version2('203.0.113.1'))).toBe('closed')
    expect(figures.counts['address-limit']).toBe(1)
  })

  it.skipIf(!hasOpenssl())('can use TLS after the line', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'proxy-line-'))
    const { cert, key } = makeCertificates(directory)
    const { ports } = await start(true, { cert: readFileSync(cert), key: readFileSync(key) })
    await rm(directory, { recursive: true })
    const socket = connectTcp(ports.tls ?? 0, '127.0.0.1')
    socket.write(version2('203.0.113.1'))
    const safe = connectTls({ socket, rejectUnauthorized: false })
    await once(safe, 'secureConnect')
    safe.write(hello())
    const [bytes] = (await once(safe, 'data')) as [Buffer]
    expect(bytes[3]).toBe(0)
    safe.destroy()
  })

  it('are closed without the line, and so is an untrusted sender with one', async () => {
    const behind = await start(true)
    expect(await say(behind.ports.tcp ?? 0, Buffer.alloc(0))).toBe('closed')
    await broker?.close()
    const open = await start(false)
    expect(await say(open.ports.tcp ?? 0, version2('203.0.113.1'))).toBe('closed')
    expect(await say(open.ports.tcp ?? 0, Buffer.alloc(0))).toBe('welcome')
  })
})
