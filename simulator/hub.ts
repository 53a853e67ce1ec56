import { otaCommand } from '../contract/channels/ota.ts'
import { controlCommand } from '../contract/channels/control.ts'
import type { MeterReading } from '../contract/channels/meter.ts'
import { settingsOf, type HubSettings } from '../contract/channels/settings.ts'
import { shadowUpdateAccepted, shadowUpdateRejected } from '../contract/channels/shadow.ts'
import { statusRequest } from '../contract/channels/status.ts'
import { capabilityOf } from '../contract/device-kinds/registry.ts'
import { refusalOf } from '../contract/device-kinds/refusal.ts'
import { parseCommandValues } from '../contract/device-kinds/status.ts'
import type { PayloadOf } from '../contract/kernel/define-channel.ts'
import { parseJson } from '../contract/kernel/parse-json.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../contract/resources/peripheral.ts'
import type { Clock } from '../device-link/clock.ts'
import { hubMessages } from '../device-link/hub-messages.ts'
import { openHubSession } from '../device-link/hub-session.ts'
import type { Message } from '../device-link/outbox.ts'
import { createBuilding, type DeviceStates } from './building.ts'
import { createUpdater, FACTORY_VERSION, type FirmwarePace } from './firmware.ts'
import { createFaults, type Fault, type FaultRates } from './faults.ts'
import type { FleetHub, HubDevice } from './hub-device.ts'
import { hash, stream } from './scenarios/random.ts'

type Command = PayloadOf<typeof controlCommand>

/** Of the time between two readings: a reading counts as current until it is as old (§4), and the next one is to be there before. */
const IN_TIME = 0.8
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
  const meterFields = ({ PeripheralType }: HubDevice) => capabilityOf(PeripheralType, 'meter')?.status ?? {}
  const meters = hub.devices.filter((device) => 'AccumulatePower' in meterFields(device))

  const lastReported = new Map<string, string>()
  const nextReading = new Map<string, number>()
  /** Seconds between two readings, as people set them. */
  const frequencies = new Map<string, number>()
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

  /** What waits for the gateway to have heard a message. */
  const heard = new Map<Message, () => void>()
  const updater = createUpdater({
    host: new URL(options.url).hostname,
    clock,
    pace: options.firmwarePace,
    versionOf: (uid) => firmwareOf(uid ?? hub.ThingName),
    report(answer) {
      const message = say.ota(answer)
      connection.send(message)
      return new Promise((resolve) => heard.set(message, resolve))
    },
    installed(uid, version) {
      options.firmware[uid ?? hub.ThingName] = version
      options.keep()
      on.updated(uid, version)
      if (uid === null) connection.die(options.firmwarePace.restart)
      else announce()
    },
  })
  const firmwareOf = (name: string) => options.firmware[name] ?? FACTORY_VERSION

  function announce(): void {
    const announcements = say.announce(
      hub.devices.map((device) => ({ ...device, FirmwareVersion: firmwareOf(device.PeripheralUID) })),
    )
    awaited = new Set(announcements.map((_, number) => `${hub.ThingName}-${number}`.slice(-64)))
    for (const message of announcements) connection.send(message)
  }

  const ownShadow = { thingName: hub.ThingName }
  const connection = openHubSession({
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
      settingsOf.topic({ rootId: hub.rootId, homeId: hub.HomeID, thingName: hub.ThingName }),
      otaCommand.topic({ rootId: hub.rootId, homeId: hub.HomeID, thingName: hub.ThingName }),
      shadowUpdateAccepted.topic({ ...ownShadow, shadowName: 'registration' }),
      shadowUpdateRejected.topic({ ...ownShadow, shadowName: 'registration' }),
      shadowUpdateRejected.topic({ ...ownShadow, shadowName: 'info' }),
    ],
    onOnline() {
      on.online()
      connection.send(say.info(true, moment(), firmwareOf(hub.ThingName)))
      announce()
      connection.send(say.askSettings())
      reportAll()
    },
    onOffline: on.offline,
    onMessage: receive,
    onAcknowledged(message) {
      heard.get(message)?.()
      heard.delete(message)
      on.acknowledged(message)
    },
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

  function fieldsOf(device: HubDevice) {
    const { PeripheralUID } = device
    lastReported.set(PeripheralUID, stateOf(device))
    return { PeripheralUID, ...building.report(PeripheralUID) }
  }

  /** What is told as soon as it changes: all but what a meter counts, which is told on the clock. */
  function stateOf(device: HubDevice): string {
    const metered = meterFields(device)
    return JSON.stringify(building.report(device.PeripheralUID), (field, value: unknown) =>
      field in metered ? undefined : value,
    )
  }

  /** What a meter counts. */
  function readingOf(device: HubDevice) {
    const metered = meterFields(device)
    const fields = Object.entries(building.report(device.PeripheralUID) ?? {})
    return Object.fromEntries(fields.filter(([field]) => field in metered))
  }

  const secondsBetweenReadings = ({
    PeripheralUID,
    PowerMeterUpdateFrequency = DEFAULT_UPDATE_FREQUENCY,
  }: HubDevice) => (frequencies.get(PeripheralUID) ?? PowerMeterUpdateFrequency) * IN_TIME

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
    if (faults.dies(Math.max(0, (now - lastStep) / 1000))) {
      updater.forget()
      connection.die(5_000 + 55_000 * random())
    }
    advance()
    const changed = hub.devices.filter((device) => stateOf(device) !== lastReported.get(device.PeripheralUID))
    if (now - lastFull >= HEARTBEAT) reportAll()
    else if (changed.length > 0) send(say.status(now, changed.map(fieldsOf)))

    const due = meters.filter(({ PeripheralUID }) => (nextReading.get(PeripheralUID) ?? 0) <= now)
    for (const device of due)
      nextReading.set(device.PeripheralUID, now + secondsBetweenReadings(device) * 1000)
    if (due.length === 0) return
    options.keep()
    const readings = due.map((device) => ({
      PeripheralUID: device.PeripheralUID,
      Timestamp: now,
      ...readingOf(device),
    }))
    send(say.readings(readings))
  }

  function receive(topic: string, text: string): void {
    const body = parseJson(text)
    if (controlCommand.match(topic)) {
      const command = controlCommand.payload.safeParse(body)
      if (command.success) obeyLater(command.data)
    } else if (otaCommand.match(topic)) {
      const command = otaCommand.payload.safeParse(body)
      if (command.success) updater.receive(command.data)
    } else if (settingsOf.match(topic)) {
      const told = settingsOf.payload.safeParse(body)
      for (const settings of told.data?.Settings ?? []) configure(settings)
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

  /** A person set something: it counts from now on, a shorter time between readings at once. */
  function configure(settings: HubSettings): void {
    const { PeripheralUID, PowerMeterUpdateFrequency } = settings
    const due = moment() + PowerMeterUpdateFrequency * IN_TIME * 1000
    frequencies.set(PeripheralUID, PowerMeterUpdateFrequency)
    nextReading.set(PeripheralUID, Math.min(nextReading.get(PeripheralUID) ?? due, due))
    building.configure(settings)
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
    const able =
      device &&
      values?.success &&
      refusalOf(device.PeripheralType, values.data, building.report(PeripheralUID)) === undefined
    const answer = able
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
    if (!able) return on.command(command, 'failed')
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
    /** Sends readings of the past; resolves when the gateway has them. */
    deliverLate(readings: MeterReading[]): Promise<void> {
      const message = say.readings(readings)
      return new Promise((resolve) => {
        heard.set(message, resolve)
        connection.send(message)
      })
    },
    states: () => building.states(),
    /** Sends what is late, says that it goes offline, and goes. */
    async stop(): Promise<void> {
      cancelAnswer?.()
      updater.forget()
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
