import type { BusMessageType, BusNotice } from '../kernel/bus.ts'
import { subjectRoot, sendToPeer, type State } from './state.ts'
import { interestKey } from './interests.ts'

/** Maximum number of interests in one message. */
const MAX_INTERESTS_PER_NOTICE = 5_000
/** Time for which a dropped interest stays subscribed, in ms: users who leave a page often come back. */
const INTEREST_LINGER_MS = 30_000
/** Maximum time that a screen waits until other gateways know its interest, in ms. */
const ANNOUNCE_TIMEOUT_MS = 50

export function announceInterests(state: State, gateway?: string): void {
  if (gateway === undefined) state.interestsAnnouncedAt = state.clock.now()
  const subject = gateway === undefined ? `${subjectRoot(state)}.all` : `${subjectRoot(state)}.gw.${gateway}`
  const names = state.interests.localNames()
  for (let from = 0; from === 0 || from < names.length; from += MAX_INTERESTS_PER_NOTICE) {
    const Add = names.slice(from, from + MAX_INTERESTS_PER_NOTICE)
    sendToPeer(state, subject, {
      wants: { Add, Remove: [], ...(from === 0 && { All: true }) },
    } satisfies BusNotice)
  }
}

/** Counts a local interest up or down; the first and the last are published to the other gateways. */
export async function addInterest(state: State, key: BusMessageType, isInterested: boolean): Promise<void> {
  const name = interestKey(key)
  const cancelLeaving = state.pendingRemovals.get(name)
  const hasChanged = state.interests.count(name, isInterested, cancelLeaving ? -Infinity : state.clock.now())
  if (!hasChanged) return
  const subject = `${subjectRoot(state)}.news.${name}`
  if (!isInterested) {
    const cancel = state.clock.after(INTEREST_LINGER_MS, () => {
      state.pendingRemovals.delete(name)
      state.transport.unsubscribe(subject)
      sendToPeer(state, `${subjectRoot(state)}.all`, {
        wants: { Add: [], Remove: [name] },
      } satisfies BusNotice)
    })
    state.pendingRemovals.set(name, cancel)
    return
  }
  cancelLeaving?.()
  state.pendingRemovals.delete(name)
  state.transport.subscribe(subject)
  sendToPeer(state, `${subjectRoot(state)}.all`, { wants: { Add: [name], Remove: [] } } satisfies BusNotice)
  await state.transport.flush(ANNOUNCE_TIMEOUT_MS)
}
