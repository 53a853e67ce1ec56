import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { BridgeOptions } from './bridge.ts'
import { shellyGen1Source } from './sources/shelly-gen1.ts'
import { shellySource } from './sources/shelly.ts'
import type { Source } from './sources/source.ts'
import { tasmotaSource } from './sources/tasmota.ts'
import { zigbee2mqttSource } from './sources/zigbee2mqtt.ts'
import { parseDiscovery } from './sources/discovery.ts'

/** All supported announcement formats; an omitted prefix has its default. */
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

export const USAGE = `Devices of Home Assistant's MQTT world as devices of a hub.

  npm run hub:home-assistant -- --broker mqtt://192.168.1.10 --gateway mqtt://gateway.example \\
      --root ROOT_COGNITO_ID --home HOME_ID --thing THING_NAME --secret SECRET

  --broker URL         broker of the devices, mqtt:// or mqtts://, with user:password@ if it wants them   (BROKER_URL)
  --broker-ca FILE     its certificate authority, PEM                                                    (BROKER_CA)
  --gateway URL        MQTT of the gateway, mqtt:// or mqtts://                                          (GATEWAY_URL)
  --gateway-ca FILE    its certificate authority, PEM                                                    (GATEWAY_CA)
  --root ID            the company's RootCognitoId                                                       (HUB_ROOT)
  --home ID            HomeID                                                                            (HUB_HOME)
  --thing NAME         ThingName, as the Add Device screen shows it                                      (HUB_THING)
  --secret SECRET      its secret; the variable keeps it out of the list of processes                    (HUB_SECRET)
  --discovery PREFIX   prefix of Home Assistant discovery (homeassistant)                                (DISCOVERY_PREFIX)
  --zigbee2mqtt BASE   base topic of Zigbee2MQTT (zigbee2mqtt)                                            (ZIGBEE2MQTT_BASE)
  --tasmota PREFIX     prefix of Tasmota's discovery (tasmota/discovery)                                 (TASMOTA_DISCOVERY)
  --reading-seconds N  seconds between two readings of a meter (60)                                      (READING_SECONDS)
  --log-level LEVEL    trace, debug, info, warn, error, silent (info)                                    (LOG_LEVEL)
`

const VARIABLES = {
  broker: 'BROKER_URL',
  'broker-ca': 'BROKER_CA',
  gateway: 'GATEWAY_URL',
  'gateway-ca': 'GATEWAY_CA',
  root: 'HUB_ROOT',
  home: 'HUB_HOME',
  thing: 'HUB_THING',
  secret: 'HUB_SECRET',
  discovery: 'DISCOVERY_PREFIX',
  zigbee2mqtt: 'ZIGBEE2MQTT_BASE',
  tasmota: 'TASMOTA_DISCOVERY',
  'reading-seconds': 'READING_SECONDS',
  'log-level': 'LOG_LEVEL',
} as const
type Name = keyof typeof VARIABLES

/** Options from the command line and the environment; the command line wins. errors  Error that names what is missing or invalid */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): (Omit<BridgeOptions, 'log'> & { logLevel: string }) | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...(Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, { type: 'string' }])) as Record<
        Name,
        { type: 'string' }
      >),
      help: { type: 'boolean' },
    },
  })
  if (values.help) return 'help'
  const valueOf = (name: Name): string | undefined =>
    values[name] || environment[VARIABLES[name]] || undefined
  const requiredValue = (name: Name): string => {
    const value = valueOf(name)
    if (value === undefined) throw new Error(`--${name} or ${VARIABLES[name]} is missing`)
    return value
  }
  const file = (name: Name): string | undefined => {
    const path = valueOf(name)
    return path === undefined ? undefined : readFileSync(path, 'utf8')
  }
  const url = (name: Name): string => {
    const text = requiredValue(name)
    if (!/^(mqtts?|wss?):\/\/[^/]/.test(text) || !URL.canParse(text))
      throw new Error(`--${name} is no MQTT address`)
    return text
  }
  const readingSeconds = Number(valueOf('reading-seconds') ?? 60)
  if (!Number.isInteger(readingSeconds) || readingSeconds < 1 || readingSeconds > 86_400)
    throw new Error('--reading-seconds wants a whole number from 1 to 86400')
  return {
    broker: { url: url('broker'), ca: file('broker-ca') },
    gateway: { url: url('gateway'), Secret: requiredValue('secret'), ca: file('gateway-ca') },
    rootId: requiredValue('root'),
    HomeID: requiredValue('home'),
    ThingName: requiredValue('thing'),
    readingSeconds,
    logLevel: valueOf('log-level') ?? 'info',
    sources: allSources({
      discovery: valueOf('discovery'),
      zigbee2mqtt: valueOf('zigbee2mqtt'),
      tasmota: valueOf('tasmota'),
    }),
  }
}

/** Home Assistant MQTT discovery: ESPHome, Zigbee2MQTT, Shelly by script and many more. */
function discoverySource(prefix = 'homeassistant'): Source {
  /** Last announcement of each topic, to skip repeated ones. */
  const last = new Map<string, string>()
  return {
    // Component and object, with an optional node between them.
    filters: [`${prefix}/+/+/config`, `${prefix}/+/+/+/config`],
    rank: 0,
    initialQueries: [{ topic: `${prefix}/status`, payload: 'online' }],
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
