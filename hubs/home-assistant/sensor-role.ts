import type { Phase, Quantity, Role, Sense } from './entity.ts'
import { conversion, quantityOf } from './units.ts'

const QUANTITIES: Record<string, Quantity> = {
  energy: 'energy',
  power: 'power',
  voltage: 'voltage',
  current: 'current',
  power_factor: 'powerFactor',
  temperature: 'temperature',
  humidity: 'humidity',
  pm25: 'pm25',
}
const SENSES: Record<string, Sense> = {
  motion: 'motion',
  occupancy: 'motion',
  moving: 'motion',
  presence: 'presence',
  door: 'door',
  window: 'door',
  opening: 'door',
  garage_door: 'door',
  smoke: 'smoke',
  vibration: 'shock',
}

/** What a meter measures. */
export const METERED: readonly Quantity[] = ['energy', 'power', 'voltage', 'current', 'powerFactor']

/** Counters of what was fed in. */
const RETURNED =
  /returned|exported|reversed|injected|fee?d[^a-z0-9]?in(?![a-z])|(?:^|[^a-z])ret_|to[^a-z0-9]grid|逆送|回送|饋網/i
/** Counters that count neither what was used nor what was fed in since the meter was made: of a span, of money, of a generator. */
const OTHER_COUNTER =
  /produced|generated|yesterday|today|dai?ly|week|month|year|hour|minute|cost|period|[今昨]天|[今昨本當每]日|[本當上每]月|[本上每]週|[今去本每]年|年度|發電量|電費/i
/** Words that say the same at the end of a name or before a measure; a factory has production lines and return fans too. */
const measure = (words: string) =>
  new RegExp(
    `(?:^|[^a-z])(?:${words})(?=[^a-z0-9]*(?:$|(?:active|energy|power|electricity|kwh|total|tariff)(?![a-z])))`,
    'i',
  )
const FED_IN = measure('return|export|reverse|backwards?|injection')
const GENERATED = measure('production|generation')
const LINE = /(?:^|[^a-z0-9])(?:phase[^a-z0-9]?|l)([123])(?:[^a-z0-9]|$)/i
const PHASE = /(?:^|[^a-z0-9])(?:phase[^a-z0-9]?)?([abc])(?:[^a-z0-9]|$)/i
/** Products that see people who sit still; "human body sensor" is what passive infrared ones are called too. */
const RADAR = /mm-?wave|radar|(?:human|static) presence|presence sensor|24 ?ghz|ld24\d\d/i

/**
 * The quantity of a device class and a unit. Where they disagree, the unit is right: Tasmota up to version 7 announces its
 * counters in kWh with the class `power`.
 */
function quantityFor({ deviceClass, unit, stateClass }: Announced): Quantity | undefined {
  const quantity = QUANTITIES[deviceClass ?? '']
  if (!quantity || conversion(quantity, unit)) return quantity
  const told = quantityOf(unit)
  // Energy that is no counter, e.g. a forecast, is none by its unit alone either.
  return told === 'energy' && stateClass === 'measurement' ? quantity : (told ?? quantity)
}

/** What an announcement says of a sensor, as Home Assistant names it. */
interface Announced {
  deviceClass: string | undefined
  unit?: string | undefined
  stateClass?: string | undefined
}

/**
 * What a measured value is for us, or why it is nothing.
 *
 * hints        texts that name the value (object id, path in the payload): they tell phases and returned energy
 */
export function sensorRole(announced: Announced, hints: readonly string[]): Role | string {
  const quantity = quantityFor(announced)
  if (!quantity) return `no field for ${announced.deviceClass ?? 'a sensor without a class'}`
  if (quantity === 'energy' && hints.some((hint) => OTHER_COUNTER.test(hint) || GENERATED.test(hint)))
    return 'not a counter of all energy used'
  if (!METERED.includes(quantity)) return { is: 'sensor', quantity }
  const isReturned = quantity === 'energy' && hints.some((hint) => RETURNED.test(hint) || FED_IN.test(hint))
  const first = (pattern: RegExp) => hints.map((hint) => pattern.exec(hint)?.[1]).find(Boolean)
  const [letter, digit] = [first(PHASE), first(LINE)]
  return {
    is: 'sensor',
    quantity,
    ...(isReturned && { returned: true as const }),
    ...(letter !== undefined && { phase: 'abc'.indexOf(letter.toLowerCase()) as Phase }),
    ...(digit !== undefined && { line: (Number(digit) - 1) as Phase }),
  }
}

/** What a two-valued sensor is for us, or why it is nothing. */
export function binaryRole(deviceClass: string | undefined, model: string): Role | string {
  const sense = SENSES[deviceClass ?? '']
  if (!sense) return `no type for ${deviceClass ?? 'a binary sensor without a class'}`
  return { is: 'binary', sense: deviceClass === 'occupancy' && RADAR.test(model) ? 'presence' : sense }
}
