import type { UnmappedReason } from '../../../contract/devices/channels/hub-setup.ts'

/** One value of a device in the bridge's model, independent of how it was announced. */

/**
 * Subject of an entity's value. On/off is boolean, brightness and positions are percent, temperatures °C, others as announced.
 * `press` is the kind of a button press in the status field's numbering; the bridge counts presses and stores the time of the last.
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

/** A message of the device broker; its JSON is parsed once for all readers. */
export interface Incoming {
  text: string
  /** The payload as JSON; undefined if it is not JSON. */
  json(): unknown
}

export interface Publication {
  topic: string
  payload: string
  /** Value that counts as current once it is sent, for an entity that never reports it; Home Assistant calls that optimistic. */
  assumedValue?: { entity: Entity; aspect: Aspect; value: Value }
}

/** Extracts a value from a topic's messages. */
export interface Read {
  topic: string
  aspect: Aspect
  /**
   * The value, null for "unknown", undefined if the message does not contain it.
   *
   * errors  any error of a template
   */
  read(message: Incoming): Value | null | undefined
}

/**
 * Availability of a device. `mode` combines several topics: the three modes of Home Assistant, in which a silent topic means offline,
 * and `none-away`: online until one of them says offline.
 */
export interface Availability {
  mode: 'all' | 'any' | 'latest' | 'none-away'
  topics: readonly { topic: string; read(message: Incoming): boolean | undefined }[]
}

export interface DeviceInfo {
  /** Permanent identifier: MAC or IEEE address, or serial number. */
  key: string
  name: string
  model: string
  /** The name is that of a part, e.g. of one phase of a meter. */
  part?: true
  /** The announcement names no device, so the name is derived from that of a value. */
  unnamed?: true
}

/** Measured quantities that have a status field; `energy` is a counter. */
export type Quantity =
  'energy' | 'power' | 'voltage' | 'current' | 'powerFactor' | 'temperature' | 'humidity' | 'pm25'

export type Sense = 'motion' | 'presence' | 'door' | 'smoke' | 'shock'

export type Phase = 0 | 1 | 2

/**
 * line      L1 to L3: a phase, unless the device names its relays so
 * returned  a counter of the energy fed in
 */
export type Role =
  | { kind: 'relay' }
  | { kind: 'light' }
  | { kind: 'sensor'; quantity: Quantity; phase?: Phase; line?: Phase; returned?: true }
  | { kind: 'binary'; sense: Sense }
  | { kind: 'climate'; modes: readonly string[]; fanModes: readonly string[] }
  | { kind: 'dehumidifier'; modes: readonly string[] }
  | { kind: 'ventilator' }
  | { kind: 'cover'; isHeavy: boolean }
  | { kind: 'siren' }
  | { kind: 'button'; part: string; source: 'event' | 'trigger' }
  | { kind: 'plain'; quantity: string; unit: string }
  | { kind: 'diagnostic'; field: 'Battery' | 'LinkQuality' }

export interface Entity {
  /** Place of the announcement; unique on the device broker. */
  id: string
  device: DeviceInfo
  role: Role
  /** Identifies one of several equal parts of the device; '' for the whole device. */
  channel: string
  /** Identifies it among the entities of its device; part of a PeripheralUID. */
  slot: string
  /** Display name, in addition to its device's name. */
  name?: string
  reads: readonly Read[]
  writes: Partial<Record<Aspect, (value: Value) => Publication>>
  availability?: Availability
  /** Seconds after which a value that is not repeated is unknown. */
  expireAfter?: number
  /** Seconds after which "on" returns to "off" by itself. */
  offDelay?: number
  /** Messages that make the device publish its state. */
  queries?: readonly Publication[]
}

/** Role, reads and writes of an entity, without its identity. */
export type EntityAccess = Pick<Entity, 'role' | 'reads' | 'writes'>

/** Result of parsing an announcement. */
export interface Announcement {
  /** Entities found; they replace those announced earlier at the same place. */
  entities: Entity[]
  skipped: NotShown[]
}

/** A topic or an entity that is not shown, with the reason in words for the log. */
export interface NotShown {
  id: string
  code: UnmappedReason
  reason: string
  /** Display name, if the announcement states one. */
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

/** Reason code of an error from a part of an announcement; `incomplete` if a field is missing or invalid. */
export const codeOf = (error: unknown): UnmappedReason =>
  error instanceof NoCounterpart ? error.code : 'incomplete'

/** An announcement that cannot be read at all. */
export class BadAnnouncement extends Error {
  override name = 'BadAnnouncement'
}
