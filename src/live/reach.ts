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
  const look = () => {
    if (!isDown(state.get())) {
      clearTimeout(timer)
      timer = undefined
      isCutOff.set(false)
    } else timer ??= setTimeout(() => isCutOff.set(true), SHORT_BREAK_MS)
  }
  state.subscribe(look)
  look()
  return isCutOff
}
