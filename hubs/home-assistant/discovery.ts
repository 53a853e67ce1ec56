import { expand, isObject } from './abbreviations.ts'
import { climate, dehumidifier, ventilator } from './climate.ts'
import {
  availabilityOf,
  number,
  numeric,
  onOff,
  payload,
  readOf,
  text,
  writeOf,
  type Config,
} from './config.ts'
import { BadAnnouncement, type Announcement, type DeviceInfo, type Entity, type Value } from './entity.ts'
import { deviceKey } from './keys.ts'
import { light } from './lights.ts'
import { binaryRole, sensorRole } from './sensor-role.ts'
import { conversion } from './units.ts'

/** `<prefix>/<component>/[<node>/]<object>/config`, taken apart; undefined for a topic of another form. */
function parseDiscoveryTopic(
  prefix: string,
  topic: string,
): { component: string; objectId: string } | undefined {
  if (!topic.startsWith(`${prefix}/`) || !topic.endsWith('/config')) return undefined
  const levels = topic.slice(prefix.length + 1, -'/config'.length).split('/')
  const [component, ...ids] = levels
  if (!component || ids.length < 1 || ids.length > 2) return undefined
  return { component, objectId: ids.at(-1) as string }
}

/**
 * The entities of one announcement of Home Assistant MQTT discovery, single-component or device form.
 *
 * topic    the config topic, which identifies them
 * message  JSON; empty when what was announced there is gone
 * errors   BadAnnouncement for a payload that is no JSON object
 */
export function parseDiscovery(prefix: string, topic: string, message: string): Announcement | undefined {
  const place = parseDiscoveryTopic(prefix, topic)
  if (!place) return undefined
  if (message.trim() === '') return { entities: [], skipped: [] }
  let body: unknown
  try {
    body = JSON.parse(message)
  } catch {
    throw new BadAnnouncement('not JSON')
  }
  if (!isObject(body)) throw new BadAnnouncement('no JSON object')
  const config = expand(body)
  const found: Announcement = { entities: [], skipped: [] }
  if (place.component !== 'device') {
    take(found, topic, place.component, place.objectId, config)
    return found
  }
  const { components, ...shared } = config
  if (!isObject(components)) throw new BadAnnouncement('a device without components')
  for (const [name, component] of Object.entries(components)) {
    if (!isObject(component)) continue
    // The shared base topic has been used up by the first expansion, so each component gets it again.
    const base = body['~'] === undefined ? {} : { '~': body['~'] }
    const own = { ...shared, ...expand({ ...base, ...component }) }
    const platform = text(own, 'platform')
    // A component with nothing but its platform is one that has been removed.
    if (platform && Object.keys(component).length > 1) take(found, `${topic}#${name}`, platform, name, own)
  }
  return found
}

type Parts = Pick<Entity, 'role' | 'reads' | 'writes'>

function take(found: Announcement, id: string, component: string, objectId: string, config: Config): void {
  try {
    const device = deviceOf(config, objectId)
    // Settings and diagnoses of a device are no devices.
    if (text(config, 'entity_category')) throw new Error(`${text(config, 'entity_category')} only`)
    const parts = partsOf(component, objectId, config, device)
    if (typeof parts === 'string') throw new Error(parts)
    const availability = availabilityOf(config)
    const name = text(config, 'name')
    found.entities.push({
      id,
      device,
      channel: channelOf(config, objectId),
      slot: slotOf(objectId, device),
      ...parts,
      ...(name !== undefined && { name }),
      ...(availability && { availability }),
      ...secondsOf(config, 'expire_after', 'expireAfter'),
      ...secondsOf(config, 'off_delay', 'offDelay'),
    })
  } catch (error) {
    found.skipped.push({ id, reason: (error as Error).message })
  }
}

/** The parts of a component we have a use for, or why we have none. */
function partsOf(component: string, objectId: string, config: Config, device: DeviceInfo): Parts | string {
  const deviceClass = text(config, 'device_class')
  const names = `${objectId} ${text(config, 'name') ?? ''} ${device.name} ${device.model}`
  switch (component) {
    case 'switch': {
      const on = payload(config, 'payload_on', 'ON')
      const off = payload(config, 'payload_off', 'OFF')
      const state = writeOf(config, 'command_topic', 'command_template', (value) =>
        value === true ? on : off,
      )
      if (!state) return 'a switch without command_topic'
      const words = onOff(payload(config, 'state_on', on), payload(config, 'state_off', off))
      return {
        role: { is: 'relay' },
        reads: readOf(config, 'state', 'state_topic', 'value_template', words),
        writes: { state },
      }
    }
    case 'light':
      return light(config)
    case 'binary_sensor': {
      const role = binaryRole(deviceClass, names)
      if (typeof role === 'string') return role
      const state = onOff(payload(config, 'payload_on', 'ON'), payload(config, 'payload_off', 'OFF'))
      return {
        role,
        reads: needed(readOf(config, 'state', 'state_topic', 'value_template', state)),
        writes: {},
      }
    }
    case 'sensor': {
      const path = text(config, 'value_template') ?? ''
      const role = sensorRole(deviceClass, `${objectId} ${text(config, 'name') ?? ''} ${path}`)
      if (typeof role === 'string' || role.is !== 'sensor') return role as string
      const unit = text(config, 'unit_of_measurement')
      const convert = conversion(role.quantity, unit)
      if (!convert) return `"${unit ?? ''}" is no unit of ${role.quantity}`
      const read = (got: string): Value | null => {
        const value = numeric(got)
        return value === null ? null : convert(value)
      }
      return {
        role,
        reads: needed(readOf(config, 'state', 'state_topic', 'value_template', read)),
        writes: {},
      }
    }
    case 'climate':
      return climate(config)
    case 'humidifier':
      return dehumidifier(config)
    case 'fan':
      return ventilator(config, names)
    default:
      return `no type for ${component}`
  }
}

function needed(reads: Entity['reads']): Entity['reads'] {
  if (reads.length === 0) throw new Error('a sensor without state_topic')
  return reads
}

function secondsOf<K extends 'expireAfter' | 'offDelay'>(config: Config, key: string, as: K) {
  const seconds = number(config, key, 0)
  return (seconds > 0 ? { [as]: seconds } : {}) as { [key in K]?: number }
}

/** The device as the payload describes it; an entity without one is a device of its own. */
function deviceOf(config: Config, objectId: string): DeviceInfo {
  const device = isObject(config['device']) ? config['device'] : {}
  const ids = [device['identifiers']].flat().filter((id) => typeof id === 'string' || typeof id === 'number')
  const connections = Array.isArray(device['connections']) ? device['connections'] : []
  const address = connections.find((pair) => Array.isArray(pair) && typeof pair[1] === 'string')?.[1] as
    string | undefined
  const own = text(config, 'unique_id') ?? objectId
  const id = String(ids[0] ?? address ?? own)
  // Channels and phases are told as devices of their own, "<id of the device>-0-a" by way of the device.
  const whole = text(device, 'via_device')
  const part = whole !== undefined && id.startsWith(whole)
  return {
    key: deviceKey(part ? whole : id),
    ...(part && { part }),
    name: text(device, 'name') ?? text(config, 'name') ?? own,
    model: [device['manufacturer'], device['model'], device['model_id']]
      .filter((part) => typeof part === 'string')
      .join(' '),
  }
}

/** Numbers a channel: Shelly's `switch:1` in the topic, Zigbee2MQTT's endpoints in the id. */
const CHANNEL_TOPIC = /:(\d+)$/
const CHANNEL_ID = /_(l\d|left|right|center|top|bottom|\d)$/i

function channelOf(config: Config, objectId: string): string {
  return CHANNEL_TOPIC.exec(text(config, 'state_topic') ?? '')?.[1] ?? CHANNEL_ID.exec(objectId)?.[1] ?? ''
}

/** The object id without what it says of the device. */
function slotOf(objectId: string, { key, name }: DeviceInfo): string {
  const plain = (part: string) => part.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  let slot = plain(objectId)
  for (const part of [plain(key), plain(name)]) if (part) slot = slot.replace(part, '')
  return slot.replace(/__+/g, '_').replace(/^_|_$/g, '') || plain(objectId)
}
