import { setTimeout as pause } from 'node:timers/promises'
import { type Db, EMBEDDED_USER, openDb, sql } from '../../gateway/store/db.ts'
import { startEmbedded } from '../../gateway/store/embedded.ts'
import { startMosquitto } from '../../tests/gateway/broker/external/mosquitto.ts'
import { atEnd } from '../support/clean-up.ts'
import { type GatewayUnderTest, startGateway, temporaryDirectory } from '../support/gateway.ts'
import { databaseOf, SILENT } from './database.ts'

/** Gateways that are one, and what is beside them. */
export interface Site {
  /** Where calls are sent. */
  url: string
  /** Where hubs connect. */
  mqttUrl: string
  db: Db
  /** Resolves when the broker knows every hub. */
  enrolled(): Promise<void>
  stop(): Promise<void>
}

/** One gateway with its own database and broker. */
export async function startOne(): Promise<Site> {
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  return { ...gateway, db: databaseOf(directory), enrolled: async () => {} }
}

/** Several gateways on one PostgreSQL and one Mosquitto, which must be installed. */
export async function startSeveral(count: number): Promise<Site> {
  const dataDir = await temporaryDirectory()
  const server = await startEmbedded({ dataDir, settings: { max_connections: '200' }, log: SILENT })
  atEnd(() => server.stop())
  const mosquitto = await startMosquitto()
  atEnd(() => mosquitto.stop())
  const env = {
    DATABASE_URL: `postgres:///postgres?host=${encodeURIComponent(server.socketDir)}&user=${EMBEDDED_USER}`,
    MQTT_URL: mosquitto.url,
    MQTT_PUBLIC_URL: mosquitto.screenUrl,
    SECRET: 'of all gateways, and of nobody else',
  }
  const directory = await temporaryDirectory()
  const gateways: GatewayUnderTest[] = []
  // One after the other: the first makes the tables.
  for (let i = 0; i < count; i++) gateways.push(await startGateway(directory, undefined, env))
  const db = openDb({ socketDir: server.socketDir, max: 1, statementTimeout: 0, log: SILENT })
  atEnd(() => db.close())
  return {
    url: gateways[0]?.url ?? '',
    mqttUrl: mosquitto.hubUrl,
    db,
    async enrolled() {
      while ((await db.query(sql`select from hub_enrolments limit 1`)).length > 0) await pause(50)
    },
    async stop() {
      for (const gateway of gateways) await gateway.stop()
    },
  }
}
