import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { MeterReading } from '../contract/meters/channels.ts'
import { systemClock, type Clock } from '../device-link/clock.ts'
import type { Message } from '../device-link/outbox.ts'
import { type DeviceStates, type FleetHub, catchUpSince } from './building/building.ts'
import type { FirmwarePace } from './hub/firmware.ts'
import { FAULTS, type Fault, type FaultRates } from './hub/faults.ts'
import { createHub, type Hub } from './hub/hub.ts'
import type { LateStatus } from './building/past-statuses.ts'
import type { Rush } from './scenarios/visitors.ts'
import { chance } from './scenarios/random.ts'

/** Interval between two steps of a hub's devices, in ms. */
const TICK_MS = 1_000

/** State of a fleet that persists across restarts: the devices' states at a time (epoch ms). Plain JSON. */
export interface FleetMemory {
  at: number
  states: DeviceStates
  /** Firmware by ThingName or PeripheralUID, if it is not the factory version. */
  firmware?: Record<string, string>
}

export interface FleetOptions {
  /** mqtt:// or mqtts:// of the gateway. */
  url: string
  hubs: readonly FleetHub[]
  clock?: Clock
  /** Speed factor of people, machines and doors (the world time). Counters and timestamps keep real time. */
  speed?: number
  /** World time (epoch ms) at the start of the fleet, e.g. a workday's morning; the clock's if absent. */
  worldStart?: number
  seed?: number
  /** Recurring visits while the demo is watched, e.g. cars that charge; without it there are none. */
  rush?: Rush
  faults?: FaultRates
  /** Minimum and maximum time a device takes to execute a command, in ms. */
  latency?: readonly [number, number]
  /** Duration of installing and restarting, in ms. */
  firmwarePace?: FirmwarePace
  /** State of an earlier run. The simulation continues from it, so that no counter falls. */
  memory?: FleetMemory
  /** Called before counters are reported, so that the stored state is never behind the gateway's. */
  onMemory?(memory: FleetMemory): void
  /** Certificate authority (PEM) of the gateway, if it is not a public one. */
  ca?: string
}

interface FleetStats {
  hubs: number
  online: number
  /** Numbers of messages: sent, of these with false content, acknowledged, waiting, dropped. */
  sent: number
  lies: number
  acknowledged: number
  waiting: number
  dropped: number
  commands: Record<'ok' | 'failed' | 'expired' | 'repeated', number>
  /** Number of shadow updates that the gateway rejected. */
  rejected: number
  faults: Record<Fault, number>
}

type FleetEvents = {
  /** ThingName of a hub that connected, disconnected, or whose device list the gateway accepted. */
  online: [string]
  offline: [string]
  announced: [string]
  rejected: [string, string]
  /** A message that a hub sends, and whether its content is false on purpose. */
  sent: [Message, boolean]
  /** ThingName of a hub that installed a firmware, the device (null for the hub itself), and the version. */
  updated: [string, string | null, string]
  command: [{ ThingName: string; PeripheralUID: string; Values: Record<string, unknown>; result: string }]
}

export interface Fleet {
  on<E extends keyof FleetEvents>(event: E, listener: (...values: FleetEvents[E]) => void): void
  /** Resolves when the gateway has accepted every hub's device list. */
  announced(): Promise<void>
  /** Makes every hub report all its devices now, e.g. after they have been added to rooms. */
  refresh(): void
  /** Sends readings that a hub kept while it was offline; resolves when the gateway has acknowledged them. At most MAX_READINGS. */
  deliverLate(thingName: string, readings: MeterReading[]): Promise<void>
  /** Sends past statuses, each with its timestamp, like `deliverLate`; at most MAX_REPORTED. */
  deliverLateStatuses(thingName: string, statuses: LateStatus[]): Promise<void>
  /** Cuts the power of a hub until `powerOn`. */
  powerOff(thingName: string): void
  /** Restores the power of a hub; resolves when it connects. */
  powerOn(thingName: string): Promise<void>
  repair(PeripheralUID: string): void
  stats(): FleetStats
  stop(): Promise<void>
}

/** Connects simulated hubs to a gateway and runs their buildings until stopped. */
export function startFleet(options: FleetOptions): Fleet {
  const { url, hubs, clock = systemClock, speed = 1, seed = 1, memory, onMemory } = options
  const events = new EventEmitter<FleetEvents>()
  const zeroes = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>
  const counts = { sent: 0, lies: 0, acknowledged: 0, rejected: 0, faults: zeroes }
  const commands = { ok: 0, failed: 0, expired: 0, repeated: 0 }
  const notAnnounced = new Set(hubs.map(({ ThingName }) => ThingName))
  const earlier = memory ? catchUp(hubs, memory, seed, clock.now()) : {}
  const firmware = { ...memory?.firmware }
  const timers = new Set<() => void>()

  const saveMemory = () =>
    onMemory?.({
      at: clock.now(),
      states: Object.assign({}, ...running.map((hub) => hub.states())) as DeviceStates,
      firmware,
    })

  const running: Hub[] = hubs.map((hub) => {
    const { ThingName } = hub
    return createHub({
      url,
      hub,
      clock,
      seed,
      speed,
      worldStart: options.worldStart ?? clock.now(),
      rush: options.rush,
      faults: options.faults ?? {},
      faultCounts: zeroes,
      latency: options.latency ?? [40, 250],
      saveMemory,
      states: earlier,
      firmware,
      firmwarePace: options.firmwarePace ?? { install: 3_000, restart: 4_000 },
      ca: options.ca,
      on: {
        online: () => void events.emit('online', ThingName),
        offline: () => void events.emit('offline', ThingName),
        announced() {
          notAnnounced.delete(ThingName)
          events.emit('announced', ThingName)
        },
        rejected(message) {
          counts.rejected++
          events.emit('rejected', ThingName, message)
        },
        command({ PeripheralUID, Values }, result) {
          commands[result]++
          events.emit('command', { ThingName, PeripheralUID, Values, result })
        },
        sent(message, isFalse) {
          counts.sent++
          if (isFalse) counts.lies++
          events.emit('sent', message, isFalse)
        },
        acknowledged: () => void counts.acknowledged++,
        updated: (uid, version) => void events.emit('updated', ThingName, uid, version),
      },
    })
  })

  /** Each hub steps its devices at its own offset within the second. */
  for (const hub of running) {
    const runEvery = (ms: number): void => {
      const cancel = clock.after(ms, () => {
        timers.delete(cancel)
        runEvery(TICK_MS)
        hub.tick()
      })
      timers.add(cancel)
    }
    runEvery(TICK_MS * chance(seed, 'phase', hub.ThingName))
  }
  const named = (thingName: string) => running.find(({ ThingName }) => ThingName === thingName)
  return {
    on: (event, listener) => void events.on(event, listener as never),
    announced: () =>
      new Promise((resolve) => {
        if (notAnnounced.size === 0) return resolve()
        events.on('announced', () => notAnnounced.size === 0 && resolve())
      }),
    refresh: () => running.forEach((hub) => hub.reportAll()),
    deliverLate: async (thingName, readings) => named(thingName)?.deliverLate(readings),
    deliverLateStatuses: async (thingName, statuses) => named(thingName)?.deliverLateStatuses(statuses),
    powerOff: (thingName) => named(thingName)?.lose(),
    powerOn: async (thingName) => named(thingName)?.powerOn(),
    repair: (uid) => running.forEach((hub) => hub.repair(uid)),
    stats: () => ({
      hubs: running.length,
      online: running.filter(({ session }) => session.online).length,
      ...counts,
      faults: { ...zeroes },
      commands: { ...commands },
      waiting: running.reduce((sum, { session }) => sum + session.waiting + session.inFlight, 0),
      dropped: running.reduce((sum, { session }) => sum + session.dropped, 0),
    }),
    async stop() {
      for (const cancel of timers) cancel()
      await Promise.all(running.map((hub) => hub.stop()))
      saveMemory()
    },
  }
}

/** The states of the devices if they had run since the stored time. */
function catchUp(hubs: readonly FleetHub[], memory: FleetMemory, seed: number, now: number): DeviceStates {
  const caughtUp: DeviceStates = {}
  for (const { devices } of hubs)
    for (const { building, isLast } of catchUpSince(devices, memory, seed, now))
      if (isLast) Object.assign(caughtUp, building.states())
  return caughtUp
}

/** State of an earlier fleet from a file; undefined if the file is missing or unreadable. */
export function readMemory(path: string): FleetMemory | undefined {
  try {
    const memory = JSON.parse(readFileSync(path, 'utf8')) as FleetMemory
    return typeof memory.at === 'number' && typeof memory.states === 'object' ? memory : undefined
  } catch {
    return undefined
  }
}

/** Writes a fleet's state to a file atomically. */
export function createMemoryFile(path: string): (memory: FleetMemory) => void {
  mkdirSync(dirname(path), { recursive: true })
  return (memory) => {
    const next = `${path}.next`
    writeFileSync(next, JSON.stringify(memory))
    renameSync(next, path)
  }
}
