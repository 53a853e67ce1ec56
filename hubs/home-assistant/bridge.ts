import type { MeterReading } from '../../contract/channels/meter.ts'
import { MeterValues } from '../../contract/device-kinds/capabilities/meter.ts'
import { systemClock, type Clock } from '../../device-link/clock.ts'
import type { HubPlace } from '../../device-link/hub-messages.ts'
import { openGatewayLink, type GatewayLink } from '../lib/gateway-link.ts'
import type { Log } from '../lib/log.ts'
import { connectDeviceBroker } from './device-broker.ts'
import { createDevices } from './devices.ts'
import type { Publication } from './entity.ts'
import type { Peripheral } from './peripheral.ts'
import { createProblems } from './problems.ts'
import type { Source } from './source.ts'

/** Announcements come in a burst; devices are made of them when nothing has come for so many ms. */
const SETTLE = 300
/** ... but at the latest after so many. */
const SETTLE_LATEST = 2_000
/** Pause between two questions to devices, in ms: radio networks are slow. */
const ASKING = 50

/** What a reading may carry; a status has been checked against its type already. */
const METER_FIELDS = Object.keys(MeterValues.shape)

export interface BridgeOptions extends HubPlace {
  broker: {
    url: string
    username?: string | undefined
    password?: string | undefined
    ca?: string | undefined
  }
  gateway: { url: string; Secret: string; ca?: string | undefined }
  sources: readonly Source[]
  /** Seconds between two readings of a meter; they fall on multiples of it, so on the quarters of an hour too. */
  readingSeconds?: number
  log: Log
  clock?: Clock
}

export interface Bridge {
  readonly link: GatewayLink
  peripherals(): readonly Peripheral[]
  stats(): object
  stop(): Promise<void>
}

/** Starts the bridge: devices announced on their broker become devices of a hub of ours. */
export function startBridge(options: BridgeOptions): Bridge {
  const { log, sources, clock = systemClock, readingSeconds = 60 } = options
  const problems = createProblems(log)
  const questions: { publication: Publication; answered: () => boolean }[] = []
  let messages = 0
  let settleBy = 0
  let cancelSettle: (() => void) | undefined
  let cancelAsking: (() => void) | undefined
  let cancelReading = () => {}

  const devices = createDevices({
    sources,
    clock,
    problems,
    onChanged: (uid) => link.changed(uid),
    onUnsettled: settleSoon,
    listen: (topics) => broker.listen(topics),
    unlisten: (topics) => broker.unlisten(topics),
    ask,
  })
  const link = openGatewayLink({
    ...options.gateway,
    rootId: options.rootId,
    HomeID: options.HomeID,
    ThingName: options.ThingName,
    log,
    clock,
    devices: devices.peripherals,
    // Without their broker nothing is known of the devices.
    status: (uid) => (broker.online ? devices.status(uid) : undefined),
    async command({ PeripheralUID }, values) {
      for (const publication of devices.command(PeripheralUID, values)) {
        await broker.publish(publication)
        devices.assume(publication)
      }
    },
  })
  const broker = connectDeviceBroker({
    ...options.broker,
    clientId: `${options.ThingName}-devices`,
    log,
    onOnline() {
      for (const { hello = [] } of sources) hello.forEach(publishQuietly)
      for (const { PeripheralUID } of devices.peripherals()) link.changed(PeripheralUID)
    },
    onMessage(topic, payload) {
      messages++
      devices.receive(topic, payload)
    },
  })
  broker.listen(sources.flatMap(({ filters }) => filters))
  readLater()

  function settleSoon(): void {
    settleBy ||= clock.now() + SETTLE_LATEST
    cancelSettle?.()
    cancelSettle = clock.after(Math.max(0, Math.min(SETTLE, settleBy - clock.now())), settle)
  }

  function settle(): void {
    cancelSettle = undefined
    settleBy = 0
    if (devices.settle()) {
      log.info(devices.figures(), 'The devices have changed')
      link.announce()
    }
    // What was said before a device was made of its parts.
    for (const { PeripheralUID } of devices.peripherals()) link.changed(PeripheralUID)
  }

  /** Questions go out one after the other; a device that does not answer costs nothing. */
  function ask(publications: readonly Publication[], answered = () => false): void {
    for (const publication of publications) questions.push({ publication, answered })
    if (questions.length > 0) cancelAsking ??= clock.after(ASKING, askNext)
  }

  function askNext(): void {
    cancelAsking = undefined
    let next = questions.shift()
    while (next?.answered()) next = questions.shift()
    if (next) publishQuietly(next.publication)
    ask([])
  }

  function publishQuietly(publication: Publication): void {
    broker.publish(publication).catch((error: Error) => {
      log.warn({ topic: publication.topic, reason: error.message }, 'A question to a device was lost')
    })
  }

  function readLater(): void {
    const step = readingSeconds * 1000
    cancelReading = clock.after(step - (clock.now() % step), () => {
      readMeters()
      readLater()
    })
  }

  function readMeters(): void {
    if (!broker.online) return
    const Timestamp = clock.now()
    const readings = devices.peripherals().flatMap(({ PeripheralUID }) => {
      const fields = devices.status(PeripheralUID)
      if (typeof fields?.['AccumulatePower'] !== 'number') return []
      const reading: Record<string, unknown> = { PeripheralUID, Timestamp }
      for (const field of METER_FIELDS) if (fields[field] !== undefined) reading[field] = fields[field]
      return [reading as MeterReading]
    })
    link.readings(readings)
  }

  return {
    link,
    peripherals: devices.peripherals,
    stats: () => ({ messages, ...devices.figures(), problems: problems.counts(), gateway: link.stats() }),
    async stop() {
      for (const cancel of [cancelReading, cancelSettle, cancelAsking]) cancel?.()
      devices.end()
      await Promise.all([link.stop(), broker.stop()])
    },
  }
}
