import type { Db } from '../../gateway/kernel/db.ts'
import { EMBEDDED_USER, openDb } from '../../gateway/store/db.ts'
import { startEmbedded } from '../../gateway/store/embedded.ts'
import { startNats } from '../../tests/gateway/bus/nats-server.ts'
import { atEnd } from '../support/clean-up.ts'
import { type GatewayUnderTest, startGateway, temporaryDirectory } from '../support/gateway.ts'
import { databaseOf, SILENT } from './database.ts'

export interface Site {
  url: string
  mqttUrl: string
  db: Db
  stop(): Promise<void>
}

/** Starts one gateway with its own database and broker. */
export async function startOne(): Promise<Site> {
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  return { ...gateway, db: databaseOf(directory) }
}

/** Starts several gateways on one PostgreSQL, joined by a NATS server, which must be installed; hubs connect to the first. */
export async function startSeveral(count: number): Promise<Site> {
  const dataDir = await temporaryDirectory()
  const server = await startEmbedded({ dataDir, settings: { max_connections: '200' }, log: SILENT })
  atEnd(() => server.stop())
  const nats = await startNats()
  atEnd(() => nats.stop())
  const env = {
    DATABASE_URL: `postgres:///postgres?host=${encodeURIComponent(server.socketDir)}&user=${EMBEDDED_USER}`,
    BUS_URL: nats.url,
    // Required by the configuration; not used here.
    S3_BUCKET: 'nothing',
    SECRET: 'of all gateways, and of nobody else',
  }
  const directory = await temporaryDirectory()
  const gateways: GatewayUnderTest[] = []
  // One after the other: the first creates the tables.
  for (let i = 0; i < count; i++) gateways.push(await startGateway(directory, undefined, env))
  const db = openDb({ socketDir: server.socketDir, max: 1, statementTimeoutMs: 0, log: SILENT })
  atEnd(() => db.close())
  return {
    url: gateways[0]?.url ?? '',
    mqttUrl: gateways[0]?.mqttUrl ?? '',
    db,
    async stop() {
      for (const gateway of gateways) await gateway.stop()
    },
  }
}
