import { useEffect } from 'react'
import { hubTrial } from '../../contract/devices/channels/hub-trial.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { createStore, useStore } from '../lib/store.ts'

export type HubTrialMessage = PayloadOf<typeof hubTrial>

/** The last that was heard of a hub, and when each stage was first heard of, epoch ms. */
export interface HubTrialState {
  news: HubTrialMessage
  since: Partial<Record<HubTrialMessage['Stage'], number>>
}

const heard = createStore<ReadonlyMap<string, HubTrialState>>(new Map())
/** Homes in which somebody waits for a hub, with how many do. */
const homes = new Map<string, number>()

/** The topics of the homes in which somebody at this screen waits for a hub. */
export const trialTopics = (rootId: string): string[] =>
  [...homes.keys()].map((homeId) => hubTrial.topic({ rootId, homeId }))

/** Takes a message about a new hub; what is none of the contract's is passed over. */
export function handleHubTrial(payload: unknown): void {
  const news = hubTrial.payload.safeParse(payload)
  if (!news.success) return
  const { ThingName, Stage, Timestamp } = news.data
  const since = { [Stage]: Timestamp, ...heard.get().get(ThingName)?.since }
  heard.set(new Map(heard.get()).set(ThingName, { news: news.data, since }))
}

/** Forgets every hub: somebody else may sign in. */
export function resetHubTrials(): void {
  heard.set(new Map())
  homes.clear()
}

/**
 * Follows the first connection of a hub while the component is there.
 *
 * refresh  subscribes to what is wanted now
 * returns  the last that was heard of it; undefined before
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
