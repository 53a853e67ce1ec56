import type { Deps, Feature } from '../../deps.ts'
import type { CompanyWay } from '../../lib/notices.ts'

const notBuilt = (): never => {
  throw new Error('Not built yet')
}

/** A company's own ways out: LINE, Teams, webhooks. */
export function notificationChannels(_deps: Deps) {
  const way: CompanyWay = { targetsFor: async () => [], send: async () => ({ is: 'gone' }) }
  const feature = {
    handlers: {
      notificationChannel: {
        list: notBuilt,
        create: notBuilt,
        update: notBuilt,
        remove: notBuilt,
        test: notBuilt,
      },
    },
  } satisfies Feature
  return { ...feature, way }
}
