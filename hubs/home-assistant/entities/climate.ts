import { number, numeric, onOff, payload, readOf, text, texts, writeOf, type EntityConfig } from './config.ts'
import { NoCounterpart, type EntityAccess, type Value } from './entity.ts'
import { fromCelsius, toCelsius } from './units.ts'

const MODES = ['auto', 'off', 'cool', 'heat', 'dry', 'fan_only']
const FAN_MODES = ['auto', 'low', 'medium', 'high']
const plain = (value: Value) => String(value)
/** The announced mode; null for "None", "null" and an empty text, which mean unknown. */
const word = (raw: string): string | null => (raw === '' || raw === 'None' || raw === 'null' ? null : raw)

/**
 * A climate entity: thermostat or air conditioner; `isAirConditioner` decides later by its modes.
 *
 * errors  Error if neither a mode nor a temperature can be set
 */
export function climate(config: EntityConfig): EntityAccess {
  const unit = text(config, 'temperature_unit')
  const degrees = (raw: string): number | null => {
    const value = numeric(raw)
    return value === null ? null : toCelsius(value, unit)
  }
  const on = payload(config, 'payload_on', 'ON')
  const off = payload(config, 'payload_off', 'OFF')
  const writes: EntityAccess['writes'] = {
    state: writeOf(config, 'power_command_topic', 'power_command_template', (value) =>
      value === true ? on : off,
    ),
    mode: writeOf(config, 'mode_command_topic', 'mode_command_template', plain),
    fanMode: writeOf(config, 'fan_mode_command_topic', 'fan_mode_command_template', plain),
    targetTemperature: writeOf(config, 'temperature_command_topic', 'temperature_command_template', (value) =>
      fromCelsius(Number(value), unit),
    ),
  }
  if (!writes.mode && !writes.targetTemperature) throw new Error('a climate entity that cannot be set')
  return {
    role: {
      kind: 'climate',
      modes: texts(config, 'modes', MODES),
      fanModes: writes.fanMode ? texts(config, 'fan_modes', FAN_MODES) : [],
    },
    reads: [
      ...readOf(config, 'mode', 'mode_state_topic', 'mode_state_template', word),
      ...readOf(config, 'fanMode', 'fan_mode_state_topic', 'fan_mode_state_template', word),
      ...readOf(
        config,
        'targetTemperature',
        'temperature_state_topic',
        'temperature_state_template',
        degrees,
      ),
      ...readOf(config, 'temperature', 'current_temperature_topic', 'current_temperature_template', degrees),
      ...readOf(config, 'humidity', 'current_humidity_topic', 'current_humidity_template', numeric),
    ],
    writes,
  }
}

/** A dehumidifier (humidifier entity of that class). errors  Error for a humidifier */
export function mapDehumidifier(config: EntityConfig): EntityAccess {
  if (text(config, 'device_class') !== 'dehumidifier')
    throw new NoCounterpart('noType', 'no type for humidifier')
  const on = payload(config, 'payload_on', 'ON')
  const off = payload(config, 'payload_off', 'OFF')
  return {
    role: { kind: 'dehumidifier', modes: texts(config, 'modes', []) },
    reads: [
      ...readOf(config, 'state', 'state_topic', 'state_value_template', onOff(on, off)),
      ...readOf(config, 'mode', 'mode_state_topic', 'mode_state_template', word),
      ...readOf(
        config,
        'targetHumidity',
        'target_humidity_state_topic',
        'target_humidity_state_template',
        numeric,
      ),
      ...readOf(config, 'humidity', 'current_humidity_topic', 'current_humidity_template', numeric),
    ],
    writes: {
      state: writeOf(config, 'command_topic', 'command_template', (value) => (value === true ? on : off)),
      mode: writeOf(config, 'mode_command_topic', 'mode_command_template', plain),
      targetHumidity: writeOf(
        config,
        'target_humidity_command_topic',
        'target_humidity_command_template',
        (value) => Number(value),
      ),
    },
  }
}

const VENTILATOR = /ventilat|\b[eh]rv\b|air exchange|全熱|換氣/i

export const isVentilator = (names: string): boolean => VENTILATOR.test(names)

/** A fan that is a ventilator: on, off and two speeds. */
export function mapVentilator(config: EntityConfig): EntityAccess {
  const on = payload(config, 'payload_on', 'ON')
  const off = payload(config, 'payload_off', 'OFF')
  const min = number(config, 'speed_range_min', 1)
  const max = Math.max(min, number(config, 'speed_range_max', 100))
  return {
    role: { kind: 'ventilator' },
    reads: [
      ...readOf(config, 'state', 'state_topic', 'state_value_template', onOff(on, off)),
      ...readOf(config, 'fanMode', 'percentage_state_topic', 'percentage_value_template', (raw) => {
        const speed = numeric(raw)
        return speed === null ? null : speed > (min + max) / 2 ? 'high' : 'low'
      }),
    ],
    writes: {
      state: writeOf(config, 'command_topic', 'command_template', (value) => (value === true ? on : off)),
      fanMode: writeOf(config, 'percentage_command_topic', 'percentage_command_template', (value) =>
        value === 'high' ? max : min,
      ),
    },
  }
}
