/**
 * What surrounds one device at one moment, as far as it can notice. A scenario makes it; a model only reads it, and
 * only the parts its sensors see.
 */
export interface World {
  /** Somebody moves where a motion sensor looks. */
  moving: boolean
  /** Share of a light switch's gangs that the people in the room want lit, 0 to 1. */
  lit: number
  doorOpen: boolean
  /** Somebody presses the button wired to a dry contact. */
  pressed: boolean
  /** W on a metered line beyond what the hub's own devices draw on it. */
  watts: number
  /** V between the conductors a meter measures. */
  volts: number
  powerFactor: number
}

/** How one device was made and wired; what does not apply to its kind is ignored. */
export interface Wiring {
  /** kWh on the counter when the device is first switched on. */
  kwh?: number
  /** Phases of a metered line. */
  phases?: 1 | 3
  /** W of the lamps on each gang of a light switch. */
  lampWatts?: number
  /** 0 pulse, 1 switch, 2 toggle (§4). */
  contactMode?: 0 | 1 | 2
  /** Seconds a dry contact stays closed in pulse mode. */
  pulseSeconds?: number
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
  /** W that the device's load draws from the line that feeds it. */
  draws(state: State): number
}
