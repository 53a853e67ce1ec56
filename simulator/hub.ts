import { controlCommand } from '../contract/channels/control.ts'
import { shadowUpdateAccepted, shadowUpdateRejected } from '../contract/channels/shadow.ts'
import { statusRequest } from '../contract/channels/status.ts'
import { deviceType } from '../contract/device-kinds/registry.ts'
import { parseCommandValues } from '../contract/device-kinds/status.ts'
import type { PayloadOf } from '../contract/kernel/define-channel.ts'
import { createBuilding, type DeviceStates } from './building.ts'
import type { Clock } from './clock.ts'
import { createFaults, type Fault, type FaultRates } from './faults.ts'
import { connectHub } from './hub-connection.ts'
import type { FleetHub, HubDevice } from './hub-device.ts'
import { hubMessages } from './hub-messages.ts'
import type { Message } from './outbox.ts'
import { hash, stream } from './scenarios/random.ts'

type Command = PayloadOf<typeof controlCommand>

/** Seconds between two readings of a meter that does not say otherwise. */
const DEFAULT_READING_SECONDS = 900
/** Full report after this long without one, in ms. */
const HEARTBEAT = 60_000
/** Requests for status that come together are answered once, after so many ms. */
const ANSWER_DELAY = 200
/** Commands whose answers are remembered, in case they come twice. */
const REMEMBERED = 500

export interface HubOptions {
  url: string
  hub: FleetHub
  clock: Clock
  seed: number
  /** How many times faster than the clock people live. Counters and pulses keep true time. */
  speed: number
  /** The moment at which people live when the hub starts, epoch ms. */
  worldStart: number
  faults: FaultRates
  faultCounts: Record<Fault, number>
  /** Shortest and longest time a device takes to obey, in ms. */
  latency: readonly [number, number]
  states: DeviceStates
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
  }
}

export type Hub = ReturnType<typeof startHub>

/** A simulated hub: its building, its connection and what it does when. */
export function startHub(options: HubOptions) {
  const { hub, clock, seed, on } = options
  const random = stream(hash(seed, hub.ThingName))
  const building = createBuilding(hub.devices, seed, options.states)
  const faults = createFaults(options.faults, random, options.faultCounts)
  const say = hubMessages(hub)
  /** Whole milliseconds, as the wire has them. */
  const moment = () => Math.floor(clock.now())
  const started = moment()
  const isMeter = ({ PeripheralType }: HubDevice) => deviceType(PeripheralType)?.kind === 'clampMeter'
  const meters = hub.devices.filter(isMeter)
  const others = hub.devices.filter((device) => !isMeter(device))

  const lastReported = new Map<string, string>()
  const nextReading = new Map<string, number>()
  const answered = new Map<string, Message>()
  /** Messages that a fault holds back, and how to forget them. */
  const late = new Map<Message, () => void>()
  let awaited = new Set<string>()
  let lastStep = started
  let lastFull = 0
  let cancelAnswer: (() => void) | undefined

  const worldTime = () => options.worldStart + (moment() - started) * options.speed

  // The devices look around before anybody asks them.
  building.step(0, worldTime())

  const ownShadow = { thingName: hub.ThingName }
  const connection = connectHub({
    url: options.url,
    ThingName: hub.ThingName,
    Secret: hub.Secret,
    ca: options.ca,
    clock,
    random,
    will: say.info(false),
    subscriptions: [
      controlCommand.topic({ rootId: hub.rootId, homeId: hub.HomeID, thingName: hub.ThingName }),
      statusRequest.topic({ rootId: hub.rootId, homeId: hub.HomeID }),
      shadowUpdateAccepted.topic({ ...ownShadow, shadowName: 'registration' }),
      shadowUpdateRejected.topic({ ...ownShadow, shadowName: 'registration' }),
      shadowUpdateRejected.topic({ ...ownShadow, shadowName: 'info' }),
    ],
    onOnline() {
      on.online()
      const announcements = say.announce(hub.devices)
      awaited = new Set(announcements.map((_, number) => `${hub.ThingName}-${number}`.slice(-64)))
      for (const message of [say.info(true, moment()), ...announcements]) connection.send(message)
      reportAll()
    },
    onOffline: on.offline,
    onMessage: receive,
    onAcknowledged: on.acknowledged,
  })

  function send(message: Message): void {
    for (const { message: what, delay, lie } of faults.plan(message, moment())) {
      on.sent(what, lie)
      if (delay === 0) connection.send(what)
      else {
        const cancel = clock.after(delay, () => {
          late.delete(what)
          connection.send(what)
        })
        late.set(what, cancel)
      }
    }
  }

  function fieldsOf({ PeripheralUID }: HubDevice) {
    const fields = { PeripheralUID, ...building.report(PeripheralUID) }
    lastReported.set(PeripheralUID, JSON.stringify(fields))
    return fields
  }

  function reportAll(): void {
    const now = moment()
    lastFull = now
    options.keep()
    for (let from = 0; from < hub.devices.length; from += 1000)
      send(say.status(now, hub.devices.slice(from, from + 1000).map(fieldsOf)))
  }

  function advance(): void {
    const now = moment()
    if (now > lastStep) building.step((now - lastStep) / 1000, worldTime())
    lastStep = now
  }

  /** Lets time pass: changes and due readings are reported. */
  function tick(): void {
    const now = moment()
    if (faults.dies(Math.max(0, (now - lastStep) / 1000))) connection.die(5_000 + 55_000 * random())
    advance()
    const changed = others.filter(
      ({ PeripheralUID }) =>
        JSON.stringify({ PeripheralUID, ...building.report(PeripheralUID) }) !==
        lastReported.get(PeripheralUID),
    )
    if (now - lastFull >= HEARTBEAT) reportAll()
    else if (changed.length > 0) send(say.status(now, changed.map(fieldsOf)))

    const due = meters.filter(({ PeripheralUID }) => (nextReading.get(PeripheralUID) ?? 0) <= now)
    for (const { PeripheralUID, PowerMeterUpdateFrequency = DEFAULT_READING_SECONDS } of due)
      nextReading.set(PeripheralUID, now + PowerMeterUpdateFrequency * 1000)
    if (due.length === 0) return
    options.keep()
    const readings = due.map(({ PeripheralUID }) => ({
      PeripheralUID,
      Timestamp: now,
      ...building.report(PeripheralUID),
    }))
    send(say.readings(readings))
  }

  function receive(topic: string, text: string): void {
    const body = parseJson(text)
    if (controlCommand.match(topic)) {
      const command = controlCommand.payload.safeParse(body)
      if (command.success) obeyLater(command.data)
    } else if (statusRequest.match(topic)) {
      cancelAnswer ??= clock.after(ANSWER_DELAY, () => {
        cancelAnswer = undefined
        reportAll()
      })
    } else if (shadowUpdateRejected.match(topic)) {
      const rejected = shadowUpdateRejected.payload.safeParse(body)
      on.rejected(rejected.success ? rejected.data.message : text)
    } else if (shadowUpdateAccepted.match(topic)) {
      const accepted = shadowUpdateAccepted.payload.safeParse(body)
      if (accepted.success && awaited.delete(accepted.data.clientToken ?? '') && awaited.size === 0)
        on.announced()
    }
  }

  function obeyLater(command: Command): void {
    const [least, most] = options.latency
    const latency = least + (most - least) * random()
    if (latency <= 0) obey(command)
    else clock.after(latency, () => obey(command))
  }

  function obey(command: Command): void {
    const { RequestID, PeripheralUID, Values, Timestamp, ExpiresIn } = command
    const earlier = answered.get(RequestID)
    if (earlier) {
      connection.send(earlier)
      return on.command(command, 'repeated')
    }
    if (moment() - Timestamp > ExpiresIn) return on.command(command, 'expired')
    const device = hub.devices.find((one) => one.PeripheralUID === PeripheralUID)
    const values = device && parseCommandValues(device.PeripheralType, Values)
    const answer =
      device && values?.success
        ? say.ack({ RequestID, PeripheralUID, Result: 'ok' })
        : say.ack({
            RequestID,
            PeripheralUID,
            Result: 'failed',
            Reason: device ? 'the device cannot do that' : 'no such device on this hub',
          })
    answered.set(RequestID, answer)
    if (answered.size > REMEMBERED) answered.delete(answered.keys().next().value as string)
    connection.send(answer)
    if (!device || !values?.success) return on.command(command, 'failed')
    advance()
    building.command(PeripheralUID, values.data)
    send(say.status(moment(), [fieldsOf(device)]))
    on.command(command, 'ok')
  }

  return {
    ThingName: hub.ThingName,
    connection,
    tick,
    /** Reports every device at once. */
    reportAll,
    states: () => building.states(),
    /** Sends what is late, says that it goes offline, and goes. */
    async stop(): Promise<void> {
      cancelAnswer?.()
      for (const [message, cancel] of late) {
        cancel()
        connection.send(message)
      }
      late.clear()
      if (connection.online) connection.send(say.info(false, moment()))
      await connection.stop(2_000)
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
