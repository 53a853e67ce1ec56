import { type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, type Call, connectApi } from '../../../scripts/api.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { DEMO_ACCOUNTS, DEMO_PASSWORD, seedDemoCompany } from '../../../scripts/demo-company.ts'
import { startGatewayProcess } from '../../../scripts/gateway-process.ts'
import { type Fleet, type FleetOptions, startFleet } from '../../../simulator/fleet.ts'

/** The whole product in processes of its own: built gateway, embedded database and broker, nothing replaced. */
export interface Product {
  url: string
  mqttUrl: string
  api: Api
  gateway: ChildProcess
  dataDir: string
  /** Page of the mails that wait here, as the server's console names it. */
  outboxUrl: string
  /** Ends the gateway as a power cut would. */
  kill(): Promise<void>
  /** Starts the gateway again on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** The product with the demo company, its buildings alive. */
export interface Demo extends Product {
  fleet: Fleet
  /** Calls in the owner's name. */
  owner: Call
}

/** Starts the product empty. WEB_DIR, if set, names another build of the screens than dist/web. */
export async function startProduct(): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'product-'))
  const [port, mqttPort] = await Promise.all([freePort(), freePort()])
  let printed = ''
  const start = () => {
    printed = ''
    return startGatewayProcess(
      ['node', '--enable-source-maps', '--max-semi-space-size=64', 'dist/gateway/main.js'],
      {
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: String(port),
        MQTT_PORT: String(mqttPort),
        LOG_LEVEL: 'error',
        // Many people sign in from this one address.
        RATE_AUTH: '0',
      },
      (text) => (printed += text),
    )
  }
  let running = await start()
  return {
    url: running.url,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    api: await connectApi(running.url),
    get gateway() {
      return running.process
    },
    dataDir,
    get outboxUrl() {
      const found = /mails wait at (\S+)/.exec(printed)?.[1]
      if (!found) throw new Error(`The console names no outbox:\n${printed}`)
      return found
    },
    async kill() {
      const gone = new Promise((resolve) => running.process.once('exit', resolve))
      running.process.kill('SIGKILL')
      await gone
    },
    async restart() {
      running = await start()
    },
    async stop() {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts the product with a company that has its owner and nothing else. */
export async function startCompany(): Promise<{ product: Product; owner: Call }> {
  const product = await startProduct()
  const Email = ACCOUNTS.owner
  await product.api.signUp({ Email, FirstName: '測試', LastName: '擁有者', Password: DEMO_PASSWORD })
  return { product, owner: await product.api.signIn(Email, DEMO_PASSWORD) }
}

/** Starts the product with the demo company on a workday's morning. */
export async function startDemo(options: Pick<FleetOptions, 'latency'> = {}): Promise<Demo> {
  const product = await startProduct()
  const { hubs, addDevices } = await seedDemoCompany(product.api, {})
  const fleet = startFleet({
    ...options,
    url: product.mqttUrl,
    hubs,
    seed: 7,
    worldStart: Date.parse('2026-03-04T10:00:00+08:00'),
  })
  await fleet.announced()
  await addDevices()
  fleet.refresh()
  return Object.defineProperties({} as Demo, {
    ...Object.getOwnPropertyDescriptors(product),
    ...Object.getOwnPropertyDescriptors({
      fleet,
      owner: await product.api.signIn(ACCOUNTS.owner, DEMO_PASSWORD),
      async stop() {
        await fleet.stop()
        await product.stop()
      },
    }),
  })
}

const account = (name: string): string => {
  const found = DEMO_ACCOUNTS.find(({ Email }) => Email.startsWith(`${name}@`))
  if (!found) throw new Error(`The demo has no ${name}`)
  return found.Email
}

/** Addresses of the demo company's people by what they are. */
export const ACCOUNTS = {
  owner: account('owner'),
  facility: account('facility'),
  viewer: account('viewer'),
}
export { DEMO_PASSWORD }
