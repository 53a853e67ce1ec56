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

/** Conversions to the unit of the status field, by quantity and announced unit; '' is "no unit". */
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
 * Conversion of a quantity's numbers to the unit of the status field (kWh, W, V, A, °C, %, µg/m³); undefined for a unit that does not
 * belong to the quantity.
 */
export const conversion = (quantity: Quantity, unit: string | undefined) => CONVERSIONS[quantity][unit ?? '']

/** Message for a number beyond 2^53. */
export const tooLong = (raw: unknown): string =>
  `"${String(raw).slice(0, 40)}" has more digits than can be kept`

/** A number beyond 2^53; JSON parsing keeps it as a text to avoid rounding. */
const LONG = /^-?\d{16}/

/**
 * A measured value in the unit of the status field; null for unknown, undefined if it is not a number.
 *
 * errors  Error for a number that would be rounded
 */
export function measured(raw: unknown, convert: (value: number) => number): number | null | undefined {
  if (typeof raw === 'string' && LONG.test(raw)) throw new Error(tooLong(raw))
  return raw === null ? null : typeof raw === 'number' ? convert(raw) : undefined
}

/** Units that only one quantity has. */
const TELLING = new Map<string, Quantity | undefined>()
for (const [quantity, units] of Object.entries(CONVERSIONS))
  for (const unit of Object.keys(units))
    TELLING.set(unit, TELLING.has(unit) ? undefined : (quantity as Quantity))

/** The only quantity with this unit, e.g. energy for kWh; undefined for "%", which several have. */
export const quantityOf = (unit: string | undefined): Quantity | undefined => TELLING.get(unit ?? '')

/** Converts a temperature from the announced unit of the thermostat to °C. */
export const toCelsius = (value: number, unit: string | undefined): number =>
  celsius[unit ?? 'C']?.(value) ?? value
/** Converts a temperature from °C to the announced unit of the thermostat. */
export const fromCelsius = (value: number, unit: string | undefined): number =>
  unit === 'F' || unit === '°F' ? Math.round((value * 9) / 5 + 32) : value
