import type { LiveEvent, LiveProvider } from '@refinedev/core'
import { listsShowing } from '../data/refine-lists.ts'
import { onChange } from '../live/refine-live.ts'

const types: Record<string, LiveEvent['type']> = { add: 'created', update: 'updated', remove: 'deleted' }

/**
 * Bridges data-change events of the realtime channel to Refine: the short lists of records follow by its automatic mode,
 * which fetches a list again. A list hears of other records that its rows count as an update of its own. The long and
 * busy ones, devices and their statuses, are patched in the cache instead.
 */
export const liveProvider: LiveProvider = {
  subscribe: ({ channel, types: wanted, callback }) =>
    onChange((change) => {
      const [entity, event] = change.name.split('.') as [string, string]
      const type = types[event]
      if (!type || !listsShowing(entity).some((name) => channel === `resources/${name}`)) return
      const own = channel === `resources/${entity}`
      const heard = own ? type : 'updated'
      if (!wanted.includes('*') && !wanted.includes(heard)) return
      callback({ channel, type: heard, payload: own ? { record: change.record } : {}, date: new Date() })
    }),
  unsubscribe: (stop: () => void) => stop(),
}
