import type { Deps, Feature } from '../../deps.ts'
import { createPacer } from '../../lib/pacer.ts'
import { expiry } from '../../store/expiry.ts'
import type { CompanyWay, Way } from '../../lib/notices.ts'
import { createTabs } from './announce.ts'
import { notificationHandlers } from './calls.ts'
import { expiringNotifications } from './expiring.ts'
import { fanOut } from './fan-out.ts'
import { NOTED, tell } from './tell.ts'

/** Shortest time between two looks at what was noted, ms, so that a flood is written in few statements. */
const GAP = 200
/** Between two looks when nothing is heard, ms. */
const LOOK_EVERY = 2_000

/** What people are told, and how each of them hears it. */
export function notifications(deps: Deps, _ways: { push: Way; channels: CompanyWay }) {
  const { db, clock, events, log, config } = deps
  const tabs = createTabs(deps)
  let closed = false
  let working: Promise<void> = Promise.resolve()

  async function work(): Promise<void> {
    while (!closed && (await fanOut(deps, tabs, async () => {})));
  }
  const wake = createPacer<'notices'>(
    clock,
    () => GAP,
    () =>
      (working = closed
        ? Promise.resolve()
        : work().catch((err: unknown) => log.warn({ err }, 'People are told again later'))),
  )
  const look = () => wake.ask('notices')
  db.listen(NOTED, { heard: look, missed: look })
  events.on('notificationsRead', ({ tenant, cognitoId }) => tabs.tell(tenant, cognitoId, null))

  const feature = {
    handlers: { notifications: notificationHandlers },
    jobs: [
      { name: 'what people are told', every: LOOK_EVERY, run: async () => look() },
      expiry('notifications', deps, expiringNotifications(deps, config.keepDays.notifications ?? 0)),
    ],
    async close() {
      closed = true
      wake.close()
      await working
      tabs.close()
    },
  } satisfies Feature
  return { ...feature, tell }
}
