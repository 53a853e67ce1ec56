import { createStore, type Store } from '../lib/store.ts'
import type { ConnectionState } from './connection-machine.ts'

/** Duration of a connection loss below which it is not shown, ms. */
export const SHORT_BREAK_MS = 2000

export const isDown = (state: ConnectionState): state is 'reconnecting' | 'offline' | 'error' =>
  state === 'reconnecting' || state === 'offline' || state === 'error'

/** Whether the channel has been down for longer than `SHORT_BREAK_MS`: commands would fail. */
export function followReach(state: Store<ConnectionState>): Store<boolean> {
  const isCutOff = createStore(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = () => {
    if (!isDown(state.get())) {
      clearTimeout(timer)
      timer = undefined
      isCutOff.set(false)
    } else timer ??= setTimeout(() => isCutOff.set(true), SHORT_BREAK_MS)
  }
  state.subscribe(update)
  update()
  return isCutOff
}

/** Maximum time that a command waits for the first connection of a page, ms. */
export const FIRST_CONNECT_TIMEOUT_MS = 5_000

/**
 * Resolves once the first attempt of a page has ended, successfully or not, and at once after that. The page connects after its first
 * paint: a command given before that need not fail.
 */
export function firstAttemptEnded(state: Store<ConnectionState>): Promise<void> {
  const isFirstAttempt = () => state.get() === 'idle' || state.get() === 'connecting'
  if (!isFirstAttempt()) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
    const unsubscribe = state.subscribe(() => isFirstAttempt() || end())
    const timer = setTimeout(end, FIRST_CONNECT_TIMEOUT_MS)
  })
}
