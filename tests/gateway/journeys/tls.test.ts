import { lookup } from 'node:dns/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { connect as secureConnect } from 'node:tls'
import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channels } from '../../../contract/index.ts'
import { openBroker } from '../../../gateway/broker/embedded/open.ts'
import type { Broker } from '../../../gateway/kernel/broker.ts'
import { readConfig } from '../../../gateway/config/config.ts'
import { createCertificateMetrics, watchKeyPairs } from '../../../gateway/lib/settings/certificates.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { hasOpenssl, makeCertificates } from '../../support/certificates.ts'
import { holdClock } from '../../support/clock.ts'
import { createLogBook } from '../../support/log-book.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'
import { connect, hangUp } from '../broker/rig.ts'

const able = hasOpenssl()
if (!able)
  console.warn('SKIPPED: the tests of TLS make their certificates with openssl, which is not installed')

describe.skipIf(!able)('over TLS with a private certificate authority,', () => {
  let directory: string
  let files: ReturnType<typeof makeCertificates>
  let world: World
  let root: Caller
  /** Clock of the file polling. */
  const clock = holdClock()
  const log = createLogBook()
  const registry = new Registry()
  let hubs: number
  let web: number
  let hub: { ThingName: string; Secret: string; HomeID: string }
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tls-'))
    files = makeCertificates(directory)
    const config = readConfig({
      DATA_DIR: directory,
      MQTT_HOST: '127.0.0.1',
      MQTT_PORT: '0',
      MQTT_TLS_PORT: '0',
      MQTT_TLS_CERT: files.cert,
      MQTT_TLS_KEY: files.key,
      HTTPS_CERT: files.cert,
      HTTPS_KEY: files.key,
    })
    const { pairs } = watchKeyPairs(config, { clock, log })
    createCertificateMetrics(registry, pairs)
    world = await startWorld({
      clock: systemClock,
      broker: () => openBroker(config, { log: createLogBook(), registry: new Registry(), tls: pairs.mqtt }),
      config: { https: pairs.https },
    })
    await world.gateway.listen(0, 'localhost')
    web = (world.gateway.http.server.address() as AddressInfo).port
    hubs = (world.broker as Broker & { ports(): { tls: number } }).ports().tls
    root = await world.signUp()
    const home = await root.post('/CreateHome', { HomeName: 'h', TimeZone: 'Asia/Taipei' })
    hub = (await root.post('/AddThing', { HomeID: home.results.HomeID, RoomID: 0, DeviceName: 'd' })).results
  })
  afterAll(async () => {
    await hangUp()
    await world.close()
    await rm(directory, { recursive: true })
  })

  const asHub = () => ({ clientId: hub.ThingName, username: hub.ThingName, password: hub.Secret })
  const page = (options: { ca?: string; maxVersion?: 'TLSv1.1' }) =>
    new Promise<{ status?: number; headers: Record<string, unknown> }>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: web, path: '/health/live', ...options }, (answer) => {
        answer.resume()
        resolve({
          headers: answer.headers,
          ...(answer.statusCode !== undefined && { status: answer.statusCode }),
        })
      })
      asked.once('error', reject).end()
    })

  it('a hub that knows the authority connects and its report is stored', async () => {
    const client = await connect(`mqtts://127.0.0.1:${hubs}`, { ...asHub(), ca: files.ca })
    const info = channels.shadowUpdate.topic({ thingName: hub.ThingName, shadowName: 'info' })
    await client.publishAsync(info, '{"state":{"reported":{"online":true}}}', { qos: 1 })
    const { rows } = await world.db.pool.query('select online from things')
    expect(rows).toEqual([{ online: true }])
  })

  it('a hub that does not know the authority, uses no TLS or TLS of 2006 is rejected', async () => {
    await expect(connect(`mqtts://127.0.0.1:${hubs}`, asHub())).rejects.toThrow(/self-signed|unable to/)
    await expect(connect(`mqtt://127.0.0.1:${hubs}`, asHub())).rejects.toThrow(/closed|ECONNRESET/)
    const old = { ...asHub(), ca: files.ca, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' } as const
    await expect(connect(`mqtts://127.0.0.1:${hubs}`, old)).rejects.toThrow(/protocol|alert|closed/i)
  })

  it('pages are served by https, with HSTS for browsers', async () => {
    expect(await page({ ca: files.ca })).toMatchObject({
      status: 200,
      headers: { 'strict-transport-security': expect.stringContaining('max-age=') },
    })
    await expect(page({})).rejects.toThrow(/self-signed|unable to/)
  })

  it('a screen connects to its company by wss', async () => {
    const { results } = await root.post('/ConnectRealtime')
    const { Url, ClientID: clientId, Username: username, Password: password } = results
    const tab = await connect(`wss://127.0.0.1:${web}${Url}`, { clientId, username, password, ca: files.ca })
    const topic = `${root.tenant}/datachange/room/add`
    await tab.subscribeAsync(topic, { qos: 1 })
    await root.post('/CreateRoom', { HomeID: hub.HomeID, RoomName: 'secure' })
    expect(await tab.hear(topic)).toContain('"RoomName":"secure"')
  })

  it('renewed certificates are used without a restart, and an invalid pair is ignored', async () => {
    const shown = (port: number, host = '127.0.0.1') =>
      new Promise<string>((resolve, reject) => {
        const socket = secureConnect({ host, servername: 'localhost', port, ca: files.ca }, () => {
          resolve(socket.getPeerX509Certificate()?.serialNumber ?? '')
          socket.destroy()
        }).once('error', reject)
      })
    const before = await shown(web)
    expect(await shown(hubs)).toBe(before)
    const authority = files.ca
    const [cert, key] = [files.cert, files.key].map((path) => readFileSync(path)) as [Buffer, Buffer]
    files = makeCertificates(directory, 30)
    const renewed = readFileSync(files.cert)
    // The new key has been written, but not yet its certificate.
    writeFileSync(files.cert, cert)
    files.ca = authority
    clock.advance(120_000)
    expect([await shown(web), await shown(hubs)]).toEqual([before, before])
    expect(log.lines.filter(({ text }) => text.includes('changed certificate'))).toHaveLength(2)

    writeFileSync(files.cert, renewed)
    files.ca = readFileSync(join(directory, 'ca.pem'), 'utf8')
    clock.advance(60_000)
    const after = await shown(web)
    expect(after).not.toBe(before)
    expect(await shown(hubs)).toBe(after)
    // A computer without IPv6 has no second listener.
    const addresses = await lookup('localhost', { all: true })
    for (const { address } of addresses) expect(await shown(web, address)).toBe(after)
    expect(key.equals(readFileSync(files.key))).toBe(false)
    const ends = await registry.getSingleMetric('certificate_expires_timestamp_seconds')?.get()
    const inDays = (ends?.values ?? []).map(({ value }) =>
      Math.round((value * 1000 - Date.now()) / 86_400_000),
    )
    expect(inDays).toEqual([30, 30])
  })
})
