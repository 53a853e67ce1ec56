import { isRecord } from '../../../contract/kernel/is-record.ts'
import {
  BadAnnouncement,
  type Aspect,
  type DeviceInfo,
  type Entity,
  type Incoming,
  type Publication,
  type Quantity,
  type Read,
  type Value,
} from '../entities/entity.ts'
import { deviceKey, isTopic } from '../entities/keys.ts'
import { toPercent } from '../entities/lights.ts'
import type { PlacedAnnouncement, Source } from './source.ts'
import { conversion, measured } from '../entities/units.ts'

type Fields = Record<string, unknown>

/** Devices answer on `<this>/<prefix of the device>/rpc`. */
const RESPONSE_TOPIC = 'building-hub'
/** RPC ids of queries and of commands. */
const CONFIG = 1
const STATUS = 2
const COMMAND = 3

/** RPC component of a light by name; all take `on` and `brightness`. */
const LIGHTS: Record<string, string> = {
  light: 'Light',
  rgbw: 'RGBW',
  rgb: 'RGB',
  cct: 'CCT',
  rgbcct: 'RGBCCT',
}
/** Paths of measured values in a component: key, quantity and unit. */
const SINGLE: readonly [path: string, quantity: Quantity, unit: string][] = [
  ['aenergy.total', 'energy', 'Wh'],
  ['ret_aenergy.total', 'energy', 'Wh'],
  ['apower', 'power', 'W'],
  ['act_power', 'power', 'W'],
  ['voltage', 'voltage', 'V'],
  ['current', 'current', 'A'],
  ['pf', 'powerFactor', ''],
]
const PHASES = ['a', 'b', 'c'] as const
const PHASE_FIELDS: readonly [path: string, quantity: Quantity, unit: string][] = [
  ['act_power', 'power', 'W'],
  ['voltage', 'voltage', 'V'],
  ['current', 'current', 'A'],
]

/**
 * Shelly devices of the second generation and later in their default MQTT configuration: they do not announce their entities, but
 * publish `<prefix>/online`; the bridge then queries their configuration.
 */
export function shellySource(): Source {
  const devices = new Map<string, { config?: Fields; status?: Fields; built?: string }>()
  return {
    filters: ['+/online', `${RESPONSE_TOPIC}/+/rpc`],
    rank: 1,
    parse(topic, message) {
      if (!topic.endsWith('/online') && !topic.startsWith(RESPONSE_TOPIC)) return undefined
      const levels = topic.split('/')
      if (levels.length === 2 && levels[1] === 'online' && message === 'true')
        return { announcements: [], queries: questions(levels[0] as string) }
      if (levels.length !== 3 || levels[0] !== RESPONSE_TOPIC || levels[2] !== 'rpc') return undefined
      const prefix = levels[1] as string
      const response = objectOf(message)
      const { result } = response
      if (!isRecord(result)) return undefined
      const device = devices.get(prefix) ?? {}
      devices.set(prefix, device)
      if (response['id'] === CONFIG) device.config = result
      else if (response['id'] === STATUS) device.status = result
      else return undefined
      if (!device.config || !device.status) return undefined
      // Measured values change; the set of parts does not.
      const shape = JSON.stringify([device.config, Object.keys(device.status)])
      if (device.built === shape) return undefined
      device.built = shape
      return { announcements: [parseDevice(prefix, device.config, device.status)] }
    },
  }
}

const question = (prefix: string, id: number, method: string, params?: Fields): Publication => ({
  topic: `${prefix}/rpc`,
  payload: JSON.stringify({ id, src: `${RESPONSE_TOPIC}/${prefix}`, method, ...(params && { params }) }),
})

const questions = (prefix: string): Publication[] =>
  isTopic(prefix)
    ? [question(prefix, CONFIG, 'Shelly.GetConfig'), question(prefix, STATUS, 'Shelly.GetStatus')]
    : []

function objectOf(message: string): Fields {
  try {
    const body: unknown = JSON.parse(message)
    if (isRecord(body)) return body
  } catch {
    // Handled below, like any other text that is not an answer.
  }
  throw new BadAnnouncement('no answer of a device')
}

type Part = Pick<Entity, 'role' | 'channel' | 'slot' | 'reads' | 'writes'> & { name?: string }

function parseDevice(prefix: string, config: Fields, status: Fields): PlacedAnnouncement {
  const system = isRecord(config['sys']) && isRecord(config['sys']['device']) ? config['sys']['device'] : {}
  const device: DeviceInfo = {
    key: deviceKey(String(system['mac'] ?? prefix)),
    name: typeof system['name'] === 'string' && system['name'] !== '' ? system['name'] : prefix,
    model: `Shelly ${prefix.split('-')[0] ?? ''}`,
  }
  const availability: Entity['availability'] = {
    mode: 'latest',
    topics: [
      {
        topic: `${prefix}/online`,
        read: ({ text }) => (text === 'true' ? true : text === 'false' ? false : undefined),
      },
    ],
  }
  const place = `shelly/${prefix}`
  const found: PlacedAnnouncement = { place, entities: [], skipped: [] }
  for (const [component, state] of Object.entries(status)) {
    if (!isRecord(state)) continue
    const ownConfig = config[component]
    const name =
      isRecord(ownConfig) && typeof ownConfig['name'] === 'string' && ownConfig['name'] !== ''
        ? ownConfig['name']
        : undefined
    const parts = partsOf(prefix, component, state)
    // A numbered component is a part of the device; the rest is system data.
    if (parts.length === 0 && component.includes(':') && !component.startsWith('script:'))
      found.skipped.push({
        id: `${place}#${component}`,
        name: device.name,
        code: 'noType',
        reason: `no type for ${component.split(':')[0]}`,
      })
    for (const part of parts)
      found.entities.push({
        id: `${place}#${part.slot}`,
        device,
        availability,
        ...(name !== undefined && { name }),
        ...part,
      })
  }
  return found
}

/** The parts of a component that have a counterpart. */
function partsOf(prefix: string, component: string, state: Fields): Part[] {
  const [kind = '', channel = ''] = component.split(':')
  const slot = `${kind}_${channel}`
  const reads = (aspect: Aspect, path: string, valueOf: (raw: unknown) => Value | undefined) =>
    readsOf(prefix, component, aspect, path, valueOf)
  const sensor = (path: string, quantity: Quantity, unit: string, phase?: 0 | 1 | 2): Part => {
    const isReturned = /(?:^|_)ret_|_ret$/.test(path)
    const convert = conversion(quantity, unit) as (value: number) => number
    return {
      role: {
        kind: 'sensor',
        quantity,
        ...(isReturned && { returned: true as const }),
        ...(phase !== undefined && { phase }),
      },
      channel,
      slot: `${slot}_${path.replaceAll('.', '_')}`,
      reads: reads('state', path, (raw) => measured(raw, convert) ?? undefined),
      writes: {},
    }
  }
  const meter = SINGLE.filter(([path]) => at(state, path) !== undefined).map((field) => sensor(...field))
  const onOff = reads('state', 'output', (raw) => (typeof raw === 'boolean' ? raw : undefined))
  const id = Number(channel)
  const send = (method: string, params: Fields) => question(prefix, COMMAND, method, { id, ...params })

  if (kind === 'switch')
    return [
      {
        role: { kind: 'relay' },
        channel,
        slot,
        reads: onOff,
        writes: { state: (value) => send('Switch.Set', { on: value === true }) },
      },
      ...meter,
    ]
  const method = LIGHTS[kind]
  if (method)
    return [
      {
        role: { kind: 'light' },
        channel,
        slot,
        reads: [
          ...onOff,
          ...reads('brightness', 'brightness', (raw) =>
            typeof raw === 'number' ? toPercent(raw, 100) : undefined,
          ),
        ],
        writes: {
          state: (value) => send(`${method}.Set`, { on: value === true }),
          brightness: (value) => send(`${method}.Set`, { brightness: Number(value) }),
        },
      },
      ...meter,
    ]
  if (kind === 'pm1' || kind === 'em1') return meter
  if (kind === 'em1data')
    return [sensor('total_act_energy', 'energy', 'Wh'), sensor('total_act_ret_energy', 'energy', 'Wh')]
  if (kind === 'emdata') return [sensor('total_act', 'energy', 'Wh'), sensor('total_act_ret', 'energy', 'Wh')]
  if (kind === 'em')
    return [
      sensor('total_act_power', 'power', 'W'),
      ...PHASES.flatMap((letter, phase) =>
        PHASE_FIELDS.map(([path, quantity, unit]) =>
          sensor(`${letter}_${path}`, quantity, unit, phase as 0 | 1 | 2),
        ),
      ),
    ]
  if (kind === 'smoke')
    return [
      {
        role: { kind: 'binary', sense: 'smoke' },
        channel,
        slot,
        reads: reads('state', 'alarm', (raw) => (typeof raw === 'boolean' ? raw : undefined)),
        writes: {},
      },
    ]
  return []
}

function at(body: unknown, path: string): unknown {
  let value = body
  for (const step of path.split('.')) value = isRecord(value) ? value[step] : undefined
  return value
}

/** A component publishes in three places: its status topic (if switched on), notifications of changes, and the answer to a query. */
function readsOf(
  prefix: string,
  component: string,
  aspect: Aspect,
  path: string,
  valueOf: (raw: unknown) => Value | undefined,
): Read[] {
  const read = (part: (body: Fields) => unknown) => (message: Incoming) => {
    const body = message.json()
    const value = at(isRecord(body) ? part(body) : undefined, path)
    return value === null ? null : valueOf(value)
  }
  const fieldReader = (key: string) => (body: Fields) =>
    isRecord(body[key]) ? body[key][component] : undefined
  return [
    { topic: `${prefix}/status/${component}`, aspect, read: read((body) => body) },
    { topic: `${prefix}/events/rpc`, aspect, read: read(fieldReader('params')) },
    { topic: `${RESPONSE_TOPIC}/${prefix}/rpc`, aspect, read: read(fieldReader('result')) },
  ]
}
