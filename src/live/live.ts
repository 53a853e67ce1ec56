import { useEffect } from 'react'
import { controlResponse } from '../../contract/devices/channels/control.ts'
import { hubTrial } from '../../contract/devices/channels/hub-trial.ts'
import {
  SHADOW_NAMES,
  shadowGet,
  shadowGetAccepted,
  shadowUpdateAccepted,
} from '../../contract/devices/channels/shadow.ts'
import { status, statusChange, statusRequest } from '../../contract/devices/channels/status.ts'
import type { DeviceStatus } from '../../contract/devices/kinds/status.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { Entity } from '../../contract/kernel/entities.ts'
import { session } from '../../contract/people/session-calls.ts'
import { peripheral, type DeviceSnapshot } from '../../contract/devices/peripheral.ts'
import { gatewayNow, syncGatewayClock } from '../lib/gateway-clock.ts'
import { logFault } from '../lib/log-fault.ts'
import { randomId } from '../lib/random-id.ts'
import { nextTask } from '../lib/next-task.ts'
import { createStore, useStore } from '../lib/store.ts'
import { pathOf, pathTo } from '../navigation/paths.ts'
import { call, callKey, cacheInvalidation, queryClient } from '../data/api.ts'
import { setCurrentHome, currentHomeId } from '../data/current-home.ts'
import { cachedDevices } from '../data/homes.ts'
import { goTo } from '../data/navigator.ts'
import { notices } from '../data/notices.ts'
import { putPersonalConfig } from '../data/personal.ts'
import type { EntityChange } from '../data/cache-invalidation.ts'
import { mayNow, me } from '../data/session.ts'
import {
  createCommands,
  isSettled,
  useAskedValues,
  useFailedCommand,
  type CommandHandle,
  type CommandView,
} from './commands.ts'
import { createConnection, type ConnectionState } from './connection.ts'
import { resetHubTrials, handleHubTrial, trialTopics, useTrial, type HubTrialState } from './hub-trials.ts'
import { sideEffectsOf } from './side-effects.ts'
import { emitAlarm } from './alarm-events.ts'
import { emitDataChange } from './data-change-events.ts'
import { createGapRecovery } from './gap-recovery.ts'
import { handleNotification } from './notification-events.ts'
import { followReach } from './reach.ts'
import { createRuns, useRunProgress, type RunProgress, type RunTarget } from './runs.ts'
import { statuses } from '../data/status-store.ts'
import { lastNotification, unread } from '../data/unread.ts'
import type * as Changes from './changes.ts'

/** Reason for a forced sign-out (§4); undefined while there is none. */
export const forcedSignOut = createStore<Changes.ForcedSignOut | undefined>(undefined)

/** Homes shown live, with the number of components that show them. */
const watched = new Map<string, number>()

export const connection = createConnection({
  connect: async () => {
    const [{ default: mqtt }] = await Promise.all([import('mqtt'), loadChanges()])
    // Run the library's code and connect in separate tasks, so that the page stays responsive.
    await nextTask()
    return (url, options) => mqtt.connect(url, options)
  },
  credentials: async () => {
    const askedAt = Date.now()
    const credentials = await call(session.connectRealtime, {})
    syncGatewayClock(credentials.Now, askedAt)
    // The gateway may return a path, which means the same host as the page.
    const url = new URL(credentials.Url, location.href)
    if (url.protocol.startsWith('http')) url.protocol = url.protocol.replace('http', 'ws')
    return { ...credentials, Url: url.href }
  },
  receive,
  ready: (afterGap) => {
    gap.stop()
    // No events arrived during the gap.
    if (afterGap) void cacheInvalidation.invalidateAll()
    else void cacheInvalidation.invalidate(REFETCH_ON_CONNECT)
    requestHubStates([...watched.keys()])
  },
  failed: reportFault,
})

/** Whether commands would fail because the channel is down. */
export const isCutOff = followReach(connection.state)

const gap = createGapRecovery({
  requestStatuses: () => [...watched.keys()].forEach(requestStatus),
  refetchAll: () => {
    void cacheInvalidation.invalidateAll()
    requestHubStates([...watched.keys()])
  },
})

/** Logs errors of the realtime channel; they are not shown (§8). */
function reportFault(error: unknown): void {
  logFault('The realtime channel', error)
}

/** Entities whose stale answers would mislead the user: refetched when the channel connects. */
const REFETCH_ON_CONNECT: readonly EntityChange[] = [
  { entity: 'conferenceRoom' },
  { entity: 'quarantinedReading' },
  { entity: 'firmwareUpdate' },
  { entity: 'alarm' },
]

/** Topics and parsers of messages, with the schema of every record: loaded together with mqtt.js, not before. */
let changes: typeof Changes | undefined
const loadChanges = async (): Promise<typeof Changes> => (changes ??= await import('./changes.ts'))

/** Publishes a command with the time at which it was given, by the gateway's clock. */
async function publishNow(topic: string, payload: object): Promise<void> {
  const askedAt = Date.now()
  await connection.begun()
  // The gateway's clock is known after connecting.
  const At = gatewayNow() - (Date.now() - askedAt)
  await connection.publish(topic, { ...payload, At })
}
const rootId = () => me.get()?.RootCognitoId
const commands = createCommands({ publish: publishNow, rootId, randomId })
/** Runs of scenes, groups, rooms and automations. */
export const runs = createRuns({ publish: publishNow, rootId, randomId })

function receive(topic: string, payload: unknown): void {
  const message = payload as never
  if (statusChange.match(topic) || status.match(topic)) {
    for (const device of (message as { Peripherals?: DeviceStatus[] }).Peripherals ?? [])
      statuses.report(device)
    return
  }
  if (controlResponse.match(topic)) {
    const response = message as PayloadOf<typeof controlResponse>
    commands.handleResponse(response)
    runs.handleResponse(response)
    if (isSettled(response)) void cacheInvalidation.invalidate([{ entity: 'command', record: response }])
    return
  }
  const run = changes?.readRun(topic, payload)
  if (run) {
    runs.handleRun(run.news)
    void cacheInvalidation.invalidate([{ entity: 'run', record: { HomeID: run.HomeID } }])
    return
  }
  const alarm = changes?.readAlarm(topic, payload)
  if (alarm) {
    // The data-change event that accompanies it invalidates cached answers.
    emitAlarm(alarm)
    return
  }
  const updating = changes?.readOta(topic, payload)
  if (updating) {
    changes?.receiveOta(queryClient, updating.HomeID, updating.response)
    return
  }
  if (hubTrial.match(topic)) {
    handleHubTrial(payload)
    return
  }
  const told = changes?.readChange(topic, payload)
  if (told) {
    if (told === 'unknown') logFault(`Ignored change ${++ignored}`, topic)
    else applyChange(told)
    return
  }
  const shadow = shadowUpdateAccepted.match(topic) ?? shadowGetAccepted.match(topic)
  if (shadow) {
    const online = (message as PayloadOf<typeof shadowGetAccepted>).state?.reported?.['online']
    if (typeof online === 'boolean') setHubOnline(shadow.thingName, online)
    return
  }
  const notified = changes?.readNotification(topic, payload)
  if (notified) {
    void handleNotification(notified)
    return
  }
  const heardGap = changes?.readGap(topic, payload)
  if (heardGap) {
    gap.handleGap(heardGap)
    return
  }
  const own = changes?.readOwn(topic, payload)
  if (own === 'permissionsChanged' || own === 'userDeleted') forcedSignOut.set(own)
  else if (own) putPersonalConfig(own)
}

/** Number of data-change events whose entity or record did not match the contract. */
let ignored = 0

function applyChange({ change, requestId }: Changes.ReceivedChange): void {
  const here = pathOf(location.pathname)
  const roomId = here?.name === 'RoomDevice' ? Number(here.params['RoomID']) : undefined
  const { goTo: next, forget } = sideEffectsOf(change, { homeId: currentHomeId(), roomId }, cachedDevices)
  const [entity, event] = change.name.split('.') as [Entity, string]
  void cacheInvalidation.invalidate([{ entity, event, record: change.record, requestId }])
  for (const uid of forget) statuses.remove(uid)
  if (entity === 'thing' || entity === 'home') void refreshTopics()
  emitDataChange(change)
  if (next?.page === 'HomeList') {
    setCurrentHome(undefined)
    goTo(pathTo('HomeList'), { replace: true })
  } else if (next) goTo(pathTo('DeviceList', { HomeID: next.homeId }), { replace: true })
}

/** Stores whether a hub is connected. After it reconnects, the statuses of its home's devices are requested again (§4). */
function setHubOnline(thingName: string, online: boolean): void {
  changes?.receiveHub(queryClient, thingName, online)
  for (const [key, devices] of queryClient.getQueriesData<DeviceSnapshot>({
    queryKey: callKey(peripheral.operations.list),
  })) {
    const thing = devices?.Things.find((entry) => entry.ThingName === thingName)
    if (!devices || !thing || thing.Online === online) continue
    const updatedAt = queryClient.getQueryState(key)?.dataUpdatedAt
    const Things = devices.Things.map((entry) =>
      entry === thing ? { ...entry, Online: online, SeenAt: gatewayNow() } : entry,
    )
    queryClient.setQueryData(key, { ...devices, Things }, updatedAt ? { updatedAt } : {})
    if (online) requestStatus(thing.HomeID)
  }
}

function requestStatus(homeId: string): void {
  const rootId = me.get()?.RootCognitoId
  if (!rootId || !mayNow('device', 'Read')) return
  // If not connected, the next connect requests everything anyway.
  connection.publish(statusRequest.topic({ rootId, homeId }), { Timestamp: gatewayNow() }).catch(() => {})
}

/** Requests what may have been missed: entities that only events keep current, statuses, and the connection state of hubs. */
export function resynchronize(homes: readonly string[]): void {
  void cacheInvalidation.invalidate(REFETCH_ON_CONNECT)
  requestHubStates(homes)
}

function requestHubStates(homes: readonly string[]): void {
  for (const homeId of homes) {
    requestStatus(homeId)
    for (const { ThingName: thingName } of cachedDevices(homeId)?.Things ?? [])
      for (const shadowName of SHADOW_NAMES)
        connection
          .publish(shadowGet.topic({ thingName, shadowName }), { Timestamp: gatewayNow() })
          .catch(() => {})
  }
}

/** Subscribes to the topics that the user may see of the homes being shown; does nothing before the channel starts. */
export async function refreshTopics(): Promise<boolean> {
  if (connection.state.get() === 'idle') return false
  const known = await loadChanges().catch(reportFault)
  const person = me.get()
  if (!known || !person) return false
  const homes = [...watched.keys()]
  const things = homes.flatMap(
    (homeId) => cachedDevices(homeId)?.Things.map((thing) => thing.ThingName) ?? [],
  )
  const trials = mayNow('device', 'Create') ? trialTopics(person.RootCognitoId) : []
  return connection.want([...known.topicsFor(person, homes, things), ...trials])
}

/** Keeps homes live until the returned function is called. */
function watchHomes(homeIds: readonly string[]): () => void {
  const fresh = homeIds.filter((homeId) => !watched.has(homeId))
  for (const homeId of homeIds) watched.set(homeId, (watched.get(homeId) ?? 0) + 1)
  if (fresh.length > 0) void refreshTopics().then((done) => done && resynchronize(fresh))
  return () => {
    for (const homeId of homeIds) {
      const left = (watched.get(homeId) ?? 1) - 1
      if (left > 0) watched.set(homeId, left)
      else watched.delete(homeId)
    }
    void refreshTopics()
  }
}

/** Keeps homes live while the component is mounted, e.g. all of them on an overview. */
export function useLiveHomes(homeIds: readonly string[]): void {
  const key = homeIds.join(' ')
  useEffect(() => (key ? watchHomes(key.split(' ')) : undefined), [key])
}

/** Progress of a hub that connects for the first time; undefined before the first message about it. */
export const useHubTrial = (homeId: string, thingName: string): HubTrialState | undefined =>
  useTrial(homeId, thingName, refreshTopics)

/** Starts the channel; its credentials and subscriptions follow the signed-in user. */
export function startLive(): void {
  connection.start()
  void refreshTopics()
  addEventListener('online', connection.retryNow)
  addEventListener('offline', connection.networkLost)
  document.addEventListener('visibilitychange', retryWhenSeen)
}

export function stopLive(): void {
  removeEventListener('online', connection.retryNow)
  removeEventListener('offline', connection.networkLost)
  document.removeEventListener('visibilitychange', retryWhenSeen)
  connection.stop()
  gap.stop()
  commands.clear()
  runs.clear()
  resetHubTrials()
  statuses.clear()
  watched.clear()
  forcedSignOut.set(undefined)
  unread.set(0)
  lastNotification.set(undefined)
}

const retryWhenSeen = () => {
  if (!document.hidden) connection.retryNow()
}

export const useConnection = (): ConnectionState => useStore(connection.state)

/**
 * Sends a command to a device. Fails with Reason notConnected while the channel is down; without the right to control it is not sent,
 * and a notice says so.
 */
export function sendCommand(
  homeId: string,
  uid: string,
  values: Readonly<Record<string, unknown>>,
): CommandHandle | undefined {
  if (!mayNow('device_control', 'Control')) {
    notices.refused({ feature: 'device_control', operation: 'Control' })
    return undefined
  }
  return commands.send(homeId, uid, values)
}

/**
 * Sets the devices of a group or a room as one.
 *
 * returns  the RunID; undefined without the right to control, which a notice reports
 */
export function sendToAll(
  homeId: string,
  target: RunTarget,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  if (mayNow('device_control', 'Control')) return runs.send(homeId, target, values)
  notices.refused({ feature: 'device_control', operation: 'Control' })
  return undefined
}

/** Progress of a run, as far as this screen has received it. */
export const useRunProgressOf = (runId: string | undefined): RunProgress | undefined =>
  useRunProgress(runs, runId)

/** The last command of this screen to a device, if it failed. */
export const useCommandFailure = (uid: string): CommandView | undefined => useFailedCommand(commands, uid)
/** Values that this screen requested from a device and that it has not confirmed yet. */
export const usePendingValues = (uid: string): Readonly<Record<string, unknown>> | undefined =>
  useAskedValues(commands, uid)
export const dismissCommand = commands.dismiss
