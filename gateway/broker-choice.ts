import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { createEmbeddedBroker } from './broker/embedded.ts'
import { createExternalBroker } from './broker/external.ts'
import type { Broker } from './broker/port.ts'
import { createBrokerMetrics } from './broker/refusals.ts'
import { type Config, ConfigError } from './config.ts'
import { type Log, systemClock, systemRandom } from './outsides.ts'

/** The realtime channel that the configuration names. */
export function openBroker(config: Config, { log, registry }: { log: Log; registry: Registry }): Broker {
  const metrics = createBrokerMetrics(registry)
  if (config.MQTT_URL !== undefined)
    throw new ConfigError('MQTT_URL: this version has the embedded broker only')
  const { MQTT_URL: url, MQTT_PUBLIC_URL: screenUrl } = config
  if (url !== undefined && screenUrl !== undefined)
    return createExternalBroker({
      url,
      screenUrl,
      // The same after a restart, so that the broker gives back what was not stored.
      clientId: `gateway-${hostname()}-${config.PORT}`,
      clock: systemClock,
      random: systemRandom,
      log,
      metrics,
    })
  const { MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key } = config
  return createEmbeddedBroker({
    directory: join(config.DATA_DIR, 'broker'),
    tcp: { port: config.MQTT_PORT },
    ...(cert !== undefined &&
      key !== undefined && {
        tls: { port: config.MQTT_TLS_PORT, cert: readFileSync(cert), key: readFileSync(key) },
      }),
    clock: systemClock,
    random: systemRandom,
    log,
    metrics,
  })
}
