import { NoCounterpart, type Phase, type Quantity, type Role, type Sense } from './entity.ts'
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

/** Quantities of electricity meters. */
export const METERED: readonly Quantity[] = ['energy', 'power', 'voltage', 'current', 'powerFactor']

/** Names of counters of energy fed in. */
const RETURNED =
  /returned|exported|reversed|injected|fee?d[^a-z0-9]?in(?![a-z])|(?:^|[^a-z])ret_|to[^a-z0-9]grid|逆送|回送|饋網/i
/** Names of counters that are neither total use nor total energy fed in: of a period, of money, of a generator. */
const OTHER_COUNTER =
  /produced|generated|yesterday|today|dai?ly|week|month|year|hour|minute|cost|period|[今昨]天|[今昨本當每]日|[本當上每]月|[本上每]週|[今去本每]年|年度|發電量|電費/i
/** Words with the same meaning at the end of a name or before a measure; a factory also has production lines and return fans. */
const measure = (words: string) =>
  new RegExp(
    `(?:^|[^a-z])(?:${words})(?=[^a-z0-9]*(?:$|(?:active|energy|power|electricity|kwh|total|tariff)(?![a-z])))`,
    'i',
  )
const FED_IN = measure('return|export|reverse|backwards?|injection')
const GENERATED = measure('production|generation')
const LINE = /(?:^|[^a-z0-9])(?:phase[^a-z0-9]?|l)([123])(?:[^a-z0-9]|$)/i
const PHASE = /(?:^|[^a-z0-9])(?:phase[^a-z0-9]?)?([abc])(?:[^a-z0-9]|$)/i
/** Names of settings, which are not measured values. */
const SETTING = /desired|target|set[ _-]?point|設定|目標/i
/** Names of temperatures other than room air: water, heating or cooling circuits, the ground, the outdoors, a device's own parts. */
const NOT_OF_ROOM = new RegExp(
  [
    'water|boiler|tank|buffer|cylinder|storage|pool|aquarium|soil|brine|coolant|oil',
    'flow|return|supply|inlet|outlet|suction|discharge|evaporat|condens|compressor|exhaust|flue|mixer|solar|collector',
    'heat[ _-]?(?:block|sink|exchanger|pump|index)|floor[ _-]?(?:heating|probe|temp)|dew[ _-]?point|feels|wind[ _-]?chill|apparent',
    'outdoor|outside|exterior|external|internal|cpu|processor|chip|mainboard|pcb|esp32|battery|inverter|motor|probe',
    'fridge|freezer|oven|au(?:ß|ss)en|vorlauf|r(?:ü|ue?)cklauf|warmwasser|kessel|speicher|puffer',
    '(?:^|[^a-z])(?:dhw|hwc|ww|ret)[a-z_ ]*temp|(?:^|[^a-z])t[12][ _]temp|(?:^|[^a-z])core(?:[^a-z]|$)',
    '水溫|出水|回水|進水|供水|熱水|冰水|冷卻|冷凝|蒸發|露點|鍋爐|室外|戶外|土壤|電池|晶片|機[身體殼]|油溫|管溫|排氣',
  ].join('|'),
  'i',
)
const ROOM = /room|indoor|室內|房/i
/** Products whose sensors are in water, in the ground or in a heating system. */
const NOT_OF_ROOM_PRODUCT = /soil|pool|aquarium|boiler|fridge|freezer|water leak|ebusd|ems-esp/i

/** Whether a temperature or humidity is not that of a room's air. */
const isNotOfRoom = (hints: readonly string[], product: string): boolean =>
  hints.some((hint) => SETTING.test(hint)) ||
  (!hints.some((hint) => ROOM.test(hint)) &&
    (NOT_OF_ROOM_PRODUCT.test(product) || hints.some((hint) => NOT_OF_ROOM.test(hint))))

/** Names of heat meters and what they count. No electricity meter counts in joules or calories. */
const HEAT_METER =
  /heat[ _-]?meter|cooling[ _-]?meter|multical|kamheat|sharky|hydrocal|ultraheat|pollu(?:com|therm)|sensostar|supercal|qheat|apatorelf|calori|w(?:ä|ae)rme|district[ _-]?heat|熱量計|熱能表|冷量計/i
const HEAT =
  /thermal|heat[ _-]?(?:energy|quantity|delivered|output|total)|energy[ _-]?(?:of[ _-]?)?heat|熱量|熱能|冷量|冷能/i
const HEAT_UNIT = /^(?:[kMG]?J|[kMG]?cal)$/

/** Products that detect people who sit still; "human body sensor" is also a name of passive infrared ones. */
const RADAR = /mm-?wave|radar|(?:human|static) presence|presence sensor|24 ?ghz|ld24\d\d/i

/**
 * The quantity of a device class and a unit. If they disagree, the unit wins: Tasmota up to version 7 announces its counters in kWh with
 * the class `power`.
 */
function quantityFor({ deviceClass, unit, stateClass }: Announced): Quantity | undefined {
  const quantity = QUANTITIES[deviceClass ?? '']
  if (!quantity || conversion(quantity, unit)) return quantity
  const quantityOfUnit = quantityOf(unit)
  // Energy that is not a counter, e.g. a forecast, has no quantity by its unit alone either.
  return quantityOfUnit === 'energy' && stateClass === 'measurement' ? quantity : (quantityOfUnit ?? quantity)
}

/** Announced properties of a sensor, as Home Assistant names them. */
interface Announced {
  deviceClass: string | undefined
  unit?: string | undefined
  stateClass?: string | undefined
}

/**
 * Role of a measured value, or the reason why no field covers it.
 *
 * hints    texts that name the value (object id, path in the payload): they identify phases, returned energy and the subject
 * product  name and model of the device
 * errors   NoCounterpart for a counter of something else
 */
export function sensorRole(announced: Announced, hints: readonly string[], product = ''): Role | string {
  const quantity = quantityFor(announced)
  const { unit = '' } = announced
  if ((quantity === 'energy' || quantity === 'power') && isHeat(unit, hints, product))
    return { kind: 'plain', quantity: quantity === 'energy' ? 'heat' : 'heatPower', unit }
  if (!quantity) return `no field for ${announced.deviceClass ?? 'a sensor without a class'}`
  if ((quantity === 'temperature' || quantity === 'humidity') && isNotOfRoom(hints, product))
    return { kind: 'plain', quantity, unit }
  if (quantity === 'energy' && hints.some((hint) => OTHER_COUNTER.test(hint) || GENERATED.test(hint)))
    throw new NoCounterpart('otherCounter', 'not a counter of all energy used')
  if (!METERED.includes(quantity)) return { kind: 'sensor', quantity }
  const isReturned = quantity === 'energy' && hints.some((hint) => RETURNED.test(hint) || FED_IN.test(hint))
  const first = (pattern: RegExp) => hints.map((hint) => pattern.exec(hint)?.[1]).find(Boolean)
  const [letter, digit] = [first(PHASE), first(LINE)]
  return {
    kind: 'sensor',
    quantity,
    ...(isReturned && { returned: true as const }),
    ...(letter !== undefined && { phase: 'abc'.indexOf(letter.toLowerCase()) as Phase }),
    ...(digit !== undefined && { line: (Number(digit) - 1) as Phase }),
  }
}

const isHeat = (unit: string, hints: readonly string[], product: string): boolean =>
  HEAT_UNIT.test(unit) ||
  [product, ...hints].some((text) => HEAT_METER.test(text)) ||
  hints.some((hint) => HEAT.test(hint))

/** Role of a binary sensor, or the reason why it has none. */
export function binaryRole(deviceClass: string | undefined, model: string): Role | string {
  const sense = SENSES[deviceClass ?? '']
  if (!sense) return `no type for ${deviceClass ?? 'a binary sensor without a class'}`
  return { kind: 'binary', sense: deviceClass === 'occupancy' && RADAR.test(model) ? 'presence' : sense }
}
