import type { MeterReading } from '../../contract/meters/channels.ts'
import { unmappedReport } from '../../contract/devices/channels/hub-setup.ts'
import { MeterValues } from '../../contract/devices/capabilities/meter.ts'
import { systemClock, type Clock } from '../../device-link/clock.ts'
import type { HubPlace } from '../../device-link/hub-messages.ts'
import { openGatewayLink, type GatewayLink } from '../lib/gateway-link.ts'
import type { Log } from '../lib/log.ts'
import { connectDeviceBroker } from './device-broker.ts'
import { createDevices, type Devices } from './devices.ts'
import type { Publication } from './entities/entity.ts'
import type { Peripheral } from './peripheral.ts'
import { createProblems } from './problems.ts'
import type { Source } from './sources/source.ts'

/** Announcements come in bursts; peripherals are built after this many ms without one. */
const SETTLE_MS = 300
/** Maximum delay in ms of building peripherals while announcements keep coming. */
const MAX_SETTLE_MS = 2_000
/** Delay in ms of the report of entities that are not shown, after a change or a connection: announcements come in bursts. */
const UNMAPPED_DELAY_MS = 10_000
/** Pause between two queries to devices, in ms: radio networks are slow. */
const REQUEST_PAUSE_MS = 50

/** Fields that a reading may contain; statuses have already been checked against their type. */
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
  /** Seconds between two readings of a meter; readings fall on multiples of it, so also on the quarters of an hour. */
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

interface BridgeState {
  options: BridgeOptions
  clock: Clock
  problems: ReturnType<typeof createProblems>
  devices: Devices
  link: GatewayLink
  broker: ReturnType<typeof connectDeviceBroker>
  /** Queue of queries to devices. */
  queries: { publication: Publication; isAnswered: () => boolean }[]
  /** Number of messages received from the device broker. */
  messages: number
  /** Time at which peripherals are built even if more announcements are coming, epoch ms; 0 if none is pending. */
  rebuildDueAt: number
  /** Functions that cancel scheduled tasks. */
  cancelRebuild: (() => void) | undefined
  cancelQueries: (() => void) | undefined
  cancelUnmapped: (() => void) | undefined
  cancelReading: () => void
}

/** Starts the bridge: devices that are announced on the device broker become peripherals of a hub. */
export function startBridge(options: BridgeOptions): Bridge {
  const { log, clock = systemClock } = options
  const problems = createProblems(log, () => reportUnmappedLater(state))
  const devices = makeDevices(options, clock, problems, () => state)
  const state: BridgeState = {
    options,
    clock,
    problems,
    devices,
    link: openLink(options, clock, devices, () => state),
    broker: openBroker(options, () => state),
    queries: [],
    messages: 0,
    rebuildDueAt: 0,
    cancelRebuild: undefined,
    cancelQueries: undefined,
    cancelUnmapped: undefined,
    cancelReading: () => {},
  }
  const { link, broker } = state
  broker.subscribe(options.sources.flatMap(({ filters }) => filters))
  readLater(state)
  return {
    link,
    peripherals: devices.peripherals,
    stats: () => ({
      messages: state.messages,
      ...devices.figures(),
      problems: problems.counts(),
      gateway: link.stats(),
    }),
    async stop() {
      const { cancelReading, cancelRebuild, cancelQueries, cancelUnmapped } = state
      for (const cancel of [cancelReading, cancelRebuild, cancelQueries, cancelUnmapped]) cancel?.()
      devices.close()
      await Promise.all([link.stop(), broker.stop()])
    },
  }
}

// The three parts below read the state only in callbacks, so each of them can be a part of it.

function makeDevices(
  { sources }: BridgeOptions,
  clock: Clock,
  problems: BridgeState['problems'],
  state: () => BridgeState,
): Devices {
  return createDevices({
    sources,
    clock,
    problems,
    onChanged: (uid) => state().link.changed(uid),
    onEntitiesChanged: () => scheduleRebuild(state()),
    subscribe: (topics) => state().broker.subscribe(topics),
    unsubscribe: (topics) => state().broker.unsubscribe(topics),
    enqueueQueries: (publications, isAnswered) => enqueueQueries(state(), publications, isAnswered),
  })
}

function openLink(
  options: BridgeOptions,
  clock: Clock,
  devices: Devices,
  state: () => BridgeState,
): GatewayLink {
  return openGatewayLink({
    ...options.gateway,
    rootId: options.rootId,
    HomeID: options.HomeID,
    ThingName: options.ThingName,
    log: options.log,
    clock,
    devices: devices.peripherals,
    // Without the device broker no status is known.
    status: (uid) => (state().broker.online ? reportOf(devices, uid) : undefined),
    async command({ PeripheralUID }, values) {
      for (const publication of devices.command(PeripheralUID, values)) {
        await state().broker.publish(publication)
        devices.applyAssumption(publication)
      }
    },
    extension: { subscriptions: [], onOnline: () => reportUnmappedLater(state()), receive: () => {} },
  })
}

/**
 * Status of a device with the time of its last message, so that a silent device differs from one without news. A meter's readings
 * carry their own timestamps; its status must not be older than those.
 */
export function reportOf(devices: Devices, uid: string): Record<string, unknown> | undefined {
  const fields = devices.status(uid)
  const Timestamp = devices.heardAt(uid)
  if (!fields || Timestamp === undefined || fields['AccumulatePower'] !== undefined) return fields
  return { ...fields, Timestamp }
}

function openBroker(options: BridgeOptions, state: () => BridgeState): BridgeState['broker'] {
  return connectDeviceBroker({
    ...options.broker,
    clientId: `${options.ThingName}-devices`,
    log: options.log,
    onOnline() {
      state().devices.begin()
      for (const { initialQueries = [] } of options.sources)
        for (const publication of initialQueries) publishQuietly(state(), publication)
      allChanged(state())
      reportUnmappedLater(state())
    },
    onMessage(topic, payload, retained) {
      state().messages++
      state().devices.receive(topic, payload, retained)
    },
  })
}

/**
 * Schedules the report of entities that are not shown, so that further changes are included; if a connection is missing, the next one sends
 * it.
 */
function reportUnmappedLater(state: BridgeState): void {
  const { clock, options } = state
  const { rootId, HomeID: homeId, ThingName: thingName } = options
  state.cancelUnmapped ??= clock.after(UNMAPPED_DELAY_MS, () => {
    state.cancelUnmapped = undefined
    if (!state.broker.online || !state.link.online) return
    state.link.send(unmappedReport.topic({ rootId, homeId, thingName }), state.devices.unmapped())
  })
}

function allChanged({ devices, link }: BridgeState): void {
  for (const { PeripheralUID } of devices.peripherals()) link.changed(PeripheralUID)
}

function scheduleRebuild(state: BridgeState): void {
  const { clock } = state
  state.rebuildDueAt ||= clock.now() + MAX_SETTLE_MS
  state.cancelRebuild?.()
  const pause = Math.max(0, Math.min(SETTLE_MS, state.rebuildDueAt - clock.now()))
  state.cancelRebuild = clock.after(pause, () => rebuildPeripherals(state))
}

function rebuildPeripherals(state: BridgeState): void {
  const { devices, link, options } = state
  state.cancelRebuild = undefined
  state.rebuildDueAt = 0
  if (devices.buildPeripherals()) {
    options.log.info(devices.figures(), 'The devices have changed')
    link.announce()
  }
  // Messages may have arrived before the peripheral was built from its entities.
  allChanged(state)
}

/** Sends queries one after the other, with a pause; a device that does not answer delays nothing. */
function enqueueQueries(
  state: BridgeState,
  publications: readonly Publication[],
  isAnswered = () => false,
): void {
  const { queries, clock } = state
  for (const publication of publications) queries.push({ publication, isAnswered })
  if (queries.length > 0) state.cancelQueries ??= clock.after(REQUEST_PAUSE_MS, () => askNext(state))
}

function askNext(state: BridgeState): void {
  const { queries } = state
  state.cancelQueries = undefined
  let next = queries.shift()
  while (next?.isAnswered()) next = queries.shift()
  if (next) publishQuietly(state, next.publication)
  enqueueQueries(state, [])
}

function publishQuietly({ broker, options }: BridgeState, publication: Publication): void {
  broker.publish(publication).catch((error: Error) => {
    options.log.warn({ topic: publication.topic, reason: error.message }, 'device request lost')
  })
}

function readLater(state: BridgeState): void {
  const { clock, options } = state
  const step = (options.readingSeconds ?? 60) * 1000
  state.cancelReading = clock.after(step - (clock.now() % step), () => {
    readMeters(state)
    readLater(state)
  })
}

function readMeters({ broker, clock, devices, link }: BridgeState): void {
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
