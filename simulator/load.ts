import { capabilityOf } from '../contract/devices/kinds/registry.ts'
import { systemClock, type Clock } from '../device-link/clock.ts'
import { hubMessages } from '../device-link/hub-messages.ts'
import { type HubSession, openHubSession } from '../device-link/hub-session.ts'
import type { Message } from '../device-link/outbox.ts'
import type { FleetHub, HubDevice } from './building/building.ts'
import { modelOf } from './models/registry.ts'
import { CALM, type World } from './models/model.ts'
import { chance, stream } from './scenarios/random.ts'

/** Interval between two batches of messages, in ms. */
const SEND_INTERVAL_MS = 10
/** Maximum number of hubs that connect at the same time. */
const CONNECTING = 50

export interface LoadOptions {
  url: string
  hubs: readonly FleetHub[]
  /** Messages per second over all hubs; each carries one device's reading or state. */
  rate: number
  seconds: number
  /** Maximum number of unacknowledged messages of one hub in flight. */
  window?: number
  /** Timeout for the last acknowledgements, in seconds. */
  timeoutSeconds?: number
  clock?: Clock
  seed?: number
  ca?: string
  /** Called when a device's reading or state with this timestamp (epoch ms) has been acknowledged. */
  onAcknowledged?(PeripheralUID: string, Timestamp: number): void
}

export interface LoadResult {
  hubs: number
  devices: number
  /** Numbers of messages created, acknowledged, and not acknowledged at the timeout. */
  sent: number
  acknowledged: number
  unacknowledged: number
  /** Number of messages not created because a second's worth was already waiting: back pressure of the gateway. */
  heldBack: number
  /** Acknowledged messages per second, from the first message to the last acknowledgement. */
  rate: number
  /** Time from handing a message to its hub until its acknowledgement, in ms. */
  latency: { p50: number; p99: number; max: number }
  /** Acknowledged messages by PeripheralUID, and the last one's Timestamp (epoch ms). */
  acknowledgedOf: Map<string, { count: number; last: number }>
}

interface LoadMessage extends Message {
  PeripheralUID: string
  Timestamp: number
  /** Time at which it was handed to its hub, in ms of the monotonic clock; undefined for a message that is not a report. */
  createdAt?: number
  /** Set on the last announcement message of a hub; called when it is acknowledged. */
  onKnown?(): void
}

interface LoadDevice {
  device: HubDevice
  messages: ReturnType<typeof hubMessages>
  session: HubSession<LoadMessage>
  /** States that it reports in turn. */
  states: Record<string, unknown>[]
  kwh: number
  turn: number
  lastTimestamp: number
}

/** Two different states of a device, to be reported in turn. */
function twoStates(device: HubDevice): Record<string, unknown>[] {
  const model = modelOf(device.PeripheralType)
  const calm: World = { ...CALM, watts: 800, powerFactor: 0.9 }
  const busy: World = { ...calm, moving: true, lit: 1, doorOpen: true, pressed: true, watts: 2_400 }
  const state = model.step(model.make(device.PeripheralType, {}), 0, calm)
  return [model.report(state), model.report(model.step(state, 1, busy))]
}

interface LoadState {
  options: LoadOptions
  clock: Clock
  seed: number
  random: () => number
  sessions: HubSession<LoadMessage>[]
  /** Devices of each connected hub. */
  byHub: LoadDevice[][]
  sent: number
  acknowledged: number
  heldBack: number
  /** Times from handing a message to its hub until its acknowledgement, in ms. */
  latencies: number[]
  acknowledgedOf: LoadResult['acknowledgedOf']
  /** Called when everything sent is acknowledged. */
  onFinished: () => void
}

/**
 * Sends reports of many devices at a steady rate from one process, and counts acknowledgements. The load starts after every hub has
 * connected and announced its devices, so that connecting is not measured along with it. Devices take turns; no two reports of a
 * device have the same Timestamp, and meters' counters rise.
 *
 * errors  rejects if a hub cannot connect within a minute
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { hubs, clock = systemClock, seed = 1 } = options
  const state: LoadState = {
    options,
    clock,
    seed,
    random: stream(seed),
    sessions: [],
    byHub: [],
    sent: 0,
    acknowledged: 0,
    heldBack: 0,
    latencies: [],
    acknowledgedOf: new Map(),
    onFinished: () => {},
  }
  for (let from = 0; from < hubs.length; from += CONNECTING)
    await Promise.all(hubs.slice(from, from + CONNECTING).map((hub) => connect(state, hub)))
  const round = roundOf(state.byHub)
  const started = performance.now()
  if (round.length > 0) await sendAll(state, round)
  await lastAcknowledgement(state)
  const seconds = (performance.now() - started) / 1000
  await Promise.all(state.sessions.map((session) => session.stop(0)))
  return resultOf(state, round.length, seconds)
}

/** Connects a hub; resolves when the gateway has accepted its device list. */
async function connect(state: LoadState, hub: FleetHub): Promise<void> {
  const { seed, sessions, byHub } = state
  const messages = hubMessages(hub)
  const session = await openSession(state, hub)
  sessions.push(session)
  byHub.push(
    hub.devices.map((device) => ({
      device,
      messages,
      session,
      states: twoStates(device),
      kwh: 1000 * chance(seed, device.PeripheralUID),
      turn: 0,
      lastTimestamp: 0,
    })),
  )
}

function openSession(state: LoadState, hub: FleetHub): Promise<HubSession<LoadMessage>> {
  const { options, clock, random } = state
  const { url, window = 100, ca } = options
  const messages = hubMessages(hub)
  const withoutDevice = (message: Message): LoadMessage => ({ ...message, PeripheralUID: '', Timestamp: 0 })
  return new Promise((resolve, reject) => {
    const cancel = clock.after(60_000, () => {
      void opening.stop(0)
      reject(new Error(`Hub ${hub.ThingName} could not connect to ${url}`))
    })
    const opening: HubSession<LoadMessage> = openHubSession<LoadMessage>({
      url,
      ThingName: hub.ThingName,
      Secret: hub.Secret,
      ca,
      clock,
      random,
      window,
      capacity: Infinity,
      will: messages.info(false),
      subscriptions: [],
      onOnline() {
        const announcements = [messages.info(true, clock.now()), ...messages.announce(hub.devices)].map(
          withoutDevice,
        )
        const onKnown = () => {
          cancel()
          resolve(opening)
        }
        for (const message of announcements)
          opening.send(message === announcements.at(-1) ? { ...message, onKnown } : message)
      },
      onOffline() {},
      onMessage() {},
      onAcknowledged: (message) => acknowledge(state, message),
    })
  })
}

function acknowledge(state: LoadState, message: LoadMessage): void {
  const { PeripheralUID, Timestamp, createdAt, onKnown } = message
  onKnown?.()
  if (createdAt === undefined) return
  state.acknowledged++
  const of = state.acknowledgedOf.get(PeripheralUID)
  if (of) {
    of.count++
    of.last = Math.max(of.last, Timestamp)
  } else state.acknowledgedOf.set(PeripheralUID, { count: 1, last: Timestamp })
  state.latencies.push(performance.now() - createdAt)
  state.options.onAcknowledged?.(PeripheralUID, Timestamp)
  if (state.acknowledged === state.sent) state.onFinished()
}

/** Order in which devices take turns: neighbors belong to different hubs. */
function roundOf(byHub: readonly LoadDevice[][]): LoadDevice[] {
  const maxDevices = Math.max(0, ...byHub.map((devices) => devices.length))
  return Array.from({ length: maxDevices }, (_, i) => byHub.flatMap((devices) => devices[i] ?? [])).flat()
}

/** Sends at the configured rate for the duration of the load; skips messages that would wait for more than a second. */
function sendAll(state: LoadState, round: readonly LoadDevice[]): Promise<void> {
  const { clock } = state
  const { rate, seconds } = state.options
  const begin = clock.now()
  let created = 0
  return new Promise((resolve) => {
    const sendBatch = () => {
      const elapsedSeconds = Math.min(seconds, (clock.now() - begin) / 1000)
      for (const dueCount = Math.floor(elapsedSeconds * rate); created < dueCount; created++) {
        if (state.sent - state.acknowledged > rate) state.heldBack++
        else report(state, round[created % round.length] as LoadDevice)
      }
      if (elapsedSeconds >= seconds) resolve()
      else clock.after(SEND_INTERVAL_MS, sendBatch)
    }
    sendBatch()
  })
}

/** Sends the next reading or state of a device. */
function report(state: LoadState, one: LoadDevice): void {
  const { device, messages, session, states } = one
  const Timestamp = Math.max(state.clock.now(), one.lastTimestamp + 1)
  one.lastTimestamp = Timestamp
  const fields = { ...states[one.turn++ % 2], PeripheralUID: device.PeripheralUID }
  const meter = capabilityOf(device.PeripheralType, 'meter') !== undefined
  if (meter) one.kwh += 0.01
  const message = meter
    ? messages.readings([{ ...fields, Timestamp, AccumulatePower: Math.round(one.kwh * 1e4) / 1e4 }])
    : messages.status(Timestamp, [fields])
  state.sent++
  session.send({ ...message, PeripheralUID: device.PeripheralUID, Timestamp, createdAt: performance.now() })
}

/** Resolves when everything sent is acknowledged, or at the timeout. */
function lastAcknowledgement(state: LoadState): Promise<void> {
  const { clock, options } = state
  return new Promise((resolve) => {
    const cancel = clock.after((options.timeoutSeconds ?? 30) * 1000, resolve)
    state.onFinished = () => {
      cancel()
      resolve()
    }
    if (state.acknowledged === state.sent) state.onFinished()
  })
}

/** took  seconds from the first message to the last acknowledgement */
function resultOf(state: LoadState, devices: number, seconds: number): LoadResult {
  const { options, sent, acknowledged, heldBack, acknowledgedOf } = state
  const latencies = state.latencies.toSorted((a, b) => a - b)
  const percentile = (share: number) =>
    Math.round((latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0) * 100) /
    100
  return {
    hubs: options.hubs.length,
    devices,
    sent,
    acknowledged,
    unacknowledged: sent - acknowledged,
    heldBack,
    rate: Math.round(acknowledged / seconds),
    latency: { p50: percentile(0.5), p99: percentile(0.99), max: percentile(1) },
    acknowledgedOf,
  }
}

/**
 * Devices for a load test, without a simulated building: clamp meters and light switches in equal parts, `perHub` on each hub.
 *
 * returns  the devices of each hub; UIDs are unique over all of them
 */
export function loadDevices(count: number, perHub: number): HubDevice[][] {
  const types = ['514', '516', '528', '534'] as const
  const devices = Array.from({ length: count }, (_, i): HubDevice => {
    const type = types[i % types.length] as string
    const uid = `load-${String(i).padStart(5, '0')}`
    return {
      PeripheralUID: uid,
      PeripheralType: type,
      PeripheralName: uid,
      scenario: { profile: 'untouched', key: uid },
    }
  })
  return Array.from({ length: Math.ceil(count / perHub) }, (_, i) =>
    devices.slice(i * perHub, (i + 1) * perHub),
  )
}
