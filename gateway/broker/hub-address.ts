import type { Config } from '../config/config.ts'
import { isLoopback } from '../http/caller-address.ts'

/** Address for hubs, shown to the person who sets one up; without a host it is the host of the dashboard. */
export interface HubAddress {
  host?: string
  port: number
  tls: boolean
  /** The broker listens on an address that only the gateway's own machine reaches. */
  isLoopback?: boolean
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
    ...(config.MQTT_HOST !== undefined && isLoopback(config.MQTT_HOST) && { isLoopback: true }),
  }
}
