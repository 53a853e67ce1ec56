import { type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, connectApi } from '../../../scripts/api.ts'
import { seedDemoCompany } from '../../../scripts/demo-company.ts'
import { startGatewayProcess } from '../../../scripts/gateway-process.ts'
import { type Fleet, startFleet } from '../../../simulator/fleet.ts'

/** The whole product in processes of its own: built gateway, embedded database and broker, nothing replaced. */
export interface Product {
  url: string
  mqttUrl: string
  api: Api
  gateway: ChildProcess
  dataDir: string
  /** Kills the gateway as a power cut would and starts it again on the same data. */
  killAndRestart(): Promise<void>
  stop(): Promise<void>
}

/** Starts the product empty. */
export async function startProduct(): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'product-'))
  const [port, mqttPort] = await Promise.all([freePort(), freePort()])
  const start = () =>
    startGatewayProcess(['node', '--enable-source-maps', 'dist/gateway/main.js'], {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      MQTT_PORT: String(mqttPort),
      LOG_LEVEL: 'error',
      RATE_AUTH: '0',
    })
  let running = await start()
  return {
    url: running.url,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    api: await connectApi(running.url),
    get gateway() {
      return running.process
    },
    dataDir,
    async killAndRestart() {
      const gone = new Promise((resolve) => running.process.once('exit', resolve))
      running.process.kill('SIGKILL')
      await gone
      running = await start()
    },
    async stop() {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The product with the demo company, its buildings alive. */
export async function startDemo(): Promise<Product & { fleet: Fleet }> {
  const product = await startProduct()
  const { hubs, addDevices } = await seedDemoCompany(product.api, {})
  const fleet = startFleet({
    url: product.mqttUrl,
    hubs,
    seed: 7,
    worldStart: Date.parse('2026-03-04T10:00:00+08:00'),
  })
  await fleet.announced()
  await addDevices()
  fleet.refresh()
  return {
    ...product,
    get gateway() {
      return product.gateway
    },
    fleet,
    async stop() {
      await fleet.stop()
      await product.stop()
    },
  }
}

/** A TCP port that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
