import { controlCommand, MAX_REPORTED, statusRequest } from '../../contract/devices/channels/control.ts'
import type { MeterReading } from '../../contract/meters/channels.ts'
import { shadowUpdateAccepted, shadowUpdateRejected } from '../../contract/devices/channels/shadow.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import { parseJson } from '../../contract/kernel/parse-json.ts'
import { systemClock, type Clock } from '../../device-link/clock.ts'
import { hubMessages, type AnnouncedDevice, type HubPlace } from '../../device-link/hub-messages.ts'
import { openHubSession, type HubSession } from '../../device-link/hub-session.ts'
import { executeOnce } from './commands.ts'
import type { Log } from './log.ts'

/** Interval of full reports, in ms (docs/hub-protocol.md §7). */
const HEARTBEAT_MS = 60_000
/** Delay of the report of a change, in ms; changes within it are reported together. */
const REPORT_DELAY_MS = 10
/** Minimum interval between two reports of changes, in ms. */
const MIN_REPORT_INTERVAL_MS = 200
/** Delay of the answer to requests for status, in ms; requests within it share one answer. */
const ANSWER_DELAY_MS = 200
/** Delay of an announcement, in ms; devices that are added or removed within it are announced together. */
const ANNOUNCE_DELAY_MS = 300
/** Maximum number of readings in one message. */
const MAX_READINGS = 1_000
/** Capacity of the outbox: one reading a minute of some fifty meters for a day (docs/hub-protocol.md §4.1). */
const OUTBOX_CAPACITY = 100_000
/** Maximum time in ms for sending buffered messages when the hub stops. */
const FLUSH_TIMEOUT_MS = 2_000

export interface GatewayLinkOptions extends HubPlace {
  /** mqtt:// or mqtts:// of the gateway. */
  url: string
  Secret: string
  /** Certificate authority (PEM) of the gateway, if it is not a public one. */
  ca?: string | undefined
  log: Log
  clock?: Clock
  /** 0 to 1; jitter that spreads the reconnects of many hubs. */
  random?: () => number
  devices(): readonly AnnouncedDevice[]
  /** Current status fields of a device; undefined if its state is unknown or it is offline. */
  status(PeripheralUID: string): Readonly<Record<string, unknown>> | undefined
  /**
   * Sends values, which its type allows, to a device; resolves when they are sent.
   *
   * errors  CommandRefused with a reason for the user; any other error is logged, and the user sees only that the command failed
   */
  command(device: AnnouncedDevice, values: CommandValues): Promise<void> | void
  /** Topics that only this kind of hub uses. */
  extension?: {
    subscriptions: readonly string[]
    /** Called when connected and subscribed. */
    onOnline(): void
    /** Receives a message on one of them; `body` is undefined if the payload is not JSON. */
    receive(topic: string, body: unknown): void
  }
}

/** A hub's connection to the gateway. Callers report that something changed; the link reads the state when it sends a report. */
export interface GatewayLink {
  /** Announces the devices after one was added, removed or renamed; happens on each new connection too. */
  announce(): void
  /** Schedules a report of a device whose status changed, together with other changes within some ms. */
  changed(PeripheralUID: string): void
  /** Sends readings of meters; kept until they are acknowledged. */
  readings(readings: readonly MeterReading[]): void
  /** Sends a message on one of the hub's own topics; kept until it is acknowledged. */
  send(topic: string, payload: object): void
  /** Reports that the hub goes offline, sends buffered messages, and disconnects. */
  stop(): Promise<void>
  readonly online: boolean
  /** Numbers of messages: buffered, in flight, dropped because the buffer was full, acknowledged. */
  stats(): { waiting: number; inFlight: number; dropped: number; acknowledged: number }
}

interface LinkState {
  options: GatewayLinkOptions
  clock: Clock
  messages: ReturnType<typeof hubMessages>
  session: HubSession
  /** Devices with an unreported change, and the time of the last report of changes, epoch ms. */
  dirty: Set<string>
  lastFlush: number
  /** Functions that cancel scheduled tasks. */
  cancelFlush: (() => void) | undefined
  cancelAnswer: (() => void) | undefined
  cancelAnnounce: (() => void) | undefined
  cancelHeartbeat: () => void
}

/**
 * Connects a hub as docs/hub-protocol.md describes it: info, announcement and a full report after each connection, a
 * heartbeat, immediate reports of changes, each command once. Changes of state while offline are not buffered, because the next
 * connection starts with a full report; readings are buffered.
 */
export function openGatewayLink(options: GatewayLinkOptions): GatewayLink {
  const clock = options.clock ?? systemClock
  const messages = hubMessages(options)
  const state: LinkState = {
    options,
    clock,
    messages,
    session: openSession(options, { clock, messages, state: () => state }),
    dirty: new Set(),
    lastFlush: 0,
    cancelFlush: undefined,
    cancelAnswer: undefined,
    cancelAnnounce: undefined,
    cancelHeartbeat: () => {},
  }
  const { session } = state
  return {
    announce() {
      if (session.online) state.cancelAnnounce ??= clock.after(ANNOUNCE_DELAY_MS, () => announceAll(state))
    },
    changed: (PeripheralUID) => changed(state, PeripheralUID),
    readings(readings) {
      for (let from = 0; from < readings.length; from += MAX_READINGS)
        session.send(messages.readings(readings.slice(from, from + MAX_READINGS)))
    },
    send: (topic, payload) => session.send({ topic, payload: JSON.stringify(payload) }),
    stop: () => stop(state),
    get online() {
      return session.online
    },
    stats: () => {
      const { waiting, inFlight, dropped, acknowledged } = session
      return { waiting, inFlight, dropped, acknowledged }
    },
  }
}

/**
 * Opens the session of a link.
 *
 * state  called only in callbacks, so that the session can be a part of it
 */
function openSession(
  options: GatewayLinkOptions,
  { clock, messages, state }: Pick<LinkState, 'clock' | 'messages'> & { state(): LinkState },
): HubSession {
  const { rootId, HomeID: homeId, ThingName: thingName, log } = options
  const shadow = { thingName, shadowName: 'registration' } as const
  const executeCommand = executeOnce({
    now: clock.now,
    find: (PeripheralUID) => options.devices().find((device) => device.PeripheralUID === PeripheralUID),
    command: options.command,
    log,
    acknowledge: (ack) => state().session.send(messages.ack(ack)),
    onDone: (PeripheralUID) => changed(state(), PeripheralUID),
  })
  return openHubSession({
    url: options.url,
    ThingName: thingName,
    Secret: options.Secret,
    ca: options.ca,
    capacity: OUTBOX_CAPACITY,
    will: messages.info(false),
    subscriptions: [
      controlCommand.topic({ rootId, homeId, thingName }),
      statusRequest.topic({ rootId, homeId }),
      shadowUpdateAccepted.topic(shadow),
      shadowUpdateRejected.topic(shadow),
      shadowUpdateRejected.topic({ ...shadow, shadowName: 'info' }),
      ...(options.extension?.subscriptions ?? []),
    ],
    clock,
    random: options.random ?? Math.random,
    onOnline: () => introduce(state()),
    onOffline: () => log.warn({ ThingName: thingName }, 'gateway disconnected, buffering readings'),
    onFailure: (reason, nextIn) => log.warn({ reason, nextIn }, 'no connection to gateway, will retry'),
    onMessage: (topic, text) => receive(state(), executeCommand, topic, text),
  })
}

/** Sends info, announcement and a full report after a connection. */
function introduce(state: LinkState): void {
  const { options, clock, messages, session } = state
  options.log.info({ ThingName: options.ThingName }, 'connected to gateway')
  session.send(messages.info(true, clock.now()))
  announceAll(state)
  reportAll(state)
  options.extension?.onOnline()
}

function announceAll(state: LinkState): void {
  state.cancelAnnounce?.()
  state.cancelAnnounce = undefined
  for (const message of state.messages.announce(state.options.devices())) state.session.send(message)
}

function report({ options, clock, messages, session }: LinkState, uids: Iterable<string>): void {
  const Peripherals: { PeripheralUID: string }[] = []
  for (const PeripheralUID of uids) {
    const fields = options.status(PeripheralUID)
    if (fields) Peripherals.push({ PeripheralUID, ...fields })
  }
  const now = clock.now()
  for (let from = 0; from < Peripherals.length; from += MAX_REPORTED)
    session.send(messages.status(now, Peripherals.slice(from, from + MAX_REPORTED)))
}

function reportAll(state: LinkState): void {
  state.cancelHeartbeat()
  state.cancelHeartbeat = state.clock.after(HEARTBEAT_MS, () => reportAll(state))
  clearChanges(state)
  if (state.session.online)
    report(
      state,
      state.options.devices().map(({ PeripheralUID }) => PeripheralUID),
    )
}

function clearChanges(state: LinkState): void {
  state.cancelFlush?.()
  state.cancelFlush = undefined
  state.dirty.clear()
}

function changed(state: LinkState, PeripheralUID: string): void {
  const { session, dirty, clock } = state
  if (!session.online) return
  dirty.add(PeripheralUID)
  state.cancelFlush ??= clock.after(
    Math.max(REPORT_DELAY_MS, state.lastFlush + MIN_REPORT_INTERVAL_MS - clock.now()),
    () => {
      state.lastFlush = clock.now()
      const uids = [...dirty]
      clearChanges(state)
      if (session.online) report(state, uids)
    },
  )
}

function receive(
  state: LinkState,
  executeCommand: ReturnType<typeof executeOnce>,
  topic: string,
  text: string,
): void {
  const { options, clock } = state
  const { log, extension } = options
  const body = parseJson(text)
  if (controlCommand.match(topic)) {
    const command = controlCommand.payload.safeParse(body)
    if (command.success) void executeCommand(command.data)
    else log.warn({ topic }, 'invalid command')
  } else if (statusRequest.match(topic)) {
    state.cancelAnswer ??= clock.after(ANSWER_DELAY_MS, () => {
      state.cancelAnswer = undefined
      reportAll(state)
    })
  } else if (shadowUpdateRejected.match(topic)) {
    const rejected = shadowUpdateRejected.payload.safeParse(body)
    log.error({ reason: rejected.success ? rejected.data.message : text }, 'gateway rejected the shadow')
  } else if (extension?.subscriptions.includes(topic)) extension.receive(topic, body)
}

async function stop(state: LinkState): Promise<void> {
  const { session, messages, clock } = state
  for (const cancel of [state.cancelAnswer, state.cancelAnnounce, state.cancelFlush, state.cancelHeartbeat])
    cancel?.()
  if (session.online) session.send(messages.info(false, clock.now()))
  await session.stop(FLUSH_TIMEOUT_MS)
}
