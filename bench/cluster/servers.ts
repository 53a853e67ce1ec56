import pg from 'pg'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { type GatewayServer, gatewayServer } from '../../tests/cluster/servers/gateways.ts'
import { type NatsCluster, startNatsCluster } from '../../tests/cluster/servers/nats.ts'
import { startPostgresPair, SUPERUSER } from '../../tests/cluster/servers/postgres.ts'
import { endAllPrograms } from '../../tests/cluster/servers/program.ts'
import { atEnd } from '../support/clean-up.ts'
import { ensureBuilt, temporaryDirectory } from '../support/gateway.ts'

const HOST = '127.0.0.1'
/** Trusted address for PROXY headers without a load balancer: one that no client has. */
const NOBODY = '192.0.2.1'

/** Servers for gateways: three NATS nodes and a PostgreSQL with a synchronous standby. */
export interface ServersUnderTest {
  directory: string
  nats: NatsCluster
  /** The URL of a new, empty database. */
  database(name: string): Promise<string>
  /** A gateway on a database, with a bus or without. */
  gateway(
    name: string,
    databaseUrl: string,
    options?: { bus?: boolean; proxies?: string; pagesUrl?: string },
  ): Promise<GatewayServer>
}

/** Converts a gateway for the other measurements. */
export const underTest = ({ url, hubs, host }: GatewayServer) => ({ url, mqttUrl: `mqtt://${host}:${hubs}` })
export const pidOf = ({ program }: GatewayServer): number => program.pid() ?? 0

/** Starts the servers that gateways need; they stop at the end of the measurement. */
export async function startServers(): Promise<ServersUnderTest> {
  ensureBuilt()
  const directory = await temporaryDirectory()
  // PostgreSQL runs under an account of its own.
  chmodSync(directory, 0o755)
  atEnd(endAllPrograms)
  const nats = await startNatsCluster(join(directory, 'nats'))
  const { primary } = await startPostgresPair(join(directory, 'postgres'))
  const urlOf = (name: string) => `postgres://${SUPERUSER}@${HOST}:${primary.port}/${name}`
  return {
    directory,
    nats,
    async database(name) {
      const client = new pg.Client(urlOf('postgres'))
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return urlOf(name)
    },
    gateway: (name, databaseUrl, { bus = true, proxies = NOBODY, pagesUrl } = {}) =>
      gatewayServer({
        directory: join(directory, 'gateways'),
        name,
        databaseUrl,
        busUrl: bus ? nats.url : undefined,
        pagesUrl,
        proxies,
        env: { LOG_LEVEL: 'error' },
      }),
  }
}
