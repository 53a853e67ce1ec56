import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-port.ts'
import type { GatewayPorts } from './balancer.ts'
import { program, type Program, until } from './program.ts'

/** Directory of this release. */
export const THIS_RELEASE = join(import.meta.dirname, '../../..')

/** Startup timeout for a machine with other load, in ms. */
const READY_WITHIN = 180_000

/** Gateway process, one of several on one database. */
export interface GatewayServer extends GatewayPorts {
  program: Program
  url: string
  /** Starts it from now on as the release built in that directory. */
  become(release: string): void
  /** Starts it, for the first time or again, and waits until it is ready. */
  comeUp(): Promise<void>
  isReady(): Promise<boolean>
}

/** Common settings of gateways, and the addresses of one of them. */
export interface GatewayOptions {
  directory: string
  name: string
  /** Data directory; by default a place in its directory. */
  dataDir?: string | undefined
  /** Directory of the release to start; this one by default. */
  release?: string | undefined
  databaseUrl: string
  busUrl?: string | undefined
  /** Address of the gateways for pages; its own address by default. */
  pagesUrl?: string | undefined
  /** Addresses of the load balancer. */
  proxies: string
  host?: string
  within?: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** Built gateway, ready to start; without rate limits, because one machine simulates many. */
export async function gatewayServer({
  directory,
  name,
  dataDir = join(directory, `${name}-data`),
  release = THIS_RELEASE,
  databaseUrl,
  busUrl,
  pagesUrl,
  proxies,
  host = '127.0.0.1',
  within = [],
  env = {},
}: GatewayOptions): Promise<GatewayServer> {
  mkdirSync(directory, { recursive: true })
  const [http, hubs] = await Promise.all([freePort(), freePort()])
  let running = release
  const command = () => [process.execPath, '--enable-source-maps', join(running, 'dist/gateway/main.js')]
  const gateway = program(command, {
    logFile: join(directory, `${name}.log`),
    within,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      ...(busUrl !== undefined && { BUS_URL: busUrl }),
      PUBLIC_URL: pagesUrl ?? `http://${host}:${http}`,
      HUB_PROXIES: proxies,
      SECRET: 'the secret of the cluster test',
      S3_BUCKET: 'unused',
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_ACCESS_KEY_ID: 'unused',
      S3_SECRET_ACCESS_KEY: 'unused',
      HOST: host,
      MQTT_HOST: host,
      PORT: String(http),
      MQTT_PORT: String(hubs),
      DATABASE_POOL: '10',
      SIGN_UP: 'open',
      RATE_ADDRESS: '0',
      RATE_USER: '0',
      RATE_TENANT: '0',
      RATE_AUTH: '0',
      LOG_LEVEL: 'info',
      ...env,
    },
  })
  const url = `http://${host}:${http}`
  const isReady = () =>
    fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  return {
    program: gateway,
    url,
    host,
    http,
    hubs,
    isReady,
    become(next) {
      running = next
    },
    async comeUp() {
      if (gateway.pid() === undefined) gateway.start()
      const answers = () => {
        if (gateway.pid() === undefined) throw new Error(`${name} ended; see its log in ${directory}`)
        return isReady()
      }
      await until(`${name} is ready`, answers, READY_WITHIN)
    },
  }
}
