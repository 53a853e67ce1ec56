import { discoverySource } from './discovery-source.ts'
import { shellyGen1Source } from './older/shelly-gen1.ts'
import { shellySource } from './shelly.ts'
import type { Source } from './source.ts'
import { tasmotaSource } from './tasmota.ts'
import { zigbee2mqttSource } from './zigbee2mqtt.ts'

/** Every way devices announce themselves that is known here; a prefix left out is the usual one. */
export const allSources = (prefixes: {
  discovery?: string | undefined
  zigbee2mqtt?: string | undefined
  tasmota?: string | undefined
}): Source[] => [
  discoverySource(prefixes.discovery),
  zigbee2mqttSource(prefixes.zigbee2mqtt),
  tasmotaSource(prefixes.tasmota),
  shellySource(),
  shellyGen1Source(),
]
