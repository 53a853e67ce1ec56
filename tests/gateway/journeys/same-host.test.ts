import { mkdtemp, rm } from 'node:fs/promises'
import { connect as connectTcp, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { meterReport } from '../../../contract/channels/meter.ts'
import { readConfig } from '../../../gateway/config.ts'
import { type RunningGateway, startGateway } from '../../../gateway/start.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { createTestDb, type TestDb, testSocketDir } from '../../support/postgres.ts'
import { hasMosquitto, startMosquitto } from '../broker/external/mosquitto.ts'
import { connect, hangUp } from '../broker/rig.ts'

const installed = hasMosquitto()
if (!installed)
  console.warn('SKIPPED: gateways on an outside broker need Mosquitto 2 (apt install mosquitto)')

describe.skipIf(!installed)('two gateways of one machine name, port, secret and data directory', () => {
  let directory: string
  let mosquitto: Awaited<ReturnType<typeof startMosquitto>>
  let database: TestDb
  /** Connections that were made to the broker. */
  let made = 0
  const door = createServer((socket) => {
    made += 1
    const { port, hostname } = new URL(mosquitto.hubUrl)
    const inner = connectTcp(Number(port), hostname)
    for (const [from, to] of [
      [socket, inner],
      [inner, socket],
    ] as const)
      from
        .on('error', () => {})
        .on('close', () => to.destroy())
        .pipe(to)
  })
  const running: RunningGateway[] = []
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'same-host-'))
    mosquitto = await startMosquitto()
    database = await createTestDb()
    door.listen(0, '127.0.0.1')
    await once(door, 'listening')
  })
  afterAll(async () => {
    await hangUp()
    for (const { close } of running) await close()
    door.close()
    await mosquitto.stop()
    await database.drop()
    await rm(directory, { recursive: true })
  })

  /** Starts one at its own address of this machine; resolves when it can be used. */
  async function start(HOST: string, PORT: string) {
    const url = new URL(mosquitto.url)
    url.port = String((door.address() as AddressInfo).port)
    const gateway = await startGateway(
      readConfig({
        HOST,
        PORT,
        DATA_DIR: directory,
        SECRET: 'the same secret of both of them',
        DATABASE_URL: `postgres://gateway@/${database.name}?host=${encodeURIComponent(testSocketDir())}`,
        MQTT_URL: url.href,
        MQTT_PUBLIC_URL: mosquitto.screenUrl,
        WEB_DIR: directory,
        LOG_LEVEL: 'silent',
      }),
    )
    running.push(gateway)
    const ready = async () => expect((await fetch(`http://${HOST}:${PORT}/health/ready`)).status).toBe(200)
    await vi.waitFor(ready, { timeout: 20_000, interval: 50 })
    return gateway
  }
  const heard = async ({ gateway }: RunningGateway) => {
    const { values = [] } = (await gateway.registry.getSingleMetric('ingest_refused_total')?.get()) ?? {}
    return values.reduce((sum, { value }) => sum + value, 0)
  }

  it('leave each other their sessions, and share what hubs say', async () => {
    const PORT = String(await freePort())
    const one = await start('127.0.0.1', PORT)
    const two = await start('127.0.0.2', PORT)
    const before = made
    const { username, password } = new URL(mosquitto.url)
    const hub = await connect(mosquitto.hubUrl, { username, password })
    // Nothing that could be stored, so each is refused by the gateway that hears it.
    const topic = meterReport.topic({ rootId: 'nobody', homeId: 'nowhere' })
    let sent = 0
    for (const until = Date.now() + 1_000; Date.now() < until; sent++)
      await hub.publishAsync(topic, '{}', { qos: 1 })
    const both = async () => [await heard(one), await heard(two)] as const
    await vi.waitFor(async () => expect((await both()).reduce((a, b) => a + b)).toBe(sent), {
      timeout: 20_000,
      interval: 50,
    })
    expect(Math.min(...(await both()))).toBeGreaterThan(0)
    expect(made).toBe(before)
  })
})
