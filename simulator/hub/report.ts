import { DEFAULT_UPDATE_FREQUENCY } from '../../contract/devices/peripheral.ts'
import type { HubSettings } from '../../contract/devices/channels/settings.ts'
import { capabilityOf } from '../../contract/devices/kinds/registry.ts'
import type { Message } from '../../device-link/outbox.ts'
import type { HubDevice } from '../building/building.ts'
import { moment, worldTime, type HubBase, type HubState } from './state.ts'

/** Share of the reading interval after which the next reading is sent: a reading is current for one interval (§4). */
const READING_INTERVAL_SHARE = 0.8
/** Interval of full reports, in ms. */
const HEARTBEAT_MS = 60_000
/** Delay of the answer to requests for status, in ms; requests within it share one answer. */
const ANSWER_DELAY_MS = 200
/** Maximum number of devices in one message of a full report. */
const CHUNK_SIZE = 1_000

/** Sends a report with random faults: now, late, twice, or with a false one in addition. */
export function send(state: HubState, message: Message): void {
  const { faults, session, delayedMessages: delayed, options } = state
  for (const { message: planned, delayMs, isFalse } of faults.plan(message, moment(options))) {
    options.on.sent(planned, isFalse)
    if (delayMs === 0) session.send(planned)
    else {
      const cancel = options.clock.after(delayMs, () => {
        delayed.delete(planned)
        session.send(planned)
      })
      delayed.set(planned, cancel)
    }
  }
}

/** Sends immediately the messages that a fault delays. */
export function sendLate({ delayedMessages: delayed, session }: HubState): void {
  for (const [message, cancel] of delayed) {
    cancel()
    session.send(message)
  }
  delayed.clear()
}

/** Sends a message without faults; resolves when the gateway has acknowledged it. */
export function sendUntilAcknowledged(
  { acknowledgementCallbacks, session }: HubState,
  message: Message,
): Promise<void> {
  return new Promise((resolve) => {
    acknowledgementCallbacks.set(message, resolve)
    session.send(message)
  })
}

export function reportAll(state: HubState): void {
  const { devices } = state.options.hub
  state.lastFullReportAt = moment(state.options)
  state.options.saveMemory()
  for (let from = 0; from < devices.length; from += CHUNK_SIZE)
    reportStatus(state, devices.slice(from, from + CHUNK_SIZE))
}

/** Schedules a full report for a request for status; requests within the delay share it. */
export function scheduleAnswer(state: HubState): void {
  state.cancelAnswer ??= state.options.clock.after(ANSWER_DELAY_MS, () => {
    state.cancelAnswer = undefined
    reportAll(state)
  })
}

/** Steps the devices up to now. */
export function advance(state: HubBase): void {
  const now = moment(state.options)
  if (now > state.lastStepAt) state.building.step((now - state.lastStepAt) / 1000, worldTime(state))
  state.lastStepAt = now
}

/** Steps the devices and reports changes and due readings. */
export function step(state: HubState): void {
  const now = moment(state.options)
  if (state.faults.isPowerLost(Math.max(0, (now - state.lastStepAt) / 1000))) {
    state.updater.abort()
    state.session.die(5_000 + 55_000 * state.random())
  }
  advance(state)
  const changed = state.options.hub.devices.filter(
    (device) => changesOf(state, device) !== state.lastReported.get(device.PeripheralUID),
  )
  if (now - state.lastFullReportAt >= HEARTBEAT_MS) reportAll(state)
  else if (changed.length > 0) reportStatus(state, changed)
  reportReadings(state, now)
}

export function reportStatus(state: HubState, devices: readonly HubDevice[]): void {
  const Peripherals = speaking(state, devices).map((device) => fieldsOf(state, device))
  if (Peripherals.length > 0) send(state, state.messages.status(moment(state.options), Peripherals))
}

function reportReadings(state: HubState, now: number): void {
  const dueDevices = speaking(state, state.options.hub.devices).filter(
    (device) => isMeter(device) && (state.nextReadingAt.get(device.PeripheralUID) ?? 0) <= now,
  )
  for (const device of dueDevices) {
    const { PeripheralUID, PowerMeterUpdateFrequency = DEFAULT_UPDATE_FREQUENCY } = device
    const seconds =
      (state.frequencies.get(PeripheralUID) ?? PowerMeterUpdateFrequency) * READING_INTERVAL_SHARE
    state.nextReadingAt.set(PeripheralUID, now + seconds * 1000)
  }
  if (dueDevices.length === 0) return
  state.options.saveMemory()
  send(state, state.messages.readings(dueDevices.map((device) => readingOf(state, device, now))))
}

/** Applies changed settings immediately, also a shorter reading interval. */
export function configure(state: HubState, settings: HubSettings): void {
  const { PeripheralUID, PowerMeterUpdateFrequency } = settings
  const dueAt = moment(state.options) + PowerMeterUpdateFrequency * READING_INTERVAL_SHARE * 1000
  state.frequencies.set(PeripheralUID, PowerMeterUpdateFrequency)
  state.nextReadingAt.set(PeripheralUID, Math.min(state.nextReadingAt.get(PeripheralUID) ?? dueAt, dueAt))
  state.building.configure(settings)
}

/** Devices without the silent ones. */
const speaking = ({ building }: HubState, devices: readonly HubDevice[]): HubDevice[] =>
  devices.filter(({ PeripheralUID }) => !building.isSilent(PeripheralUID))

const meterFields = ({ PeripheralType }: HubDevice) => capabilityOf(PeripheralType, 'meter')?.status ?? {}
const isMeter = (device: HubDevice): boolean => 'AccumulatePower' in meterFields(device)

/** A device's status, recorded as reported. */
function fieldsOf(state: HubState, device: HubDevice) {
  const { PeripheralUID } = device
  state.lastReported.set(PeripheralUID, changesOf(state, device))
  return { PeripheralUID, ...state.building.report(PeripheralUID) }
}

/** Fields that are reported when they change: all except those of a meter, which are reported at intervals. */
function changesOf({ building }: HubState, device: HubDevice): string {
  const metered = meterFields(device)
  return JSON.stringify(building.report(device.PeripheralUID), (field, value: unknown) =>
    field in metered ? undefined : value,
  )
}

/** The meter fields of a device. */
function readingOf({ building }: HubState, device: HubDevice, Timestamp: number) {
  const { PeripheralUID } = device
  const metered = meterFields(device)
  const fields = Object.entries(building.report(PeripheralUID) ?? {})
  const counted = Object.fromEntries(fields.filter(([field]) => field in metered))
  return { PeripheralUID, Timestamp, ...counted }
}
