import type { Deps, Feature } from '../../deps.ts'
import type { Tell, Way } from '../../lib/notices.ts'

const notBuilt = (): never => {
  throw new Error('Not built yet')
}

/** Messages to people's browsers (RFC 8030, 8188, 8291, 8292). */
export function push(_deps: Deps, _ports: { tell: Tell }) {
  const way: Way = { targetsOf: async () => [], send: async () => ({ is: 'gone' }) }
  const feature = {
    handlers: {
      push: {
        webPushSubscriptionSetting: notBuilt,
        listPushSubscription: notBuilt,
        deletePushSubscription: notBuilt,
        testWebPush: notBuilt,
        webPushBroadcast: notBuilt,
      },
    },
  } satisfies Feature
  return { ...feature, way }
}
