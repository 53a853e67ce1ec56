import { isRecord } from '../../../contract/kernel/is-record.ts'
import { parseExactJson } from '../../../contract/kernel/parse-json.ts'
import { numeric } from '../entities/config.ts'
import {
  BadAnnouncement,
  type DeviceInfo,
  type Entity,
  type Phase,
  type Quantity,
  type Value,
} from '../entities/entity.ts'
import { deviceKey, isTopic } from '../entities/keys.ts'
import type { PlacedAnnouncement, Source } from './source.ts'
import { conversion } from '../entities/units.ts'

/** Maximum number of devices, and of topics of one, that are stored. */
const MAX_DEVICES = 2_000
const MAX_PATHS = 100

/** Unit conversion: relays count their energy in watt-minutes. */
const WATT_MINUTES_PER_KWH = 60_000

/** Topics about the device itself, and commands that other clients send to it. */
const HOUSEKEEPING = /^(?:online|announce|info|command|status)$|\/command$/
/** Topics of the second generation under a prefix that contains this one. */
const SECOND_GENERATION = /^(?:status\/|events\/|rpc$)/

interface Device {
  info: DeviceInfo | undefined
  /** Topics that it has published, without `shellies/<id>/`. */
  paths: Set<string>
}

/**
 * Shelly devices of the first generation with MQTT switched on: each announces itself when `shellies/command` asks, and publishes
 * every value on a topic of its own. The published topics show which parts a device has.
 */
export function shellyGen1Source(): Source {
  const devices = new Map<string, Device>()

  function deviceOf(id: string): Device | undefined {
    const known = devices.get(id)
    if (known || devices.size >= MAX_DEVICES) return known
    const device: Device = { info: undefined, paths: new Set() }
    devices.set(id, device)
    return device
  }

  return {
    filters: ['shellies/#'],
    // A script that announces these devices for Home Assistant provides more details.
    rank: -1,
    initialQueries: [
      { topic: 'shellies/command', payload: 'announce' },
      { topic: 'shellies/command', payload: 'update' },
    ],
    parse(topic, message) {
      const [root, id = '', ...levels] = topic.split('/')
      if (root !== 'shellies' || topic === 'shellies/command') return undefined
      const path = levels.join('/')
      const announced = id === 'announce' || path === 'announce' ? announcementOf(message) : undefined
      const name = announced?.id ?? id
      const device = isTopic(name) ? deviceOf(name) : undefined
      if (!device) return undefined
      if (announced) {
        if (device.info?.key === announced.info.key) return undefined
        device.info = announced.info
      } else {
        if (HOUSEKEEPING.test(path) || device.paths.has(path) || device.paths.size >= MAX_PATHS)
          return undefined
        device.paths.add(path)
      }
      return { announcements: [parseDevice(name, device)] }
    },
  }
}

/** errors  BadAnnouncement for a message that is none */
function announcementOf(message: string): { id: string; info: DeviceInfo } {
  const body = parseExactJson(message)
  if (!isRecord(body) || typeof body['id'] !== 'string' || typeof body['mac'] !== 'string')
    throw new BadAnnouncement('no announcement of a device')
  const { id, mac, model } = body
  return { id, info: { key: deviceKey(mac as string), name: id as string, model: modelOf(model) } } as {
    id: string
    info: DeviceInfo
  }
}

/** Model names of clamp meters, which decide their type; the codes of makers do not tell. */
const modelOf = (code: unknown): string =>
  code === 'SHEM' ? 'Shelly EM' : code === 'SHEM-3' ? 'Shelly 3EM' : `Shelly ${String(code ?? '')}`

type Part = Pick<Entity, 'role' | 'channel' | 'slot' | 'reads' | 'writes'>

function parseDevice(id: string, { info, paths }: Device): PlacedAnnouncement {
  const place = `shellies/${id}`
  const found: PlacedAnnouncement = { place, entities: [], skipped: [] }
  for (const path of paths) {
    const topic = `${place}/${path}`
    const part = info && partOf(topic, path, info)
    if (!info)
      found.skipped.push({
        id: topic,
        code: 'unannounced',
        reason: 'of a device that has not announced itself',
      })
    else if (SECOND_GENERATION.test(path))
      found.skipped.push({
        id: topic,
        code: 'incomplete',
        reason: 'a Shelly of the second generation needs a prefix without "/"',
      })
    else if (!part)
      found.skipped.push({
        id: topic,
        name: info.name,
        code: 'noType',
        reason: `no type for ${path.replace(/\d+/g, 'n')}`,
      })
    else
      found.entities.push({
        id: topic,
        device: info,
        availability: {
          mode: 'none-away',
          topics: [
            {
              topic: `${place}/online`,
              read: ({ text }) => (text === 'true' ? true : text === 'false' ? false : undefined),
            },
          ],
        },
        ...part,
      })
  }
  return found
}

const EMETER: Readonly<Record<string, { quantity: Quantity; unit: string; returned?: true }>> = {
  total: { quantity: 'energy', unit: 'Wh' },
  total_returned: { quantity: 'energy', unit: 'Wh', returned: true },
  power: { quantity: 'power', unit: 'W' },
  voltage: { quantity: 'voltage', unit: 'V' },
  current: { quantity: 'current', unit: 'A' },
  pf: { quantity: 'powerFactor', unit: '' },
}
const AIR: Readonly<Record<string, { quantity: Quantity; unit: string }>> = {
  'sensor/temperature': { quantity: 'temperature', unit: 'C' },
  'sensor/humidity': { quantity: 'humidity', unit: '%' },
}

/** The part of a device that a topic belongs to; undefined for one without a counterpart. */
function partOf(topic: string, path: string, { model }: DeviceInfo): Part | undefined {
  const slot = path.replaceAll('/', '_')
  const part = (
    role: Entity['role'],
    channel: string,
    valueOf: (text: string) => Value | null | undefined,
  ): Part => ({
    role,
    channel,
    slot,
    reads: [{ topic, aspect: 'state', read: ({ text }) => valueOf(text) }],
    writes: {},
  })
  const figure = (convert: (value: number) => number) => (text: string) => {
    const value = numeric(text)
    return value === null ? null : convert(value)
  }
  const relay = /^relay\/(\d+)$/.exec(path)
  if (relay)
    return {
      ...part({ kind: 'relay' }, relay[1] ?? '', (text) =>
        text === 'on' ? true : text === 'off' ? false : undefined,
      ),
      writes: { state: (value) => ({ topic: `${topic}/command`, payload: value === true ? 'on' : 'off' }) },
    }
  // A Shelly 2 measures both of its relays together: `relay/power`.
  const metered = /^relay\/(?:(\d+)\/)?(power|energy)$/.exec(path)
  if (metered) {
    const [, channel = '', quantity] = metered
    return quantity === 'power'
      ? part(
          { kind: 'sensor', quantity: 'power' },
          channel,
          figure((value) => value),
        )
      : part(
          { kind: 'sensor', quantity: 'energy' },
          channel,
          figure((value) => value / WATT_MINUTES_PER_KWH),
        )
  }
  const [, number, field = ''] = /^emeter\/(\d+)\/(\w+)$/.exec(path) ?? []
  const measure = Object.hasOwn(EMETER, field) ? EMETER[field] : undefined
  if (number !== undefined && measure) {
    // Clamps are not around the wire of the adjacent relay; the three of a 3EM are phases.
    const isPhase = model === 'Shelly 3EM' && Number(number) < 3
    const { quantity, unit, returned } = measure
    return part(
      {
        kind: 'sensor',
        quantity,
        ...(returned && { returned }),
        ...(isPhase && { phase: Number(number) as Phase }),
      },
      isPhase ? 'emeter' : `emeter${number}`,
      figure(conversion(quantity, unit) as (value: number) => number),
    )
  }
  const air = AIR[path]
  if (air)
    return part(
      { kind: 'sensor', quantity: air.quantity },
      '',
      figure(conversion(air.quantity, air.unit) as (value: number) => number),
    )
  if (path === 'sensor/battery')
    return part(
      { kind: 'diagnostic', field: 'Battery' },
      '',
      figure((value) => value),
    )
  return undefined
}
