import type { HubSettings } from '../../contract/devices/channels/settings.ts'

/**
 * What surrounds one device at one moment, as far as it can notice. A scenario makes it; a model only reads it, and
 * only the parts its sensors see.
 */
export interface World {
  /** Somebody moves where a motion sensor looks. */
  moving: boolean
  /** Share of a light switch's gangs that the people in the room want lit, 0 to 1. */
  lit: number
  /** Somebody is in the room, whether they move or not. */
  occupied: boolean
  doorOpen: boolean
  /** Smoke hangs where a smoke sensor sits. */
  smoky: boolean
  /** A smoke sensor has come off its mount, or finds a fault in itself. */
  loose: boolean
  faulty: boolean
  /** Something hits what a shock sensor is fixed to. */
  shaken: boolean
  /** Fine dust in µg/m³, °C and percent of the air around. */
  dust: number
  temperature: number
  humidity: number
  /** °C outdoors. */
  outdoors: number
  /** What the lamps of a machine's signal tower show, from its top (0 off, 1 lit, 2 flashing), and how often a minute they flash. */
  tower: readonly (0 | 1 | 2)[]
  blinkRate: number
  /** Somebody presses the button wired to a dry contact. */
  pressed: boolean
  /** W on a metered line beyond what the hub's own devices draw on it. */
  watts: number
  /** It is an hour for which a battery keeps what it holds. */
  batteryGives: boolean
  /** V between the conductors a meter measures. */
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

/** How one device was made and wired; what does not apply to its kind is ignored. */
export interface Wiring {
  /** kWh on the counter when the device is first switched on. */
  kwh?: number
  /** The same of a second register, which counts what flows the other way; a meter without one leaves it out. */
  kwhReturned?: number
  /** A meter measures a plant: what it counts comes from there. */
  source?: true
  /** A meter measures a battery of so many kWh, which takes and gives so many W at most. */
  storage?: { kWh: number; watts: number }
  /** Phases of a metered line. */
  phases?: 1 | 3
  /** W of the lamps on each gang of a light switch. */
  lampWatts?: number
  /** 0 pulse, 1 switch, 2 toggle (§4). */
  contactMode?: 0 | 1 | 2
  /** Seconds a dry contact stays closed in pulse mode. */
  pulseSeconds?: number
  /** Which appliance speaks TaiSEIA. */
  appliance?: 'airConditioner' | 'dehumidifier' | 'ventilation'
  /** Percent of the battery of a device that has one. */
  battery?: number
  /** Zones of a thermostat. */
  zones?: number
  /** Colours that a lighthouse memorised before it came here. */
  memorized?: number
  /** SensorID of a light sensor that something covers, so that it cannot be calibrated. */
  coveredSensor?: number
}

/** A simulated device kind: pure functions over its state, which is plain JSON so that it can be kept in a file. */
export interface Model<State> {
  /** The state of a new device of one type code. */
  make(type: string, wiring: Wiring): State
  /** The state `seconds` later, in a world that was like this all that time. */
  step(state: State, seconds: number, world: World): State
  /** Status fields as the device reports them. */
  report(state: State): Record<string, unknown>
  /** The state after a command; values have been checked against the contract. */
  command(state: State, values: Record<string, unknown>): State
  /** The state after a person changed the device's settings; kinds without any leave it out. */
  configure?(state: State, settings: HubSettings): State
  /** W that the device's load draws from the line that feeds it; below 0 what it gives. */
  draws(state: State): number
}
