import type { controlCommand } from '../../contract/devices/channels/control.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { Clock } from '../../device-link/clock.ts'
import { hubMessages } from '../../device-link/hub-messages.ts'
import type { HubSession } from '../../device-link/hub-session.ts'
import type { Message } from '../../device-link/outbox.ts'
import { createBuilding, type Building, type DeviceStates, type FleetHub } from '../building/building.ts'
import { createFaults, type Fault, type FaultRates } from './faults.ts'
import type { FirmwarePace, Updater } from './firmware.ts'
import type { Rush } from '../scenarios/visitors.ts'
import { hash, stream } from '../scenarios/random.ts'

export type Command = PayloadOf<typeof controlCommand>

export interface HubOptions {
  url: string
  hub: FleetHub
  clock: Clock
  seed: number
  /** Speed factor of the world time. Counters and pulses keep real time. */
  speed: number
  /** World time at the start of the hub, epoch ms. */
  worldStart: number
  /** Recurring visits while the demo is watched. */
  rush?: Rush | undefined
  faults: FaultRates
  faultCounts: Record<Fault, number>
  /** Minimum and maximum time a device takes to execute a command, in ms. */
  latency: readonly [number, number]
  states: DeviceStates
  /** Firmware by ThingName or PeripheralUID, of an earlier run; updates are written into it. */
  firmware: Record<string, string>
  firmwarePace: FirmwarePace
  ca?: string
  /** Called before counters are reported. */
  saveMemory(): void
  on: {
    online(): void
    offline(): void
    announced(): void
    rejected(message: string): void
    command(command: Command, result: 'ok' | 'failed' | 'expired' | 'repeated'): void
    sent(message: Message, isFalse: boolean): void
    acknowledged(message: Message): void
    /** The hub (null), or the device of this PeripheralUID, runs a new firmware. */
    updated(uid: string | null, version: string): void
  }
}

/** Parts of a hub that exist before it connects. */
export interface HubBase {
  options: HubOptions
  random: () => number
  building: Building
  faults: ReturnType<typeof createFaults>
  messages: ReturnType<typeof hubMessages>
  /** Time at which the hub started, epoch ms. */
  startedAt: number
  /** Times of the last step of the devices and of the last full report, epoch ms. */
  lastStepAt: number
  lastFullReportAt: number
  /** Last reported state of each device, by PeripheralUID. */
  lastReported: Map<string, string>
  /** Time at which a meter's next reading is due, epoch ms by PeripheralUID. */
  nextReadingAt: Map<string, number>
  /** Configured seconds between two readings, by PeripheralUID. */
  frequencies: Map<string, number>
  /** Answers to the last commands by RequestID. */
  answersByRequest: Map<string, Message>
  /** Callbacks for the acknowledgement of a message. */
  acknowledgementCallbacks: Map<Message, () => void>
  /** Messages that a fault delays, with the function that cancels each. */
  delayedMessages: Map<Message, () => void>
  /** clientTokens of the announcements that the gateway has not accepted yet. */
  unacceptedTokens: Set<string>
  /** Cancels the scheduled answer to a request for status. */
  cancelAnswer: (() => void) | undefined
}

/** A running simulated hub. */
export interface HubState extends HubBase {
  session: HubSession
  updater: Updater
}

/** Creates the parts of a hub that do not need a connection. */
export function createBase(options: HubOptions): HubBase {
  const { hub, seed } = options
  const random = stream(hash(seed, hub.ThingName))
  const startedAt = moment(options)
  return {
    options,
    random,
    building: createBuilding(hub.devices, seed, options.states, options.rush),
    faults: createFaults(options.faults, random, options.faultCounts),
    messages: hubMessages(hub),
    startedAt,
    lastStepAt: startedAt,
    lastFullReportAt: 0,
    lastReported: new Map(),
    nextReadingAt: new Map(),
    frequencies: new Map(),
    answersByRequest: new Map(),
    acknowledgementCallbacks: new Map(),
    delayedMessages: new Map(),
    unacceptedTokens: new Set(),
    cancelAnswer: undefined,
  }
}

/** The current time in whole milliseconds, as on the wire. */
export const moment = ({ clock }: Pick<HubOptions, 'clock'>): number => Math.floor(clock.now())

/** World time, epoch ms. */
export const worldTime = ({ options, startedAt }: HubBase): number =>
  options.worldStart + (moment(options) - startedAt) * options.speed
