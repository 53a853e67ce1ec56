/** `npm run hub:modbus-tcp -- --config modbus.json`: reads Modbus TCP devices as a hub of the gateway. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { ModbusHubConfig } from './config.ts'
import { startModbusHub } from './hub.ts'
import { createTableStore } from './table-memory.ts'

const log = pino({ base: undefined })

const USAGE = `npm run hub:modbus-tcp -- --config <file>

The file is described in docs/hubs/modbus-tcp.md. The hub's secret may also stand in HUB_SECRET.`

function fail(text: string): never {
  console.error(text)
  process.exit(2)
}

function readConfig(file: string): ModbusHubConfig {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return fail(`${file}: ${(error as Error).message}`)
  }
  const parsed = ModbusHubConfig.safeParse(json)
  if (parsed.success) return parsed.data
  return fail(
    parsed.error.issues.map(({ path, message }) => `${file}: ${path.join('.')}: ${message}`).join('\n'),
  )
}

const flag = process.argv.indexOf('--config')
const file = flag > 0 ? process.argv[flag + 1] : undefined
if (!file) fail(USAGE)
const config = readConfig(file)
const secret = process.env['HUB_SECRET'] ?? config.gateway.secret
if (!secret) fail(`${file}: gateway.secret is missing, and HUB_SECRET is not set`)

const hub = startModbusHub({
  config,
  secret,
  ca: config.gateway.ca === undefined ? undefined : readFileSync(config.gateway.ca, 'utf8'),
  memory: createTableStore(config.stateFile ?? join(dirname(file), 'modbus-tables.json'), log),
  log,
})
const devices = config.servers.reduce((sum, server) => sum + server.devices.length, 0)
log.info({ devices, servers: config.servers.length }, 'reading Modbus devices')

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void hub.stop().then(() => process.exit(0)))
