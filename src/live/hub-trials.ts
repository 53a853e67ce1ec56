import { useEffect } from 'react'
import { topics } from '../../contract/channels/table.ts'
import type { hubTrial } from '../../contract/devices/channels/hub-setup.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { mayNow } from '../data/session.ts'
import { createStore, useStore } from '../lib/store.ts'
import { addTopics } from './subscriptions.ts'

export type HubTrialMessage = PayloadOf<typeof hubTrial>

/** The last message about a hub, and the time of the first message of each stage, epoch ms. */
export interface HubTrialState {
  message: HubTrialMessage
  since: Partial<Record<HubTrialMessage['Stage'], number>>
}

const trials = createStore<ReadonlyMap<string, HubTrialState>>(new Map())

/** Handles a message about a new hub. */
export function handleHubTrial(message: HubTrialMessage): void {
  const { ThingName, Stage, Timestamp } = message
  const since = { [Stage]: Timestamp, ...trials.get().get(ThingName)?.since }
  trials.set(new Map(trials.get()).set(ThingName, { message, since }))
}

/** Removes the state of all hubs, at sign-out. */
export const resetHubTrials = (): void => trials.set(new Map())

/** Follows the first connection of a hub while the component is mounted; undefined before the first message about it. */
export function useHubTrial(homeId: string, thingName: string): HubTrialState | undefined {
  useEffect(
    () =>
      addTopics(({ RootCognitoId: rootId }) =>
        mayNow('device', 'Create') ? [topics.hubTrial.topic({ rootId, homeId })] : [],
      ),
    [homeId],
  )
  return useStore(trials).get(thingName)
}
