import type { Quantity, Role, Sense } from './entity.ts'

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

/** Counters that do not count what was used since the meter was made. */
const OTHER_COUNTER =
  /return|_ret_|export|produc|revers|backward|inject|feed|yesterday|today|dai?ly|week|month|year|hour|minute|cost|period/i
const PHASE = /(?:^|[^a-z0-9])(?:phase[^a-z0-9]?)?([abc])(?:[^a-z0-9]|$)/i
/** Products that see people who sit still; "human body sensor" is what passive infrared ones are called too. */
const RADAR = /mm-?wave|radar|(?:human|static) presence|presence sensor|24 ?ghz|ld24\d\d/i

/**
 * What a measured value is for us, or why it is nothing.
 *
 * deviceClass  as Home Assistant names it
 * hint         texts that name the value (object id, path in the payload): they tell phases and returned energy
 */
export function sensorRole(deviceClass: string | undefined, hint: string): Role | string {
  const quantity = QUANTITIES[deviceClass ?? '']
  if (!quantity) return `no field for ${deviceClass ?? 'a sensor without a class'}`
  if (quantity === 'energy' && OTHER_COUNTER.test(hint)) return 'not a counter of all energy used'
  const letter = quantity === 'temperature' || quantity === 'humidity' ? undefined : PHASE.exec(hint)?.[1]
  const phase = letter && ('abc'.indexOf(letter.toLowerCase()) as 0 | 1 | 2)
  return { is: 'sensor', quantity, ...(phase !== undefined && phase !== '' && { phase }) }
}

/** What a two-valued sensor is for us, or why it is nothing. */
export function binaryRole(deviceClass: string | undefined, model: string): Role | string {
  const sense = SENSES[deviceClass ?? '']
  if (!sense) return `no type for ${deviceClass ?? 'a binary sensor without a class'}`
  return { is: 'binary', sense: deviceClass === 'occupancy' && RADAR.test(model) ? 'presence' : sense }
}
