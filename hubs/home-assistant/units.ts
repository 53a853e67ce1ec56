import type { Quantity } from './entity.ts'

const same = (value: number) => value
const times = (factor: number) => (value: number) => value * factor
const celsius: Record<string, (value: number) => number> = {
  '°C': same,
  C: same,
  '°F': (value) => ((value - 32) * 5) / 9,
  F: (value) => ((value - 32) * 5) / 9,
  K: (value) => value - 273.15,
}

/** Into the unit of our field, by quantity and announced unit; '' is "none said". */
const CONVERSIONS: Record<Quantity, Record<string, (value: number) => number>> = {
  energy: {
    kWh: same,
    Wh: times(1 / 1000),
    MWh: times(1000),
    GWh: times(1e6),
    MJ: times(1 / 3.6),
    GJ: times(1000 / 3.6),
  },
  power: { W: same, kW: times(1000), mW: times(1 / 1000), MW: times(1e6) },
  voltage: { V: same, mV: times(1 / 1000), kV: times(1000) },
  current: { A: same, mA: times(1 / 1000) },
  powerFactor: { '': same, '%': times(1 / 100) },
  temperature: celsius,
  humidity: { '%': same },
  pm25: { 'µg/m³': same, 'μg/m³': same, 'ug/m3': same, 'µg/m3': same, 'mg/m³': times(1000) },
}

/**
 * How a quantity's numbers become those of our field (kWh, W, V, A, °C, %, µg/m³), or undefined for a unit that
 * cannot be one of that quantity.
 */
export const conversion = (quantity: Quantity, unit: string | undefined) => CONVERSIONS[quantity][unit ?? '']

/** Why a number beyond 2^53 is not taken. */
export const tooLong = (got: unknown): string =>
  `"${String(got).slice(0, 40)}" has more digits than can be kept`

/** A number beyond 2^53, which comes as a text so that it is not rounded. */
const LONG = /^-?\d{16}/

/**
 * A value that a device measures, in the unit of our field; null for unknown, undefined for what is no number.
 *
 * errors  Error for a number that would be rounded
 */
export function measured(got: unknown, convert: (value: number) => number): number | null | undefined {
  if (typeof got === 'string' && LONG.test(got)) throw new Error(tooLong(got))
  return got === null ? null : typeof got === 'number' ? convert(got) : undefined
}

/** Units that only one quantity has. */
const TELLING = new Map<string, Quantity | undefined>()
for (const [quantity, units] of Object.entries(CONVERSIONS))
  for (const unit of Object.keys(units))
    TELLING.set(unit, TELLING.has(unit) ? undefined : (quantity as Quantity))

/** The quantity that a unit can only be one of, e.g. energy for kWh; undefined for "%", which several have. */
export const quantityOf = (unit: string | undefined): Quantity | undefined => TELLING.get(unit ?? '')

/** A temperature in °C, by the unit a thermostat was announced with. */
export const toCelsius = (value: number, unit: string | undefined): number =>
  celsius[unit ?? 'C']?.(value) ?? value
/** A temperature in °C in the unit a thermostat was announced with. */
export const fromCelsius = (value: number, unit: string | undefined): number =>
  unit === 'F' || unit === '°F' ? Math.round((value * 9) / 5 + 32) : value
