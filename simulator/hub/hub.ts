import type { MeterReading } from '../../contract/meters/channels.ts'
import type { LateStatus } from '../building/past-statuses.ts'
import { controlCommand, statusRequest } from '../../contract/devices/channels/control.ts'
import { otaCommand } from '../../contract/devices/channels/ota.ts'
import { settingsOf } from '../../contract/devices/channels/settings.ts'
import { shadowUpdateAccepted, shadowUpdateRejected } from '../../contract/devices/channels/shadow.ts'
import { parseJson } from '../../contract/kernel/parse-json.ts'
import { openHubSession, type HubSession } from '../../device-link/hub-session.ts'
import type { Message } from '../../device-link/outbox.ts'
import type { FleetHub } from '../building/building.ts'
import { commandRefusalOf } from '../../contract/devices/kinds/command-checks.ts'
import { parseCommandValues } from '../../contract/devices/kinds/status.ts'
import {
  reportAll,
  sendUntilAcknowledged,
  step,
  scheduleAnswer,
  configure,
  sendLate,
  advance,
  reportStatus,
} from './report.ts'
import {
  createBase,
  worldTime,
  type HubOptions,
  type HubState,
  moment,
  type HubBase,
  type Command,
} from './state.ts'
import { createUpdater, FACTORY_VERSION, type Updater } from './firmware.ts'

/** Current version of the hub (null) or of one of its devices. */
const firmwareOf = ({ hub, firmware }: HubOptions, uid: string | null): string =>
  firmware[uid ?? hub.ThingName] ?? FACTORY_VERSION

/** Announces the hub's devices; the gateway answers each message by its clientToken. */
function announce(state: HubState): void {
  const { hub } = state.options
  const announcements = state.messages.announce(
    hub.devices.map((device) => ({
      ...device,
      FirmwareVersion: firmwareOf(state.options, device.PeripheralUID),
    })),
  )
  state.unacceptedTokens = new Set(announcements.map((_, number) => `${hub.ThingName}-${number}`.slice(-64)))
  for (const message of announcements) state.session.send(message)
}

/**
 * Updates the firmware of a hub and its devices.
 *
 * state  called only in callbacks, so that the updater can be a part of it
 */
function createHubUpdater(options: HubOptions, state: () => HubState): Updater {
  return createUpdater({
    host: new URL(options.url).hostname,
    clock: options.clock,
    pace: options.firmwarePace,
    versionOf: (uid) => firmwareOf(options, uid),
    report: (report) => sendUntilAcknowledged(state(), state().messages.ota(report)),
    installed(uid, version) {
      options.firmware[uid ?? options.hub.ThingName] = version
      options.saveMemory()
      options.on.updated(uid, version)
      if (uid === null) state().session.die(options.firmwarePace.restart)
      else announce(state())
    },
  })
}

/** Maximum number of stored answers, for commands that arrive twice. */
const REMEMBERED = 500

function executeDelayed(state: HubState, command: Command): void {
  const [minMs, maxMs] = state.options.latency
  const latency = minMs + (maxMs - minMs) * state.random()
  if (latency <= 0) executeCommand(state, command)
  else state.options.clock.after(latency, () => executeCommand(state, command))
}

function executeCommand(state: HubState, command: Command): void {
  const { building, messages, session, options } = state
  const { RequestID, PeripheralUID, Values, Timestamp, ExpiresIn } = command
  const earlier = state.answersByRequest.get(RequestID)
  if (earlier) {
    session.send(earlier)
    return options.on.command(command, 'repeated')
  }
  if (moment(options) - Timestamp > ExpiresIn) return options.on.command(command, 'expired')
  const device = options.hub.devices.find((one) => one.PeripheralUID === PeripheralUID)
  const values = device && parseCommandValues(device.PeripheralType, Values)
  const able =
    device &&
    values?.success &&
    commandRefusalOf(device.PeripheralType, values.data, building.report(PeripheralUID)) === undefined
  if (!able) {
    const Reason = device ? 'the device cannot do that' : 'no such device on this hub'
    answer(state, RequestID, messages.ack({ RequestID, PeripheralUID, Result: 'failed', Reason }))
    return options.on.command(command, 'failed')
  }
  answer(state, RequestID, messages.ack({ RequestID, PeripheralUID, Result: 'ok' }))
  advance(state)
  building.command(PeripheralUID, values.data)
  reportStatus(state, [device])
  options.on.command(command, 'ok')
}

/** Sends the answer to a command and stores it. */
function answer({ answersByRequest, session }: HubState, requestId: string, message: Message): void {
  answersByRequest.set(requestId, message)
  if (answersByRequest.size > REMEMBERED)
    answersByRequest.delete(answersByRequest.keys().next().value as string)
  session.send(message)
}

/** Maximum time in ms for which a stopping hub waits for acknowledgements. */
const FLUSH_TIMEOUT_MS = 2_000

const subscriptionsOf = ({ rootId, HomeID: homeId, ThingName: thingName }: FleetHub): string[] => [
  controlCommand.topic({ rootId, homeId, thingName }),
  statusRequest.topic({ rootId, homeId }),
  settingsOf.topic({ rootId, homeId, thingName }),
  otaCommand.topic({ rootId, homeId, thingName }),
  shadowUpdateAccepted.topic({ thingName, shadowName: 'registration' }),
  shadowUpdateRejected.topic({ thingName, shadowName: 'registration' }),
  shadowUpdateRejected.topic({ thingName, shadowName: 'info' }),
]

/**
 * Connects a hub to its gateway.
 *
 * state  called only in callbacks, so that the session can be a part of it
 */
function connect({ options, messages, random }: HubBase, state: () => HubState): HubSession {
  const { url, hub, clock, on } = options
  return openHubSession({
    url,
    ThingName: hub.ThingName,
    Secret: hub.Secret,
    ca: options.ca,
    clock,
    random,
    will: messages.info(false),
    subscriptions: subscriptionsOf(hub),
    onOnline: () => introduce(state()),
    onOffline: on.offline,
    onMessage: (topic, text) => receive(state(), topic, text),
    onAcknowledged: (message) => acknowledged(state(), message),
  })
}

/** Sends info, device list and statuses after a connection, and requests settings that changed while the hub was offline. */
function introduce(state: HubState): void {
  const { options, session, messages } = state
  options.on.online()
  session.send(messages.info(true, moment(options), firmwareOf(options, null)))
  announce(state)
  session.send(messages.askSettings())
  reportAll(state)
}

function acknowledged({ acknowledgementCallbacks, options }: HubState, message: Message): void {
  acknowledgementCallbacks.get(message)?.()
  acknowledgementCallbacks.delete(message)
  options.on.acknowledged(message)
}

function receive(state: HubState, topic: string, text: string): void {
  const { options, unacceptedTokens } = state
  const body = parseJson(text)
  if (controlCommand.match(topic)) {
    const command = controlCommand.payload.safeParse(body)
    if (command.success) executeDelayed(state, command.data)
  } else if (otaCommand.match(topic)) {
    const command = otaCommand.payload.safeParse(body)
    if (command.success) state.updater.receive(command.data)
  } else if (settingsOf.match(topic)) {
    const told = settingsOf.payload.safeParse(body)
    for (const settings of told.data?.Settings ?? []) configure(state, settings)
  } else if (statusRequest.match(topic)) {
    scheduleAnswer(state)
  } else if (shadowUpdateRejected.match(topic)) {
    const rejected = shadowUpdateRejected.payload.safeParse(body)
    options.on.rejected(rejected.success ? rejected.data.message : text)
  } else if (shadowUpdateAccepted.match(topic)) {
    const accepted = shadowUpdateAccepted.payload.safeParse(body)
    if (
      accepted.success &&
      unacceptedTokens.delete(accepted.data.clientToken ?? '') &&
      unacceptedTokens.size === 0
    )
      options.on.announced()
  }
}

/** Sends delayed messages, reports that the hub goes offline, and disconnects. */
async function disconnect(state: HubState): Promise<void> {
  const { session, messages, options } = state
  state.cancelAnswer?.()
  state.updater.abort()
  sendLate(state)
  if (session.online) session.send(messages.info(false, moment(options)))
  await session.stop(FLUSH_TIMEOUT_MS)
}

/** Longest delay that a timer accepts, in ms; a hub whose power was cut stays offline for it. */
const MAX_TIMER_MS = 2 ** 31 - 1

export type Hub = ReturnType<typeof createHub>

/** Creates a simulated hub with its building and session. It connects immediately. */
export function createHub(options: HubOptions) {
  const base = createBase(options)
  // The devices sample their surroundings before the first report.
  base.building.step(0, worldTime(base))
  const state: HubState = Object.assign(base, {
    updater: createHubUpdater(options, () => state),
    session: connect(base, () => state),
  })
  return {
    ThingName: options.hub.ThingName,
    get session() {
      return state.session
    },
    /** Cuts the power; the hub sends nothing more. */
    lose: () => state.session.die(MAX_TIMER_MS),
    async powerOn(): Promise<void> {
      await state.session.stop(0)
      state.session = connect(base, () => state)
    },
    repair: (uid: string) => state.building.repair(uid),
    tick: () => step(state),
    reportAll: () => reportAll(state),
    /** Sends past readings; resolves when the gateway has acknowledged them. */
    deliverLate: (readings: MeterReading[]) =>
      sendUntilAcknowledged(state, state.messages.readings(readings)),
    /** Sends past statuses, each with its timestamp, like `deliverLate`. */
    deliverLateStatuses: (statuses: LateStatus[]) =>
      sendUntilAcknowledged(state, state.messages.status(statuses.at(-1)?.Timestamp ?? 0, statuses)),
    states: () => state.building.states(),
    stop: () => disconnect(state),
  }
}
