import { modbusRequest, modbusTableOf, MAX_TABLES_ASKED } from '../../contract/devices/channels/settings.ts'
import type { MeterReading } from '../../contract/meters/channels.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../../contract/devices/peripheral.ts'
import { type Clock, systemClock } from '../../device-link/clock.ts'
import type { AnnouncedDevice } from '../../device-link/hub-messages.ts'
import { openGatewayLink, type GatewayLink } from '../lib/gateway-link.ts'
import type { Log } from '../lib/log.ts'
import { type ModbusHubConfig, modbusUidOf } from './config.ts'
import { createDevice, type ModbusDevice } from './device.ts'
import { type ModbusServer, openServer } from './server.ts'
import type { TableMemory } from './table-memory.ts'

export interface HubOptions {
  config: ModbusHubConfig
  secret: string
  ca?: string | undefined
  memory: TableMemory
  log: Log
  clock?: Clock
  random?: () => number
}

type ServerConfig = ModbusHubConfig['servers'][number]

/** A device with its settings from the gateway. */
interface Carried extends AnnouncedDevice {
  device: ModbusDevice
  frequencySeconds: number
  /** Index of the `frequencySeconds` interval (since the epoch) of the last reading. */
  lastSpan: number
}

/** A server with its devices, which are read one after the other. */
interface ServerPoller {
  server: ModbusServer
  devices: readonly Carried[]
  round: Promise<void>
  cancel: () => void
}

/** Counters of the hub since its start. */
export interface HubStats {
  /** Rounds over all devices of a server, and rounds skipped because the previous one was still running. */
  cycles: number
  missedCycles: number
  requests: number
}

interface HubState {
  options: HubOptions
  clock: Clock
  devicesByUid: Map<string, Carried>
  pollers: ServerPoller[]
  cycles: number
  missedCycles: number
  stopped: boolean
}

export type ModbusHub = ReturnType<typeof startModbusHub>

/** Reads Modbus devices by the tables that the gateway publishes and reports them as devices of one hub. */
export function startModbusHub(options: HubOptions) {
  const { config, clock = systemClock } = options
  const pollers = config.servers.map((server) => openLane(options, clock, server))
  const devicesByUid = new Map(
    pollers.flatMap(({ devices }) => devices.map((one) => [one.PeripheralUID, one])),
  )
  const state: HubState = {
    options,
    clock,
    devicesByUid,
    pollers,
    cycles: 0,
    missedCycles: 0,
    stopped: false,
  }
  const link = connect(state)
  // Rounds of different servers start at different times within the interval, so that their answers do not arrive together.
  const start = clock.now()
  const interval = config.pollSeconds * 1000
  for (const [i, poller] of pollers.entries())
    schedule(state, link, poller, start + (i * interval) / pollers.length)
  return {
    link,
    stats: (): HubStats => ({
      cycles: state.cycles,
      missedCycles: state.missedCycles,
      requests: pollers.reduce((sum, { server }) => sum + server.requests, 0),
    }),
    async stop(): Promise<void> {
      state.stopped = true
      for (const poller of pollers) poller.cancel()
      await Promise.all(pollers.map(({ server }) => server.close()))
      await Promise.all(pollers.map(({ round }) => round))
      await link.stop()
      options.memory.save()
    },
  }
}

/** Opens a server with its devices and their stored tables. */
function openLane(
  { log, memory, random = Math.random }: HubOptions,
  clock: Clock,
  config: ServerConfig,
): ServerPoller {
  const server = openServer({ ...config, clock, log, random })
  const devices = config.devices.map((device): Carried => {
    const PeripheralUID = modbusUidOf(config, device)
    const one: Carried = {
      PeripheralUID,
      PeripheralType: device.type,
      PeripheralName: device.name ?? `${config.host} #${device.unit}`.slice(-64),
      device: createDevice({ unit: device.unit, server, limits: config, clock }),
      frequencySeconds: DEFAULT_UPDATE_FREQUENCY,
      lastSpan: 0,
    }
    const known = memory.get(PeripheralUID)
    if (known) {
      one.device.setRows(known.rows)
      one.frequencySeconds = known.frequencySeconds
    }
    return one
  })
  return { server, devices, round: Promise.resolve(), cancel: () => {} }
}

function connect(state: HubState): GatewayLink {
  const { options, clock, devicesByUid } = state
  const { config, log, random = Math.random } = options
  const { rootId, homeId, thingName, url } = config.gateway
  const place = { rootId, homeId, thingName }
  const link = openGatewayLink({
    rootId,
    HomeID: homeId,
    ThingName: thingName,
    url,
    Secret: options.secret,
    ca: options.ca,
    log,
    clock,
    random,
    devices: () =>
      [...devicesByUid.values()].map(({ PeripheralUID, PeripheralType, PeripheralName }) => ({
        PeripheralUID,
        PeripheralType,
        PeripheralName,
      })),
    status(uid) {
      const last = devicesByUid.get(uid)?.device.last
      return last && { ModbusValues: last.ModbusValues, ...last.meter }
    },
    async command({ PeripheralUID }, { ModbusValues }) {
      try {
        await devicesByUid.get(PeripheralUID)?.device.write(ModbusValues as Record<string, number>)
      } catch (error) {
        // Runs after the answer to the command, which must not wait for a device that may be silent.
        void reportNow(state, link, PeripheralUID)
        throw error
      }
    },
    extension: {
      subscriptions: [modbusTableOf.topic(place)],
      onOnline() {
        const uids = [...devicesByUid.keys()]
        for (let from = 0; from < uids.length; from += MAX_TABLES_ASKED)
          link.send(modbusRequest.topic(place), { Peripherals: uids.slice(from, from + MAX_TABLES_ASKED) })
      },
      receive(_topic, body) {
        const assignment = modbusTableOf.payload.safeParse(body)
        if (assignment.success) assign(state, assignment.data)
        else log.warn({ issues: assignment.error.issues.length }, 'invalid Modbus table')
      },
    },
  })
  return link
}

/** Reads a device after a failed write, which may have changed some of its values, and reports it. */
async function reportNow({ devicesByUid, options }: HubState, link: GatewayLink, uid: string): Promise<void> {
  try {
    await devicesByUid.get(uid)?.device.poll()
    link.changed(uid)
  } catch (error) {
    options.log.error({ err: error, PeripheralUID: uid }, 'device could not be read after a failed write')
  }
}

/** Applies the table that the gateway published for a device, and stores it for the next start. */
function assign({ devicesByUid, options }: HubState, assignment: PayloadOf<typeof modbusTableOf>): void {
  const { PeripheralUID, PowerMeterUpdateFrequency: frequencySeconds, ModbusTable } = assignment
  const one = devicesByUid.get(PeripheralUID)
  if (!one) return
  const rows = ModbusTable?.Rows ?? []
  one.device.setRows(rows)
  one.frequencySeconds = frequencySeconds
  options.memory.set(PeripheralUID, rows.length ? { rows, frequencySeconds } : undefined)
}

/** Schedules the rounds of one server; a round that takes longer than the interval skips the rounds it overlaps. */
function schedule(state: HubState, link: GatewayLink, poller: ServerPoller, dueAt: number): void {
  const { clock, options } = state
  const interval = options.config.pollSeconds * 1000
  poller.cancel = clock.after(Math.max(0, dueAt - clock.now()), () => {
    poller.round = readAll(state, link, poller.devices)
      .catch((error: unknown) => options.log.error({ err: error }, 'Modbus server not read'))
      .then(() => {
        if (state.stopped) return
        const missedCycles = Math.floor(Math.max(0, clock.now() - dueAt) / interval)
        state.cycles++
        state.missedCycles += missedCycles
        schedule(state, link, poller, dueAt + (missedCycles + 1) * interval)
      })
  })
}

async function readAll(state: HubState, link: GatewayLink, devices: readonly Carried[]): Promise<void> {
  const readings: MeterReading[] = []
  for (const one of devices) {
    if (state.stopped) break
    if (!one.device.hasTable) continue
    const changed = await one.device.poll()
    const reading = dueReading(one)
    if (reading) readings.push(reading)
    if (changed) link.changed(one.PeripheralUID)
  }
  if (readings.length > 0) link.readings(readings)
}

/**
 * The reading that is due: one in each interval of the device's frequency, aligned to the epoch, so that each quarter of an hour has one.
 */
function dueReading(one: Carried): MeterReading | undefined {
  const last = one.device.last
  const energy = last?.meter.AccumulatePower
  if (!last || energy === undefined) return undefined
  const interval = Math.floor(last.at / (one.frequencySeconds * 1000))
  if (interval === one.lastSpan) return undefined
  one.lastSpan = interval
  return { PeripheralUID: one.PeripheralUID, Timestamp: last.at, ...last.meter, AccumulatePower: energy }
}
