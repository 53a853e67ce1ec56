import { readFileSync } from 'node:fs'
import { hostname as machineName } from 'node:os'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { createEmbeddedBroker } from './embedded/embedded.ts'
import { createExternalBroker } from './external/external.ts'
import type { Broker } from './port.ts'
import { createBrokerMetrics } from './refusals.ts'
import { createSeats } from './external/seats.ts'
import type { Config } from '../config.ts'
import { deriveKey } from '../lib/seal.ts'
import { type Log, systemClock, systemRandom } from '../ports.ts'
import type { Db } from '../store/db.ts'

/** The realtime channel that the configuration names; gateways of one database share what is needed of an outside one. */
export function openBroker(
  config: Config,
  { db, log, registry }: { db: Db; log: Log; registry: Registry },
): Broker {
  const metrics = createBrokerMetrics(registry)
  const { MQTT_URL: url, MQTT_PUBLIC_URL: screenUrl } = config
  if (url !== undefined && screenUrl !== undefined)
    return createExternalBroker({
      url,
      screenUrl,
      proofKey: deriveKey(config.SECRET, 'screens'),
      formerId: `gateway-${machineName()}-${config.PORT}`,
      seats: createSeats({ db, clock: systemClock, log, prefix: `gateway-${nameOf(config.SECRET)}` }),
      shared: config.MQTT_SHARED,
      clock: systemClock,
      random: systemRandom,
      log,
      metrics,
    })
  const { MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key, MQTT_HOST: host } = config
  return createEmbeddedBroker({
    directory: join(config.DATA_DIR, 'broker'),
    tcp: { port: config.MQTT_PORT, host },
    ...(cert !== undefined &&
      key !== undefined && {
        tls: { port: config.MQTT_TLS_PORT, host, cert: readFileSync(cert), key: readFileSync(key) },
      }),
    clock: systemClock,
    random: systemRandom,
    log,
    metrics,
  })
}

/** Two installations on one broker have different secrets. */
const nameOf = (secret: string) => deriveKey(secret, 'broker sessions').toString('hex', 0, 6)

/** Where hubs connect, for the person who sets one up; without a host it is the one the dashboard is opened at. */
export interface HubAddress {
  host?: string
  port: number
  tls: boolean
}

/** The address of the broker that `openBroker` opens. */
export function hubAddress(config: Config): HubAddress {
  if (config.MQTT_URL !== undefined) {
    const { hostname, port, protocol } = new URL(config.MQTT_URL)
    const tls = protocol === 'mqtts:' || protocol === 'ssl:'
    return { host: hostname, port: Number(port) || (tls ? 8883 : 1883), tls }
  }
  const tls = config.MQTT_TLS_CERT !== undefined
  return { port: tls ? config.MQTT_TLS_PORT : config.MQTT_PORT, tls }
}
