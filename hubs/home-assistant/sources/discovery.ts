import { isRecord } from '../../../contract/kernel/is-record.ts'
import { expand } from './abbreviations.ts'
import { climate, mapDehumidifier, isVentilator, mapVentilator } from '../entities/climate.ts'
import {
  availabilityOf,
  number,
  numeric,
  onOff,
  payload,
  readOf,
  text,
  writeOf,
  type EntityConfig,
} from '../entities/config.ts'
import {
  BadAnnouncement,
  codeOf,
  NoCounterpart,
  type Announcement,
  type DeviceInfo,
  type Entity,
  type EntityAccess,
  type Value,
} from '../entities/entity.ts'
import { eventButton, triggerButton } from '../entities/buttons.ts'
import { cover } from '../entities/covers.ts'
import { diagnostic, plainSensor, siren } from '../entities/plain-sensors.ts'
import { deviceKey } from '../entities/keys.ts'
import { light } from '../entities/lights.ts'
import { oldTasmotaChannel, oldTasmotaSensor, oldTasmotaStatus, withoutValueName } from './old-tasmota.ts'
import { binaryRole, sensorRole } from '../entities/sensor-role.ts'
import { conversion } from '../entities/units.ts'

/** Parses `<prefix>/<component>/[<node>/]<object>/config`; undefined for a topic of another form. */
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
 * message  JSON; empty if the announcement was removed
 * errors   BadAnnouncement for a payload that is not a JSON object
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
  if (!isRecord(body)) throw new BadAnnouncement('no JSON object')
  const config = expand(body)
  const found: Announcement = { entities: [], skipped: [] }
  if (place.component !== 'device') {
    parseComponent(found, topic, place.component, place.objectId, config)
    return found
  }
  const { components, ...shared } = config
  if (!isRecord(components)) throw new BadAnnouncement('a device without components')
  for (const [name, component] of Object.entries(components)) {
    if (!isRecord(component)) continue
    // `expand` has consumed the shared base topic, so each component receives it again.
    const base = body['~'] === undefined ? {} : { '~': body['~'] }
    const own = { ...shared, ...expand({ ...base, ...component }) }
    const platform = text(own, 'platform')
    // A component with only a platform has been removed.
    if (platform && Object.keys(component).length > 1)
      parseComponent(found, `${topic}#${name}`, platform, name, own)
  }
  return found
}

function parseComponent(
  found: Announcement,
  id: string,
  component: string,
  objectId: string,
  config: EntityConfig,
): void {
  try {
    const device = deviceOf(config, objectId)
    const diagnosticReason = oldTasmotaStatus(config) ?? diagnostic(component, objectId, config)
    // Settings and diagnostics of a device are not shown as devices.
    if (!diagnosticReason && text(config, 'entity_category'))
      throw new NoCounterpart('setting', `${text(config, 'entity_category')} only`)
    const parts = diagnosticReason ?? partsOf(component, objectId, config, device)
    if (typeof parts === 'string') throw new NoCounterpart('noType', parts)
    const availability = availabilityOf(config)
    const name = text(config, 'name')
    const slot = slotOf(objectId, device)
    found.entities.push({
      id,
      device,
      channel: oldTasmotaChannel(config) ?? channelOf(config, objectId, slot),
      slot,
      ...parts,
      ...(name !== undefined && { name }),
      ...(availability && { availability }),
      ...secondsOf(config, 'expire_after', 'expireAfter'),
      ...secondsOf(config, 'off_delay', 'offDelay'),
    })
  } catch (error) {
    found.skipped.push({
      id,
      name: text(config, 'name') ?? objectId,
      code: codeOf(error),
      reason: (error as Error).message,
    })
  }
}

/** The parts of a component that have a counterpart, or the reason why it has none. */
function partsOf(
  component: string,
  objectId: string,
  config: EntityConfig,
  device: DeviceInfo,
): EntityAccess | string {
  const deviceClass = text(config, 'device_class')
  const names = `${objectId} ${text(config, 'name') ?? ''} ${device.name} ${device.model}`
  switch (component) {
    case 'switch':
      return relay(config, 'value_template')
    case 'light':
      return light(config)
    case 'binary_sensor': {
      const role = binaryRole(deviceClass, names)
      if (typeof role === 'string') return role
      const state = onOff(payload(config, 'payload_on', 'ON'), payload(config, 'payload_off', 'OFF'))
      return {
        role,
        reads: assertReads(readOf(config, 'state', 'state_topic', 'value_template', state)),
        writes: {},
      }
    }
    case 'sensor': {
      const tasmota = oldTasmotaSensor(config)
      if (tasmota) return tasmota
      const plain = plainSensor(config, slotOf(objectId, device))
      if (plain) return plain
      const unit = text(config, 'unit_of_measurement')
      const announced = { deviceClass, unit, stateClass: text(config, 'state_class') }
      const role = sensorRole(announced, hintsOf(objectId, config, device), `${device.name} ${device.model}`)
      if (typeof role === 'string') return role
      if (role.kind !== 'sensor') return { role, reads: assertReads(numbersOf(config)), writes: {} }
      const convert = conversion(role.quantity, unit)
      if (!convert) throw new NoCounterpart('unit', `"${unit ?? ''}" is no unit of ${role.quantity}`)
      const read = (raw: string): Value | null => {
        const value = numeric(raw)
        return value === null ? null : convert(value)
      }
      return {
        role,
        reads: assertReads(readOf(config, 'state', 'state_topic', 'value_template', read)),
        writes: {},
      }
    }
    case 'cover':
      return cover(config)
    case 'siren':
      return siren(config)
    case 'event':
      return eventButton(config)
    case 'device_automation':
      return triggerButton(config)
    case 'climate':
      return climate(config)
    case 'humidifier':
      return mapDehumidifier(config)
    case 'fan':
      // The speeds of other fans have no counterpart.
      return isVentilator(names) ? mapVentilator(config) : relay(config, 'state_value_template')
    default:
      return `no type for ${component}`
  }
}

const numbersOf = (config: EntityConfig) => readOf(config, 'state', 'state_topic', 'value_template', numeric)

/** An entity that can only be switched on and off. */
function relay(config: EntityConfig, templateKey: string): EntityAccess {
  const on = payload(config, 'payload_on', 'ON')
  const off = payload(config, 'payload_off', 'OFF')
  const state = writeOf(config, 'command_topic', 'command_template', (value) => (value === true ? on : off))
  if (!state) throw new Error('nothing to switch it by: no command_topic')
  const words = onOff(payload(config, 'state_on', on), payload(config, 'state_off', off))
  return {
    role: { kind: 'relay' },
    reads: readOf(config, 'state', 'state_topic', templateKey, words),
    writes: { state },
  }
}

/** Texts that name a value, without the name of its device: "Hall A" is not a phase, and "Export warehouse" feeds no energy in. */
function hintsOf(objectId: string, config: EntityConfig, device: DeviceInfo): string[] {
  const path = text(config, 'value_template') ?? ''
  const name = text(config, 'name') ?? ''
  const deviceName = isRecord(config['device']) ? text(config['device'], 'name') : undefined
  if (deviceName === undefined || device.part) return [objectId, name, path]
  return [slotOf(objectId, device), name.replace(deviceName, ''), path, ...phaseOf(config, device)]
}

/** The phase of a three-phase Shelly of the first generation; only its topic contains it: `emeter/0/total`. */
function phaseOf(config: EntityConfig, device: DeviceInfo): string[] {
  const number = EMETER.exec(text(config, 'state_topic') ?? '')?.[1]
  return number !== undefined && /3em|em3/i.test(`${device.name} ${device.model} ${device.key}`)
    ? [`phase ${Number(number) + 1}`]
    : []
}
const EMETER = /(?:^|\/)emeter\/([0-2])\//

function assertReads(reads: Entity['reads']): Entity['reads'] {
  if (reads.length === 0) throw new Error('a sensor without state_topic')
  return reads
}

function secondsOf<K extends 'expireAfter' | 'offDelay'>(config: EntityConfig, key: string, as: K) {
  const seconds = number(config, key, 0)
  return (seconds > 0 ? { [as]: seconds } : {}) as { [key in K]?: number }
}

/** Suffix that a part's id adds to its device's id: a number, a phase, or both. */
const PART =
  /^(?:[-_:.](?:\d{1,2}|[abcn]|l[123n]|(?:switch|channel|ch|phase|em1?|pm1|light|cover|input|relay|outlet|port)[-_:]?\d*))+$/i

/** The device that the payload describes; an entity without one becomes a device of its own. */
function deviceOf(config: EntityConfig, objectId: string): DeviceInfo {
  const device = isRecord(config['device']) ? config['device'] : {}
  const ids = [device['identifiers']].flat().filter((id) => typeof id === 'string' || typeof id === 'number')
  const connections = Array.isArray(device['connections']) ? device['connections'] : []
  const address = connections.find((pair) => Array.isArray(pair) && typeof pair[1] === 'string')?.[1] as
    string | undefined
  const own = text(config, 'unique_id') ?? objectId
  const id = String(ids[0] ?? address ?? own)
  // Channels and phases are announced as devices of their own, "<id of the device>-0-a" via the device. Other devices behind a gateway
  // may have a similar prefix: "ebusd_bai" via "ebusd".
  const parentName = text(device, 'via_device')
  const part = parentName !== undefined && id.startsWith(parentName) && PART.test(id.slice(parentName.length))
  const name = text(device, 'name')
  return {
    key: deviceKey(part ? parentName : id),
    ...(part && { part }),
    ...(name === undefined && { unnamed: true }),
    name: name ?? withoutValueName(config) ?? own,
    model: [device['manufacturer'], device['model'], device['model_id']]
      .filter((part) => typeof part === 'string')
      .join(' '),
  }
}

/** Channel numbers: Shelly's `switch:1` in the topic, Zigbee2MQTT's endpoints in the id. */
const CHANNEL_TOPIC = /:(\d+)$/
const CHANNEL_ID = /_(l\d|left|right|center|top|bottom|\d{1,2})$/i
/** Channel names that makers of meters with many clamps use, anywhere in the name. */
const CIRCUIT = /(?:^|_)(?:ch|channel|circuit|ct|clamp|port|outlet|socket)_?(\d{1,2})(?:_|$)/i

function channelOf(config: EntityConfig, objectId: string, slot: string): string {
  const found =
    CHANNEL_TOPIC.exec(text(config, 'state_topic') ?? '') ?? CHANNEL_ID.exec(objectId) ?? CIRCUIT.exec(slot)
  return found?.[1] ?? ''
}

/** The object id without the parts that name the device. */
function slotOf(objectId: string, { key, name }: DeviceInfo): string {
  const plain = (part: string) => part.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  let slot = plain(objectId)
  for (const part of [key, name].map((one) => plain(one).replace(/^_|_$/g, '')))
    // A name in Chinese leaves only a few characters, which could match anywhere.
    if (part.length > 2) slot = slot.replace(new RegExp(`(^|_)${part}(?=_|$)`), '')
  return slot.replace(/__+/g, '_').replace(/^_|_$/g, '') || plain(objectId)
}
