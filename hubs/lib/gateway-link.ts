import { controlCommand } from '../../contract/devices/channels/control.ts'
import type { MeterReading } from '../../contract/meters/channels.ts'
import { shadowUpdateAccepted, shadowUpdateRejected } from '../../contract/devices/channels/shadow.ts'
import { MAX_REPORTED, statusRequest } from '../../contract/devices/channels/status.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import { parseJson } from '../../contract/kernel/parse-json.ts'
import { systemClock, type Clock } from '../../device-link/clock.ts'
import { hubMessages, type AnnouncedDevice, type HubPlace } from '../../device-link/hub-messages.ts'
import { openHubSession, type HubSession } from '../../device-link/hub-session.ts'
import { executeOnce } from './commands.ts'
import type { Log } from './log.ts'

/** Full report after this long, in ms (docs/hub-protocol.md §7). */
const HEARTBEAT_MS = 60_000
/** A change is reported so many ms later, with what else the device says in the same breath. */
const BREATH = 10
/** Where changes never end they are reported so many ms apart, together. */
const SPACING = 200
/** Requests for status that come together are answered once, after so many ms. */
const ANSWER_DELAY = 200
/** Devices that appear or go together are announced once, after so many ms. */
const ANNOUNCE_DELAY = 300
/** Readings in one message. */
const MAX_READINGS = 1_000
/** A reading a minute of some fifty meters for a day: what docs/hub-protocol.md §4.1 asks a hub to keep. */
const KEPT = 100_000
/** How long the last messages may take when the hub stops, in ms. */
const FLUSH_TIMEOUT_MS = 2_000

export interface GatewayLinkOptions extends HubPlace {
  /** mqtt:// or mqtts:// of the gateway. */
  url: string
  Secret: string
  /** Certificate authority (PEM) of the gateway, where it is not a public one. */
  ca?: string | undefined
  log: Log
  clock?: Clock
  /** 0 to 1, spreads the attempts to connect of many hubs. */
  random?: () => number
  /** The devices the hub carries now. */
  devices(): readonly AnnouncedDevice[]
  /** The status fields of a device now, or undefined while nothing is known of it or it is away. */
  status(PeripheralUID: string): Readonly<Record<string, unknown>> | undefined
  /**
   * Passes values, which its type allows, on to a device; resolves when they are on their way.
   *
   * errors  CommandRefused with a reason for the person; anything else is logged, and the person hears that it failed
   */
  command(device: AnnouncedDevice, values: CommandValues): Promise<void> | void
  /** Topics that only this kind of hub has. */
  own?: {
    subscriptions: readonly string[]
    /** Connected and subscribed. */
    onOnline(): void
    /** What came on one of them; undefined when it was no JSON. */
    receive(topic: string, body: unknown): void
  }
}

/** A hub's line to the gateway: it is told that something changed and asks for the state when it reports. */
export interface GatewayLink {
  /** Devices have come, gone or changed their name: announces them, on every new connection too. */
  announce(): void
  /** The status of a device has changed: it is reported within some ms, together with what else changes then. */
  changed(PeripheralUID: string): void
  /** Readings of meters, kept until they are acknowledged. */
  readings(readings: readonly MeterReading[]): void
  /** A message on a topic of this kind of hub's own, kept until it is acknowledged. */
  send(topic: string, payload: object): void
  /** Sends what waits, tells that the hub goes offline, and goes. */
  stop(): Promise<void>
  readonly online: boolean
  /** Messages that wait or are on the wire, given up because too many waited, and acknowledged. */
  stats(): { waiting: number; inFlight: number; dropped: number; acknowledged: number }
}

interface LinkState {
  options: GatewayLinkOptions
  clock: Clock
  say: ReturnType<typeof hubMessages>
  session: HubSession
  /** Devices whose change has not been reported yet, and when changes were last reported, epoch ms. */
  dirty: Set<string>
  lastFlush: number
  /** What is to happen soon, and how to call it off. */
  cancelFlush: (() => void) | undefined
  cancelAnswer: (() => void) | undefined
  cancelAnnounce: (() => void) | undefined
  cancelHeartbeat: () => void
}

/**
 * Connects a hub as docs/hub-protocol.md describes it: info, announcement and a full report after each connection, a
 * heartbeat, changes at once, commands once each. States that change while there is no connection are not kept, since
 * the next connection starts with all of them; readings are.
 */
export function openGatewayLink(options: GatewayLinkOptions): GatewayLink {
  const clock = options.clock ?? systemClock
  const say = hubMessages(options)
  const state: LinkState = {
    options,
    clock,
    say,
    session: openSession(options, { clock, say, state: () => state }),
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
      if (session.online) state.cancelAnnounce ??= clock.after(ANNOUNCE_DELAY, () => announceAll(state))
    },
    changed: (PeripheralUID) => changed(state, PeripheralUID),
    readings(readings) {
      for (let from = 0; from < readings.length; from += MAX_READINGS)
        session.send(say.readings(readings.slice(from, from + MAX_READINGS)))
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
 * The session behind a link.
 *
 * state  asked for only when something happens, so that the session can be a part of it
 */
function openSession(
  options: GatewayLinkOptions,
  { clock, say, state }: Pick<LinkState, 'clock' | 'say'> & { state(): LinkState },
): HubSession {
  const { rootId, HomeID: homeId, ThingName: thingName, log } = options
  const shadow = { thingName, shadowName: 'registration' } as const
  const obey = executeOnce({
    now: clock.now,
    find: (PeripheralUID) => options.devices().find((device) => device.PeripheralUID === PeripheralUID),
    command: options.command,
    log,
    answer: (ack) => state().session.send(say.ack(ack)),
    done: (PeripheralUID) => changed(state(), PeripheralUID),
  })
  return openHubSession({
    url: options.url,
    ThingName: thingName,
    Secret: options.Secret,
    ca: options.ca,
    capacity: KEPT,
    will: say.info(false),
    subscriptions: [
      controlCommand.topic({ rootId, homeId, thingName }),
      statusRequest.topic({ rootId, homeId }),
      shadowUpdateAccepted.topic(shadow),
      shadowUpdateRejected.topic(shadow),
      shadowUpdateRejected.topic({ ...shadow, shadowName: 'info' }),
      ...(options.own?.subscriptions ?? []),
    ],
    clock,
    random: options.random ?? Math.random,
    onOnline: () => introduce(state()),
    onOffline: () => log.warn({ ThingName: thingName }, 'gateway disconnected, buffering readings'),
    onFailure: (reason, nextIn) => log.warn({ reason, nextIn }, 'no connection to gateway, will retry'),
    onMessage: (topic, text) => receive(state(), obey, topic, text),
  })
}

/** Says what the hub is, carries and shows. */
function introduce(state: LinkState): void {
  const { options, clock, say, session } = state
  options.log.info({ ThingName: options.ThingName }, 'connected to gateway')
  session.send(say.info(true, clock.now()))
  announceAll(state)
  reportAll(state)
  options.own?.onOnline()
}

function announceAll(state: LinkState): void {
  state.cancelAnnounce?.()
  state.cancelAnnounce = undefined
  for (const message of state.say.announce(state.options.devices())) state.session.send(message)
}

function report({ options, clock, say, session }: LinkState, uids: Iterable<string>): void {
  const Peripherals: { PeripheralUID: string }[] = []
  for (const PeripheralUID of uids) {
    const fields = options.status(PeripheralUID)
    if (fields) Peripherals.push({ PeripheralUID, ...fields })
  }
  const now = clock.now()
  for (let from = 0; from < Peripherals.length; from += MAX_REPORTED)
    session.send(say.status(now, Peripherals.slice(from, from + MAX_REPORTED)))
}

function reportAll(state: LinkState): void {
  state.cancelHeartbeat()
  state.cancelHeartbeat = state.clock.after(HEARTBEAT_MS, () => reportAll(state))
  forgetChanges(state)
  if (state.session.online)
    report(
      state,
      state.options.devices().map(({ PeripheralUID }) => PeripheralUID),
    )
}

function forgetChanges(state: LinkState): void {
  state.cancelFlush?.()
  state.cancelFlush = undefined
  state.dirty.clear()
}

function changed(state: LinkState, PeripheralUID: string): void {
  const { session, dirty, clock } = state
  if (!session.online) return
  dirty.add(PeripheralUID)
  state.cancelFlush ??= clock.after(Math.max(BREATH, state.lastFlush + SPACING - clock.now()), () => {
    state.lastFlush = clock.now()
    const uids = [...dirty]
    forgetChanges(state)
    if (session.online) report(state, uids)
  })
}

function receive(state: LinkState, obey: ReturnType<typeof executeOnce>, topic: string, text: string): void {
  const { options, clock } = state
  const { log, own } = options
  const body = parseJson(text)
  if (controlCommand.match(topic)) {
    const command = controlCommand.payload.safeParse(body)
    if (command.success) void obey(command.data)
    else log.warn({ topic }, 'invalid command')
  } else if (statusRequest.match(topic)) {
    state.cancelAnswer ??= clock.after(ANSWER_DELAY, () => {
      state.cancelAnswer = undefined
      reportAll(state)
    })
  } else if (shadowUpdateRejected.match(topic)) {
    const rejected = shadowUpdateRejected.payload.safeParse(body)
    log.error({ reason: rejected.success ? rejected.data.message : text }, 'gateway rejected the shadow')
  } else if (own?.subscriptions.includes(topic)) own.receive(topic, body)
}

async function stop(state: LinkState): Promise<void> {
  const { session, say, clock } = state
  for (const cancel of [state.cancelAnswer, state.cancelAnnounce, state.cancelFlush, state.cancelHeartbeat])
    cancel?.()
  if (session.online) session.send(say.info(false, clock.now()))
  await session.stop(FLUSH_TIMEOUT_MS)
}
