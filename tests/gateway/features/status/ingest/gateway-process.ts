/**
 * The ingest path of a gateway alone, in a process of its own so that it can be killed: embedded store, embedded broker, ingest. Any hub of
 * the seeded company may connect. Prints its address on stdout as one line of JSON.
 */
import { Registry } from 'prom-client'
import { createEmbeddedBroker } from '../../../../../gateway/broker/embedded/embedded.ts'
import { createBrokerMetrics } from '../../../../../gateway/broker/rejections.ts'
import { createEvents } from '../../../../../gateway/kernel/events.ts'
import { createIngest } from '../../../../../gateway/features/status/ingest/ingest.ts'
import { updateStateAlarms } from '../../../../support/note-states.ts'
import { quarantineReading } from '../../../../../gateway/features/meters/quarantine.ts'
import { systemClock as clock } from '../../../../../gateway/kernel/ports.ts'
import { openDb } from '../../../../../gateway/store/db.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { startEmbedded } from '../../../../../gateway/store/embedded.ts'
import { migrate } from '../../../../../gateway/store/migrate.ts'
import { createBuilding } from '../../../../support/building.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { MIGRATIONS, silentLog } from '../../../../support/postgres.ts'

export interface Listening {
  mqtt: number
  socketDir: string
  postgres: number
  tenant: string
  homeId: string
  thingName: string
}

const METERS = 50
const log = createLogBook()
const metrics = new Registry()
const [, , dataDir = ''] = process.argv
const server = await startEmbedded({ dataDir, pgBin: process.env.PG_BIN, log: silentLog })
const db = openDb({ socketDir: server.socketDir, log: silentLog })
await migrate(db, MIGRATIONS)

const hubs = () =>
  db.query<{ tenant: string; homeId: string; thingName: string }>(
    sql`select tenant, home_id as "homeId", thing_name as "thingName" from things`,
  )
if ((await hubs()).length === 0) {
  const building = await createBuilding(db)
  for (let i = 0; i < METERS; i++) await building.addDevice(`m${i}`, '514')
}
const [hub] = await hubs()
if (!hub) throw new Error('There is no hub')

const events = createEvents((error) => {
  throw error
})
const ingest = createIngest({
  quarantineReading,
  updateStateAlarms,
  db,
  events,
  clock,
  log,
  metrics,
})
const broker = createEmbeddedBroker({
  screenKey: Buffer.alloc(32, 5),
  tcp: { port: 0, host: '127.0.0.1' },
  limits: { rate: { hub: 1e6, screen: 1e6, burstSeconds: 4 } },
  clock,
  log,
  metrics: createBrokerMetrics(metrics),
})
await broker.start({
  authenticate: async () => ({ party: 'hub', ...hub }),
  findTenant: async () => hub.tenant,
  receive: (message) => ingest.receive(message),
  authenticateScreen: async () => undefined,
})
const listening: Listening = {
  mqtt: broker.ports().tcp ?? 0,
  socketDir: server.socketDir,
  postgres: server.pid() ?? 0,
  ...hub,
}
process.stdout.write(`${JSON.stringify(listening)}\n`)
process.stdin.resume()
process.stdin.once('end', () => void end())

async function end() {
  await ingest.close()
  await broker.close()
  await db.close()
  await server.stop()
  process.exit(0)
}
