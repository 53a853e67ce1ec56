import { conversion } from '../entities/units.ts'
import { numeric, readOf, text, type EntityConfig } from '../entities/config.ts'
import { NoCounterpart, type EntityAccess, type Phase } from '../entities/entity.ts'
import { figureOf } from './tasmota.ts'

/*
 * Tasmota before version 9.2, and later with `SetOption19 1`, announces itself for Home Assistant: units and classes of its values
 * are wrong or missing, and most announcements name no device. Each template contains the value's name in telemetry.
 */

/** `{{value_json['ENERGY']['Total']}}`, in older versions `{{value_json.ENERGY.Total}}`; with an index for a list. */
const VALUE = /value_json(?:\['([^']+)'\]\['([^']+)'\]|\.([\w-]+)\.([\w-]+))(?:\[(\d)\])?/
const TELEMETRY = /(?:^|\/)SENSOR$/
const STATUS = /(?:^|\/)HASS_STATE$/

function valueOf(
  config: EntityConfig,
): { group: string; key: string; index: number | undefined } | undefined {
  const found = VALUE.exec(text(config, 'value_template') ?? '')
  if (!found || !TELEMETRY.test(text(config, 'state_topic') ?? '')) return undefined
  const index = found[5] === undefined ? undefined : Number(found[5])
  return { group: found[1] ?? found[3] ?? '', key: found[2] ?? found[4] ?? '', index }
}

/** A value of a meter by its name in telemetry; undefined for any other. errors  Error for one that has no counterpart */
export function oldTasmotaSensor(config: EntityConfig): EntityAccess | undefined {
  const value = valueOf(config)
  if (value?.group !== 'ENERGY') return undefined
  const figure = figureOf('ENERGY', value.key)
  const convert = figure && conversion(figure.quantity, figure.unit)
  if (!figure || !convert) throw new NoCounterpart('noType', 'no figure that a field is for')
  const { index } = value
  const read = (raw: string) => {
    const number = numeric(raw)
    return number === null ? null : convert(number)
  }
  return {
    role: {
      kind: 'sensor',
      quantity: figure.quantity,
      ...(figure.returned && { returned: true as const }),
      ...(index !== undefined && index < 3 && { line: index as Phase }),
    },
    reads: readOf(config, 'state', 'state_topic', 'value_template', read),
    writes: {},
  }
}

/** Channel of a value of a list, a phase or a relay: `Power[0]` is the first. */
export function oldTasmotaChannel(config: EntityConfig): string | undefined {
  const value = valueOf(config)
  if (!value) return undefined
  return value.index === undefined ? '' : String(value.index + 1)
}

/** Quality of the radio link in percent, from the only announcement that names the device; undefined for any other. */
export function oldTasmotaStatus(config: EntityConfig): EntityAccess | undefined {
  if (!STATUS.test(text(config, 'state_topic') ?? '')) return undefined
  const read = (raw: string) => {
    const percent = numeric(raw)
    return percent === null ? null : Math.round((percent / 100) * 255)
  }
  return {
    role: { kind: 'diagnostic', field: 'LinkQuality' },
    reads: readOf(config, 'state', 'state_topic', 'value_template', read),
    writes: {},
  }
}

/** Name of an announcement without its value's name: "Plug" of "Plug ENERGY Total". */
export function withoutValueName(config: EntityConfig): string | undefined {
  const name = text(config, 'name')
  const value = valueOf(config)
  if (name === undefined || !value) return name
  const at = name.lastIndexOf(` ${value.group} ${value.key}`)
  return at > 0 ? name.slice(0, at) : name
}
