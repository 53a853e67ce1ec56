import { controlCommand } from '../../contract/channels/control.ts'
import type { MeterReading } from '../../contract/channels/meter.ts'
import { shadowUpdateAccepted, shadowUpdateRejected } from '../../contract/channels/shadow.ts'
import { MAX_REPORTED, statusRequest } from '../../contract/channels/status.ts'
import type { CommandValues } from '../../contract/device-kinds/capability.ts'
import { parseJson } from '../../contract/kernel/parse-json.ts'
import { systemClock, type Clock } from '../../device-link/clock.ts'
import { hubMessages, type AnnouncedDevice, type HubPlace } from '../../device-link/hub-messages.ts'
import { openHubSession } from '../../device-link/hub-session.ts'
import { obeyOnce } from './commands.ts'
import type { Log } from './log.ts'

/** Full report after this long, in ms (docs/hub-protocol.md §7). */
const HEARTBEAT = 60_000
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
const LAST_WORDS = 2_000

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

/**
 * Connects a hub as docs/hub-protocol.md describes it: info, announcement and a full report after each connection, a
 * heartbeat, changes at once, commands once each. States that change while there is no connection are not kept, since
 * the next connection starts with all of them; readings are.
 */
export function openGatewayLink(options: GatewayLinkOptions): GatewayLink {
  const { rootId, HomeID, ThingName, log, clock = systemClock, random = Math.random } = options
  const say = hubMessages(options)
  const dirty = new Set<string>()
  let cancelFlush: (() => void) | undefined
  let lastFlush = 0
  let cancelAnswer: (() => void) | undefined
  let cancelAnnounce: (() => void) | undefined
  let cancelHeartbeat = () => {}

  const shadow = { thingName: ThingName, shadowName: 'registration' }
  const connection = openHubSession({
    url: options.url,
    ThingName,
    Secret: options.Secret,
    ca: options.ca,
    capacity: KEPT,
    will: say.info(false),
    subscriptions: [
      controlCommand.topic({ rootId, homeId: HomeID, thingName: ThingName }),
      statusRequest.topic({ rootId, homeId: HomeID }),
      shadowUpdateAccepted.topic(shadow),
      shadowUpdateRejected.topic(shadow),
      shadowUpdateRejected.topic({ ...shadow, shadowName: 'info' }),
      ...(options.own?.subscriptions ?? []),
    ],
    clock,
    random,
    onOnline() {
      log.info({ ThingName }, 'Connected to the gateway')
      connection.send(say.info(true, clock.now()))
      announceAll()
      reportAll()
      options.own?.onOnline()
    },
    onOffline: () => log.warn({ ThingName }, 'The gateway is gone; readings are kept'),
    onFailure: (reason, nextIn) => log.warn({ reason, nextIn }, 'No connection to the gateway'),
    onMessage: receive,
  })
  const obey = obeyOnce({
    now: clock.now,
    find: (PeripheralUID) => options.devices().find((device) => device.PeripheralUID === PeripheralUID),
    command: options.command,
    log,
    answer: (ack) => connection.send(say.ack(ack)),
    done: changed,
  })

  function announceAll(): void {
    cancelAnnounce?.()
    cancelAnnounce = undefined
    for (const message of say.announce(options.devices())) connection.send(message)
  }

  function report(uids: Iterable<string>): void {
    const Peripherals: { PeripheralUID: string }[] = []
    for (const PeripheralUID of uids) {
      const fields = options.status(PeripheralUID)
      if (fields) Peripherals.push({ PeripheralUID, ...fields })
    }
    const now = clock.now()
    for (let from = 0; from < Peripherals.length; from += MAX_REPORTED)
      connection.send(say.status(now, Peripherals.slice(from, from + MAX_REPORTED)))
  }

  function reportAll(): void {
    cancelHeartbeat()
    cancelHeartbeat = clock.after(HEARTBEAT, reportAll)
    forgetChanges()
    if (connection.online) report(options.devices().map(({ PeripheralUID }) => PeripheralUID))
  }

  function forgetChanges(): void {
    cancelFlush?.()
    cancelFlush = undefined
    dirty.clear()
  }

  function changed(PeripheralUID: string): void {
    if (!connection.online) return
    dirty.add(PeripheralUID)
    cancelFlush ??= clock.after(Math.max(BREATH, lastFlush + SPACING - clock.now()), () => {
      lastFlush = clock.now()
      const uids = [...dirty]
      forgetChanges()
      if (connection.online) report(uids)
    })
  }

  function receive(topic: string, text: string): void {
    const body = parseJson(text)
    if (controlCommand.match(topic)) {
      const command = controlCommand.payload.safeParse(body)
      if (command.success) void obey(command.data)
      else log.warn({ topic }, 'Not a command')
    } else if (statusRequest.match(topic)) {
      cancelAnswer ??= clock.after(ANSWER_DELAY, () => {
        cancelAnswer = undefined
        reportAll()
      })
    } else if (shadowUpdateRejected.match(topic)) {
      const rejected = shadowUpdateRejected.payload.safeParse(body)
      log.error({ reason: rejected.success ? rejected.data.message : text }, 'The gateway refused the shadow')
    } else if (options.own?.subscriptions.includes(topic)) options.own.receive(topic, body)
  }

  return {
    announce() {
      if (connection.online) cancelAnnounce ??= clock.after(ANNOUNCE_DELAY, announceAll)
    },
    changed,
    readings(readings) {
      for (let from = 0; from < readings.length; from += MAX_READINGS)
        connection.send(say.readings(readings.slice(from, from + MAX_READINGS)))
    },
    send: (topic, payload) => connection.send({ topic, payload: JSON.stringify(payload) }),
    async stop() {
      for (const cancel of [cancelAnswer, cancelAnnounce, cancelFlush, cancelHeartbeat]) cancel?.()
      if (connection.online) connection.send(say.info(false, clock.now()))
      await connection.stop(LAST_WORDS)
    },
    get online() {
      return connection.online
    },
    stats: () => {
      const { waiting, inFlight, dropped, acknowledged } = connection
      return { waiting, inFlight, dropped, acknowledged }
    },
  }
}
