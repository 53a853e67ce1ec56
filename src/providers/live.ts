import type { LiveEvent, LiveProvider } from '@refinedev/core'
import { onDataChange } from '../live/data-change-events.ts'

const types: Record<string, LiveEvent['type']> = { add: 'created', update: 'updated', remove: 'deleted' }

/**
 * Bridges data-change events of the realtime channel to Refine, for forms that ask what happened to their record. Lists do
 * not follow by it: what they show is asked for again with every other answer that a change makes old.
 */
export const liveProvider: LiveProvider = {
  subscribe: ({ channel, types: wanted, callback }) =>
    onDataChange((change) => {
      const [entity, event] = change.name.split('.') as [string, string]
      const type = types[event]
      if (!type || channel !== `resources/${entity}`) return
      if (wanted.includes('*') || wanted.includes(type))
        callback({ channel, type, payload: { record: change.record }, date: new Date() })
    }),
  unsubscribe: (stop: () => void) => stop(),
}
