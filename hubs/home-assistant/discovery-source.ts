import { parseDiscovery } from './discovery.ts'
import type { Source } from './source.ts'

/** Home Assistant MQTT discovery: ESPHome, Zigbee2MQTT, Shelly by script and many more. */
export function discoverySource(prefix = 'homeassistant'): Source {
  /** The last announcement of each topic, to know one that only comes again. */
  const last = new Map<string, string>()
  return {
    // Component and object, some with a node between them.
    filters: [`${prefix}/+/+/config`, `${prefix}/+/+/+/config`],
    rank: 0,
    hello: [{ topic: `${prefix}/status`, payload: 'online' }],
    parse(topic, message) {
      if (!topic.endsWith('/config') || last.get(topic) === message) return undefined
      const found = parseDiscovery(prefix, topic, message)
      if (!found) return undefined
      if (message === '') last.delete(topic)
      else last.set(topic, message)
      return { announcements: [{ ...found, place: topic }] }
    },
  }
}
