import { isRecord } from '../../../contract/kernel/is-record.ts'
import {
  BadAnnouncement,
  type Aspect,
  type DeviceInfo,
  type Entity,
  type Incoming,
  type Phase,
  type Publication,
  type Quantity,
  type Read,
  type Value,
} from '../entities/entity.ts'
import { deviceKey, isTopic } from '../entities/keys.ts'
import { toPercent } from '../entities/lights.ts'
import type { PlacedAnnouncement, Source } from './source.ts'
import { plainRole } from '../entities/plain-sensors.ts'
import { conversion, measured } from '../entities/units.ts'

type Fields = Record<string, unknown>

/** Kind of load behind a relay, by its number in `rl`. */
const RELAY = 1
const LIGHT = 2

/** A telemetry value that has a field. */
interface Figure {
  quantity: Quantity
  unit: string
  /** Counts the energy that was fed in. */
  returned?: true
  phase?: Phase
}

/** Keys of a meter in telemetry, with Tasmota's units. */
const METERED: Record<string, Figure> = {
  Total: { quantity: 'energy', unit: 'kWh' },
  ExportActive: { quantity: 'energy', unit: 'kWh', returned: true },
  Power: { quantity: 'power', unit: 'W' },
  Voltage: { quantity: 'voltage', unit: 'V' },
  Current: { quantity: 'current', unit: 'A' },
  Factor: { quantity: 'powerFactor', unit: '' },
}
/** Values of meter readers (SML, OBIS), which their scripts name; the names of the published scripts, in kWh and W. */
const READER: readonly [names: RegExp, figure: Figure][] = [
  [/^(?:(?:total|e|energy)_?(?:in|import)|1_8_0)$/i, { quantity: 'energy', unit: 'kWh' }],
  [/^(?:(?:total|e|energy)_?(?:out|export)|2_8_0)$/i, { quantity: 'energy', unit: 'kWh', returned: true }],
  [/^(?:p|power(?:_?(?:curr?|current|total|sum))?|watt_summe|16_7_0)$/i, { quantity: 'power', unit: 'W' }],
]
const READER_PHASES: readonly [names: RegExp, quantity: Quantity, unit: string][] = [
  [/^(?:power|watt|p)_?[pl]?([123])$/i, 'power', 'W'],
  [/^(?:volt(?:age)?|u)_?[pl]?([123])$/i, 'voltage', 'V'],
  [/^(?:curr(?:ent)?|amp(?:erage|s)?|i)_?[pl]?([123])$/i, 'current', 'A'],
]

const AIR: Record<string, Quantity> = {
  'PM2.5': 'pm25',
  Temperature: 'temperature',
  Humidity: 'humidity',
}

/** Whether a group comes from a meter reader: it has a counter of the energy used. */
const isReader = (group: string, sample: Fields): boolean =>
  group !== 'ENERGY' &&
  Object.entries(sample).some(([key, value]) => typeof value === 'number' && READER[0]?.[0].test(key))

/** Figure of a telemetry value by its name; undefined if no field covers it. */
export function figureOf(group: string, key: string, isOfReader = false): Figure | undefined {
  if (group === 'ENERGY') return METERED[key]
  if (!isOfReader) return undefined
  for (const [names, quantity, unit] of READER_PHASES) {
    const phase = names.exec(key)?.[1]
    if (phase !== undefined) return { quantity, unit, phase: (Number(phase) - 1) as Phase }
  }
  return READER.find(([names]) => names.test(key))?.[1]
}

/** Tasmota's own discovery (`tasmota/discovery/<MAC>/config` and `/sensors`), on by default since version 9.2. */
export function tasmotaSource(prefix = 'tasmota/discovery'): Source {
  const devices = new Map<string, { config?: string; sensors?: string }>()
  const start = `${prefix}/`
  return {
    filters: [`${prefix}/+/config`, `${prefix}/+/sensors`],
    rank: 1,
    parse(topic, message) {
      if (!topic.startsWith(start)) return undefined
      const [address = '', part = ''] = topic.slice(start.length).split('/')
      if (part !== 'config' && part !== 'sensors') return undefined
      const device = devices.get(address) ?? {}
      if (device[part] === message) return undefined
      // Parsed before it is stored, so that a malformed message does not replace the last good one.
      objectOf(message)
      device[part] = message
      devices.set(address, device)
      const place = `${prefix}/${address}`
      if (!device.config) return { announcements: [{ place, entities: [], skipped: [] }] }
      return {
        announcements: [
          { place, ...parseDevice(place, objectOf(device.config), objectOf(device.sensors ?? '')) },
        ],
      }
    },
  }
}

function objectOf(message: string): Fields {
  if (message === '') return {}
  let body: unknown
  try {
    body = JSON.parse(message)
  } catch {
    throw new BadAnnouncement('not JSON')
  }
  if (!isRecord(body)) throw new BadAnnouncement('no JSON object')
  return body
}

type Part = Omit<Entity, 'id' | 'device' | 'availability'>

/** errors  BadAnnouncement if the message does not state the device's topics */
function parseDevice(place: string, config: Fields, sensors: Fields): Omit<PlacedAnnouncement, 'place'> {
  const { command, stat, tele } = topicsOf(config)
  const device: DeviceInfo = {
    key: deviceKey(String(config['mac'] ?? place.split('/').at(-1))),
    name: String(config['dn'] ?? config['hn'] ?? 'Tasmota'),
    model: `Tasmota ${String(config['md'] ?? '')}`,
  }
  const online = String(config['onln'] ?? 'Online')
  const offline = String(config['ofln'] ?? 'Offline')
  const availability: Entity['availability'] = {
    mode: 'latest',
    topics: [
      {
        topic: `${tele}LWT`,
        read: ({ text }) => (text === online ? true : text === offline ? false : undefined),
      },
    ],
  }
  const found: Omit<PlacedAnnouncement, 'place'> = { entities: [], skipped: [] }
  const queries: Publication[] = [
    { topic: `${command}STATE`, payload: '' },
    { topic: `${command}STATUS`, payload: '10' },
  ]
  const parts = [
    ...relaysOf(config, { command, stat, tele }, found.skipped),
    ...sensorsOf(sensors, config, { stat, tele }, found.skipped),
  ]
  for (const [i, part] of parts.entries())
    found.entities.push({
      id: `${place}#${part.slot}`,
      device,
      availability,
      ...part,
      // One query covers the whole device.
      ...(i === 0 && { queries }),
    })
  return found
}

/** Prefixes of the device's topics. */
function topicsOf(config: Fields): { command: string; stat: string; tele: string } {
  const full = config['ft']
  const name = config['t']
  if (typeof full !== 'string' || typeof name !== 'string') throw new BadAnnouncement('no topics')
  const prefixes = Array.isArray(config['tp']) ? config['tp'].map(String) : ['cmnd', 'stat', 'tele']
  const address = String(config['mac'] ?? '')
  const [command, stat, tele] = [0, 1, 2].map((i) => {
    const topic = full
      .replaceAll('%prefix%', prefixes[i] ?? '')
      .replaceAll('%topic%', name)
      .replaceAll('%hostname%', String(config['hn'] ?? ''))
      .replaceAll('%id%', address.slice(-6))
    return topic.endsWith('/') ? topic : `${topic}/`
  })
  if (![command, stat, tele].every(isTopic)) throw new BadAnnouncement('no topics')
  return { command, stat, tele } as { command: string; stat: string; tele: string }
}

const numbersOf = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

function relaysOf(
  config: Fields,
  { command, stat, tele }: { command: string; stat: string; tele: string },
  skipped: PlacedAnnouncement['skipped'],
): Part[] {
  const kinds = numbersOf(config['rl'])
  const hasSeveral = kinds.filter((kind) => kind > 0).length > 1
  const names = Array.isArray(config['fn']) ? config['fn'] : []
  const [off = 'OFF', on = 'ON'] = Array.isArray(config['state']) ? config['state'].map(String) : []
  const dims = Number(config['lt_st'] ?? 0) > 0
  const word = (raw: unknown): boolean | undefined => (raw === on ? true : raw === off ? false : undefined)

  return kinds.flatMap((kind, i): Part[] => {
    if (kind === 0 || Number.isNaN(kind)) return []
    if (kind !== RELAY && kind !== LIGHT) {
      skipped.push({ id: `${tele}#${i + 1}`, code: 'noType', reason: 'no type for a shutter' })
      return []
    }
    // A device with one relay names it POWER; in older versions and in commands POWER1.
    const keys = hasSeveral ? [`POWER${i + 1}`] : ['POWER', `POWER${i + 1}`]
    const state = (topic: string): Read => ({
      topic,
      aspect: 'state',
      read: (message) => {
        const body = message.json()
        return isRecord(body)
          ? word(keys.map((key) => body[key]).find((raw) => raw !== undefined))
          : undefined
      },
    })
    const brightness = (topic: string): Read => ({
      topic,
      aspect: 'brightness',
      read: (message) => {
        const body = message.json()
        const raw = isRecord(body) ? body['Dimmer'] : undefined
        return typeof raw === 'number' ? toPercent(raw, 100) : undefined
      },
    })
    const light = kind === LIGHT && dims
    const topics = [`${stat}RESULT`, `${tele}STATE`]
    const name = names[i]
    return [
      {
        role: { kind: light ? 'light' : 'relay' },
        channel: hasSeveral ? String(i + 1) : '',
        slot: `power${i + 1}`,
        ...(hasSeveral && typeof name === 'string' && name !== '' && { name }),
        reads: [
          ...keys.map((key) => ({
            topic: `${stat}${key}`,
            aspect: 'state' as const,
            read: ({ text }: Incoming) => word(text),
          })),
          ...topics.map(state),
          ...(light ? topics.map(brightness) : []),
        ],
        writes: {
          state: (value) => ({ topic: `${command}POWER${i + 1}`, payload: value === true ? on : off }),
          ...(light && {
            brightness: (value: Value) => ({ topic: `${command}Dimmer`, payload: String(value) }),
          }),
        },
      },
    ]
  })
}

/** Sensors in the discovery's sample of telemetry; lists are phases, or relays if each has a meter. */
function sensorsOf(
  { sn }: Fields,
  config: Fields,
  { stat, tele }: { stat: string; tele: string },
  skipped: PlacedAnnouncement['skipped'],
): Part[] {
  if (!isRecord(sn)) return []
  const relays = numbersOf(config['rl']).filter((kind) => kind > 0).length
  return Object.entries(sn).flatMap(([group, sample]) => {
    if (!isRecord(sample)) {
      if (!/^Time$|Unit$/.test(group))
        skipped.push({ id: `${tele}SENSOR#${group}`, code: 'noType', reason: 'no sensor with values' })
      return []
    }
    const list = Array.isArray(sample['Power']) ? sample['Power'].length : 0
    const perRelay = list > 0 && list === relays && !Array.isArray(sample['Voltage'])
    const isOfReader = isReader(group, sample)
    return Object.entries(sample).flatMap(([key, value]): Part[] => {
      const metered = figureOf(group, key, isOfReader)
      const quantity = metered?.quantity ?? (/^(?:ENERGY|ESP32)/.test(group) ? undefined : AIR[key])
      if (!quantity) return plainOf([group, key], value, { stat, tele }, sn, skipped)
      const unit =
        metered?.unit ??
        (quantity === 'pm25' ? 'µg/m³' : quantity === 'humidity' ? '%' : String(sn['TempUnit'] ?? 'C'))
      const convert = conversion(quantity, unit)
      if (!convert) return []
      const indices = Array.isArray(value) ? value.map((_, i) => i) : [undefined]
      return indices.map((i): Part => {
        // Values of a meter reader are not measured at the relays of its device.
        const channel = isOfReader ? group.toLowerCase() : i !== undefined && perRelay ? String(i + 1) : ''
        const phase = metered?.phase ?? (i !== undefined && !perRelay && i < 3 ? (i as Phase) : undefined)
        return {
          role: {
            kind: 'sensor',
            quantity,
            ...(metered?.returned && { returned: true as const }),
            ...(phase !== undefined && { phase }),
          },
          channel,
          slot: [group, key, ...(i === undefined ? [] : [i + 1])].join('_').toLowerCase().replace('.', ''),
          reads: [
            reading(`${tele}SENSOR`, [group, key], i, convert),
            reading(`${stat}STATUS10`, ['StatusSNS', group, key], i, convert),
          ],
          writes: {},
        }
      })
    })
  })
}

/** Counters of a day and the like, in addition to the total, and values that are not measurements. */
const NO_FIGURE =
  /^(?:Yesterday|Today|Period|TotalStartTime|ApparentPower|ReactivePower|Time|Id|Address|Type|ReadingId)$/i

/** A value of any other name becomes a plain sensor: a script of the device names it, as in meter readers. */
function plainOf(
  [group, key]: readonly [group: string, key: string],
  value: unknown,
  { stat, tele }: { stat: string; tele: string },
  units: Fields,
  skipped: PlacedAnnouncement['skipped'],
): Part[] {
  const topic = `${tele}SENSOR`
  const unit = UNITS[key] ?? unitOf(key, units)
  const role =
    typeof value === 'number' && !NO_FIGURE.test(key) ? plainRole(key.toLowerCase(), unit) : undefined
  if (!role) {
    skipped.push({ id: `${topic}#${group}.${key}`, code: 'noType', reason: 'no figure that a field is for' })
    return []
  }
  return [
    {
      role,
      channel: '',
      slot: `${group}_${key}`.toLowerCase().replaceAll('.', ''),
      name: `${group} ${key}`,
      reads: [
        reading(topic, [group, key], undefined, (raw) => raw),
        reading(`${stat}STATUS10`, ['StatusSNS', group, key], undefined, (raw) => raw),
      ],
      writes: {},
    },
  ]
}
/** Unit that the device states in addition to its values. */
const unitOf = (key: string, units: Fields): string =>
  key === 'Pressure'
    ? String(units['PressureUnit'] ?? 'hPa')
    : key === 'Temperature'
      ? `°${String(units['TempUnit'] ?? 'C')}`
      : ''

/** Units of Tasmota's own names; scripts state none. */
const UNITS: Readonly<Record<string, string>> = {
  CarbonDioxide: 'ppm',
  eCO2: 'ppm',
  TVOC: 'ppb',
  Illuminance: 'lx',
  PM1: 'µg/m³',
  PM10: 'µg/m³',
  DewPoint: '°C',
  Frequency: 'Hz',
  Distance: 'cm',
}

function reading(
  topic: string,
  path: readonly string[],
  index: number | undefined,
  convert: (value: number) => number,
): Read {
  const aspect: Aspect = 'state'
  return {
    topic,
    aspect,
    read(message) {
      let value: unknown = message.json()
      for (const step of path) value = isRecord(value) ? value[step] : undefined
      if (Array.isArray(value) && index !== undefined) value = value[index]
      return measured(value, convert)
    },
  }
}
