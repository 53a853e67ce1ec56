import type { controlCommand } from '../../contract/devices/channels/control.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { Clock } from '../../device-link/clock.ts'
import { hubMessages } from '../../device-link/hub-messages.ts'
import type { HubSession } from '../../device-link/hub-session.ts'
import type { Message } from '../../device-link/outbox.ts'
import { createBuilding, type Building, type DeviceStates } from '../building.ts'
import { createFaults, type Fault, type FaultRates } from '../faults.ts'
import type { FirmwarePace, Updater } from '../firmware.ts'
import type { FleetHub } from '../hub-device.ts'
import type { Rush } from '../scenarios/visitors.ts'
import { hash, stream } from '../scenarios/random.ts'

export type Command = PayloadOf<typeof controlCommand>

export interface HubOptions {
  url: string
  hub: FleetHub
  clock: Clock
  seed: number
  /** How many times faster than the clock people live. Counters and pulses keep true time. */
  speed: number
  /** The moment at which people live when the hub starts, epoch ms. */
  worldStart: number
  /** What comes again and again while one watches. */
  rush?: Rush | undefined
  faults: FaultRates
  faultCounts: Record<Fault, number>
  /** Shortest and longest time a device takes to obey, in ms. */
  latency: readonly [number, number]
  states: DeviceStates
  /** Firmware by ThingName or PeripheralUID, of an earlier run; updates are written into it. */
  firmware: Record<string, string>
  firmwarePace: FirmwarePace
  ca?: string
  /** Called before counters are told to anybody. */
  keep(): void
  on: {
    online(): void
    offline(): void
    announced(): void
    rejected(message: string): void
    command(command: Command, result: 'ok' | 'failed' | 'expired' | 'repeated'): void
    sent(message: Message, lie: boolean): void
    acknowledged(message: Message): void
    /** The hub, or the device of this PeripheralUID, runs a new firmware. */
    updated(uid: string | null, version: string): void
  }
}

/** What a hub has before it connects. */
export interface HubBase {
  options: HubOptions
  random: () => number
  building: Building
  faults: ReturnType<typeof createFaults>
  say: ReturnType<typeof hubMessages>
  /** When the hub started, epoch ms. */
  started: number
  /** When devices were stepped last and when all were last reported, epoch ms. */
  lastStep: number
  lastFull: number
  /** What each device last told of its state, by PeripheralUID. */
  lastReported: Map<string, string>
  /** When a meter's next reading is due, epoch ms by PeripheralUID. */
  nextReading: Map<string, number>
  /** Seconds between two readings, as people set them. */
  frequencies: Map<string, number>
  /** Answers to the last commands by RequestID. */
  answered: Map<string, Message>
  /** What waits for the gateway to have heard a message. */
  heard: Map<Message, () => void>
  /** Messages that a fault holds back, and how to forget them. */
  late: Map<Message, () => void>
  /** The announcements that the gateway has not accepted yet, by clientToken. */
  awaited: Set<string>
  /** Gives up an answer to a request for status that is about to be sent. */
  cancelAnswer: (() => void) | undefined
}

/** A simulated hub while it runs. */
export interface HubState extends HubBase {
  session: HubSession
  updater: Updater
}

/** A hub that has not connected yet. */
export function createBase(options: HubOptions): HubBase {
  const { hub, seed } = options
  const random = stream(hash(seed, hub.ThingName))
  const started = moment(options)
  return {
    options,
    random,
    building: createBuilding(hub.devices, seed, options.states, options.rush),
    faults: createFaults(options.faults, random, options.faultCounts),
    say: hubMessages(hub),
    started,
    lastStep: started,
    lastFull: 0,
    lastReported: new Map(),
    nextReading: new Map(),
    frequencies: new Map(),
    answered: new Map(),
    heard: new Map(),
    late: new Map(),
    awaited: new Set(),
    cancelAnswer: undefined,
  }
}

/** Now in whole milliseconds, as the wire has them. */
export const moment = ({ clock }: Pick<HubOptions, 'clock'>): number => Math.floor(clock.now())

/** The moment at which people live, epoch ms. */
export const worldTime = ({ options, started }: HubBase): number =>
  options.worldStart + (moment(options) - started) * options.speed
