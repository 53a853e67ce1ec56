import type { Deps, Feature } from '../../deps.ts'
import type { CompanyWay, Tell, Way } from '../../lib/notices.ts'

const notBuilt = (): never => {
  throw new Error('Not built yet')
}

/** What people are told, and how each of them hears it. */
export function notifications(_deps: Deps, _ways: { push: Way; channels: CompanyWay }) {
  const tell: Tell = async () => {}
  const feature = {
    handlers: { notifications: { listNotification: notBuilt, readNotification: notBuilt } },
  } satisfies Feature
  return { ...feature, tell }
}
