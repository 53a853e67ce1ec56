import { useEffect } from 'react'
import { hubTrial } from '../../contract/devices/channels/hub-trial.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { createStore, useStore } from '../lib/store.ts'

export type HubTrialMessage = PayloadOf<typeof hubTrial>

/** The last message about a hub, and the time of the first message of each stage, epoch ms. */
export interface HubTrialState {
  news: HubTrialMessage
  since: Partial<Record<HubTrialMessage['Stage'], number>>
}

const heard = createStore<ReadonlyMap<string, HubTrialState>>(new Map())
/** Homes in which components of this screen wait for a hub, with their number. */
const homes = new Map<string, number>()

/** Topics of the homes in which this screen waits for a hub. */
export const trialTopics = (rootId: string): string[] =>
  [...homes.keys()].map((homeId) => hubTrial.topic({ rootId, homeId }))

/** Handles a message about a new hub; ignores invalid messages. */
export function handleHubTrial(payload: unknown): void {
  const news = hubTrial.payload.safeParse(payload)
  if (!news.success) return
  const { ThingName, Stage, Timestamp } = news.data
  const since = { [Stage]: Timestamp, ...heard.get().get(ThingName)?.since }
  heard.set(new Map(heard.get()).set(ThingName, { news: news.data, since }))
}

/** Removes the state of all hubs, at sign-out. */
export function resetHubTrials(): void {
  heard.set(new Map())
  homes.clear()
}

/**
 * Follows the first connection of a hub while the component is mounted.
 *
 * refresh  updates the subscriptions
 * returns  the last message about the hub; undefined before the first
 */
export function useTrial(
  homeId: string,
  thingName: string,
  refresh: () => Promise<unknown>,
): HubTrialState | undefined {
  useEffect(() => {
    homes.set(homeId, (homes.get(homeId) ?? 0) + 1)
    void refresh()
    return () => {
      const left = (homes.get(homeId) ?? 1) - 1
      if (left > 0) homes.set(homeId, left)
      else homes.delete(homeId)
      void refresh()
    }
  }, [homeId, refresh])
  return useStore(heard).get(thingName)
}
