import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Api, type Call, connectApi } from '../../../scripts/api.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { DEMO_ACCOUNTS, seedDemoCompany } from '../../../scripts/demo-company.ts'
import { startGatewayProcess } from '../../../scripts/gateway-process.ts'
import { type FleetOptions, startFleet } from '../../../simulator/fleet.ts'

/** Addresses of a running product. */
export interface Addresses {
  url: string
  mqttUrl: string
  /** Page of pending emails, as printed on the server's console. */
  outboxUrl: string
}

/** Running product, possibly shared. */
export interface Product extends Addresses {
  api: Api
}

/** Product with the demo company. */
export interface Demo extends Product {
  /** Calls in the owner's name. */
  owner: Call
}

/** Product in processes of its own: built gateway, embedded database and broker, without mocks. */
export interface OwnProduct extends Product {
  /** Kills the gateway, as a power cut would. */
  kill(): Promise<void>
  /** Starts the gateway again on the same data, with further settings. */
  restart(settings?: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

/** Creates the data directory of an empty product, to start products on copies of it without creating a database for each. */
export async function makeData(dir: string): Promise<void> {
  const { stop } = await runProduct(dir)
  await stop()
}

/** Starts an empty product, with further settings. WEB_DIR, if set, names another build of the screens than dist/web. */
export async function startProduct(data: string, settings: Record<string, string> = {}): Promise<OwnProduct> {
  const dir = await mkdtemp(join(tmpdir(), 'product-'))
  // Unlike Node's own copy, this one preserves the owner of files, the account of the database.
  await promisify(execFile)('cp', ['-a', `${data}/.`, dir])
  const product = await runProduct(dir, settings)
  return {
    ...product,
    async stop() {
      await product.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function runProduct(dataDir: string, settings: Record<string, string> = {}): Promise<OwnProduct> {
  const [port, mqttPort] = await Promise.all([freePort(), freePort()])
  let printed = ''
  let tellOutbox = (_url: string) => {}
  const outbox = new Promise<string>((resolve) => (tellOutbox = resolve))
  const start = (environment: Record<string, string> = {}) =>
    startGatewayProcess(
      ['node', '--enable-source-maps', '--max-semi-space-size=64', 'dist/gateway/main.js'],
      {
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: String(port),
        MQTT_PORT: String(mqttPort),
        LOG_LEVEL: 'error',
        // Many people sign in from this one address.
        RATE_AUTH: '0',
        // Tests create companies of their own.
        SIGN_UP: 'open',
        // Lets a test sign up a company from another address.
        TRUST_PROXY: 'loopback',
        CAMERA_NETWORKS: 'loopback',
        ...settings,
        ...environment,
      },
      (text) => {
        printed += text
        const url = /emails are kept at (\S+)\s/.exec(printed)?.[1]
        if (url) tellOutbox(url)
      },
    )
  let running = await start()
  return {
    url: running.url,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    outboxUrl: await outbox,
    api: await connectApi(running.url),
    async kill() {
      const exited = new Promise((resolve) => running.process.once('exit', resolve))
      running.process.kill('SIGKILL')
      await exited
    },
    async restart(environment) {
      running = await start(environment)
    },
    stop: () => running.stop(),
  }
}

/** Starts a product with the demo company on a workday's morning, with simulated devices running. */
export async function startDemo(
  data: string,
  { latency }: Required<Pick<FleetOptions, 'latency'>>,
): Promise<OwnProduct & Demo> {
  const product = await startProduct(data)
  const { hubs, addDevices, owner } = await seedDemoCompany(product.api, {})
  const fleet = startFleet({
    latency,
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
    owner,
    async stop() {
      await fleet.stop()
      await product.stop()
    },
  }
}

const account = (name: string): string => {
  const match = DEMO_ACCOUNTS.find(({ Email }) => Email.startsWith(`${name}@`))
  if (!match) throw new Error(`The demo has no ${name}`)
  return match.Email
}

/** Addresses of the demo company's people by role. */
export const ACCOUNTS = {
  owner: account('owner'),
  viewer: account('viewer'),
}
