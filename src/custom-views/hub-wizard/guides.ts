import {
  type ConnectionSetting,
  settingsAsJson,
} from '../../domain/devices/hub-credentials/hub-credentials.tsx'

/** Products to choose from, in display order. */
export const PRODUCTS = [
  'zigbee2mqtt',
  'tasmota',
  'shelly',
  'homeAssistant',
  'modbusTcp',
  'camera',
  'own',
  'simulated',
] as const
export type Product = (typeof PRODUCTS)[number]

/** Products that use an MQTT broker of their own, which a bridge program subscribes to. */
export type BridgedProduct = 'zigbee2mqtt' | 'tasmota' | 'shelly' | 'homeAssistant'
export const isBridged = (product: Product): product is BridgedProduct =>
  product === 'zigbee2mqtt' || product === 'tasmota' || product === 'shelly' || product === 'homeAssistant'

/** A field of a product's settings page: its label as in the product, and its value. */
export interface GuideField {
  label: string
  /** Undefined if the product's default stays. */
  value: string | undefined
}

/** A product's settings page, field by field in its order. */
export interface SettingsPage {
  path: string
  fields: readonly GuideField[]
  /** Configuration file, for a product that reads one. */
  file?: { name: string; text: string }
}

/** The devices' broker, from its address; undefined if that is invalid. */
export interface DevicesBroker {
  host: string
  port: string
  username: string
  password: string
  url: string
  tls: boolean
}

/** Parses `mqtt://user:password@192.168.1.10:1883`, or a host alone. */
export function readBroker(text: string): DevicesBroker | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  try {
    const { protocol, hostname, port, username, password } = new URL(
      trimmed.includes('://') ? trimmed : `mqtt://${trimmed}`,
    )
    if (!/^mqtts?:$/.test(protocol) || hostname === '') return undefined
    const at = port || (protocol === 'mqtts:' ? '8883' : '1883')
    return {
      host: hostname,
      port: at,
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
      url: `${protocol}//${hostname}:${at}`,
      tls: protocol === 'mqtts:',
    }
  } catch {
    return undefined
  }
}

const field = (label: string, value?: string): GuideField => ({ label, value: value || undefined })

/**
 * Settings page of each product whose devices use a broker.
 * Sources: Zigbee2MQTT 2 settings and configuration.yaml; tasmota.github.io/docs/MQTT, Configure MQTT using WebUI; the web interface of
 * Shelly Gen2+ (its settings in words: shelly-api-docs.shelly.cloud, MQTT); Home Assistant's MQTT integration;
 * docs/hubs/home-assistant.md for what the bridge needs of each.
 */
export const settingsPages: Record<BridgedProduct, (broker: DevicesBroker) => SettingsPage> = {
  zigbee2mqtt: ({ url, username, password }) => ({
    path: 'Settings › MQTT',
    fields: [
      field('Base topic', 'zigbee2mqtt'),
      field('MQTT server', url),
      field('User', username),
      field('Password', password),
    ],
    file: {
      name: 'configuration.yaml',
      text: [
        'mqtt:',
        '  base_topic: zigbee2mqtt',
        `  server: ${url}`,
        ...(username ? [`  user: ${JSON.stringify(username)}`] : []),
        ...(password ? [`  password: ${JSON.stringify(password)}`] : []),
        '',
      ].join('\n'),
    },
  }),
  tasmota: ({ host, port, username, password, tls }) => ({
    path: 'Configuration › Configure MQTT',
    fields: [
      // On another page; without it the MQTT page does not exist.
      field('Configure Other › MQTT Enable', '✓'),
      field('Host', host),
      field('Port', port),
      ...(tls ? [field('MQTT TLS', '✓')] : []),
      field('Client'),
      field('User', username),
      field('Password', password),
      field('Topic'),
      field('Full Topic', '%prefix%/%topic%/'),
      field('Console', 'SetOption19 0'),
    ],
  }),
  shelly: ({ host, port, username, password, tls }) => ({
    path: 'Settings › Connectivity › MQTT',
    fields: [
      field('Enable MQTT Network', '✓'),
      field('Connection type', tls ? 'Default TLS' : 'No SSL'),
      field('MQTT prefix'),
      field('Enable "MQTT Control"', '✓'),
      field('Enable RPC over MQTT', '✓'),
      field('RPC status notifications over MQTT', '✓'),
      field('Generic status update over MQTT', '✓'),
      field('Server', `${host}:${port}`),
      field('Client ID'),
      field('Username', username),
      field('Password', password),
    ],
  }),
  homeAssistant: ({ host, port, username, password }) => ({
    path: 'Settings › Devices & services › MQTT › Configure',
    fields: [
      field('Broker', host),
      field('Port', port),
      field('Username', username),
      field('Password', password),
      field('Enable discovery', '✓'),
      field('Discovery prefix', 'homeassistant'),
    ],
  }),
}

const valueIn = (settings: readonly ConnectionSetting[], name: ConnectionSetting['name']) =>
  settings.find((setting) => setting.name === name)?.value ?? ''
const gatewayUrl = (settings: readonly ConnectionSetting[], tls: boolean) =>
  `${tls ? 'mqtts' : 'mqtt'}://${valueIn(settings, 'host')}:${valueIn(settings, 'port')}`

/** Command that starts the bridge between the devices' broker and this gateway (docs/hubs/home-assistant.md). */
export const bridgeCommand = (
  settings: readonly ConnectionSetting[],
  tls: boolean,
  broker: DevicesBroker | undefined,
): string =>
  [
    `export HUB_SECRET='${valueIn(settings, 'password')}'`,
    `npm run hub:home-assistant -- --broker ${broker?.url ?? 'mqtt://…'} --gateway ${gatewayUrl(settings, tls)} \\`,
    `  --root ${valueIn(settings, 'rootId')} --home ${valueIn(settings, 'homeId')} --thing ${valueIn(settings, 'username')}`,
  ].join('\n')

/** Configuration of the Modbus TCP hub, with one example server (docs/hubs/modbus-tcp.md). */
export function modbusFile(
  settings: readonly ConnectionSetting[],
  tls: boolean,
): { name: string; text: string } {
  const servers = [{ host: '192.168.1.50', devices: [{ unit: 1, name: 'meter 1' }] }]
  const config = { ...(JSON.parse(settingsAsJson(settings, tls)) as object), servers }
  return { name: 'modbus.json', text: `${JSON.stringify(config, null, 2)}\n` }
}
export const MODBUS_COMMAND = 'npm run hub:modbus-tcp -- --config modbus.json'

/** Devices of the simulated office: id, type, simulator profile, rated power in W if metered. */
const SIMULATED = [
  ['light', '516', 'officeLight'],
  ['meter', '520', 'sockets', 6_000],
  ['air', '753', 'officeAir'],
  ['motion', '754', 'officeMotion'],
  ['door', '755', 'entrance'],
] as const
export type SimulatedDevice = (typeof SIMULATED)[number][0]

/**
 * A small simulated office for users without devices, in the format of simulator/main.ts.
 *
 * nameOf  name of a device
 */
export function simulatedFile(
  settings: readonly ConnectionSetting[],
  nameOf: (device: SimulatedDevice) => string,
): { name: string; text: string } {
  const thing = valueIn(settings, 'username')
  const hub = {
    rootId: valueIn(settings, 'rootId'),
    HomeID: valueIn(settings, 'homeId'),
    ThingName: thing,
    Secret: valueIn(settings, 'password'),
    devices: SIMULATED.map(([id, PeripheralType, profile, watts]) => ({
      // Device ids are unique in the whole company.
      PeripheralUID: `sim-${thing.slice(-8)}-${id}`,
      PeripheralType,
      PeripheralName: nameOf(id),
      scenario: { profile, key: id, ...(watts !== undefined && { watts }) },
    })),
  }
  return { name: 'hubs.json', text: `${JSON.stringify([hub], null, 2)}\n` }
}
/** Minutes after which the simulated office stops, so that it is not left running. */
const SIMULATED_FOR = 30
export const simulatedCommand = (settings: readonly ConnectionSetting[], tls: boolean): string =>
  `npx tsx simulator/main.ts --url ${gatewayUrl(settings, tls)} --credentials hubs.json --minutes ${SIMULATED_FOR}`
