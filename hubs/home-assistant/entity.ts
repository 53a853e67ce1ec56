import type { UnmappedReason } from '../../contract/devices/channels/unmapped.ts'

/** One value a device has and the bridge understands, whatever announced it. */

/**
 * What a value of an entity is about. On/off is boolean, brightness and positions percent, temperatures °C, the rest as
 * announced. `press` is that of a button as our field has it; how many there were and when the last was is counted here.
 */
export type Aspect =
  | 'state'
  | 'brightness'
  | 'mode'
  | 'targetTemperature'
  | 'temperature'
  | 'fanMode'
  | 'targetHumidity'
  | 'humidity'
  | 'cover'
  | 'position'
  | 'move'
  | 'targetPosition'
  | 'press'
  | 'presses'
  | 'pressedAt'

export type Value = boolean | number | string

/** A message of the device broker; its JSON is parsed once for all who read it. */
export interface Incoming {
  text: string
  /** The payload as JSON, or undefined where it is none. */
  json(): unknown
}

export interface Publication {
  topic: string
  payload: string
  /** What is known once it is sent, of an entity that never tells it: Home Assistant calls that optimistic. */
  assumes?: { entity: Entity; aspect: Aspect; value: Value }
}

/** Takes a value out of a topic's messages. */
export interface Read {
  topic: string
  aspect: Aspect
  /**
   * The value, null for "unknown", undefined when the message does not speak of it.
   *
   * errors  whatever a template throws
   */
  read(message: Incoming): Value | null | undefined
}

/**
 * Whether a device is there. Several topics count as `mode` says: the three of Home Assistant, where silence is absence,
 * and `none-away`: there until one of them says otherwise.
 */
export interface Availability {
  mode: 'all' | 'any' | 'latest' | 'none-away'
  topics: readonly { topic: string; read(message: Incoming): boolean | undefined }[]
}

export interface DeviceInfo {
  /** Stays with the device: MAC or IEEE address, serial number. */
  key: string
  name: string
  model: string
  /** The name is that of a part, e.g. of one phase of a meter. */
  part?: true
  /** The name is made of that of a value, because the announcement names no device. */
  unnamed?: true
}

/** Measured quantities we have fields for; `energy` is a counter. */
export type Quantity =
  'energy' | 'power' | 'voltage' | 'current' | 'powerFactor' | 'temperature' | 'humidity' | 'pm25'

export type Sense = 'motion' | 'presence' | 'door' | 'smoke' | 'shock'

export type Phase = 0 | 1 | 2

/**
 * line      L1 to L3: a phase, unless that is what the device calls the relay it is measured at
 * returned  a counter of the energy fed in
 */
export type Role =
  | { is: 'relay' }
  | { is: 'light' }
  | { is: 'sensor'; quantity: Quantity; phase?: Phase; line?: Phase; returned?: true }
  | { is: 'binary'; sense: Sense }
  | { is: 'climate'; modes: readonly string[]; fanModes: readonly string[] }
  | { is: 'dehumidifier'; modes: readonly string[] }
  | { is: 'ventilator' }
  | { is: 'cover'; heavy: boolean }
  | { is: 'siren' }
  | { is: 'button'; part: string; told: 'event' | 'trigger' }
  | { is: 'plain'; quantity: string; unit: string }
  | { is: 'diagnostic'; field: 'Battery' | 'LinkQuality' }

export interface Entity {
  /** Unique on the device broker: where it was announced. */
  id: string
  device: DeviceInfo
  role: Role
  /** Which of several equal parts of the device it belongs to, '' for the whole device. */
  channel: string
  /** Names it among the entities of its device; part of a PeripheralUID. */
  slot: string
  /** Names it for people, beside its device's name. */
  name?: string
  reads: readonly Read[]
  writes: Partial<Record<Aspect, (value: Value) => Publication>>
  availability?: Availability
  /** Seconds after which a value that is not repeated is unknown. */
  expireAfter?: number
  /** Seconds after which "on" falls back to "off" by itself. */
  offDelay?: number
  /** Messages that make the device tell its state. */
  asks?: readonly Publication[]
}

/** What a source makes of an announcement. */
export interface Announcement {
  /** Entities found; they replace those announced at the same place before. */
  entities: Entity[]
  skipped: NotShown[]
}

/** A topic or an entity that is not shown, with the reason in words for the log. */
export interface NotShown {
  id: string
  code: UnmappedReason
  reason: string
  /** Name for people, if the announcement states one. */
  name?: string | undefined
}

/** Reason why one part of an announcement has no counterpart. */
export class NoCounterpart extends Error {
  override name = 'NoCounterpart'
  readonly code: UnmappedReason
  constructor(code: UnmappedReason, message: string) {
    super(message)
    this.code = code
  }
}

/** Code of a failure to read a part of an announcement: by itself it lacks something or states it wrongly. */
export const codeOf = (error: unknown): UnmappedReason =>
  error instanceof NoCounterpart ? error.code : 'incomplete'

/** An announcement that cannot be read at all. */
export class BadAnnouncement extends Error {
  override name = 'BadAnnouncement'
}
