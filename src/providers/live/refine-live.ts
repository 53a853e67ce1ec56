import type { LiveEvent, LiveProvider } from '@refinedev/core'
import type { AnyChange } from './apply-change.ts'

type Listener = (change: AnyChange) => void
const listeners = new Set<Listener>()

/** Hears every change of records after the cache has taken it. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function tellChange(change: AnyChange): void {
  for (const listener of [...listeners]) listener(change)
}

const types: Record<string, LiveEvent['type']> = { add: 'created', update: 'updated', remove: 'deleted' }

/**
 * Bridges data-change events of the realtime channel to Refine's `useSubscription`. Its automatic mode stays off: it would
 * fetch a whole list again for each event, where the cache is patched instead.
 */
export const liveProvider: LiveProvider = {
  subscribe: ({ channel, types: wanted, callback }) =>
    onChange((change) => {
      const [entity, event] = change.name.split('.') as [string, string]
      const type = types[event]
      if (!type || channel !== `resources/${entity}`) return
      if (!wanted.includes('*') && !wanted.includes(type)) return
      callback({ channel, type, payload: { record: change.record }, date: new Date() })
    }),
  unsubscribe: (stop: () => void) => stop(),
}
