import { topics } from '../../contract/channels/table.ts'
import { cacheInvalidation, queryClient } from '../data/api.ts'
import { putPersonalConfig } from '../data/personal.ts'
import { statuses } from '../data/status-store.ts'
import { logFault } from '../lib/log-fault.ts'
import { createStore } from '../lib/store.ts'
import { connection, startChannel, type ChannelListener } from './channel.ts'
import { commands, isSettled } from './commands.ts'
import { handleDataChange } from './data-changes.ts'
import { handleOtaResponse } from './firmware.ts'
import { createGapRecovery } from './gap-recovery.ts'
import { requestStatus, resynchronize, resynchronizeAll, setHubOnline } from './hub-states.ts'
import { handleHubTrial, resetHubTrials } from './hub-trials.ts'
import { alarmEvents, handleNotification, resetNotifications } from './notifications.ts'
import type { ChannelEvent, ChannelName, ChannelParams, ChannelPayloads } from './route.ts'
import { runs } from './runs.ts'
import { liveHomes, refreshTopics, resetSubscriptions } from './subscriptions.ts'

/** Reasons for a forced sign-out (§4): both show a dialog, then sign out. */
export type ForcedSignOut = 'permissionsChanged' | 'userDeleted'

/** Reason for a forced sign-out; undefined while there is none. */
export const forcedSignOut = createStore<ForcedSignOut | undefined>(undefined)

const gap = createGapRecovery({
  requestStatuses: () => liveHomes().forEach(requestStatus),
  refetchAll: () => resynchronizeAll(liveHomes()),
})

/** Number of data-change events whose entity or record did not match the contract. */
let ignored = 0

interface Handler<N extends ChannelName> {
  channel: N
  handle(payload: ChannelPayloads[N], params: ChannelParams<N>): void
}
type AnyHandler = { [N in ChannelName]: Handler<N> }[ChannelName]

/** Handler of each channel that screens subscribe to. */
const HANDLERS: readonly AnyHandler[] = [
  { channel: 'statusChange', handle: ({ Peripherals }) => Peripherals?.forEach(statuses.report) },
  { channel: 'status', handle: ({ Peripherals }) => Peripherals?.forEach(statuses.report) },
  {
    channel: 'controlResponse',
    handle(response) {
      commands.handleResponse(response)
      runs.handleResponse(response)
      if (isSettled(response)) void cacheInvalidation.invalidate([{ entity: 'command', record: response }])
    },
  },
  {
    channel: 'automationRun',
    handle(run, { homeId }) {
      runs.handleRun(run)
      void cacheInvalidation.invalidate([{ entity: 'run', record: { HomeID: homeId } }])
    },
  },
  // The data-change event that accompanies an alarm invalidates cached answers.
  { channel: 'alarmOfDevice', handle: (alarm, { homeId }) => alarmEvents.emit({ ...alarm, HomeID: homeId }) },
  { channel: 'alarmOfRule', handle: (alarm, { homeId }) => alarmEvents.emit({ ...alarm, HomeID: homeId }) },
  {
    channel: 'otaResponse',
    handle: (response, { homeId }) => handleOtaResponse(queryClient, homeId, response),
  },
  { channel: 'hubTrial', handle: handleHubTrial },
  {
    channel: 'dataChange',
    handle(change, params) {
      if (change === 'unknown') logFault(`Ignored change ${++ignored}`, topics.dataChange.topic(params))
      else handleDataChange(change)
    },
  },
  { channel: 'shadowUpdateAccepted', handle: handleShadow },
  { channel: 'shadowGetAccepted', handle: handleShadow },
  { channel: 'userNotification', handle: (message) => void handleNotification(message) },
  { channel: 'messageGap', handle: gap.handleGap },
  {
    channel: 'userPermission',
    handle: (message) => forcedSignOut.set('Deleted' in message ? 'userDeleted' : 'permissionsChanged'),
  },
  { channel: 'userResponse', handle: ({ PersonalConfig }) => putPersonalConfig(PersonalConfig) },
]

function handleShadow(
  { state }: ChannelPayloads['shadowGetAccepted'],
  { thingName }: ChannelParams<'shadowGetAccepted'>,
): void {
  const online = state?.reported?.['online']
  if (typeof online === 'boolean') setHubOnline(thingName, online)
}

const listener: ChannelListener = {
  receive({ channel, payload, params }: ChannelEvent) {
    HANDLERS.find((handler) => handler.channel === channel)?.handle(payload as never, params as never)
  },
  ready(afterGap) {
    gap.stop()
    // No events arrived during the gap.
    if (afterGap) resynchronizeAll(liveHomes())
    else resynchronize(liveHomes())
  },
}

const retryIfVisible = () => {
  if (!document.hidden) connection.retryNow()
}

/** Starts the channel; its credentials and subscriptions follow the signed-in user. */
export function startLive(): void {
  startChannel(listener)
  void refreshTopics()
  addEventListener('online', connection.retryNow)
  addEventListener('offline', connection.networkLost)
  document.addEventListener('visibilitychange', retryIfVisible)
}

/** Ends the channel and removes everything that was received, at sign-out. */
export function stopLive(): void {
  removeEventListener('online', connection.retryNow)
  removeEventListener('offline', connection.networkLost)
  document.removeEventListener('visibilitychange', retryIfVisible)
  connection.stop()
  gap.stop()
  commands.clear()
  runs.clear()
  resetHubTrials()
  statuses.clear()
  resetSubscriptions()
  resetNotifications()
  forcedSignOut.set(undefined)
}
