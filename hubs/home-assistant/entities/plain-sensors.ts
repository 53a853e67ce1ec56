import { isRecord } from '../../../contract/kernel/is-record.ts'
import { numeric, onOff, payload, readOf, text, writeOf, type EntityConfig } from './config.ts'
import type { Entity, EntityAccess, Value } from './entity.ts'
import { isUnknown } from './template.ts'

/** Names of quantities by device class of Home Assistant and expose of Zigbee2MQTT; others keep their name. */
const QUANTITIES: Readonly<Record<string, string>> = {
  atmospheric_pressure: 'pressure',
  pressure: 'pressure',
  illuminance: 'illuminance',
  illuminance_lux: 'illuminance',
  carbon_dioxide: 'co2',
  carbondioxide: 'co2',
  co2: 'co2',
  carbon_monoxide: 'co',
  volatile_organic_compounds: 'voc',
  volatile_organic_compounds_parts: 'voc',
  voc: 'voc',
  formaldehyd: 'formaldehyde',
  ozone: 'ozone',
  pm1: 'pm1',
  pm10: 'pm10',
  sound_pressure: 'noise',
  noise: 'noise',
  wind_speed: 'windSpeed',
  precipitation: 'rain',
  moisture: 'soilMoisture',
  soil_moisture: 'soilMoisture',
  ph: 'ph',
  conductivity: 'conductivity',
  weight: 'weight',
  distance: 'distance',
  speed: 'speed',
  volume_flow_rate: 'flow',
  flow: 'flow',
  volume: 'volume',
  volume_storage: 'volume',
  water: 'water',
  gas: 'gas',
  frequency: 'frequency',
}
/** Device classes that have a field of their own, are not numbers, or describe the device itself. */
const OTHERS =
  /^(?:energy|energy_storage|power|apparent_power|reactive_power|voltage|current|power_factor|temperature|humidity|pm25|battery|signal_strength|timestamp|date|enum|duration|monetary|data_rate|data_size)$/

const MAX_UNIT = 16
const MAX_QUANTITY = 32

/** The role of a plain sensor; undefined if the unit is too long. */
export function plainRole(name: string, unit: string): Entity['role'] | undefined {
  if (unit.length > MAX_UNIT) return undefined
  const known = Object.hasOwn(QUANTITIES, name) ? QUANTITIES[name] : undefined
  return { kind: 'plain', quantity: (known ?? name).slice(0, MAX_QUANTITY), unit }
}

/** A sensor of discovery that measures what no other field covers; undefined for any other. */
export function plainSensor(config: EntityConfig, slot: string): EntityAccess | undefined {
  const deviceClass = text(config, 'device_class')
  const unit = text(config, 'unit_of_measurement')
  // A text has neither a unit nor a state class.
  if ((unit === undefined && text(config, 'state_class') === undefined) || OTHERS.test(deviceClass ?? ''))
    return undefined
  const role = plainRole(deviceClass ?? slot, unit ?? '')
  const reads = readOf(config, 'state', 'state_topic', 'value_template', numeric)
  return role && reads.length > 0 ? { role, reads, writes: {} } : undefined
}

/** Battery or radio link value of a device; undefined for anything else. */
export function diagnostic(
  component: string,
  objectId: string,
  config: EntityConfig,
): EntityAccess | undefined {
  if (component !== 'sensor') return undefined
  const field =
    text(config, 'device_class') === 'battery' && text(config, 'unit_of_measurement') === '%'
      ? 'Battery'
      : /(?:^|_)link_?quality$/i.test(objectId) || text(config, 'unit_of_measurement') === 'lqi'
        ? 'LinkQuality'
        : undefined
  const reads = field ? readOf(config, 'state', 'state_topic', 'value_template', numeric) : []
  return field && reads.length > 0 ? { role: { kind: 'diagnostic', field }, reads, writes: {} } : undefined
}

/**
 * A siren of discovery. Without a template its commands and states are JSON, `{"state":"ON"}`; states may be bare words.
 *
 * errors  Error for one without a command
 */
export function siren(config: EntityConfig): EntityAccess {
  const on = payload(config, 'payload_on', 'ON')
  const off = payload(config, 'payload_off', 'OFF')
  const isPlain = text(config, 'command_template') !== undefined
  const state = writeOf(config, 'command_topic', 'command_template', (value: Value) => {
    const word = value === true ? on : off
    return isPlain ? word : JSON.stringify({ state: word })
  })
  if (!state) throw new Error('nothing to switch it by: no command_topic')
  const word = onOff(payload(config, 'state_on', on), payload(config, 'state_off', off))
  const read = (raw: string) => (isUnknown(raw) ? null : (word(raw) ?? word(stateIn(raw))))
  return {
    role: { kind: 'siren' },
    reads: readOf(config, 'state', 'state_topic', 'state_value_template', read),
    writes: { state },
  }
}

function stateIn(raw: string): string {
  try {
    const body: unknown = JSON.parse(raw)
    return isRecord(body) ? String(body['state'] ?? '') : ''
  } catch {
    return ''
  }
}
