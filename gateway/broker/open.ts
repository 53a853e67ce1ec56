import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { KeyPair } from '../lib/settings/certificates.ts'
import { readNetworks } from '../lib/read-networks.ts'
import { deriveKey } from '../lib/seal.ts'
import { type Log, systemClock } from '../kernel/ports.ts'
import { createEmbeddedBroker } from './embedded/embedded.ts'
import type { Broker } from './port.ts'
import { createBrokerMetrics } from './rejections.ts'
import { isLoopback } from '../http/caller-address.ts'

/** Opens the broker of this gateway; with a certificate over TLS as well. */
export function openBroker(
  config: Config,
  { log, registry, tls }: { log: Log; registry: Registry; tls?: KeyPair | undefined },
): Broker {
  const { MQTT_HOST: host } = config
  return createEmbeddedBroker({
    ...(config.HUB_PROXIES !== undefined && { isProxy: readNetworks(config.HUB_PROXIES) }),
    screenKey: deriveKey(config.SECRET, 'screens'),
    tcp: { port: config.MQTT_PORT, host },
    ...(tls && { tls: { port: config.MQTT_TLS_PORT, host, pair: tls } }),
    clock: systemClock,
    log,
    metrics: createBrokerMetrics(registry),
  })
}

/** Address for hubs, shown to the person who sets one up; without a host it is the host of the dashboard. */
export interface HubAddress {
  host?: string
  port: number
  tls: boolean
  /** The broker listens on an address that only the gateway's own machine reaches. */
  loopback?: boolean
}

/** Address of the gateway for hubs: HUB_URL, or the broker that `openBroker` opens. */
export function hubAddress(config: Config): HubAddress {
  if (config.HUB_URL !== undefined) {
    const { hostname, port, protocol } = new URL(config.HUB_URL)
    const tls = protocol === 'mqtts:'
    return { host: hostname, port: Number(port) || (tls ? 8883 : 1883), tls }
  }
  const tls = config.MQTT_TLS_CERT !== undefined
  return {
    port: tls ? config.MQTT_TLS_PORT : config.MQTT_PORT,
    tls,
    ...(config.MQTT_HOST !== undefined && isLoopback(config.MQTT_HOST) && { loopback: true }),
  }
}
