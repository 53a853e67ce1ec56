import type { HubSettings } from '../../contract/devices/channels/settings.ts'

/** Surroundings of one device, as its sensors see them. A scenario creates them; a model only reads the parts it needs. */
export interface World {
  /** A motion sensor sees movement. */
  moving: boolean
  /** Share of a light switch's gangs that the people in the room want lit, 0 to 1. */
  lit: number
  /** People are in the room, whether they move or not. */
  occupied: boolean
  doorOpen: boolean
  /** Smoke is at the smoke sensor. */
  smoky: boolean
  /** A smoke sensor is off its mount, or detects a fault in itself. */
  loose: boolean
  faulty: boolean
  /** A shock sensor detects a shock. */
  shaken: boolean
  /** Fine dust in µg/m³, °C and percent of the surrounding air. */
  dust: number
  temperature: number
  humidity: number
  /** Outdoor temperature in °C. */
  outdoors: number
  /** States of the lamps of a machine's signal tower, from its top (0 off, 1 lit, 2 flashing), and flashes per minute. */
  tower: readonly (0 | 1 | 2)[]
  blinkRate: number
  /** The button that is wired to a dry contact is pressed. */
  pressed: boolean
  /** Power in W on a metered line in addition to the hub's own devices. */
  watts: number
  /** The hour is reserved for discharging the battery. */
  batteryGives: boolean
  /** Voltage between the conductors that a meter measures, in V. */
  volts: number
  powerFactor: number
}

/** A world in which nothing happens. */
export const CALM: World = {
  moving: false,
  lit: 0,
  occupied: false,
  doorOpen: false,
  smoky: false,
  loose: false,
  faulty: false,
  shaken: false,
  dust: 12,
  temperature: 25,
  humidity: 60,
  outdoors: 28,
  tower: [],
  blinkRate: 0,
  pressed: false,
  watts: 0,
  batteryGives: false,
  volts: 220,
  powerFactor: 1,
}

/** Hardware and wiring of one device; fields that do not apply to its kind are ignored. */
export interface Wiring {
  /** Initial kWh of the counter. */
  kwh?: number
  /** Initial kWh of a second register, which counts the other direction; absent if the meter has none. */
  kwhReturned?: number
  /** The meter measures a plant: the counted energy is generated. */
  source?: true
  /** The meter measures a battery with this capacity in kWh and this maximum power in W. */
  storage?: { kWh: number; watts: number }
  phases?: 1 | 3
  /** Power in W of the lamps on each gang of a light switch. */
  lampWatts?: number
  /** 0 pulse, 1 switch, 2 toggle (§4). */
  contactMode?: 0 | 1 | 2
  /** Seconds a dry contact stays closed in pulse mode. */
  pulseSeconds?: number
  /** Appliance behind a TaiSEIA interface. */
  appliance?: 'airConditioner' | 'dehumidifier' | 'ventilation'
  /** Battery level in percent. */
  battery?: number
  zones?: number
  /** Number of colors that a lighthouse has already memorized. */
  memorized?: number
  /** SensorID of a covered light sensor, which cannot be calibrated. */
  coveredSensor?: number
}

/** A simulated device kind: pure functions over its state, which is plain JSON so that it can be stored in a file. */
export interface Model<State> {
  /** The state of a new device of one type code. */
  make(type: string, wiring: Wiring): State
  /** The state `seconds` later, in a constant world. */
  step(state: State, seconds: number, world: World): State
  report(state: State): Record<string, unknown>
  /** The state after a command; the values have been validated against the contract. */
  command(state: State, values: Record<string, unknown>): State
  /** The state after a change of the device's settings; absent for kinds without settings. */
  configure?(state: State, settings: HubSettings): State
  /** Power in W that the device's load draws from its line; negative for generation. */
  draws(state: State): number
}
