import type { BusMessageType, BusNotice } from './port.ts'
import { root, sendToPeer, type State } from './state.ts'
import { interestKey } from './interests.ts'

/** Wants in one message. */
const WANTS_PART = 5_000
/** How long what nobody wants any more is still heard, in ms: whoever leaves a page often comes back. */
const INTEREST_LINGER_MS = 30_000
/** The longest that a screen waits for the others to know what it wants, in ms. */
const ANNOUNCE_TIMEOUT_MS = 50

/** Tells one gateway, or all, everything that is wanted here. */
export function announceInterests(state: State, gateway?: string): void {
  if (gateway === undefined) state.wantsToldAt = state.clock.now()
  const subject = gateway === undefined ? `${root(state)}.all` : `${root(state)}.gw.${gateway}`
  const names = state.wants.here()
  for (let from = 0; from === 0 || from < names.length; from += WANTS_PART) {
    const Add = names.slice(from, from + WANTS_PART)
    sendToPeer(state, subject, {
      wants: { Add, Remove: [], ...(from === 0 && { All: true }) },
    } satisfies BusNotice)
  }
}

/** Counts who wants news here, or does no more; the first and the last are told to the others. */
export async function addInterest(state: State, key: BusMessageType, on: boolean): Promise<void> {
  const name = interestKey(key)
  const leaving = state.leaving.get(name)
  const changed = state.wants.count(name, on, leaving ? -Infinity : state.clock.now())
  if (!changed) return
  const subject = `${root(state)}.news.${name}`
  if (!on) {
    const cancel = state.clock.after(INTEREST_LINGER_MS, () => {
      state.leaving.delete(name)
      state.transport.unsubscribe(subject)
      sendToPeer(state, `${root(state)}.all`, { wants: { Add: [], Remove: [name] } } satisfies BusNotice)
    })
    state.leaving.set(name, cancel)
    return
  }
  leaving?.()
  state.leaving.delete(name)
  state.transport.subscribe(subject)
  sendToPeer(state, `${root(state)}.all`, { wants: { Add: [name], Remove: [] } } satisfies BusNotice)
  await state.transport.flush(ANNOUNCE_TIMEOUT_MS)
}
