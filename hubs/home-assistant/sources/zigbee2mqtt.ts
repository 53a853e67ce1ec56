import type { UnmappedReason } from '../../../contract/devices/channels/hub-setup.ts'
import { isRecord } from '../../../contract/kernel/is-record.ts'
import { STOP } from '../../../contract/devices/capabilities/cover.ts'
import { pressOf } from '../entities/buttons.ts'
import { numeric } from '../entities/config.ts'
import { moveOf, type CoverWord } from '../entities/covers.ts'
import {
  BadAnnouncement,
  NoCounterpart,
  type Aspect,
  type DeviceInfo,
  type Entity,
  type Incoming,
  type Publication,
  type Read,
  type Role,
  type Value,
} from '../entities/entity.ts'
import { deviceKey, isTopic } from '../entities/keys.ts'
import { toPercent } from '../entities/lights.ts'
import { plainRole } from '../entities/plain-sensors.ts'
import { binaryRole, sensorRole } from '../entities/sensor-role.ts'
import type { PlacedAnnouncement, Source } from './source.ts'
import { conversion } from '../entities/units.ts'

type Fields = Record<string, unknown>

/** Bits of `access`: the value is published, can be set, can be queried. */
const PUBLISHED = 1
const SETTABLE = 2
const ASKABLE = 4

/** Expose names of binary sensors, as device classes of Home Assistant. */
const BINARY_CLASSES: Record<string, string> = {
  contact: 'door',
  occupancy: 'occupancy',
  presence: 'presence',
  smoke: 'smoke',
  vibration: 'vibration',
}
/** Expose names of measured values: numbered phases and totals have a suffix. */
const NUMERIC_CLASSES =
  /^(?:total_)?(energy|power|voltage|current|power_factor|temperature|humidity|pm25)(?:_phase)?(?:_[abc])?$/

/** Zigbee2MQTT's own format: `<base>/bridge/devices` with what each device exposes. */
export function zigbee2mqttSource(base = 'zigbee2mqtt'): Source {
  /** Last description of each device, to find changes in a list of all devices. */
  const last = new Map<string, string>()
  const list = `${base}/bridge/devices`
  return {
    filters: [list],
    // The list has more details than discovery, and exists without Zigbee2MQTT's Home Assistant extension.
    rank: 1,
    parse(topic, message) {
      if (topic !== list) return undefined
      const announcements: PlacedAnnouncement[] = []
      const present = new Set<string>()
      for (const device of listOf(message)) {
        const address = device['ieee_address']
        if (typeof address !== 'string' || device['type'] === 'Coordinator') continue
        const place = `${topic}#${address}`
        const description = JSON.stringify(device)
        present.add(place)
        if (last.get(place) === description) continue
        last.set(place, description)
        announcements.push({ place, ...parseDevice(base, address, device) })
      }
      for (const place of last.keys())
        if (!present.has(place)) {
          last.delete(place)
          announcements.push({ place, entities: [], skipped: [] })
        }
      return { announcements }
    },
  }
}

function listOf(message: string): Fields[] {
  let list: unknown
  try {
    list = JSON.parse(message === '' ? '[]' : message)
  } catch {
    throw new BadAnnouncement('not JSON')
  }
  if (!Array.isArray(list)) throw new BadAnnouncement('no list of devices')
  return list.filter(isRecord)
}

/** The entities of one device of the list. */
function parseDevice(base: string, address: string, device: Fields) {
  const found: Omit<PlacedAnnouncement, 'place'> = { entities: [], skipped: [] }
  const definition = isRecord(device['definition']) ? device['definition'] : {}
  const name = typeof device['friendly_name'] === 'string' ? device['friendly_name'] : address
  const topic = `${base}/${name}`
  const exposes = Array.isArray(definition['exposes']) ? definition['exposes'].filter(isRecord) : []
  const skip = (id: string, code: UnmappedReason, reason: string) =>
    found.skipped.push({ id, name, code, reason })
  if (!isTopic(topic)) skip(address, 'incomplete', 'the name is no topic')
  else if (device['disabled'] === true) skip(address, 'disabled', 'disabled')
  else if (exposes.length === 0) skip(address, 'noType', 'Zigbee2MQTT does not know what it does')
  else {
    const info: DeviceInfo = {
      key: deviceKey(address),
      name,
      model: [definition['vendor'], definition['model'], definition['description']]
        .filter((part) => typeof part === 'string')
        .join(' '),
    }
    const isAsleep = device['power_source'] === 'Battery'
    const isMetered = exposes.some(({ name: one }) => one === 'energy')
    for (const expose of exposes) {
      const id = `${topic}#${String(expose['property'] ?? expose['name'] ?? expose['type'])}`
      const endpoint = typeof expose['endpoint'] === 'string' ? expose['endpoint'] : ''
      const parts = partsOrReason(expose, { topic, info, isMetered, isAsleep })
      if ('code' in parts) skip(id, parts.code, parts.reason)
      else
        found.entities.push({
          id: `${id}${endpoint}`,
          device: info,
          channel: endpoint,
          availability: availabilityOf(base, topic),
          ...(endpoint !== '' && { name: endpoint }),
          ...parts,
        })
    }
  }
  return found
}

interface Context {
  topic: string
  info: DeviceInfo
  /** The device counts energy: its voltage is that of the mains, not of a battery. */
  isMetered: boolean
  isAsleep: boolean
}
type Parts = Pick<Entity, 'role' | 'reads' | 'writes' | 'slot' | 'queries'>

function partsOrReason(expose: Fields, context: Context): Parts | { code: UnmappedReason; reason: string } {
  try {
    const parts = partsOf(expose, context)
    return typeof parts === 'string' ? { code: 'noType', reason: parts } : parts
  } catch (error) {
    if (error instanceof NoCounterpart) return { code: error.code, reason: error.message }
    throw error
  }
}

/** The parts of an expose, or the reason why it has no counterpart. */
function partsOf(expose: Fields, context: Context): Parts | string {
  const category = expose['category']
  const otherParts = exposed(expose, context)
  if (otherParts) return otherParts
  if (category === 'config' || category === 'diagnostic')
    throw new NoCounterpart('setting', `${category} only`)
  const name = String(expose['name'] ?? '')
  const features = Array.isArray(expose['features']) ? expose['features'].filter(isRecord) : []
  const feature = (featureName: string) => features.find((one) => one['name'] === featureName)
  switch (expose['type']) {
    case 'switch': {
      const state = feature('state')
      return state ? switching('relay', state, undefined, context) : 'a switch without a state'
    }
    // Speeds have no counterpart.
    case 'fan': {
      const state = feature('state')
      return state ? switching('relay', state, undefined, context) : 'a fan without a state'
    }
    case 'light': {
      const state = feature('state')
      const brightness = feature('brightness')
      return state
        ? switching(brightness ? 'light' : 'relay', state, brightness, context)
        : 'a light without a state'
    }
    case 'climate':
      return climate(feature, context)
    case 'binary': {
      const role = binaryRole(BINARY_CLASSES[name], `${name} ${context.info.model}`)
      if (typeof role === 'string') return `no type for ${name}`
      return sensing(role, expose, context, (raw) => equals(raw, expose, 'value_on', true))
    }
    case 'numeric': {
      const unit = typeof expose['unit'] === 'string' ? expose['unit'] : undefined
      const { name: own, model } = context.info
      const role = sensorRole(
        { deviceClass: NUMERIC_CLASSES.exec(name)?.[1], unit },
        [name],
        `${own} ${model}`,
      )
      if (typeof role === 'string') return `no field for ${name}`
      if (role.kind !== 'sensor') return sensing(role, expose, context, figureOf)
      if (role.quantity === 'voltage' && !context.isMetered) return 'the voltage of a battery'
      const convert = conversion(role.quantity, unit)
      if (!convert) throw new NoCounterpart('unit', `"${unit ?? ''}" is no unit of ${role.quantity}`)
      return sensing(role, expose, context, (raw) => {
        const value = typeof raw === 'number' ? raw : numeric(String(raw))
        return value === null ? null : convert(value)
      })
    }
    default:
      return `no type for ${String(expose['type'])} ${name}`.trim()
  }
}

/** Covers, buttons, sirens, sensors of any unit, and diagnostics; undefined for any other expose. */
function exposed(expose: Fields, context: Context): Parts | undefined {
  const name = String(expose['name'] ?? '')
  const unit = typeof expose['unit'] === 'string' ? expose['unit'] : ''
  const numbers = (role: Role | undefined) => role && sensing(role, expose, context, figureOf)
  switch (expose['type']) {
    case 'cover':
      return zigbeeCover(expose, context)
    case 'enum':
      return name === 'action' ? actions(expose, context) : undefined
    case 'binary':
      return name === 'alarm' && can(expose, SETTABLE) ? alarm(expose, context) : undefined
    case 'numeric':
      if (name === 'battery' && unit === '%') return numbers({ kind: 'diagnostic', field: 'Battery' })
      if (name === 'linkquality') return numbers({ kind: 'diagnostic', field: 'LinkQuality' })
      // A value that can be set is a setting, and one without a unit is mostly a code.
      if (expose['category'] || unit === '' || can(expose, SETTABLE)) return undefined
      return NUMERIC_CLASSES.test(name) || OWN_NUMBERS.test(name) ? undefined : numbers(plainRole(name, unit))
    default:
      return undefined
  }
}
const figureOf = (raw: unknown): number | null => (typeof raw === 'number' ? raw : numeric(String(raw)))

/** Values of meters and of the device itself. */
const OWN_NUMBERS =
  /^(?:produced_|reactive_|apparent_|energy|power|voltage|current|device_temperature|battery|ac_frequency)/

function zigbeeCover(expose: Fields, { topic, info }: Context): Parts | undefined {
  const features = Array.isArray(expose['features']) ? expose['features'].filter(isRecord) : []
  const feature = (featureName: string) => features.find((one) => one['name'] === featureName)
  const [state, position] = [feature('state'), feature('position')]
  if (!state || !can(state, SETTABLE)) return undefined
  const orders = new Map<Value, string>([
    [moveOf('open'), 'OPEN'],
    [moveOf('close'), 'CLOSE'],
    [STOP, 'STOP'],
  ])
  const words = new Map<unknown, CoverWord>([
    ['OPEN', 'open'],
    ['CLOSE', 'closed'],
    ['STOP', 'stopped'],
  ])
  return {
    role: { kind: 'cover', isHeavy: /garage|gate/i.test(info.model) },
    slot: property(state),
    reads: [
      read(state, topic, 'cover', (raw) => words.get(raw)),
      ...(position
        ? [
            read(position, topic, 'position', (raw) =>
              typeof raw === 'number' ? Math.round(raw) : undefined,
            ),
          ]
        : []),
    ],
    writes: {
      move: (value) => set(topic, { [property(state)]: orders.get(value) }),
      ...(position &&
        can(position, SETTABLE) && {
          targetPosition: (value: Value) => set(topic, { [property(position)]: value }),
        }),
    },
  }
}

/** A button publishes its presses as words, `single` or `2_double`; the word contains the button, so all are counted as one. */
function actions(expose: Fields, { topic }: Context): Parts | undefined {
  const values = Array.isArray(expose['values']) ? expose['values'].map(String) : []
  if (!values.some((value) => pressOf(value) !== undefined)) return undefined
  return {
    role: { kind: 'button', part: '', source: 'event' },
    slot: property(expose),
    reads: [read(expose, topic, 'press', (raw) => (typeof raw === 'string' ? pressOf(raw) : undefined))],
    writes: {},
  }
}

const alarm = (expose: Fields, { topic }: Context): Parts => ({
  role: { kind: 'siren' },
  slot: property(expose),
  reads: [read(expose, topic, 'state', (raw) => equals(raw, expose, 'value_on', true))],
  writes: {
    state: (value) =>
      set(topic, {
        [property(expose)]: value === true ? (expose['value_on'] ?? true) : (expose['value_off'] ?? false),
      }),
  },
})

const property = (expose: Fields): string => String(expose['property'] ?? expose['name'])

const equals = (raw: unknown, expose: Fields, key: string, fallback: unknown): boolean =>
  raw === (expose[key] ?? fallback)

function read(
  expose: Fields,
  topic: string,
  aspect: Aspect,
  valueOf: (raw: unknown) => Value | null | undefined,
): Read {
  const key = property(expose)
  return {
    topic,
    aspect,
    read(message: Incoming) {
      const body = message.json()
      if (!isRecord(body) || !Object.hasOwn(body, key)) return undefined
      return body[key] === null ? null : valueOf(body[key])
    },
  }
}

const can = (expose: Fields, bit: number): boolean => (Number(expose['access'] ?? PUBLISHED) & bit) !== 0

const set = (topic: string, body: Fields): Publication => ({
  topic: `${topic}/set`,
  payload: JSON.stringify(body),
})

function sensing(
  role: Role,
  expose: Fields,
  { topic }: Context,
  valueOf: (raw: unknown) => Value | null,
): Parts {
  return { role, slot: property(expose), reads: [read(expose, topic, 'state', valueOf)], writes: {} }
}

function switching(
  is: 'relay' | 'light',
  state: Fields,
  brightness: Fields | undefined,
  { topic, isAsleep }: Context,
): Parts | string {
  if (!can(state, SETTABLE)) return 'a state that cannot be set'
  const on = state['value_on'] ?? 'ON'
  const off = state['value_off'] ?? 'OFF'
  const maxBrightness = Number(brightness?.['value_max'] ?? 254) || 254
  const reads = [
    read(state, topic, 'state', (raw) => (raw === on ? true : raw === off ? false : undefined)),
    ...(brightness
      ? [
          read(brightness, topic, 'brightness', (raw) =>
            typeof raw === 'number' ? toPercent(raw, maxBrightness) : undefined,
          ),
        ]
      : []),
  ]
  return {
    role: { kind: is },
    slot: property(state),
    reads,
    writes: {
      state: (value) => set(topic, { [property(state)]: value === true ? on : off }),
      ...(brightness && {
        brightness: (value: Value) =>
          set(topic, { [property(brightness)]: Math.round((Number(value) / 100) * maxBrightness) }),
      }),
    },
    ...(can(state, ASKABLE) &&
      !isAsleep && {
        queries: [{ topic: `${topic}/get`, payload: JSON.stringify({ [property(state)]: '' }) }],
      }),
  }
}

const SETPOINTS = ['occupied_heating_setpoint', 'current_heating_setpoint', 'occupied_cooling_setpoint']

function climate(feature: (name: string) => Fields | undefined, { topic }: Context): Parts | string {
  const setpoint = SETPOINTS.map(feature).find((one) => one !== undefined)
  const mode = feature('system_mode')
  const fan = feature('fan_mode')
  const temperature = feature('local_temperature')
  if (!setpoint && !mode) return 'a climate device that cannot be set'
  const word = (raw: unknown) => (typeof raw === 'string' ? raw : undefined)
  const degrees = (raw: unknown) => (typeof raw === 'number' ? raw : undefined)
  const values = (expose: Fields | undefined): string[] =>
    Array.isArray(expose?.['values']) ? expose['values'].filter((one) => typeof one === 'string') : []
  const writing = (expose: Fields | undefined) =>
    expose && can(expose, SETTABLE) ? (value: Value) => set(topic, { [property(expose)]: value }) : undefined
  return {
    role: { kind: 'climate', modes: values(mode), fanModes: values(fan) },
    slot: property(setpoint ?? (mode as Fields)),
    reads: [
      ...(mode ? [read(mode, topic, 'mode', word)] : []),
      ...(fan ? [read(fan, topic, 'fanMode', word)] : []),
      ...(setpoint ? [read(setpoint, topic, 'targetTemperature', degrees)] : []),
      ...(temperature ? [read(temperature, topic, 'temperature', degrees)] : []),
    ],
    writes: { mode: writing(mode), fanMode: writing(fan), targetTemperature: writing(setpoint) },
  }
}

/**
 * The bridge's own availability, and the device's if Zigbee2MQTT monitors it: JSON, in older versions a bare word. A device without
 * monitoring never publishes it, so silence counts as online.
 */
function availabilityOf(base: string, topic: string): Entity['availability'] {
  const word = (message: Incoming): boolean | undefined => {
    const body = message.json()
    const state = isRecord(body) ? body['state'] : message.text
    return state === 'online' ? true : state === 'offline' ? false : undefined
  }
  return {
    mode: 'none-away',
    topics: [
      { topic: `${base}/bridge/state`, read: word },
      { topic: `${topic}/availability`, read: word },
    ],
  }
}
