import type { Registry } from 'prom-client'
import type { Config } from '../../config/config.ts'
import type { KeyPair } from '../../lib/settings/certificates.ts'
import { readNetworks } from '../../lib/network.ts'
import { deriveKey } from '../../lib/seal.ts'
import { type Clock, type Log, systemClock } from '../../kernel/ports.ts'
import { createEmbeddedBroker } from './embedded.ts'
import type { Broker } from '../../kernel/broker.ts'
import { createBrokerMetrics } from '../rejections.ts'

/** Opens the broker of this gateway; with a certificate over TLS as well. */
export function openBroker(
  config: Config,
  {
    clock = systemClock,
    log,
    registry,
    tls,
  }: { clock?: Clock; log: Log; registry: Registry; tls?: KeyPair | undefined },
): Broker {
  const { MQTT_HOST: host } = config
  return createEmbeddedBroker({
    ...(config.HUB_PROXIES !== undefined && { isProxy: readNetworks(config.HUB_PROXIES) }),
    screenKey: deriveKey(config.SECRET, 'screens'),
    tcp: { port: config.MQTT_PORT, host },
    ...(tls && { tls: { port: config.MQTT_TLS_PORT, host, pair: tls } }),
    clock,
    log,
    metrics: createBrokerMetrics(registry),
  })
}
